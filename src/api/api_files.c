/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "case/reading.h"
#include "table/input.h"
#include "table/kept.h"

#include <errno.h>
#include <stdlib.h>

struct file {
	const char *path;
	struct lp_kept kept; /* of a foreign one: read once */
	char *lost;          /* the note of what could not be read, or NULL */
};

struct files {
	struct file *items;
	size_t n;
	struct lp_cluster *cluster; /* NULL: none */
	const char *metric;         /* that may accuse; NULL: all */
	struct lp_reading reading;
};

/* ---- a stream whose losses are noted ---- */

struct watched {
	struct lp_stream stream;
	struct lp_stream *inner;
	struct file *file;
};

static int note_lost(struct watched *w, struct lp_error *err)
{
	const char *lost = lp_stream_lost(w->inner);

	if (!lost || w->file->lost)
		return 0;
	if (asprintf(&w->file->lost, "read in part: %s: %s", w->file->path,
		     lost) < 0) {
		w->file->lost = NULL;
		return lp_fail_memory(err);
	}
	return 0;
}

static int watched_next(struct lp_stream *stream, struct lp_item *item,
			struct lp_error *err)
{
	struct watched *w = (struct watched *)stream;
	int status = lp_stream_next(w->inner, item, err);

	return status ? status : note_lost(w, err);
}

static void watched_close(struct lp_stream *stream)
{
	struct watched *w = (struct watched *)stream;

	lp_stream_close(w->inner);
	free(w);
}

/* ---- opening ---- */

static int open_inner(struct file *file, const struct lp_query *query,
		      struct lp_stream **stream, struct lp_error *err)
{
	const struct lp_source_options options = { 0 };
	struct lp_kept_order order = {
		.path = file->path,
		.options = &options,
		.tolerant = query->tolerant,
	};

	/* Where there is no room to keep it, it is read several times. */
	if (!file->kept.made &&
	    lp_kept_suits(file->path, NULL, &options, query) &&
	    lp_kept_make(&file->kept, &order, err) < 0)
		file->kept = (struct lp_kept){ 0 };
	if (file->kept.made)
		return lp_kept_open(&file->kept, file->path, query, stream,
				    err);
	return lp_input_open(file->path, NULL, &options, query, stream, err);
}

static int open_file(void *context, size_t input, const struct lp_query *query,
		     struct lp_stream **stream, struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = watched_next,
		.close = watched_close,
	};
	struct files *files = context;
	struct watched *w = calloc(1, sizeof(*w));
	int status;

	if (!w)
		return lp_fail_memory(err);
	w->stream.ops = &ops;
	w->file = &files->items[input];
	status = open_inner(w->file, query, &w->inner, err);
	if (status < 0)
		free(w);
	else
		*stream = &w->stream;
	return status;
}

/* ---- diagnosing ---- */

static int begin(struct files *files, const char *const *paths, size_t n,
		 const struct limpid_options *o, struct lp_error *err)
{
	if (n == 0)
		return lp_fail(err, EINVAL, "there are no files to diagnose");
	files->items = calloc(n, sizeof(*files->items));
	if (!files->items)
		return lp_fail_memory(err);
	files->n = n;
	for (size_t i = 0; i < n; i++)
		files->items[i].path = paths[i];
	return o->cluster ? lp_cluster_read(o->cluster, &files->cluster, err)
			  : 0;
}

static int judge(struct files *files, const struct limpid_options *o,
		 struct lp_error *err)
{
	struct lp_option_list metrics = lp_api_metrics(o, &files->metric);
	struct lp_reading_config config = {
		.open = open_file,
		.context = files,
		.n = files->n,
		.since_ns = o->since_ns,
		.until_ns = o->until_ns,
		.step_ns = o->step_ns,
		.metrics = &metrics,
		.plan = lp_api_plan,
		.plan_user = files->cluster,
		.options = lp_api_diagnose_options(o),
	};
	int status;

	config.options.only = metrics;
	status = lp_reading_survey(&files->reading, &config, err);

	if (status == 0)
		status = lp_reading_put(&files->reading, err);
	return status ? status
		      : lp_case_advance(files->reading.open, LP_TIME_MAX, err);
}

static int publish(struct files *files, struct limpid_findings **findings,
		   struct lp_error *err)
{
	const char **notes = calloc(files->n + 2, sizeof(*notes));
	size_t n = 0, n_lost;
	int status;

	if (!notes)
		return lp_fail_memory(err);
	notes[n++] = files->reading.step_note;
	for (size_t i = 0; i < files->n; i++)
		if (files->items[i].lost)
			notes[n++] = files->items[i].lost;
	n_lost = n - 1;
	status = lp_api_publish(files->reading.open, notes, n_lost, findings,
				err);
	free(notes);
	return status;
}

static void end(struct files *files)
{
	lp_reading_done(&files->reading);
	lp_cluster_free(files->cluster);
	for (size_t i = 0; i < files->n; i++) {
		lp_kept_done(&files->items[i].kept);
		free(files->items[i].lost);
	}
	free(files->items);
}

int limpid_diagnose_files(const char *const *paths, size_t n,
			  const struct limpid_options *options,
			  struct limpid_findings **findings,
			  struct limpid_error *err)
{
	const struct limpid_options *o = lp_api_options(options);
	struct files files = { 0 };
	int status = begin(&files, paths, n, o, lp_api_error(err));

	if (status == 0)
		status = judge(&files, o, lp_api_error(err));
	if (status == 0)
		status = publish(&files, findings, lp_api_error(err));
	end(&files);
	return status;
}
