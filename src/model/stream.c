/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stream.h"

#include <string.h>

void lp_query_init(struct lp_query *query)
{
	*query = (struct lp_query){
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
	};
}

static bool listed(const char *const *list, const char *name)
{
	if (!list)
		return true;
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

bool lp_query_wants_class(const struct lp_query *query, const char *name)
{
	return listed(query->classes, name);
}

bool lp_query_wants_column(const struct lp_query *query, const char *name)
{
	return listed(query->columns, name);
}

bool lp_query_wants_span(const struct lp_query *query, int64_t first_ns,
			 int64_t last_ns)
{
	return first_ns <= query->until_ns && last_ns >= query->since_ns;
}

const char *lp_item_host(const struct lp_item *item)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		return item->chunk->host;
	case LP_ITEM_INVENTORY:
		return item->inventory->host;
	case LP_ITEM_EVENT:
		return item->event->host;
	case LP_ITEM_COUNTS:
		return item->counts->host;
	}
	return "";
}

int64_t lp_item_time(const struct lp_item *item)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		return item->chunk->time_ns[0];
	case LP_ITEM_INVENTORY:
		return item->inventory->time_ns;
	case LP_ITEM_EVENT:
		return item->event->time_ns;
	case LP_ITEM_COUNTS:
		return item->counts->from_ns;
	}
	return LP_TIME_MIN;
}

int lp_stream_next(struct lp_stream *stream, struct lp_item *item,
		   struct lp_error *err)
{
	*item = (struct lp_item){ 0 };
	return stream->ops->next(stream, item, err);
}

void lp_stream_close(struct lp_stream *stream)
{
	if (stream)
		stream->ops->close(stream);
}

const char *lp_stream_lost(const struct lp_stream *stream)
{
	return stream->ops->lost ? stream->ops->lost(stream) : NULL;
}

uint64_t lp_stream_skipped(const struct lp_stream *stream)
{
	return stream->ops->skipped ? stream->ops->skipped(stream) : 0;
}

double lp_stream_progress(const struct lp_stream *stream)
{
	return stream->ops->progress ? stream->ops->progress(stream) : -1;
}
