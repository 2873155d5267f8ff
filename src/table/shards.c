/* SPDX-License-Identifier: Apache-2.0 */
#include "table/shards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- which inputs belong together ---- */

static size_t root_of(const struct lp_shards *s, size_t input)
{
	while (s->parent[input] != input)
		input = s->parent[input];
	return input;
}

static void unite(struct lp_shards *s, size_t a, size_t b)
{
	size_t x = root_of(s, a), y = root_of(s, b);

	/* The root is the first: shards come in the order of the inputs. */
	if (x < y)
		s->parent[y] = x;
	else
		s->parent[x] = y;
}

static void note(struct lp_shards *s, size_t input, const char *host)
{
	uint32_t known = s->hosts.count;
	uint32_t number = lp_names_add(&s->hosts, host);

	if (number == LP_NAME_NONE ||
	    lp_grow(&s->input_of, &s->input_of_capacity, (size_t)number + 1,
		    sizeof(*s->input_of)) < 0) {
		s->failed = true;
		return;
	}
	if (number == known)
		s->input_of[number] = input;
	unite(s, s->input_of[number], input);
}

/* ---- a stream whose hosts are noted ---- */

struct noted {
	struct lp_stream stream;
	struct lp_stream *inner;
	struct lp_shards *shards;
	size_t input;
};

static int noted_next(struct lp_stream *stream, struct lp_item *item,
		      struct lp_error *err)
{
	struct noted *n = (struct noted *)stream;
	int status = lp_stream_next(n->inner, item, err);

	if (status > 0)
		note(n->shards, n->input, lp_item_host(item));
	return status;
}

static void noted_close(struct lp_stream *stream)
{
	struct noted *n = (struct noted *)stream;

	lp_stream_close(n->inner);
	free(n);
}

static double noted_progress(const struct lp_stream *stream)
{
	return lp_stream_progress(((const struct noted *)stream)->inner);
}

static int open_noted(void *context, size_t input, struct lp_stream **stream,
		      struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = noted_next,
		.close = noted_close,
		.progress = noted_progress,
	};
	struct lp_shards *s = context;
	struct noted *n = calloc(1, sizeof(*n));
	int status;

	if (!n)
		return lp_fail_memory(err);
	status = s->open(s->context, input, &n->inner, err);
	if (status < 0) {
		free(n);
		return status;
	}
	n->stream.ops = &ops;
	n->shards = s;
	n->input = input;
	*stream = &n->stream;
	return 0;
}

int lp_shards_survey(struct lp_shards *s, lp_merge_open_fn *open, void *context,
		     size_t n, struct lp_stream **stream, struct lp_error *err)
{
	s->open = open;
	s->context = context;
	s->n = n;
	s->parent = calloc(n + 1, sizeof(*s->parent));
	s->members = calloc(n + 1, sizeof(*s->members));
	if (!s->parent || !s->members)
		return lp_fail_memory(err);
	for (size_t i = 0; i < n; i++)
		s->parent[i] = i;
	return lp_merge_open(open_noted, s, n, stream, err);
}

/* ---- one shard ---- */

static int open_member(void *context, size_t member, struct lp_stream **stream,
		       struct lp_error *err)
{
	const struct lp_shards *s = context;

	return s->open(s->context, s->members[member], stream, err);
}

static size_t list_members(struct lp_shards *s, size_t root)
{
	size_t n = 0;

	for (size_t i = root; i < s->n; i++)
		if (s->failed || root_of(s, i) == root)
			s->members[n++] = i;
	return n;
}

int lp_shards_next(struct lp_shards *s, size_t *at, struct lp_stream **stream,
		   struct lp_error *err)
{
	size_t root = *at, n;
	int status;

	while (root < s->n && root_of(s, root) != root)
		root++;
	if (root >= s->n)
		return 0;
	n = list_members(s, root);
	*at = s->failed ? s->n : root + 1;
	status = lp_merge_open(open_member, s, n, stream, err);
	return status < 0 ? status : 1;
}

void lp_shards_done(struct lp_shards *s)
{
	lp_names_done(&s->hosts);
	free(s->input_of);
	free(s->parent);
	free(s->members);
}
