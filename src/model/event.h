/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened to a recording, a host or a component, beside its samples.
 *
 * What an event says is in its pairs of key and value; who wants to know
 * something asks for a key. Keys that limpid itself understands:
 *
 *   text         what people are told; no code looks into it
 *   boot         START, BOOT: the kernel's id of the boot
 *   interval_ns  START: how often the recorder samples
 *   version      START: of the recorder
 *   set, by_ns   CLOCK: "forward" or "back", and how far
 *   synchronised CLOCK: "yes" or "no", whether anything keeps it right from
 *                now on
 *   samples      LOST: how many
 *   why          LOST: "cut": the file ends too early
 *   reader       READER: which
 *   state        READER: "works" (again) or "fails"
 */
#ifndef LP_MODEL_EVENT_H
#define LP_MODEL_EVENT_H

#include "model/inventory.h"

#include <stdbool.h>
#include <stdint.h>

/* Archives hold these numbers: new ones go to the end. */
enum lp_event_kind {
	LP_EVENT_START,  /* a recorder began */
	LP_EVENT_STOP,   /* it ended in order: what follows is no absence */
	LP_EVENT_BOOT,   /* the host booted: counters begin anew */
	LP_EVENT_LOST,   /* samples could not be kept */
	LP_EVENT_READER, /* a reader failed or came back */
	LP_EVENT_CLOCK,  /* the clock was set, at the first sample behind it;
			    or it is kept right, or not any more */
	LP_EVENT_KINDS,
};

/* As in archives, too. */
enum lp_severity {
	LP_SEVERITY_INFO,
	LP_SEVERITY_NOTICE,
	LP_SEVERITY_WARNING,
	LP_SEVERITY_ERROR,
	LP_SEVERITY_CRITICAL,
	LP_SEVERITIES,
};

struct lp_event {
	const char *host;
	int64_t time_ns;
	enum lp_event_kind kind;
	const char *source; /* who says it: "limpid", "sysstat"; NULL: not
			       known */
	enum lp_severity severity;
	/* Of which component, as in the samples; both NULL: of the host. */
	const char *class_name, *component;
	const struct lp_label *pairs;
	size_t n_pairs;
};

/* NULL: it has no such key. */
const char *lp_event_get(const struct lp_event *event, const char *key);
/* Whether it has the key with just this value. */
bool lp_event_is(const struct lp_event *event, const char *key,
		 const char *value);
/* Whether it has the key, and its value is a number, which is put there. */
bool lp_event_number(const struct lp_event *event, const char *key,
		     int64_t *value);
/* What people are told; "": nothing. */
const char *lp_event_text(const struct lp_event *event);
/* The same event, all its strings in the arena. 0 or -ENOMEM. */
int lp_event_copy(struct lp_event *copy, const struct lp_event *event,
		  struct lp_arena *arena);
/* Whether both say the same; NULL is "". */
bool lp_event_equal(const struct lp_event *a, const struct lp_event *b);

const char *lp_event_kind_name(enum lp_event_kind kind);
/* How severe an event of this kind is, unless something else is known. */
enum lp_severity lp_event_kind_severity(enum lp_event_kind kind);
const char *lp_severity_name(enum lp_severity severity);

#endif
