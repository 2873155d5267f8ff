/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "io/model/trace.h"
#include "io/report/io_reports.h"

#include <math.h>

/* Inside an object that is open. */
static void put_tally(struct lp_json *json, const struct lp_io_tally *t)
{
	lp_json_put_u64(json, "operations", t->n);
	lp_json_key(json, "time_ns");
	lp_json_i64(json, t->time_ns);
	lp_json_put_u64(json, "bytes", t->bytes);
}

static void put_classes(struct lp_json *json, const struct lp_io_judgement *j,
			const struct lp_io_tally *class)
{
	lp_json_key(json, "classes");
	lp_json_object(json);
	for (size_t i = 0; i < j->classifier.n_classes; i++) {
		lp_json_key(json, j->classifier.name[i]);
		lp_json_object(json);
		put_tally(json, &class[i]);
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_gain(struct lp_json *json, const struct lp_io_judgement *j,
		     const struct lp_io_gain *gain)
{
	lp_json_key(json, "if_all_were");
	lp_json_object(json);
	lp_json_put_string(json, "reference", j->model->reference);
	put_tally(json, &gain->judged);
	lp_json_put_double(json, "usual_ns", gain->usual_ns);
	lp_json_put_u64(json, "slower", gain->n);
	lp_json_put_double(json, "saving_ns", gain->saving_ns);
	lp_json_end(json);
}

static void put_kinds(struct lp_json *json, const struct lp_io_judgement *j)
{
	lp_json_key(json, "kinds");
	lp_json_array(json);
	for (unsigned kind = 0; kind < LP_IO_KINDS; kind++) {
		if (j->kind[kind].n == 0)
			continue;
		lp_json_object(json);
		lp_json_put_string(json, "operation", lp_io_kind_name(kind));
		put_tally(json, &j->kind[kind]);
		if (kind < 2 && j->model) {
			put_classes(json, j, j->by_class[kind]);
			lp_json_put_u64(json, "unclear", j->unclear[kind].n);
		}
		if (kind < 2 && j->has_gain[kind])
			put_gain(json, j, &j->gain[kind]);
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_group(struct lp_json *json, const struct lp_io_group *g)
{
	lp_json_object(json);
	lp_json_put_string(json, "operation", lp_io_kind_name(g->series->kind));
	lp_json_put_u64(json, "bytes", (uint64_t)g->series->bytes);
	lp_json_put_u64(json, "operations", g->series->n);
	lp_json_put_double(json, "bandwidth", g->clusters.density.bandwidth);
	lp_json_put_double(json, "slow_over_ns", exp(g->clusters.limit));
	lp_json_put_u64(json, "slow", g->clusters.n_slow);
	lp_json_key(json, "clusters");
	lp_json_array(json);
	for (size_t i = 0; i < g->clusters.n; i++) {
		const struct lp_io_cluster *c = &g->clusters.cluster[i];

		lp_json_object(json);
		lp_json_put_u64(json, "operations", c->n);
		lp_json_put_double(json, "from_ns", i ? exp(c->from) : 0);
		lp_json_put_double(json, "peak_ns", exp(c->peak));
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
}

static void put_slow(struct lp_json *json, const struct lp_io_judgement *j)
{
	char text[512];

	lp_json_key(json, "slow");
	lp_json_object(json);
	lp_json_put_string(json, "verdict",
			   lp_io_slow_text(j, text, sizeof(text)));
	put_tally(json, &j->slow);
	lp_json_put_u64(json, "compared", j->grouped.n);
	lp_json_put_u64(json, "not_compared", j->lone.n);
	lp_json_put_double(json, "above_usual_ns", j->slow_excess_ns);
	lp_json_key(json, "worst");
	lp_json_array(json);
	for (size_t i = 0; i < j->n_slowest; i++) {
		const struct lp_io_operation *o =
			&j->trace->operation[j->slowest[i].operation];

		lp_json_object(json);
		lp_json_put_string(json, "file", j->trace->file[o->file].path);
		lp_json_put_string(json, "operation", lp_io_kind_name(o->kind));
		lp_json_key(json, "start_ns");
		lp_json_i64(json, o->start_ns);
		lp_json_key(json, "offset");
		if (o->offset == LP_IO_NO_OFFSET)
			lp_json_null(json);
		else
			lp_json_i64(json, o->offset);
		lp_json_put_u64(json, "bytes", (uint64_t)o->result);
		lp_json_key(json, "duration_ns");
		lp_json_i64(json, o->duration_ns);
		lp_json_key(json, "slow_over_ns");
		lp_json_i64(json, j->slowest[i].limit_ns);
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
}

static void put_files(struct lp_json *json, const struct lp_io_judgement *j)
{
	lp_json_key(json, "files");
	lp_json_array(json);
	for (size_t i = 0; i < j->n_files; i++) {
		const struct lp_io_file_verdict *f = &j->file[i];

		lp_json_object(json);
		lp_json_put_string(json, "file", j->trace->file[f->file].path);
		put_tally(json, &f->all);
		lp_json_put_u64(json, "judged", f->judged.n);
		lp_json_put_u64(json, "slow", f->slow.n);
		if (f->class) {
			lp_json_put_double(json, "saving_ns", f->saving_ns);
			put_classes(json, j, f->class);
		}
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_coverage(struct lp_json *json, const struct lp_io_judgement *j)
{
	const struct lp_io_coverage *c = &j->coverage;
	const struct lp_io_account *a = &j->trace->account;

	lp_json_key(json, "coverage");
	lp_json_object(json);
	lp_json_put_u64(json, "timed_bytes", c->timed);
	lp_json_put_u64(json, "mapped_bytes", c->mapped);
	lp_json_key(json, "cannot_tell");
	lp_json_bool(json, lp_io_is_unseen(c));
	if (c->known) {
		lp_json_put_u64(json, "not_timed_bytes", c->unseen);
		lp_json_put_u64(json, "aio_bytes", c->aio);
		lp_json_put_u64(json, "stored_bytes", c->stored);
		lp_json_put_u64(json, "io_uring", c->rings);
		lp_json_put_u64(json, "rchar", a->rchar);
		lp_json_put_u64(json, "wchar", a->wchar);
		lp_json_put_u64(json, "read_bytes", a->read_bytes);
		lp_json_put_u64(json, "write_bytes", a->write_bytes);
	}
	lp_json_end(json);
}

static void put_head(struct lp_json *json, const struct lp_io_report *r)
{
	const struct lp_io_judgement *j = r->judgement;
	char remarks[LP_IO_REMARKS][LP_IO_REMARK], text[512];
	size_t n;

	lp_json_put_string(json, "trace", r->name);
	lp_json_put_string(json, "headline",
			   lp_io_headline(j, text, sizeof(text)));
	lp_json_put_string(json, "command", j->trace->command);
	lp_json_put_string(json, "host", j->trace->host);
	lp_json_key(json, "start");
	lp_json_time(json, j->trace->start_ns);
	lp_json_key(json, "span_ns");
	lp_json_i64(json, j->span_ns);
	lp_json_put_u64(json, "lost", j->trace->n_lost);
	lp_json_put_u64(json, "left_out", j->trace->n_left_out);
	lp_json_put_u64(json, "resolution_ns",
			(uint64_t)(j->trace->resolution_ns > 1
					   ? j->trace->resolution_ns
					   : 1));
	lp_json_put_u64(json, "processes", j->n_processes);
	lp_json_put_u64(json, "threads", j->n_threads);
	lp_json_put_u64(json, "failed", j->failed.n);
	put_coverage(json, j);
	lp_json_put_u64(json, "outside_model", j->n_outside);
	lp_json_key(json, "notes");
	lp_json_array(json);
	n = lp_io_remarks(j, remarks);
	for (size_t i = 0; i < n; i++)
		lp_json_string(json, remarks[i]);
	for (size_t i = 0; r->notes && r->notes[i]; i++)
		lp_json_string(json, r->notes[i]);
	lp_json_end(json);
}

void lp_report_io_json(FILE *out, const struct lp_io_report *report)
{
	const struct lp_io_judgement *j = report->judgement;
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	put_head(&json, report);
	put_kinds(&json, j);
	lp_json_key(&json, "groups");
	lp_json_array(&json);
	for (size_t i = 0; i < j->n_groups; i++)
		put_group(&json, &j->group[i]);
	lp_json_end(&json);
	put_slow(&json, j);
	put_files(&json, j);
	lp_json_end(&json);
	fputc('\n', out);
}
