/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures of findings: lines of a few hundred points instead of all
 * samples of a group, so that a page needs no recording.
 */
#include "base/number.h"
#include "diagnose/figure.h"
#include "diagnose/publish.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest values do not say how high a picture is. */
#define QUANTILE_HIGH 0.99

struct painter {
	struct lp_findings *to;
	const struct lp_figure *f;
	struct lp_picture *picture;
};

static double *doubles(struct painter *p, size_t n)
{
	return lp_arena_alloc_raw(&p->to->arena, n * sizeof(double));
}

/* ---- lines ---- */

/* NULL: out of memory. */
static const double *curve(struct painter *p, const double *sorted, size_t n)
{
	double *x = doubles(p, LP_PICTURE_CURVE + 1);

	for (size_t i = 0; x && i <= LP_PICTURE_CURVE; i++)
		x[i] = lp_quantile_sorted(sorted, n,
					  (double)i / LP_PICTURE_CURVE);
	return x;
}

static int make_line(struct painter *p, size_t i, bool with_curve,
		     struct lp_picture_line *line)
{
	const struct lp_figure *f = p->f;
	float *y = lp_arena_alloc_raw(
		&p->to->arena, lp_picture_values(p->picture) * sizeof(*y));

	line->name = lp_findings_text(p->to, f->group->labels[i]);
	line->y = y;
	if (!line->name || !y)
		return -ENOMEM;
	lp_slots_values(&f->slots, i, y);
	if (!with_curve || f->counts[i] == 0)
		return 0;
	line->curve = curve(p, lp_figure_samples(f, i), f->counts[i]);
	return line->curve ? 0 : -ENOMEM;
}

static int make_own(struct painter *p)
{
	const struct lp_figure *f = p->f;
	struct lp_picture *picture = p->picture;
	double *mean = NULL;

	picture->n_samples = f->counts[f->suspect];
	picture->own_high =
		lp_quantile_sorted(lp_figure_samples(f, f->suspect),
				   picture->n_samples, QUANTILE_HIGH);
	if (lp_picture_shortened(picture)) {
		mean = doubles(p, picture->slots);
		if (!mean)
			return -ENOMEM;
		for (size_t i = 0; i < picture->slots; i++)
			mean[i] = lp_slots_mean(&f->slots, f->suspect, i);
	}
	picture->own_mean = mean;
	return make_line(p, f->suspect, true, &picture->own);
}

static int make_peers(struct painter *p)
{
	const struct lp_figure *f = p->f;
	struct lp_picture_line *lines =
		lp_arena_alloc(&p->to->arena, f->n_drawn * sizeof(*lines));
	int status = lines ? 0 : -ENOMEM;

	for (size_t i = 0; i < f->n_drawn && status == 0; i++)
		status = make_line(p, f->drawn[i], true, &lines[i]);
	p->picture->peers = lines;
	p->picture->n_drawn = f->n_drawn;
	return status;
}

static int make_others(struct painter *p)
{
	const struct lp_figure *f = p->f;
	struct lp_picture_line *lines = lp_arena_alloc(
		&p->to->arena, LP_PICTURE_LINES * sizeof(*lines));
	struct lp_picture *picture = p->picture;
	int status = lines ? 0 : -ENOMEM;

	for (size_t i = 0; i < f->group->n && status == 0 &&
			   picture->n_others_drawn < LP_PICTURE_LINES;
	     i++)
		if (f->part[i] == LP_PART_ALSO)
			status = make_line(p, i, false,
					   &lines[picture->n_others_drawn++]);
	picture->others = lines;
	picture->n_others = f->group->n - 1 - f->n_peers;
	return status;
}

/* ---- all peers ---- */

