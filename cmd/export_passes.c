/* SPDX-License-Identifier: Apache-2.0 */
#include "export_passes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef int chunk_fn(struct lp_export *e, const struct lp_chunk *chunk,
		     struct lp_error *err);

/* Read all inputs once. */
static int for_chunks(struct lp_export *e, chunk_fn *use, struct lp_error *err)
{
	struct lp_stream *stream;
	struct lp_item item;
	uint64_t samples = 0;
	int status = lp_inputs_open(&e->inputs, &stream, err);

	if (status < 0)
		return status;
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		double part = lp_stream_progress(stream);

		if (item.kind != LP_ITEM_CHUNK)
			continue;
		status = use(e, item.chunk, err);
		if (status < 0 || lp_outputs_failed(&e->outputs))
			break;
		samples += item.chunk->n_samples;
		lp_progress_update(&e->progress,
				   ((double)e->pass + part) /
					   (double)e->n_passes,
				   samples);
	}
	e->pass++;
	lp_stream_close(stream);
	return status < 0 ? status : 0;
}

static int survey_chunk(struct lp_export *e, const struct lp_chunk *chunk,
			struct lp_error *err)
{
	struct lp_item item = { .kind = LP_ITEM_CHUNK, .chunk = chunk };

	return lp_survey_put(&e->survey, &item, err);
}

/* -EEXIST: the command line was wrong. */
static int check_hosts(const struct lp_export *e, struct lp_error *err)
{
	int status = lp_host_filter_check(&e->inputs.hosts, err);

	return status == -EINVAL ? -EEXIST : status;
}

static int survey(struct lp_export *e, struct lp_error *err)
{
	int status;

	e->inputs.again = true; /* a survey is never all that is read */
	e->survey.parts = LP_SURVEY_COLUMNS;
	e->survey.selection = e->selection;
	status = for_chunks(e, survey_chunk, err);
	lp_survey_finish(&e->survey);
	return status < 0 ? status : check_hosts(e, err);
}

static int json_chunk(struct lp_export *e, const struct lp_chunk *chunk,
		      struct lp_error *err)
{
	FILE *out;
	int status = lp_outputs_get(&e->outputs, "", &out, NULL, err);

	if (status == 0)
		lp_export_json(out, e->selection, chunk);
	return status;
}

int lp_export_run_json(struct lp_export *e, struct lp_error *err)
{
	const struct lp_host_filter *hosts = &e->inputs.hosts;
	FILE *out;
	int status = 0;

	e->n_passes = 1;
	/* Hosts are checked before anything is printed. */
	if (hosts->only.count || hosts->as) {
		e->n_passes = 2;
		status = survey(e, err);
	}
	if (status == 0)
		status = lp_outputs_get(&e->outputs, "", &out, NULL, err);
	return status < 0 ? status : for_chunks(e, json_chunk, err);
}

static int csv_class(struct lp_export *e, struct lp_export_csv *csv,
		     const char *class_name, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	char name[512] = "";
	bool is_new;
	FILE *out;
	int status;

	if (!lp_chunk_panel(chunk, class_name) ||
	    !lp_selection_host(e->selection, chunk->host))
		return 0;
	if (e->outputs.place.is_directory)
		snprintf(name, sizeof(name), "%s-%s.csv", chunk->host,
			 class_name);
	status = lp_outputs_get(&e->outputs, name, &out, &is_new, err);
	if (status < 0)
		return status;
	if (is_new)
		lp_export_csv_header(csv, out);
	status = lp_export_csv_chunk(csv, e->selection, chunk, out);
	return status < 0 ? lp_fail_memory(err) : 0;
}

static int csv_chunk(struct lp_export *e, const struct lp_chunk *chunk,
		     struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < e->survey.seen.n_classes; i++)
		status = csv_class(e, e->csv[i], e->survey.seen.classes[i].name,
				   chunk, err);
	return status;
}

static int write_csv(struct lp_export *e, struct lp_error *err)
{
	size_t n = e->survey.seen.n_classes;
	int status = 0;

	e->csv = calloc(n, sizeof(struct lp_export_csv *));
	for (size_t i = 0; e->csv && i < n; i++) {
		e->csv[i] = lp_export_csv_new(&e->survey.seen.classes[i]);
		if (!e->csv[i])
			status = -ENOMEM;
	}
	status = !e->csv || status < 0 ? lp_fail_memory(err)
				       : for_chunks(e, csv_chunk, err);
	for (size_t i = 0; e->csv && i < n; i++)
		lp_export_csv_free(e->csv[i]);
	free(e->csv);
	return status;
}

static int no_values(struct lp_error *err)
{
	return lp_fail(err, ENODATA,
		       "the recordings contain nothing that you selected");
}

int lp_export_run_csv(struct lp_export *e, struct lp_error *err)
{
	char list[256];
	int status;

	e->n_passes = 2;
	status = survey(e, err);
	if (status < 0)
		return status;
	if (e->survey.seen.n_classes == 0)
		return no_values(err);
	lp_seen_list(&e->survey.seen, list, sizeof(list));
	if (e->survey.seen.n_classes > 1 && !e->outputs.place.is_directory)
		return lp_fail(
			err, EINVAL,
			"a CSV file holds one class, but the recording has %s; "
			"choose one with --class, or give -o a directory",
			list);
	return write_csv(e, err);
}

static int family_chunk(struct lp_export *e, const struct lp_chunk *chunk,
			struct lp_error *err)
{
	if (lp_openmetrics_add(e->family, e->selection, chunk) < 0)
		return lp_fail_memory(err);
	return 0;
}

/* All values of one column, of which alone the inputs are asked. */
static int export_family(struct lp_export *e, const struct lp_seen_class *class,
			 const struct lp_column *column, FILE *out,
			 struct lp_error *err)
{
	const char *classes[] = { class->name, NULL };
	const char *columns[] = { column->name, NULL };
	struct lp_query all = e->inputs.query;
	int status;

	e->family = lp_openmetrics_new(class, column);
	if (!e->family)
		return lp_fail_memory(err);
	e->inputs.query.classes = classes;
	e->inputs.query.columns = columns;
	status = for_chunks(e, family_chunk, err);
	if (status == 0)
		lp_openmetrics_write(e->family, out);
	e->inputs.query = all;
	lp_openmetrics_free(e->family);
	return status;
}

static int write_families(struct lp_export *e, FILE *out, struct lp_error *err)
{
	for (size_t i = 0; i < e->survey.seen.n_classes; i++) {
		const struct lp_seen_class *class = &e->survey.seen.classes[i];

		for (size_t c = 0; c < class->n_columns; c++) {
			int status = export_family(e, class, &class->columns[c],
						   out, err);

			if (status < 0)
				return status;
		}
	}
	lp_openmetrics_end(out);
	return 0;
}

int lp_export_run_openmetrics(struct lp_export *e, struct lp_error *err)
{
	FILE *out = NULL;
	int status;

	e->n_passes = 20; /* a guess, until it is known */
	status = survey(e, err);
	if (status < 0)
		return status;
	if (e->survey.seen.n_classes == 0)
		return no_values(err);
	e->n_passes = 1;
	for (size_t i = 0; i < e->survey.seen.n_classes; i++)
		e->n_passes += e->survey.seen.classes[i].n_columns;
	status = lp_outputs_get(&e->outputs, "", &out, NULL, err);
	return status < 0 ? status : write_families(e, out, err);
}
