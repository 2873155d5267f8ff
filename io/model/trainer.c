/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trainer.h"

#include "base/names.h"
#include "io/model/clusters.h"
#include "io/model/durations.h"
#include "stats/quantile.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lp_io_trainer {
	struct lp_names names;
	struct lp_io_durations *durations; /* by number of the name */
	size_t capacity;
};

/* A model that is being made, and what it is made of. */
struct making {
	struct lp_io_model *model;
	const struct lp_io_training *how;
	const struct lp_io_series **series; /* [factor][size] */
};

struct lp_io_trainer *lp_io_trainer_new(void)
{
	return calloc(1, sizeof(struct lp_io_trainer));
}

void lp_io_trainer_free(struct lp_io_trainer *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->names.count; i++)
		lp_io_durations_done(&t->durations[i]);
	free(t->durations);
	lp_names_done(&t->names);
	free(t);
}

bool lp_io_is_name(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (!isgraph((unsigned char)name[i]) || name[i] == ',' ||
		    name[i] == '"')
			return false;
	return n > 0 && n <= LP_IO_NAME_MAX;
}

static size_t operations(const struct lp_io_durations *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (d->series[i].kind <= LP_IO_WRITE)
			n += d->series[i].n;
	return n;
}

int lp_io_trainer_add(struct lp_io_trainer *t, const char *factor,
		      const struct lp_io_trace *trace, struct lp_error *err)
{
	uint32_t known, id;
	size_t before;

	if (!lp_io_is_name(factor))
		return lp_fail(
			err, EINVAL,
			"'%.70s' is not a valid name of a factor: at most %d "
			"letters, digits or signs, no blank, comma or quote",
			factor, LP_IO_NAME_MAX);
	known = t->names.count;
	if (lp_grow(&t->durations, &t->capacity, known + 1,
		    sizeof(*t->durations)) < 0)
		return lp_fail_memory(err);
	id = lp_names_add(&t->names, factor);
	if (id == LP_NAME_NONE)
		return lp_fail_memory(err);
	if (id == known)
		t->durations[id] = (struct lp_io_durations){ .n = 0 };
	before = operations(&t->durations[id]);
	if (lp_io_durations_add(&t->durations[id], trace) < 0)
		return lp_fail_memory(err);
	if (operations(&t->durations[id]) == before)
		return lp_fail(err, EINVAL,
			       "it has no read or write that moved a byte");
	return 0;
}

/* ---- one size ---- */

/* Times as they were given, which are right in the mean: those of a coarse
   clock are rounded up as often as down. */
static void sum_up(struct lp_io_size *size, const struct lp_io_series *series,
		   double limit)
{
	double all = (double)series->time_ns, kept = all;
	size_t n_kept = series->n;

	for (size_t i = 0; i < series->n; i++)
		if (series->log_ns[i] > limit) {
			kept -= exp(series->log_ns[i]);
			n_kept--;
		}
	size->mean_ns = all / (double)series->n;
	size->kept_mean_ns =
		n_kept ? fmax(kept, 0) / (double)n_kept : size->mean_ns;
}

/* Reorders only: the numbers are needed once more. */
static double median_of(struct lp_io_series *s)
{
	double low = lp_select(s->log_ns, s->n, (s->n - 1) / 2);
	double high = lp_select(s->log_ns, s->n, s->n / 2);

	return exp(low + (high - low) / 2);
}

static int measure(struct lp_io_size *size, struct lp_io_series *series,
		   int64_t resolution_ns)
{
	struct lp_io_clusters clusters;

	if (lp_io_clusters_init_coarse(&clusters, series->log_ns, series->n,
				       resolution_ns) < 0)
		return -ENOMEM;
	*size = (struct lp_io_size){
		.bytes = series->bytes,
		.count = series->n,
		.median_ns = median_of(series),
		.begin_ns = exp(clusters.begin),
		.limit_ns = exp(clusters.limit),
		.slow = (double)clusters.n_slow / (double)series->n,
		.clusters = (unsigned)clusters.n,
	};
	sum_up(size, series, clusters.limit);
	lp_io_clusters_done(&clusters);
	return 0;
}

/* ---- errors: Kunkel 2015, table 3 ---- */

static size_t longer_than(const struct lp_io_series *series, double ns)
{
	double limit = log(ns);
	size_t n = 0;

	for (size_t i = 0; i < series->n; i++)
		n += series->log_ns[i] > limit;
	return n;
}

static struct lp_io_segment *segment_of(struct lp_io_factor *factor, bool large)
{
	return large ? &factor->large : &factor->small;
}

/* Over all sizes of the segment, those that are odd too: the limits without
   the margin against the line. */
