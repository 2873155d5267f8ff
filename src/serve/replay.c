/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/replay.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/timestamp.h"
#include "live/chunk_part.h"
#include "live/live_files.h"
#include "record/naming.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One host of one file, and how much of it was written. */
struct tape_of {
	const char *path;
	uint32_t host;
	struct lp_stream *stream;
	struct lp_item item;
	size_t at; /* in the chunk */
	bool over;
};

struct lp_replay {
	double speed;
	int64_t first_ns, began_ns; /* of the samples; of the real clock */
	struct lp_live_files files;
	struct lp_names hosts;
	struct lp_archive_writer **writers; /* by host */
	size_t writers_capacity;
	struct tape_of *tapes;
	size_t n, capacity;
	char *to;
	struct lp_arena arena;
};

int64_t lp_replay_now(const struct lp_replay *r)
{
	double passed = (double)(lp_monotonic_now() - r->began_ns);

	return r->first_ns + (int64_t)(passed * r->speed);
}

/* ---- reading ---- */

/* The next item of the tape's host. */
static int wind(struct lp_replay *r, struct tape_of *t, struct lp_error *err)
{
	const char *host = r->hosts.text[t->host];
	int status;

	t->at = 0;
	do {
		status = lp_stream_next(t->stream, &t->item, err);
	} while (status > 0 && (strcmp(lp_item_host(&t->item), host) != 0 ||
				(t->item.kind == LP_ITEM_CHUNK &&
				 t->item.chunk->n_samples == 0)));
	t->over = status <= 0;
	return status < 0 ? status : 0;
}

static int64_t next_time(const struct tape_of *t)
{
	return t->item.kind == LP_ITEM_CHUNK ? t->item.chunk->time_ns[t->at]
					     : lp_item_time(&t->item);
}

static int add_tape(struct lp_replay *r, const char *path, uint32_t host,
		    struct lp_error *err)
{
	struct lp_query query = { 0 };
	struct tape_of *t;
	int status;

	if (lp_grow(&r->tapes, &r->capacity, r->n + 1, sizeof(*r->tapes)) < 0)
		return lp_fail_memory(err);
	t = &r->tapes[r->n];
	*t = (struct tape_of){ .path = path, .host = host };
	lp_query_init(&query);
	query.tolerant = true;
	status = lp_archive_open(path, &query, &t->stream, err);
	if (status < 0)
		return status;
	r->n++;
	return wind(r, t, err);
}

/* A first pass: which hosts a file has. */
static int find_hosts(struct lp_replay *r, const char *path,
		      struct lp_names *found, struct lp_error *err)
{
	static const char *const nothing[] = { NULL };
	struct lp_query query = { 0 };
	struct lp_stream *stream;
	struct lp_item item;
	int status;

	(void)r;
	lp_query_init(&query);
	query.tolerant = true;
	query.columns = nothing;
	status = lp_archive_open(path, &query, &stream, err);
	if (status < 0)
		return status;
	while ((status = lp_stream_next(stream, &item, err)) > 0)
		if (lp_names_add(found, lp_item_host(&item)) == LP_NAME_NONE) {
			status = lp_fail_memory(err);
			break;
		}
	lp_stream_close(stream);
	return status;
}

static int add_file(struct lp_replay *r, const char *path, struct lp_error *err)
{
	struct lp_names found = { 0 };
	int status = find_hosts(r, path, &found, err);

	for (uint32_t i = 0; i < found.count && status == 0; i++) {
		uint32_t host = lp_names_add(&r->hosts, found.text[i]);

		status = host == LP_NAME_NONE ? lp_fail_memory(err)
					      : add_tape(r, path, host, err);
	}
	lp_names_done(&found);
	return status;
}

static int open_tapes(struct lp_replay *r, const char *from,
		      struct lp_error *err)
{
	const char *const paths[] = { from };
	int status = 0;

