/* SPDX-License-Identifier: Apache-2.0 */
#include "record/notice.h"

#include "base/timestamp.h"

#include <assert.h>
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

static struct lp_notice *add(struct lp_notices *notices, int64_t time_ns,
			     enum lp_event_kind kind, const char *format,
			     va_list args)
{
	struct lp_notice *notice = next_item(notices);

	if (!notice)
		return NULL;
	*notice = (struct lp_notice){
		.time_ns = time_ns,
		.kind = kind,
		.severity = lp_event_kind_severity(kind),
	};
	vsnprintf(notice->text, sizeof(notice->text), format, args);
	return notice;
}

struct lp_notice *lp_notice_add(struct lp_notices *notices,
				enum lp_event_kind kind, const char *format,
				...)
{
	struct lp_notice *notice;
	va_list args;

	va_start(args, format);
	notice = add(notices, lp_time_now(), kind, format, args);
	va_end(args);
	return notice;
}

struct lp_notice *lp_notice_at(struct lp_notices *notices, int64_t time_ns,
			       enum lp_event_kind kind, const char *format, ...)
{
	struct lp_notice *notice;
	va_list args;

	va_start(args, format);
	notice = add(notices, time_ns, kind, format, args);
	va_end(args);
	return notice;
}

void lp_notice_pair(struct lp_notice *notice, const char *key,
		    const char *format, ...)
{
	char *value;
	va_list args;

	if (!notice)
		return;
	assert(notice->n_pairs < LP_NOTICE_PAIRS);
	value = notice->values[notice->n_pairs];
	va_start(args, format);
	vsnprintf(value, LP_NOTICE_VALUE, format, args);
	va_end(args);
	if (value[0])
		notice->keys[notice->n_pairs++] = key;
}

struct lp_event lp_notice_event(const struct lp_notice *notice,
				const char *host,
				struct lp_label room[LP_NOTICE_PAIRS + 1])
{
	size_t n = notice->n_pairs;

	room[0] = (struct lp_label){ "text", notice->text };
	for (size_t i = 0; i < n; i++)
		room[i + 1] =
			(struct lp_label){ notice->keys[i], notice->values[i] };
	return (struct lp_event){ .host = host,
				  .time_ns = notice->time_ns,
				  .kind = notice->kind,
				  .source = "limpid",
				  .severity = notice->severity,
				  .pairs = room,
				  .n_pairs = n + 1 };
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
