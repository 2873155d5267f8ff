/* SPDX-License-Identifier: Apache-2.0 */
#include "state_file.h"

#include "archive/archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const no_classes[] = { NULL };

/* ---- reading ---- */

static int take_all(struct lp_stream *stream, const char *path,
		    struct lp_state *state, struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		if (item.kind != LP_ITEM_COUNTS)
			continue;
		status = lp_state_take(state, item.counts, path, err);
		if (status < 0)
			return status;
	}
	if (status == 0 && lp_stream_lost(stream))
		return lp_fail(err, EBADMSG, "%s: %s", path,
			       lp_stream_lost(stream));
	return status;
}

int lp_state_read(const char *path, struct lp_state *state,
		  struct lp_error *err)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct stat st;
	int status;

	if (stat(path, &st) < 0 && errno == ENOENT)
		return 0;
	lp_query_init(&query);
	query.classes = no_classes;
	status = lp_archive_open(path, &query, &stream, err);
	if (status < 0)
		return status;
	status = take_all(stream, path, state, err);
	lp_stream_close(stream);
	if (status == 0 && !state->whole)
		return lp_fail(err, EINVAL,
			       "%s: a recording, not a state: expected a file "
			       "that 'limpid diagnose --state' wrote, or a new "
			       "name",
			       path);
	return status;
}

/* ---- the last of each host ---- */

/* Which inventory, and which event, is the last of a host: their numbers. */
struct last {
	size_t inventory, event;
};

struct writing {
	struct lp_archive_writer *writer;
	int64_t from_ns, last_ns;
	struct lp_names hosts;
	struct last *last; /* by number of the host, counted from 1 */
	struct last *seen; /* in this pass */
	size_t last_capacity, seen_capacity;
};

static int note_host(struct writing *w, const char *host, uint32_t *id)
{
	*id = lp_names_add(&w->hosts, host);
	if (*id == LP_NAME_NONE ||
	    lp_grow(&w->last, &w->last_capacity, w->hosts.count,
		    sizeof(*w->last)) < 0 ||
	    lp_grow(&w->seen, &w->seen_capacity, w->hosts.count,
		    sizeof(*w->seen)) < 0)
		return -ENOMEM;
	return 0;
}

static void count_item(struct last *last, const struct lp_item *item)
{
	last->inventory += item->kind == LP_ITEM_INVENTORY;
	last->event += item->kind == LP_ITEM_EVENT;
}

static int note_item(struct writing *w, const struct lp_item *item,
		     struct lp_error *err)
{
	uint32_t id, known = w->hosts.count;

	if (item->kind != LP_ITEM_INVENTORY && item->kind != LP_ITEM_EVENT)
		return 0;
	if (note_host(w, lp_item_host(item), &id) < 0)
		return lp_fail_memory(err);
	if (id == known)
		w->last[id] = w->seen[id] = (struct last){ 0 };
	count_item(&w->last[id], item);
	return 0;
}

/* Old ones say what there was, and whether its recorder was stopped. */
static bool is_wanted(struct writing *w, const struct lp_item *item)
{
	uint32_t id = lp_names_find(&w->hosts, lp_item_host(item));
	struct last *seen;

	if (id == LP_NAME_NONE)
		return false;
	seen = &w->seen[id];
	count_item(seen, item);
	if (item->kind == LP_ITEM_INVENTORY)
		return seen->inventory == w->last[id].inventory;
	return seen->event == w->last[id].event ||
	       lp_item_time(item) >= w->from_ns;
}

/* ---- the last samples ---- */

static void cut_series(const struct lp_panel *panel, struct lp_series *series,
		       struct lp_values *values, size_t first)
{
	/* A brief one says all of it in one row. */
	if (series->row.bits)
		return;
	memcpy(values, series->values, panel->n_columns * sizeof(*values));
	for (size_t c = 0; c < panel->n_columns; c++) {
		if (values[c].bits)
			values[c].bits += first;
		if (values[c].present)
			values[c].present += first;
	}
	series->values = values;
}