	if (lp_live_files_find(&r->files, paths, 1) < 0)
		return lp_fail_memory(err);
	if (r->files.n == 0)
		return lp_fail(err, ENOENT, "%s: no archives to replay", from);
	for (size_t i = 0; i < r->files.n && status == 0; i++)
		status = add_file(r, r->files.items[r->files.order[i]].path,
				  err);
	r->first_ns = LP_TIME_MAX;
	for (size_t i = 0; i < r->n; i++)
		if (!r->tapes[i].over && next_time(&r->tapes[i]) < r->first_ns)
			r->first_ns = next_time(&r->tapes[i]);
	return status;
}

int lp_replay_open(const char *from, const char *to, double speed,
		   struct lp_replay **replay, struct lp_error *err)
{
	struct lp_replay *r = calloc(1, sizeof(*r));
	int status;

	if (!r)
		return lp_fail_memory(err);
	r->speed = speed;
	r->to = strdup(to);
	status = r->to ? open_tapes(r, from, err) : lp_fail_memory(err);
	if (status == 0 && mkdir(to, 0700) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", to);
	r->began_ns = lp_monotonic_now();
	if (status < 0)
		lp_replay_close(r);
	else
		*replay = r;
	return status;
}

void lp_replay_close(struct lp_replay *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		lp_stream_close(r->tapes[i].stream);
	for (size_t i = 0; r->writers && i < r->hosts.count; i++)
		lp_archive_abandon(r->writers[i]);
	free(r->writers);
	free(r->tapes);
	free(r->to);
	lp_live_files_done(&r->files);
	lp_names_done(&r->hosts);
	lp_arena_done(&r->arena);
	free(r);
}

/* ---- writing ---- */

static int writer_of(struct lp_replay *r, const struct tape_of *t,
		     struct lp_archive_writer **writer, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	int status;

	if (!r->writers) {
		r->writers = calloc(r->hosts.count,
				    sizeof(struct lp_archive_writer *));
		if (!r->writers)
			return lp_fail_memory(err);
	}
	*writer = r->writers[t->host];
	if (*writer)
		return 0;
	path = lp_archive_path(r->to, r->hosts.text[t->host], next_time(t));
	if (!path)
		return lp_fail_memory(err);
	status = lp_archive_create(path, LP_ARCHIVE_LIVE, writer, err);
	if (status == 0)
		r->writers[t->host] = *writer;
	return status;
}

/* Samples of the chunk up to now. */
static int write_samples(struct lp_replay *r, struct tape_of *t, int64_t now_ns,
			 struct lp_archive_writer *writer, struct lp_error *err)
{
	const struct lp_chunk *chunk = t->item.chunk;
	struct lp_chunk part;
	size_t to = t->at;
	int status;

	while (to < chunk->n_samples && chunk->time_ns[to] <= now_ns)
		to++;
	if (lp_chunk_part(chunk, t->at, &r->arena, &part) < 0)
		return lp_fail_memory(err);
	part.n_samples = to - t->at;
	status = lp_archive_put_chunk(writer, &part, err);
	lp_arena_reset(&r->arena);
	t->at = to;
	if (status == 0 && to == chunk->n_samples)
		status = wind(r, t, err);
	return status;
}

static int write_tape(struct lp_replay *r, struct tape_of *t, int64_t now_ns,
		      struct lp_error *err)
{
	struct lp_archive_writer *writer;
	int status = 0;

	while (status == 0 && !t->over && next_time(t) <= now_ns) {
		status = writer_of(r, t, &writer, err);
		if (status < 0)
			return status;
		if (t->item.kind == LP_ITEM_CHUNK) {
			status = write_samples(r, t, now_ns, writer, err);
			continue;
		}
		status = lp_archive_put_item(writer, &t->item, err);
		if (status == 0)
			status = wind(r, t, err);
	}
	return status;
}

int lp_replay_step(struct lp_replay *r, int64_t now_ns, bool *over,
		   struct lp_error *err)
{
	int status = 0;

	*over = true;
	for (size_t i = 0; i < r->n && status == 0; i++) {
		status = write_tape(r, &r->tapes[i], now_ns, err);
		*over &= r->tapes[i].over;
	}
	return status;
}