static void judge_fit(struct lp_io_factor *factor, bool large)
{
	struct lp_io_segment *segment = segment_of(factor, large);
	double sum_ns = 0, sum = 0, slow = 0, count = 0;
	size_t n = 0;

	for (size_t i = 0; i < factor->n_sizes; i++) {
		const struct lp_io_size *s = &factor->size[i];
		double d = lp_io_limit(factor, s->bytes);

		if ((s->bytes > LP_IO_PAGE) != large)
			continue;
		sum_ns += fabs(d - s->limit_ns);
		sum += fabs(d - s->limit_ns) / s->limit_ns;
		slow += s->slow * (double)s->count;
		count += (double)s->count;
		n++;
	}
	segment->error_ns = n ? sum_ns / (double)n : NAN;
	segment->error = n ? sum / (double)n : NAN;
	segment->slow = n ? slow / count : NAN;
}

/* How many operations the line leaves out. */
static void judge_line(struct lp_io_factor *factor,
		       const struct lp_io_series *series, bool large)
{
	double beyond = 0, count = 0;

	for (size_t i = 0; i < factor->n_sizes; i++) {
		const struct lp_io_size *s = &factor->size[i];

		if ((s->bytes > LP_IO_PAGE) != large)
			continue;
		beyond += (double)longer_than(&series[i],
					      lp_io_limit(factor, s->bytes));
		count += (double)s->count;
	}
	segment_of(factor, large)->unexplained =
		count > 0 ? beyond / count : NAN;
}

/* ---- one factor ---- */

/* Sizes with too few operations are left out; those kept come first. */
static size_t drop_few(struct lp_io_series *series, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (series[i].n >= LP_IO_ENOUGH) {
			struct lp_io_series other = series[kept];

			series[kept++] = series[i];
			series[i] = other;
		}
	return kept;
}

/* Along the limits plus the margin. */
static int fit_limits(struct lp_io_factor *factor, enum lp_io_weights weights)
{
	lp_auto_free double *edge_ns =
		calloc(factor->n_sizes, sizeof(*edge_ns));

	if (!edge_ns)
		return -ENOMEM;
	for (size_t i = 0; i < factor->n_sizes; i++)
		edge_ns[i] = (1 + LP_IO_MARGIN) * factor->size[i].limit_ns;
	lp_io_fit_lines(factor, edge_ns, weights, true);
	judge_fit(factor, false);
	judge_fit(factor, true);
	return 0;
}

/* n series of one kind. */
static int fit_factor(struct making *making, const char *name,
		      struct lp_io_series *series, size_t n,
		      int64_t resolution_ns)
{
	struct lp_io_model *model = making->model;
	struct lp_io_factor *factor = &model->factor[model->n_factors];
	size_t kept = drop_few(series, n);

	if (kept == 0)
		return 0;
	*factor = (struct lp_io_factor){
		.kind = series->kind,
		.name = lp_arena_string(&model->arena, name),
		.size = lp_arena_alloc(&model->arena,
				       kept * sizeof(*factor->size)),
		.n_sizes = kept,
		.n_few = n - kept,
	};
	if (!factor->name || !factor->size)
		return -ENOMEM;
	for (size_t i = 0; i < kept; i++)
		if (measure(&factor->size[i], &series[i], resolution_ns) < 0)
			return -ENOMEM;
	making->series[model->n_factors++] = series;
	return fit_limits(factor, making->how->weights);
}

static int fit_kinds(struct making *making, const char *name,
		     struct lp_io_durations *d)
{
	size_t end;