/* Median and quartiles of the peers' means in each slot. */
static int make_quartiles(struct painter *p)
{
	const struct lp_figure *f = p->f;
	size_t slots = p->picture->slots;
	double *low = doubles(p, slots), *median = doubles(p, slots);
	double *high = doubles(p, slots);
	lp_auto_free double *means = calloc(f->group->n, sizeof(*means));

	if (!low || !median || !high || !means)
		return -ENOMEM;
	for (size_t s = 0; s < slots; s++) {
		size_t n = 0;

		for (size_t i = 0; i < f->group->n; i++) {
			means[n] = lp_slots_mean(&f->slots, i, s);
			n += f->part[i] == LP_PART_PEER && !isnan(means[n]);
		}
		qsort(means, n, sizeof(*means), lp_compare_double);
		low[s] = lp_quantile_sorted(means, n, 0.25);
		median[s] = lp_quantile_sorted(means, n, 0.5);
		high[s] = lp_quantile_sorted(means, n, 0.75);
	}
	p->picture->low = low;
	p->picture->median = median;
	p->picture->high = high;
	return 0;
}

/* Of all samples of all peers. */
static int make_curve(struct painter *p)
{
	const struct lp_figure *f = p->f;
	lp_auto_free double *all =
		calloc(f->group->n * f->room + 1, sizeof(*all));
	size_t n = 0;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < f->group->n; i++) {
		if (f->part[i] != LP_PART_PEER || f->counts[i] == 0)
			continue;
		memcpy(all + n, lp_figure_samples(f, i),
		       f->counts[i] * sizeof(*all));
		n += f->counts[i];
	}
	qsort(all, n, sizeof(*all), lp_compare_double);
	p->picture->curve_high = lp_quantile_sorted(all, n, QUANTILE_HIGH);
	p->picture->curve = curve(p, all, n);
	return p->picture->curve ? 0 : -ENOMEM;
}

/* ---- which evidence has a picture ---- */

static int paint(struct painter *p, const struct lp_diagnose_input *input,
		 struct lp_evidence *e)
{
	const struct lp_figure *f = p->f;
	struct lp_picture *picture =
		lp_arena_alloc(&p->to->arena, sizeof(*picture));
	int status;

	if (!picture)
		return -ENOMEM;
	*picture = (struct lp_picture){
		.begin_ns = f->begin_ns,
		.step_ns = input->step_ns,
		.points = f->points,
		.slots = f->slots.n,
		.since = f->since,
		.until = f->until,
		.whole = f->whole,
		.stride = f->stride,
		.n_peers = f->n_peers,
	};
	p->picture = picture;
	status = make_own(p);
	if (status == 0)
		status = make_peers(p);
	if (status == 0)
		status = make_others(p);
	if (status == 0)
		status = make_quartiles(p);
	if (status == 0)
		status = make_curve(p);
	e->picture = picture;
	return status;
}

static int make(struct lp_findings *to, const struct lp_diagnose_input *input,
		const struct lp_finding *finding, struct lp_evidence *e)
{
	struct lp_figure figure;
	struct painter p = { .to = to, .f = &figure };
	int status =
		lp_figure_make(&figure, input, finding, e, LP_PICTURE_LINES);

	if (status <= 0)
		return status;
	status = paint(&p, input, e);
	lp_figure_done(&figure);
	return status;
}

/* One picture of what was absent is enough: the others would be as empty. */
static bool is_worth_a_picture(const struct lp_finding *f, size_t i)
{
	const struct lp_evidence *e = &f->evidence[i];

	return e->metric && (i == 0 || (e->accuses && !isnan(e->value)));
}

int lp_pictures_make(struct lp_findings *findings,
		     const struct lp_diagnose_input *input)
{
	int status = 0;

	for (size_t n = 0; n < findings->n && n < LP_PICTURE_FINDINGS; n++) {
		struct lp_finding *f = &findings->items[n];
		size_t made = 0;

		for (size_t i = 0;
		     i < f->n_evidence && status == 0 && made < LP_PICTURE_EACH;
		     i++)
			if (is_worth_a_picture(f, i)) {
				status = make(findings, input, f,
					      &f->evidence[i]);
				made++;
			}
	}
	return status;
}
