/* SPDX-License-Identifier: Apache-2.0 */
#include "record/notice.h"

#include "base/timestamp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more, or NULL. The memory is had only when it is needed. */
static struct lp_notice *next_item(struct lp_notices *notices)
{
	if (!notices->items)
		notices->items = calloc(LP_NOTICES, sizeof(*notices->items));
	if (!notices->items || notices->count == LP_NOTICES)
		return NULL;
	return &notices->items[notices->count++];
}

static void add(struct lp_notices *notices, int64_t time_ns,
		enum lp_event_kind kind, const char *format, va_list args)
{
	struct lp_notice *notice = next_item(notices);

	if (!notice)
		return;
	notice->time_ns = time_ns;
	notice->kind = kind;
	vsnprintf(notice->text, sizeof(notice->text), format, args);
}

void lp_notice_add(struct lp_notices *notices, enum lp_event_kind kind,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(notices, lp_time_now(), kind, format, args);
	va_end(args);
}

void lp_notice_at(struct lp_notices *notices, int64_t time_ns,
		  enum lp_event_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(notices, time_ns, kind, format, args);
	va_end(args);
}

void lp_notices_move(struct lp_notices *notices, struct lp_notices *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct lp_notice *notice = next_item(notices);

		if (notice)
			*notice = from->items[i];
	}
	lp_notices_done(from);
}

void lp_notices_done(struct lp_notices *notices)
{
	free(notices->items);
	*notices = (struct lp_notices){ 0 };
}
