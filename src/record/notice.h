/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the recorder has to say: a line for the operator, and most of them an
 * event for the archive too. A short queue; when nobody takes from it the
 * oldest stay and later ones are dropped.
 */
#ifndef LP_RECORD_NOTICE_H
#define LP_RECORD_NOTICE_H

#include "model/event.h"

#include <stddef.h>
#include <stdint.h>

#define LP_NOTICES 64
#define LP_NOTICE_TEXT 320

struct lp_notice {
	int64_t time_ns;
	enum lp_event_kind kind;
	char text[LP_NOTICE_TEXT];
};

/* Zero-initialise to begin; items is NULL while there are none. */
struct lp_notices {
	struct lp_notice *items;
	size_t count;
};

void lp_notice_add(struct lp_notices *notices, enum lp_event_kind kind,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same as of another time than now. */
void lp_notice_at(struct lp_notices *notices, int64_t time_ns,
		  enum lp_event_kind kind, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* All of from's, behind those that are there; from is empty then. */
void lp_notices_move(struct lp_notices *notices, struct lp_notices *from);
void lp_notices_done(struct lp_notices *notices);

#endif
