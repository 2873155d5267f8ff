/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compaction: the short blocks of one or several files, by time, into long
 * ones. Events and inventories keep their place between the samples. Counts do
 * not cut a block of samples in two: they follow it.
 */
#include "archive/maintain.h"
#include "archive/writer.h"
#include "model/builder.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define HOUR_NS (INT64_C(3600) * LP_NS_PER_S)
/* A block's samples times series times columns; 32 MiB decoded. */
#define MOST_CELLS ((uint64_t)1 << 22)
/* Of counts that wait for the samples to which they belong. */
#define MOST_COUNTS_BYTES ((size_t)1 << 23)

struct input {
	struct lp_stream *stream;
	struct lp_item item;
	bool has_item;
};

/* Samples of a host that wait for their block to be full. */
struct pending {
	struct lp_builder *builder;
	char *host;
	int64_t bucket; /* number of the block's span since the epoch */
	struct lp_buffer counts; /* as blocks */
};

struct compaction {
	struct lp_archive_writer *writer;
	struct input *inputs;
	size_t n_inputs;
	struct pending *pending;
	size_t n_pending, pending_capacity;
	int64_t block_ns;
};

static int64_t bucket_of(const struct compaction *c, int64_t t)
{
	int64_t bucket = t / c->block_ns;

	return t % c->block_ns < 0 ? bucket - 1 : bucket;
}

static struct pending *pending_of(struct compaction *c, const char *host)
{
	struct pending *p;

	for (size_t i = 0; i < c->n_pending; i++)
		if (strcmp(c->pending[i].host, host) == 0)
			return &c->pending[i];
	if (lp_grow(&c->pending, &c->pending_capacity, c->n_pending + 1,
		    sizeof(*c->pending)) < 0)
		return NULL;
	p = &c->pending[c->n_pending];
	*p = (struct pending){
		.builder = lp_builder_new(host),
		.host = strdup(host),
	};
	if (p->builder && p->host) {
		c->n_pending++;
		return p;
	}
	lp_builder_free(p->builder);
	free(p->host);
	return NULL;
}

static int flush(struct compaction *c, struct pending *p, struct lp_error *err)
{
	int code = 0;

	if (lp_builder_samples(p->builder) > 0) {
		code = lp_archive_put_chunk(c->writer,
					    lp_builder_chunk(p->builder), err);
		lp_builder_clear(p->builder);
	}
	if (code == 0 && p->counts.size > 0)
		code = lp_writer_put_bytes(c->writer, p->counts.data,
					   p->counts.size, err);
	p->counts.size = 0;
	return code;
}

static bool same_column(const struct lp_column *a, const struct lp_column *b)
{
	return a->type == b->type && a->kind == b->kind &&
	       a->width == b->width && a->bound == b->bound &&
	       strcmp(a->unit, b->unit) == 0 &&
	       strcmp(a->partner ? a->partner : "",
		      b->partner ? b->partner : "") == 0;
}

/* A builder knows a column by its name alone. */
static bool panel_fits(const struct lp_panel *have, const struct lp_panel *add)
{
	for (size_t i = 0; i < add->n_columns; i++) {
		int c = lp_panel_column(have, add->columns[i].name);

		if (c >= 0 && !same_column(&have->columns[c], &add->columns[i]))
			return false;
	}
	return true;
}

static uint64_t cells(const struct lp_chunk *chunk)
{
	uint64_t n = 0;

	for (size_t p = 0; p < chunk->n_panels; p++)
		n += chunk->panels[p].n_series * chunk->panels[p].n_columns;
	return n;
}

static bool chunk_fits(struct pending *p, const struct lp_chunk *add)
{
	const struct lp_chunk *have = lp_builder_chunk(p->builder);

	for (size_t i = 0; i < add->n_panels; i++) {
		const struct lp_panel *panel =
			lp_chunk_panel(have, add->panels[i].class_name);

		if (panel && !panel_fits(panel, &add->panels[i]))
			return false;
	}
	return true;
}

/* Make room for a chunk whose columns are not those gathered so far. */
static int renew(struct compaction *c, struct pending *p, struct lp_error *err)
{
	int code = flush(c, p, err);

	lp_builder_free(p->builder);
	p->builder = lp_builder_new(p->host);
	return code < 0 || p->builder ? code : lp_fail_memory(err);
}

/* How many samples from `from` on belong to its block. */
static size_t run_length(const struct compaction *c,
			 const struct lp_chunk *chunk, size_t from,
			 int64_t bucket)
{
	size_t to = from;

	/* Clocks that step back stay in the block in which they did. */
	while (to < chunk->n_samples &&
	       bucket_of(c, chunk->time_ns[to]) <= bucket)
		to++;
	return to - from;
}

static bool is_full(struct pending *p, size_t n)
{
	uint64_t have = lp_builder_samples(p->builder);

	return have > 0 &&
	       (have + n) * cells(lp_builder_chunk(p->builder)) > MOST_CELLS;
}

