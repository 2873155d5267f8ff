/* SPDX-License-Identifier: Apache-2.0 */
#include "table/merge.h"

#include "base/names.h"
#include "table/join.h"

#include <errno.h>
#include <stdlib.h>

enum state { CLOSED, OPEN, ENDED };

struct input {
	size_t number;    /* for open() */
	int64_t first_ns; /* of the first item */
	uint32_t host;    /* of the first item, in `hosts` */
	enum state state;
	struct lp_stream *stream;
	struct lp_item item;
	size_t at; /* sample in the chunk */
	bool used; /* the item is no longer needed */
};

struct merge {
	struct lp_stream stream;
	lp_merge_open_fn *open;
	void *context;
	struct input *inputs; /* by first_ns */
	size_t n;
	struct lp_names hosts;
	struct lp_join join;
	bool failed;
};

static int64_t time_of(const struct input *in)
{
	return in->item.kind == LP_ITEM_CHUNK ? in->item.chunk->time_ns[in->at]
					      : lp_item_time(&in->item);
}

static void close_input(struct input *in, enum state state)
{
	lp_stream_close(in->stream);
	in->stream = NULL;
	in->state = state;
}

/* The next item that has something in it. */
static int pull(struct input *in, struct lp_error *err)
{
	int status;

	do {
		status = lp_stream_next(in->stream, &in->item, err);
	} while (status > 0 && in->item.kind == LP_ITEM_CHUNK &&
		 in->item.chunk->n_samples == 0);
	in->at = 0;
	in->used = false;
	if (status <= 0)
		close_input(in, ENDED);
	return status < 0 ? status : 0;
}

static int open_input(struct merge *m, struct input *in, struct lp_error *err)
{
	int status = m->open(m->context, in->number, &in->stream, err);

	if (status < 0)
		return status;
	in->state = OPEN;
	return pull(in, err);
}

static int by_first(const void *a, const void *b)
{
	const struct input *x = a, *y = b;

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static int look_into_all(struct merge *m, struct lp_error *err)
{
	for (size_t i = 0; i < m->n; i++) {
		struct input *in = &m->inputs[i];
		int status;

		in->number = i;
		status = open_input(m, in, err);
		if (status < 0)
			return status;
		if (in->state == OPEN) {
			in->first_ns = time_of(in);
			in->host = lp_names_add(&m->hosts,
						lp_item_host(&in->item));
		}
		if (in->host == LP_NAME_NONE)
			return lp_fail_memory(err);
		if (in->state == OPEN && i >= LP_MERGE_KEPT_OPEN)
			close_input(in, CLOSED);
	}
	qsort(m->inputs, m->n, sizeof(*m->inputs), by_first);
	return 0;
}

static int64_t begin_of(const struct input *in)
{
	return in->state == OPEN ? time_of(in) : in->first_ns;
}

/* The input whose turn it is; NULL: all have ended. */
static struct input *earliest(struct merge *m)
{
	struct input *best = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct input *in = &m->inputs[i];

		if (in->state == ENDED)
			continue;
		if (!best || begin_of(in) < begin_of(best))
			best = in;
	}
	return best;
}

/* Where another input goes on with the same host. */
static int64_t next_of_host(const struct merge *m, const struct input *but,
			    const char *host)
{
	int64_t least = LP_TIME_MAX;

	for (size_t i = 0; i < m->n; i++) {
		const struct input *in = &m->inputs[i];

		if (in == but || in->state == ENDED || begin_of(in) >= least)
			continue;
		if (strcmp(in->state == OPEN ? lp_item_host(&in->item)
					     : m->hosts.text[in->host],
			   host) == 0)
			least = begin_of(in);
	}
	return least;
}

/* Samples of the chunk that come before what other inputs have of the host. */
static size_t run_end(const struct merge *m, const struct input *in)
{
	const struct lp_chunk *chunk = in->item.chunk;
	int64_t limit = next_of_host(m, in, chunk->host);
	size_t to = in->at + 1;

	while (to < chunk->n_samples && chunk->time_ns[to] < limit)
		to++;
	return to;
}

static int advance(struct input *in, size_t to, struct lp_error *err)
{
	in->at = to;
	return to < in->item.chunk->n_samples ? 0 : pull(in, err);
}

static bool goes_with(const struct input *in, const struct input *first,
		      int64_t time_ns, const char *host)
{
	return in != first && in->state == OPEN &&
	       in->item.kind == LP_ITEM_CHUNK && time_of(in) == time_ns &&
	       strcmp(in->item.chunk->host, host) == 0;
}

/* The sample that `first` began, completed from the other inputs. */
static int unite(struct merge *m, const struct input *first, int64_t time_ns,
		 const char *host, struct lp_error *err)
{
	for (size_t i = 0; i < m->n; i++) {
		struct input *in = &m->inputs[i];
		int status;

		if (!goes_with(in, first, time_ns, host))
			continue;
		status = lp_join_unite(&m->join, in->item.chunk, in->at);
		if (status == -EEXIST) /* columns of other kinds: next time */
			continue;
		if (status < 0)
			return lp_fail_memory(err);
		status = advance(in, in->at + 1, err);
		if (status < 0)
			return status;
	}
	return 0;
}

