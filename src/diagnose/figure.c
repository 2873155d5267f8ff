/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/figure.h"

#include "base/number.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of all components for the distributions, and the least of each. */
#define SAMPLES 400000
#define SAMPLES_LEAST 64
/* What is shown before and after a finding, in its own length. */
#define CONTEXT 2
#define CONTEXT_POINTS 60
/* A finding of at least this share of the recording: show all of it. */
#define WHOLE_SHARE 0.15

/* Whether values of a metric show what the evidence is about, in its unit. */
static bool shows(const struct lp_metric *metric, const struct lp_evidence *e)
{
	return metric == e->metric ||
	       (lp_metric_is_quantity(e->metric) &&
		strcmp(metric->name, e->metric->shown_by) == 0 &&
		strcmp(metric->unit, e->metric->unit) == 0);
}

/* The metric of the matrix that the evidence speaks of; SIZE_MAX: none. */
static size_t metric_of(const struct lp_diagnose_input *input,
			const struct lp_evidence *e)
{
	for (size_t i = 0; input->metrics[i].class; i++)
		if (input->metrics[i].class == e->class &&
		    shows(input->metrics[i].metric, e))
			return i;
	return SIZE_MAX;
}

static bool is_listed(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void set_parts(struct lp_figure *f, const struct lp_finding *finding)
{
	for (size_t i = 0; i < f->group->n; i++) {
		bool also = is_listed(finding->parts, finding->n_parts,
				      f->group->labels[i]);

		f->part[i] = i == f->suspect ? LP_PART_SUSPECT
			     : also          ? LP_PART_ALSO
					     : LP_PART_PEER;
		f->n_peers += f->part[i] == LP_PART_PEER;
	}
}

/* Which points are shown, and which are the finding's. */
static void set_range(struct lp_figure *f, const struct lp_evidence *e,
		      int64_t step_ns, int64_t first_ns, size_t points)
{
	int64_t last = (int64_t)points - 1;
	int64_t since = (e->since_ns - first_ns) / step_ns;
	int64_t until = (e->until_ns - first_ns) / step_ns;
	int64_t around;

	since = since < 0 ? 0 : since > last ? last : since;
	until = until < since ? since : until > last ? last : until;
	around = CONTEXT * (until - since) + CONTEXT_POINTS;
	f->whole = (double)(until - since + 1) >= WHOLE_SHARE * (double)points;
	f->first = f->whole || since < around ? 0 : (size_t)(since - around);
	last = f->whole || until + around > last ? last : until + around;
	f->points = (size_t)last + 1 - f->first;
	f->begin_ns = first_ns + (int64_t)f->first * step_ns;
	f->since = (size_t)since - f->first;
	f->until = (size_t)until + 1 - f->first;
}

static int make_room(struct lp_figure *f)
{
	size_t n = f->group->n, points = f->until - f->since;
	size_t each = SAMPLES / n > SAMPLES_LEAST ? SAMPLES / n : SAMPLES_LEAST;

	f->stride = (points + each - 1) / each;
	f->room = (points + f->stride - 1) / f->stride;
	f->samples = calloc(n * f->room, sizeof(*f->samples));
	f->counts = calloc(n, sizeof(*f->counts));
	if (!f->samples || !f->counts)
		return -ENOMEM;
	return lp_slots_init(&f->slots, n, f->points);
}

static void keep_samples(struct lp_figure *f, size_t k, const double *row)
{
	if (k < f->since || k >= f->until || (k - f->since) % f->stride != 0)
		return;
	for (size_t i = 0; i < f->group->n; i++)
		if (isfinite(row[i]))
			f->samples[i * f->room + f->counts[i]++] = row[i];
}

/* Sockets that were silent for as long as they count are out. */
static size_t active_points(const struct lp_figure *f, int64_t step_ns)
{
	int64_t points = f->group->class->active_ns / step_ns;

	if (!f->group->class->pooled)
		return 0;
	return points > 1 ? (size_t)points : 1;
}

static int fill(struct lp_figure *f, const struct lp_diagnose_input *input)
{
	size_t active = active_points(f, input->step_ns);
	double *row = calloc(f->group->n, sizeof(*row));

	if (!row)
		return -ENOMEM;
	for (size_t k = 0; k < f->points; k++) {
		lp_peer_rows(f->group, input->matrix, f->metric_index, active,
			     f->first + k, 1, row);
		lp_slots_put(&f->slots, k, row);
		keep_samples(f, k, row);
	}
	for (size_t i = 0; i < f->group->n; i++)
		qsort(f->samples + i * f->room, f->counts[i],
		      sizeof(*f->samples), lp_compare_double);
	free(row);
	return 0;
}

const double *lp_figure_samples(const struct lp_figure *figure, size_t i)
{
	return figure->samples + i * figure->room;
}

struct ranked {
	double median;
	size_t peer;
};

static int by_median(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->median != y->median)
		return x->median < y->median ? -1 : 1;
	return (x->peer > y->peer) - (x->peer < y->peer);
}