static int add_chunk(struct compaction *c, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	struct pending *p = pending_of(c, chunk->host);
	int code = 0;

	if (!p)
		return lp_fail_memory(err);
	if (!chunk_fits(p, chunk))
		code = renew(c, p, err);
	for (size_t from = 0, n; code == 0 && from < chunk->n_samples;
	     from += n) {
		int64_t bucket = bucket_of(c, chunk->time_ns[from]);

		if (lp_builder_samples(p->builder) == 0)
			p->bucket = bucket;
		n = run_length(c, chunk, from, p->bucket);
		if (n == 0 || is_full(p, n)) {
			code = flush(c, p, err);
			p->bucket = bucket;
			n = code < 0 ? 0 : run_length(c, chunk, from, bucket);
		}
		if (code == 0 &&
		    lp_builder_append(p->builder, chunk, from, from + n) < 0)
			code = lp_fail_memory(err);
	}
	return code;
}

static int add_counts(struct compaction *c, const struct lp_counts *counts,
		      struct lp_error *err)
{
	struct pending *p = pending_of(c, counts->host);
	int code;

	if (!p)
		return lp_fail_memory(err);
	code = lp_writer_encode_counts(c->writer, counts, &p->counts, err);
	if (code < 0 || p->counts.size < MOST_COUNTS_BYTES)
		return code;
	return flush(c, p, err);
}

static int add_item(struct compaction *c, const struct lp_item *item,
		    struct lp_error *err)
{
	const char *host;
	int code = 0;

	if (item->kind == LP_ITEM_CHUNK)
		return add_chunk(c, item->chunk, err);
	if (item->kind == LP_ITEM_COUNTS)
		return add_counts(c, item->counts, err);
	host = lp_item_host(item);
	for (size_t i = 0; i < c->n_pending && code == 0; i++)
		if (strcmp(c->pending[i].host, host) == 0)
			code = flush(c, &c->pending[i], err);
	return code < 0 ? code : lp_archive_put_item(c->writer, item, err);
}

static int pull(struct input *input, struct lp_error *err)
{
	int code = lp_stream_next(input->stream, &input->item, err);

	input->has_item = code > 0;
	return code < 0 ? code : 0;
}

/* The input whose next item is the earliest; NULL: all are at their end. */
static struct input *earliest(struct compaction *c)
{
	struct input *best = NULL;

	for (size_t i = 0; i < c->n_inputs; i++) {
		struct input *input = &c->inputs[i];

		if (input->has_item &&
		    (!best ||
		     lp_item_time(&input->item) < lp_item_time(&best->item)))
			best = input;
	}
	return best;
}

/* Nothing may be lost without a word. */
static int check_whole(const struct lp_stream *stream, const char *path,
		       struct lp_error *err)
{
	uint64_t n = lp_stream_skipped(stream);

	if (n == 0)
		return 0;
	return lp_fail(err, ENOTSUP,
		       "%s: %llu %s written by a newer limpid would be lost; "
		       "use that limpid to compact it",
		       path, (unsigned long long)n,
		       n == 1 ? "block" : "blocks");
}

static int merge(struct compaction *c, const char *const *paths,
		 struct lp_error *err)
{
	struct input *input;
	int code = 0;

	for (size_t i = 0; i < c->n_inputs && code == 0; i++)
		code = pull(&c->inputs[i], err);
	while (code == 0 && (input = earliest(c))) {
		code = add_item(c, &input->item, err);
		if (code == 0)
			code = pull(input, err);
	}
	for (size_t i = 0; i < c->n_pending && code == 0; i++)
		code = flush(c, &c->pending[i], err);
	for (size_t i = 0; i < c->n_inputs && code == 0; i++)
		code = check_whole(c->inputs[i].stream, paths[i], err);
	return code;
}

static int open_inputs(struct compaction *c, const char *const *paths, size_t n,
		       struct lp_error *err)
{
	struct lp_query all;

	lp_query_init(&all);
	c->inputs = calloc(n, sizeof(*c->inputs));
	if (!c->inputs)
		return lp_fail_memory(err);
	for (; c->n_inputs < n; c->n_inputs++) {
		int code = lp_archive_open(paths[c->n_inputs], &all,
					   &c->inputs[c->n_inputs].stream, err);

		if (code < 0)
			return code;
	}
	return 0;
}

static void compaction_done(struct compaction *c)
{
	for (size_t i = 0; i < c->n_inputs; i++)
		lp_stream_close(c->inputs[i].stream);
	for (size_t i = 0; i < c->n_pending; i++) {
		lp_builder_free(c->pending[i].builder);
		free(c->pending[i].host);
		lp_buffer_done(&c->pending[i].counts);
	}
	free(c->inputs);
	free(c->pending);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static int write_merged(struct compaction *c, const char *const *paths,
			const char *out, struct lp_error *err)
{
	int code = lp_archive_create(out, LP_ARCHIVE_ATOMIC, &c->writer, err);

	if (code < 0)
		return code;
	code = merge(c, paths, err);
	if (code < 0) {
		lp_archive_abandon(c->writer);
		return code;
	}
	return lp_archive_finish(c->writer, err);
}

int lp_archive_compact(const char *const *paths, size_t n, const char *out,
		       const struct lp_compact_options *options,
		       struct lp_compact_result *result, struct lp_error *err)
{
	struct compaction c = { .block_ns = HOUR_NS };
	struct lp_compact_result sizes = { 0 };
	int code = open_inputs(&c, paths, n, err);

	if (options && options->block_ns > 0)
		c.block_ns = options->block_ns;
	for (size_t i = 0; i < n; i++)
		sizes.before += size_of(paths[i]);
	if (code == 0)
		code = write_merged(&c, paths, out, err);
	compaction_done(&c);
	sizes.after = size_of(out);
	if (code == 0 && result)
		*result = sizes;
	return code;
}