/* n samples of the chunk, which stays as it is, from `first` on. */
static int cut(struct lp_chunk *chunk, size_t first, size_t n,
	       struct lp_arena *arena)
{
	struct lp_panel *panels =
		lp_arena_alloc(arena, chunk->n_panels * sizeof(*chunk->panels));

	if (!panels)
		return -ENOMEM;
	for (size_t i = 0; i < chunk->n_panels; i++) {
		const struct lp_panel *from = &chunk->panels[i];
		size_t row = from->n_columns;
		struct lp_series *series =
			lp_arena_alloc(arena, from->n_series * sizeof(*series));
		struct lp_values *values = lp_arena_alloc(
			arena, from->n_series * row * sizeof(*values));

		if (!series || !values)
			return -ENOMEM;
		panels[i] = *from;
		panels[i].series = series;
		for (size_t k = 0; k < from->n_series; k++) {
			series[k] = from->series[k];
			cut_series(from, &series[k], values + k * row, first);
		}
	}
	chunk->panels = panels;
	chunk->time_ns += first;
	chunk->n_samples = n;
	return 0;
}

static int put_chunk(struct writing *w, const struct lp_chunk *from,
		     struct lp_error *err)
{
	struct lp_chunk chunk = *from;
	struct lp_arena arena = { 0 };
	size_t first = 0, end = from->n_samples;
	int status;

	while (first < end && from->time_ns[first] < w->from_ns)
		first++;
	while (end > first && from->time_ns[end - 1] > w->last_ns)
		end--;
	if (first == end)
		return 0;
	status = cut(&chunk, first, end - first, &arena) < 0
			 ? lp_fail_memory(err)
			 : lp_archive_put_chunk(w->writer, &chunk, err);
	lp_arena_done(&arena);
	return status;
}

static int put_item(struct writing *w, const struct lp_item *item,
		    struct lp_error *err)
{
	if (item->kind == LP_ITEM_CHUNK)
		return put_chunk(w, item->chunk, err);
	/* Counts are the state that was there before, or are not compared. */
	if (item->kind == LP_ITEM_COUNTS || !is_wanted(w, item))
		return 0;
	return lp_archive_put_item(w->writer, item, err);
}

/* ---- writing ---- */

typedef int item_fn(struct writing *w, const struct lp_item *item,
		    struct lp_error *err);

static int each_item(struct writing *w, struct lp_inputs *inputs,
		     const char *const *classes, item_fn *do_item,
		     struct lp_error *err)
{
	struct lp_stream *stream;
	struct lp_item item;
	int status;

	lp_query_init(&inputs->query);
	inputs->query.since_ns = w->from_ns;
	inputs->query.until_ns = w->last_ns;
	inputs->query.classes = classes;
	status = lp_inputs_open(inputs, &stream, err);
	if (status < 0)
		return status;
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = do_item(w, &item, err);
		if (status < 0)
			break;
	}
	lp_stream_close(stream);
	return status;
}

static int put_counts(void *user, const struct lp_counts *counts,
		      struct lp_error *err)
{
	struct writing *w = user;

	return lp_archive_put_counts(w->writer, counts, err);
}

static int write_all(struct writing *w, const struct lp_state *state,
		     struct lp_inputs *inputs, struct lp_error *err)
{
	int status = lp_state_put(state, put_counts, w, err);

	if (status == 0)
		status = each_item(w, inputs, no_classes, note_item, err);
	if (status == 0)
		status = each_item(w, inputs, NULL, put_item, err);
	return status;
}

int lp_state_write(const char *path, const struct lp_state *state,
		   struct lp_inputs *inputs, int64_t last_ns,
		   struct lp_error *err)
{
	struct writing w = { .from_ns = state->from_ns, .last_ns = last_ns };
	int status = lp_archive_create(path, LP_ARCHIVE_ATOMIC, &w.writer, err);

	if (status < 0)
		return status;
	status = write_all(&w, state, inputs, err);
	if (status == 0)
		status = lp_archive_finish(w.writer, err);
	else
		lp_archive_abandon(w.writer);
	lp_names_done(&w.hosts);
	free(w.last);
	free(w.seen);
	return status;
}
