/* SPDX-License-Identifier: Apache-2.0 */
#include "trim.h"

#include "model/builder.h"

#include <errno.h>
#include <stdlib.h>

struct trimmed {
	struct lp_stream stream;
	struct lp_stream *inner;
	int64_t since_ns, until_ns;
	struct lp_builder *builder; /* of the chunk that was cut */
};

static bool is_wanted(const struct trimmed *t, int64_t time_ns)
{
	return time_ns >= t->since_ns && time_ns <= t->until_ns;
}

/* The samples that are wanted; they may be several spans, if a clock was set.
 */
static int cut(struct trimmed *t, const struct lp_chunk *chunk)
{
	size_t from = 0, to;

	lp_builder_free(t->builder);
	t->builder = lp_builder_new(chunk->host);
	if (!t->builder)
		return -ENOMEM;
	for (; from < chunk->n_samples; from = to + 1) {
		for (to = from;
		     to < chunk->n_samples && is_wanted(t, chunk->time_ns[to]);
		     to++)
			;
		if (to > from &&
		    lp_builder_append(t->builder, chunk, from, to) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int trimmed_next(struct lp_stream *stream, struct lp_item *item,
			struct lp_error *err)
{
	struct trimmed *t = (struct trimmed *)stream;
	int status;

	while ((status = lp_stream_next(t->inner, item, err)) > 0) {
		size_t inside = 0;

		if (item->kind != LP_ITEM_CHUNK)
			return status;
		for (size_t i = 0; i < item->chunk->n_samples; i++)
			inside += is_wanted(t, item->chunk->time_ns[i]);
		if (inside == 0)
			continue;
		if (inside == item->chunk->n_samples)
			return status;
		if (cut(t, item->chunk) < 0)
			return lp_fail_memory(err);
		item->chunk = lp_builder_chunk(t->builder);
		return status;
	}
	return status;
}

static void trimmed_close(struct lp_stream *stream)
{
	struct trimmed *t = (struct trimmed *)stream;

	lp_stream_close(t->inner);
	lp_builder_free(t->builder);
	free(t);
}

static double trimmed_progress(const struct lp_stream *stream)
{
	return lp_stream_progress(((const struct trimmed *)stream)->inner);
}

static const char *trimmed_lost(const struct lp_stream *stream)
{
	return lp_stream_lost(((const struct trimmed *)stream)->inner);
}

static uint64_t trimmed_skipped(const struct lp_stream *stream)
{
	return lp_stream_skipped(((const struct trimmed *)stream)->inner);
}

int lp_trim(struct lp_stream **stream, int64_t since_ns, int64_t until_ns,
	    struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = trimmed_next,
		.close = trimmed_close,
		.progress = trimmed_progress,
		.lost = trimmed_lost,
		.skipped = trimmed_skipped,
	};
	struct trimmed *t;

	if (since_ns == LP_TIME_MIN && until_ns == LP_TIME_MAX)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t) {
		lp_stream_close(*stream);
		*stream = NULL;
		return lp_fail_memory(err);
	}
	*t = (struct trimmed){ .stream.ops = &ops,
			       .inner = *stream,
			       .since_ns = since_ns,
			       .until_ns = until_ns };
	*stream = &t->stream;
	return 0;
}