/* Closed inputs that begin now are opened, so that they can be united. */
static int open_due(struct merge *m, int64_t time_ns, struct lp_error *err)
{
	for (size_t i = 0; i < m->n; i++) {
		int status = 0;

		if (m->inputs[i].state == CLOSED &&
		    m->inputs[i].first_ns <= time_ns)
			status = open_input(m, &m->inputs[i], err);
		if (status < 0)
			return status;
	}
	return 0;
}

static int put_samples(struct merge *m, struct input *in, struct lp_error *err)
{
	const struct lp_chunk *chunk = in->item.chunk;
	size_t to = run_end(m, in);
	int64_t time_ns = chunk->time_ns[to - 1];
	const char *host;
	int status = lp_join_append(&m->join, chunk, in->at, to, &host);

	if (status < 0)
		return lp_fail_memory(err);
	status = unite(m, in, time_ns, host, err);
	return status < 0 ? status : advance(in, to, err);
}

/* A chunk that is long enough, with nothing to be put between or into it. */
static bool goes_whole(const struct merge *m, const struct input *in)
{
	const struct lp_chunk *chunk = in->item.chunk;
	size_t n;

	if (!chunk || in->at != 0 || chunk->n_samples < LP_MERGE_WHOLE)
		return false;
	n = chunk->n_samples;
	return run_end(m, in) == n &&
	       chunk->time_ns[n - 1] < next_of_host(m, in, chunk->host);
}

/* 1: an item; 0: go on; below 0: -errno. */
static int step(struct merge *m, struct input *in, struct lp_item *item,
		struct lp_error *err)
{
	if (in->item.kind == LP_ITEM_CHUNK && !goes_whole(m, in)) {
		item->chunk = lp_join_full(&m->join, in->item.chunk);
		return item->chunk ? 1 : put_samples(m, in, err);
	}
	/* What was gathered before comes before. */
	item->chunk = lp_join_of_host(&m->join, lp_item_host(&in->item));
	if (item->chunk)
		return 1;
	*item = in->item;
	in->used = true;
	return 1;
}

static int next_item(struct merge *m, struct lp_item *item,
		     struct lp_error *err)
{
	struct input *in;
	int status;

	while ((in = earliest(m)) != NULL) {
		if (in->state == OPEN && in->used)
			status = pull(in, err);
		else if (in->state == CLOSED)
			status = open_input(m, in, err);
		else
			status = open_due(m, time_of(in), err);
		if (status < 0)
			return status;
		if (in != earliest(m) || in->used)
			continue;
		status = step(m, in, item, err);
		if (status != 0)
			return status;
	}
	item->chunk = lp_join_any(&m->join);
	return item->chunk ? 1 : 0;
}

static int merge_next(struct lp_stream *stream, struct lp_item *item,
		      struct lp_error *err)
{
	struct merge *m = (struct merge *)stream;

	int status;

	lp_join_release(&m->join);
	if (m->failed)
		return 0;
	item->kind = LP_ITEM_CHUNK;
	status = next_item(m, item, err);
	m->failed = status < 0;
	return status;
}

static void merge_close(struct lp_stream *stream)
{
	struct merge *m = (struct merge *)stream;

	for (size_t i = 0; m->inputs && i < m->n; i++)
		lp_stream_close(m->inputs[i].stream);
	lp_join_done(&m->join);
	lp_names_done(&m->hosts);
	free(m->inputs);
	free(m);
}

static double merge_progress(const struct lp_stream *stream)
{
	const struct merge *m = (const struct merge *)stream;
	double sum = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct input *in = &m->inputs[i];
		double part = in->stream ? lp_stream_progress(in->stream) : 0;

		sum += in->state == ENDED ? 1 : part > 0 ? part : 0;
	}
	return m->n ? sum / (double)m->n : 1;
}

static const struct lp_stream_ops ops = {
	.next = merge_next,
	.close = merge_close,
	.progress = merge_progress,
};

int lp_merge_open(lp_merge_open_fn *open, void *context, size_t n,
		  struct lp_stream **stream, struct lp_error *err)
{
	struct merge *m = calloc(1, sizeof(*m));
	int status;

	if (!m)
		return lp_fail_memory(err);
	*m = (struct merge){
		.stream.ops = &ops, .open = open, .context = context, .n = n
	};
	m->inputs = calloc(n + 1, sizeof(*m->inputs));
	status = m->inputs ? look_into_all(m, err) : lp_fail_memory(err);
	if (status < 0) {
		merge_close(&m->stream);
		return status;
	}
	*stream = &m->stream;
	return 0;
}