	lp_io_durations_sort(d);
	if (d->resolution_ns > making->model->resolution_ns)
		making->model->resolution_ns = d->resolution_ns;
	/* Copies, which come last, are no cause that a model knows. */
	for (size_t i = 0; i < d->n && d->series[i].kind <= LP_IO_WRITE;
	     i = end) {
		for (end = i;
		     end < d->n && d->series[end].kind == d->series[i].kind;)
			end++;
		if (fit_factor(making, name, d->series + i, end - i,
			       d->resolution_ns) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* ---- all ---- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const char *usual_beyond(const struct lp_io_model *model)
{
	for (size_t i = 0; i < model->n_factors; i++)
		if (begins(model->factor[i].name, "uncached"))
			return "slow";
	return "uncached";
}

static const char *usual_reference(const struct lp_io_model *model)
{
	const char *name = "";
	double most = -1;

	for (size_t i = 0; i < model->n_factors; i++) {
		double limit = lp_io_limit(&model->factor[i], LP_IO_PAGE);

		if (begins(model->factor[i].name, "cached") && limit > most) {
			most = limit;
			name = model->factor[i].name;
		}
	}
	return name;
}

static const char *copy(struct lp_io_model *model, const char *text)
{
	return lp_arena_string(&model->arena, text ? text : "");
}

static int describe(struct lp_io_model *m, const struct lp_io_training *how)
{
	const struct lp_io_origin *o = &how->origin;

	m->origin = (struct lp_io_origin){
		.made_ns = o->made_ns,
		.host = copy(m, o->host),
		.kernel = copy(m, o->kernel),
		.directory = copy(m, o->directory),
		.file_system = copy(m, o->file_system),
	};
	m->beyond = copy(m, how->beyond ? how->beyond : usual_beyond(m));
	m->reference =
		copy(m, how->reference ? how->reference : usual_reference(m));
	return m->origin.host && m->origin.kernel && m->origin.directory &&
			       m->origin.file_system && m->beyond &&
			       m->reference
		       ? 0
		       : -ENOMEM;
}

static int finish(struct lp_io_trainer *t, const struct lp_io_training *how,
		  struct lp_io_model *m)
{
	size_t most = 2 * ((size_t)t->names.count + 1); /* reads and writes */
	struct making making = {
		.model = m,
		.how = how,
		.series = lp_arena_alloc(&m->arena,
					 most * sizeof(*making.series)),
	};
	int status = 0;

	m->factor = lp_arena_alloc(&m->arena, most * sizeof(*m->factor));
	if (!m->factor || !making.series)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->names.count && status == 0; i++)
		status = fit_kinds(&making, t->names.text[i], &t->durations[i]);
	if (status == 0 && how->edges == LP_IO_BETWEEN)
		status = lp_io_move_lines(m, how->weights);
	if (status < 0)
		return status;
	for (size_t i = 0; i < m->n_factors; i++) {
		judge_line(&m->factor[i], making.series[i], false);
		judge_line(&m->factor[i], making.series[i], true);
	}
	return describe(m, how);
}

/* Whether most operations of each size took less than the clock shows. */
static bool is_unresolved(const struct lp_io_model *m,
			  const struct lp_io_factor *f)
{
	for (size_t i = 0; i < f->n_sizes; i++)
		if (f->size[i].median_ns > 1.001 * (double)m->resolution_ns)
			return false;
	return m->resolution_ns > 1;
}

/* Two such factors have the same line, and the first would explain all. */
static int check_clock(const struct lp_io_model *m, struct lp_error *err)
{
	for (size_t i = 0; i < m->n_factors; i++)
		for (size_t k = 0; k < i; k++) {
			const struct lp_io_factor *a = &m->factor[k];
			const struct lp_io_factor *b = &m->factor[i];

			if (a->kind == b->kind && is_unresolved(m, a) &&
			    is_unresolved(m, b))
				return lp_fail(
					err, EINVAL,
					"%s and %s cannot be distinguished: "
					"most of their operations take less "
					"than the resolution of the traces' "
					"clock, %g ms; measure with limpid io "
					"bench",
					a->name, b->name,
					(double)m->resolution_ns / 1e6);
		}
	return 0;
}

static int check(const struct lp_io_trainer *t, const struct lp_io_model *m,
		 const struct lp_io_training *how, struct lp_error *err)
{
	for (uint32_t i = 0; i < t->names.count; i++)
		if (!lp_io_has_factor(m, t->names.text[i]))
			return lp_fail(err, EINVAL,
				       "%s: no size has %d operations, which "
				       "is the minimum; measure more",
				       t->names.text[i], LP_IO_ENOUGH);
	if (m->n_factors == 0)
		return lp_fail(err, EINVAL, "nothing to make a model of");
	if (m->n_factors > LP_IO_FACTORS_MAX)
		return lp_fail(err, EINVAL, "%zu models; at most %d are kept",
			       m->n_factors, LP_IO_FACTORS_MAX);
	if (how->reference && !lp_io_has_factor(m, how->reference))
		return lp_fail(err, EINVAL, "no factor is named '%s'",
			       how->reference);
	if (!lp_io_is_name(m->beyond) || lp_io_has_factor(m, m->beyond))
		return lp_fail(
			err, EINVAL,
			"'%.70s' cannot be the class of what no factor "
			"explains: it is not a valid name, or it is a factor",
			m->beyond);
	return check_clock(m, err);
}

int lp_io_trainer_finish(struct lp_io_trainer *trainer,
			 const struct lp_io_training *training,
			 struct lp_io_model *model, struct lp_error *err)
{
	struct lp_io_model m = { .n_factors = 0 };
	int status = finish(trainer, training, &m);

	status = status < 0 ? lp_fail_memory(err)
			    : check(trainer, &m, training, err);
	if (status < 0)
		lp_io_model_done(&m);
	else
		*model = m;
	return status;
}
