/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened to a recording, beside its samples.
 */
#ifndef LP_MODEL_EVENT_H
#define LP_MODEL_EVENT_H

#include <stdint.h>

enum lp_event_kind {
	LP_EVENT_START,  /* a recorder began; text: "interval 1 s" and so on */
	LP_EVENT_STOP,   /* it ended in order: what follows is no absence */
	LP_EVENT_BOOT,   /* the host booted: counters begin anew; text: boot id
			    where known */
	LP_EVENT_LOST,   /* samples could not be kept; text: why */
	LP_EVENT_READER, /* a reader failed or came back; text: which */
	LP_EVENT_CLOCK,  /* the clock was set, at the first sample behind it;
			    text: "set forward by 1 h", "set back by 2 s" */
	LP_EVENT_KINDS,
};

#define LP_CLOCK_FORWARD "set forward by "
#define LP_CLOCK_BACK "set back by "

struct lp_event {
	const char *host;
	int64_t time_ns;
	enum lp_event_kind kind;
	const char *text; /* never NULL */
};

const char *lp_event_kind_name(enum lp_event_kind kind);

#endif