/* All peers with samples by their median; of many, spread over the ranks. */
static int choose_drawn(struct lp_figure *f, size_t most)
{
	struct ranked *ranked = calloc(f->group->n, sizeof(*ranked));
	size_t n = 0;

	f->drawn = calloc(most, sizeof(*f->drawn));
	if (!ranked || !f->drawn) {
		free(ranked);
		return -ENOMEM;
	}
	for (size_t i = 0; i < f->group->n; i++) {
		if (f->part[i] != LP_PART_PEER || f->counts[i] == 0)
			continue;
		ranked[n].peer = i;
		ranked[n++].median = lp_quantile_sorted(lp_figure_samples(f, i),
							f->counts[i], 0.5);
	}
	qsort(ranked, n, sizeof(*ranked), by_median);
	f->n_drawn = n < most ? n : most;
	/* Evenly through the ranks, the first and the last included. */
	for (size_t i = 0; i < f->n_drawn; i++)
		f->drawn[i] =
			ranked[f->n_drawn < 2 ? 0
					      : i * (n - 1) / (f->n_drawn - 1)]
				.peer;
	free(ranked);
	return 0;
}

static int make(struct lp_figure *f, const struct lp_diagnose_input *input,
		const struct lp_finding *finding,
		const struct lp_evidence *evidence, size_t most_drawn)
{
	int64_t first_ns;
	size_t points = lp_matrix_points(input->matrix, &first_ns);
	size_t group;
	int status;

	f->metric_index = metric_of(input, evidence);
	if (points == 0 || f->metric_index == SIZE_MAX ||
	    !lp_evidence_place(evidence, input->plan, &group, &f->suspect))
		return 0;
	f->group = &input->plan->groups[group];
	f->part = calloc(f->group->n, 1);
	if (!f->part)
		return -ENOMEM;
	set_parts(f, finding);
	set_range(f, evidence, input->step_ns, first_ns, points);
	status = make_room(f);
	if (status == 0)
		status = fill(f, input);
	if (status == 0)
		status = choose_drawn(f, most_drawn);
	return status < 0 ? status : f->n_drawn > 0;
}

int lp_figure_make(struct lp_figure *figure,
		   const struct lp_diagnose_input *input,
		   const struct lp_finding *finding,
		   const struct lp_evidence *evidence, size_t most_drawn)
{
	struct lp_figure made = { 0 };
	int status = make(&made, input, finding, evidence, most_drawn);

	if (status > 0)
		*figure = made;
	else
		lp_figure_done(&made);
	return status;
}

void lp_figure_done(struct lp_figure *figure)
{
	lp_slots_done(&figure->slots);
	free(figure->part);
	free(figure->samples);
	free(figure->counts);
	free(figure->drawn);
	*figure = (struct lp_figure){ 0 };
}
