/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the recorder has to say: a line for the operator, and most of them an
 * event for the archive too, which has pairs (event.h) beside the line. A short
 * queue; when nobody takes from it the oldest stay and later ones are dropped.
 */
#ifndef LP_RECORD_NOTICE_H
#define LP_RECORD_NOTICE_H

#include "model/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LP_NOTICES 64
#define LP_NOTICE_TEXT 320
#define LP_NOTICE_PAIRS 3
#define LP_NOTICE_VALUE 64

struct lp_notice {
	int64_t time_ns;
	enum lp_event_kind kind;
	enum lp_severity severity;
	bool silent; /* for the archive only */
	char text[LP_NOTICE_TEXT];
	const char *keys[LP_NOTICE_PAIRS]; /* literals */
	char values[LP_NOTICE_PAIRS][LP_NOTICE_VALUE];
	size_t n_pairs;
};

/* Zero-initialise to begin; items is NULL while there are none. */
struct lp_notices {
	struct lp_notice *items;
	size_t count;
};

/* The notice, as severe as its kind; NULL: it was dropped. */
struct lp_notice *lp_notice_add(struct lp_notices *notices,
				enum lp_event_kind kind, const char *format,
				...) __attribute__((format(printf, 3, 4)));
/* The same as of another time than now. */
struct lp_notice *lp_notice_at(struct lp_notices *notices, int64_t time_ns,
			       enum lp_event_kind kind, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/*
 * A pair for its event, three at the most; the key must stay. A value that is
 * empty is left out, a long one is cut. Accepts NULL.
 */
void lp_notice_pair(struct lp_notice *notice, const char *key,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* All of from's, behind those that are there; from is empty then. */
void lp_notices_move(struct lp_notices *notices, struct lp_notices *from);
void lp_notices_done(struct lp_notices *notices);

/* The notice as an event, which points into both and into the room. */
struct lp_event lp_notice_event(const struct lp_notice *notice,
				const char *host,
				struct lp_label room[LP_NOTICE_PAIRS + 1]);

#endif
