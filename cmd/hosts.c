/* SPDX-License-Identifier: Apache-2.0 */
#include "hosts.h"

#include "base/nearest.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 6
#define ROOM 256

struct filtered {
	struct lp_stream stream;
	struct lp_stream *inner;
	struct lp_host_filter *filter;
	/* The item under its new name. */
	struct lp_chunk chunk;
	struct lp_inventory inventory;
	struct lp_event event;
	struct lp_counts counts;
};

static bool matches(const struct lp_host_filter *f, const char *host)
{
	for (size_t i = 0; i < f->only.count; i++)
		if (fnmatch(f->only.text[i], host, 0) == 0)
			return true;
	return f->only.count == 0;
}

/* Whether the item is wanted; its host is noted in any case. */
static bool take(struct lp_host_filter *f, const char *host)
{
	bool wanted = matches(f, host);

	if (lp_names_add(&f->seen, host) == LP_NAME_NONE ||
	    (wanted && lp_names_add(&f->taken, host) == LP_NAME_NONE))
		f->failed = true;
	return wanted;
}

static void rename_item(struct filtered *s, struct lp_item *item)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		s->chunk = *item->chunk;
		s->chunk.host = s->filter->as;
		item->chunk = &s->chunk;
		break;
	case LP_ITEM_INVENTORY:
		s->inventory = *item->inventory;
		s->inventory.host = s->filter->as;
		item->inventory = &s->inventory;
		break;
	case LP_ITEM_EVENT:
		s->event = *item->event;
		s->event.host = s->filter->as;
		item->event = &s->event;
		break;
	case LP_ITEM_COUNTS:
		s->counts = *item->counts;
		s->counts.host = s->filter->as;
		item->counts = &s->counts;
		break;
	}
}

static int filtered_next(struct lp_stream *stream, struct lp_item *item,
			 struct lp_error *err)
{
	struct filtered *s = (struct filtered *)stream;
	int status;

	do
		status = lp_stream_next(s->inner, item, err);
	while (status > 0 && !take(s->filter, lp_item_host(item)));
	if (status > 0 && s->filter->as)
		rename_item(s, item);
	return status;
}

static void filtered_close(struct lp_stream *stream)
{
	struct filtered *s = (struct filtered *)stream;

	lp_stream_close(s->inner);
	free(s);
}

static double filtered_progress(const struct lp_stream *stream)
{
	return lp_stream_progress(((const struct filtered *)stream)->inner);
}

int lp_host_filter_wrap(struct lp_host_filter *filter,
			struct lp_stream **stream, struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = filtered_next,
		.close = filtered_close,
		.progress = filtered_progress,
	};
	struct filtered *s;

	if (filter->only.count == 0 && !filter->as)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s) {
		lp_stream_close(*stream);
		*stream = NULL;
		return lp_fail_memory(err);
	}
	s->stream.ops = &ops;
	s->inner = *stream;
	s->filter = filter;
	*stream = &s->stream;
	return 0;
}

/* ---- what there is ---- */

/* The first name behind the one before; NULL: of all. */
static const char *next_name(const struct lp_names *names, const char *before)
{
	const char *next = NULL;

	for (uint32_t i = 0; i < names->count; i++)
		if ((!before || strverscmp(names->text[i], before) > 0) &&
		    (!next || strverscmp(names->text[i], next) < 0))
			next = names->text[i];
	return next;
}

/* "oss1, oss2 and 7 more", in the order of their names. */
static const char *list(const struct lp_names *names, char text[ROOM])
{
	const char *name = next_name(names, NULL);
	uint32_t n = names->count;
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; name && i < MOST_NAMES && at < ROOM; i++) {
		at += (size_t)snprintf(text + at, ROOM - at, "%s%.30s",
				       i ? ", " : "", name);
		name = next_name(names, name);
	}
	if (n > MOST_NAMES && at < ROOM)
		snprintf(text + at, ROOM - at, " and %u more", n - MOST_NAMES);
	return text;
}

static bool matches_any(const char *pattern, const struct lp_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (fnmatch(pattern, names->text[i], 0) == 0)
			return true;
	return false;
}

static int no_match(const struct lp_host_filter *f, const char *pattern,
		    struct lp_error *err)
{
	struct lp_nearest nearest = lp_nearest_begin(pattern);
	char hint[LP_NEAREST_HINT];
	char there[ROOM];

	for (uint32_t i = 0; i < f->seen.count; i++)
		lp_nearest_offer(&nearest, f->seen.text[i]);
	return lp_fail(
		err, EINVAL, "--host %s: no host matches%s; there %s %s%s",
		pattern, lp_nearest_hint(&nearest, hint),
		f->seen.count == 1 ? "is" : "are", list(&f->seen, there),
		f->seen.count == 1 ? " (--as-host gives it another name)" : "");
}

int lp_host_filter_check(const struct lp_host_filter *f, struct lp_error *err)
{
	char there[ROOM];

	if (f->failed)
		return lp_fail_memory(err);
	for (size_t i = 0; i < f->only.count && f->seen.count; i++)
		if (!matches_any(f->only.text[i], &f->seen))
			return no_match(f, f->only.text[i], err);
	if (f->as && f->taken.count > 1)
		return lp_fail(err, EINVAL,
			       "--as-host %s would make one host of %u: %s; "
			       "choose one of them with --host",
			       f->as, f->taken.count, list(&f->taken, there));
	return 0;
}

void lp_host_filter_done(struct lp_host_filter *f)
{
	lp_names_done(&f->seen);
	lp_names_done(&f->taken);
}
