/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/density.h"

#include "base/memory.h"
#include "stats/density_cells.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define PER_ROOT_2_PI 0.39894228040143267794
#define CRAMER 1.0865
#define ROOT_8_FACTORIAL 200.79840636817814
/* What the cells may leave out, as a share of the peak. */
#define TOLERANCE 1e-12
/* For the first guess of a bandwidth. */
#define SAMPLE 1024
#define CUT 3 /* bandwidths beyond the numbers, as R */
#define FOUND 1e-9

double lp_bandwidth_nrd0(double sd, double iqr, size_t n, double first)
{
	double spread = fmin(sd, iqr / 1.34);

	if (spread == 0)
		spread = sd;
	if (spread == 0)
		spread = fabs(first);
	if (spread == 0)
		spread = 1;
	return 0.9 * spread * pow((double)n, -0.2);
}

/* ---- how wide cells may be ---- */

/* Times the bandwidth: the header's bound with r = width / (2 bandwidth). */
static double left_out(double r)
{
	return CRAMER * PER_ROOT_2_PI * pow(r, LP_CELL_MOMENTS) /
	       (ROOT_8_FACTORIAL * (1 - r / 3));
}

/*
 * The widest cells, in bandwidths. All of the density but nothing worth a word
 * lies within REACH bandwidths of the numbers, so that its peak is at least 1
 * by that length.
 */
static double widest(double range, double bandwidth)
{
	double peak = 1 / (range / bandwidth + 2 * LP_DENSITY_REACH);
	double r = 0.25;

	while (left_out(r) > TOLERANCE * peak)
		r *= 0.97;
	return 2 * r;
}

static double sd_of(const double *x, size_t n)
{
	double mean = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] - x[0]) / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (x[i] - x[0] - mean) * (x[i] - x[0] - mean);
	return sqrt(square / (double)(n - 1));
}

/* What a density is made by: from a guess, which is put right if need be. */
struct plan {
	double first, last; /* where cells are */
	double bandwidth;
};

static double within(double bandwidth, double range)
{
	return fmax(bandwidth, range / LP_DENSITY_NARROWEST);
}

/* What is known of rounded numbers that are all the same is how far they were
   rounded, not how large they are, which nrd0 would take. */
static double rule(double sd, double iqr, size_t n, double first, double adjust,
		   double narrowest)
{
	if (sd == 0 && narrowest > 0)
		return narrowest;
	return fmax(adjust * lp_bandwidth_nrd0(sd, iqr, n, first), narrowest);
}

/*
 * Some numbers from all over: their bandwidth is near that of all, and nearly
 * all lie not much further away than these.
 */
static struct plan guess(const double *x, size_t n, double adjust,
			 double narrowest)
{
	size_t m = n < SAMPLE ? n : SAMPLE;
	double sample[SAMPLE], least = INFINITY, most = -INFINITY, h, sd, far;

	for (size_t i = 0; i < m; i++) {
		sample[i] = x[(size_t)((double)i * (double)n / (double)m)];
		least = fmin(least, sample[i]);
		most = fmax(most, sample[i]);
	}
	sd = sd_of(sample, m);
	h = rule(sd, lp_iqr(sample, m), n, x[0], adjust, narrowest);
	h = within(h, most - least);
	far = m < n ? most - least + 10 * h : 0;
	return (struct plan){ least - far, most + far, h };
}

/* ---- making one ---- */

static int fill_cells(struct lp_density *d, const double *x, double adjust,
		      struct plan *plan)
{
	double range = plan->last - plan->first;
	double width = 0.8 * widest(range, plan->bandwidth) * plan->bandwidth;

	lp_cells_free(d->cells);
	d->cells = lp_cells_new(x, d->n, plan->first, plan->last, width);
	if (!d->cells)
		return -ENOMEM;
	d->least = d->cells->least;
	d->most = d->cells->most;
	if (d->cells->n_outside > 0)
		return 0;
	d->sd = lp_cells_sd(d->cells, d->n);
	d->iqr = lp_cells_iqr(d->cells, x, d->n);
	if (isnan(d->iqr))
		return -ENOMEM;
	d->bandwidth =
		within(rule(d->sd, d->iqr, d->n, x[0], adjust, d->narrowest),
		       d->most - d->least);
	return 0;
}

/* Whether all numbers are in cells that are narrow enough; else what to try. */
static bool is_good(const struct lp_density *d, struct plan *plan)
{
	double range = d->most - d->least;

	if (d->cells->n_outside > 0) {
		plan->first = d->least;
		plan->last = d->most;
		plan->bandwidth = within(plan->bandwidth, range);
		return false;
	}
	plan->bandwidth = d->bandwidth;
	return d->cells->width <= widest(range, d->bandwidth) * d->bandwidth;
}

static bool are_finite(const double *x, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += x[i] * 0;
	return !isnan(all);
}

/*
 * The width of cells depends on the bandwidth, which is known only when the
 * numbers are in them: guess, and do it again if the guess was wrong.
 */
static int make(struct lp_density *d, const double *x, double adjust)
{
	struct plan plan = guess(x, d->n, adjust, d->narrowest);

	if (!isfinite(plan.last - plan.first) || !(plan.bandwidth > 0))
		return -EINVAL;
	do {
		if (fill_cells(d, x, adjust, &plan) < 0)
			return -ENOMEM;
		/* What is not finite is outside. */
		if (d->cells->n_outside > 0 &&
		    (!are_finite(x, d->n) || !isfinite(d->most - d->least)))
			return -EINVAL;
	} while (!is_good(d, &plan));
	d->error = left_out(d->cells->width / d->bandwidth / 2) / d->bandwidth;
	return lp_cells_expand(d->cells, d->bandwidth);
}

int lp_density_init(struct lp_density *density, const double *x, size_t n,
		    double adjust)
{
	return lp_density_init_rounded(density, x, n, adjust, 0);
}

int lp_density_init_rounded(struct lp_density *density, const double *x,
			    size_t n, double adjust, double narrowest)
{
	struct lp_density d = { .n = n, .narrowest = narrowest };
	int status = n < 2 ? -EINVAL : make(&d, x, adjust);

	if (status < 0)
		lp_density_done(&d);
	else
		*density = d;
	return status;
}

void lp_density_done(struct lp_density *density)
{
	lp_cells_free(density->cells);
	*density = (struct lp_density){ 0 };
}

/* ---- values ---- */

double lp_density_at(const struct lp_density *d, double t)
{
	double sum = lp_cells_sum(d->cells, d->bandwidth, t);

	return fmax(sum, 0) * PER_ROOT_2_PI / ((double)d->n * d->bandwidth);
}

double lp_density_slope(const struct lp_density *d, double t)
{
	double sum = lp_cells_sum_slope(d->cells, d->bandwidth, t);

	return sum * PER_ROOT_2_PI /
	       ((double)d->n * d->bandwidth * d->bandwidth);
}

double lp_density_direct(const double *x, size_t n, double bandwidth, double t)
{
	double sum = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		double z = (t - x[i]) / bandwidth;
		double add = exp(-z * z / 2) - rest, next = sum + add;

		rest = (next - sum) - add;
		sum = next;
	}
	return sum * PER_ROOT_2_PI / ((double)n * bandwidth);
}

/* ---- over the range ---- */

void lp_density_range(const struct lp_density *d, double *from, double *to)
{
	*from = d->least - CUT * d->bandwidth;
	*to = d->most + CUT * d->bandwidth;
}

void lp_density_grid(const struct lp_density *d, size_t n, double *at,
		     double *value)
{
	double from, to;

	lp_density_range(d, &from, &to);
	for (size_t i = 0; i < n; i++) {
		at[i] = from + (to - from) * (double)i / (double)(n - 1);
		value[i] = lp_density_at(d, at[i]);
	}
}

static double step_of(const struct lp_density *d)
{
	double from, to;

	lp_density_range(d, &from, &to);
	return fmin((to - from) / (LP_DENSITY_POINTS - 1), d->bandwidth / 2);
}

/* The slope at a has the sign given, at b the other or none. */
static double turning(const struct lp_density *d, double a, double b,
		      double sign)
{
	while (b - a > FOUND * d->bandwidth) {
		double at = a + (b - a) / 2, slope = lp_density_slope(d, at);

		if (at <= a || at >= b)
			break;
		if (slope == 0)
			return at;
		if (slope * sign > 0)
			a = at;
		else
			b = at;
	}
	return a + (b - a) / 2;
}

struct search {
	const struct lp_density *d;
	struct lp_extremum *found;
	size_t n, capacity;
	double last, sign; /* where the slope last was not 0, and its sign */
};

static int look_at(struct search *s, double at)
{
	double slope = lp_density_slope(s->d, at);
	struct lp_extremum e = { .is_maximum = s->sign > 0 };

	if (slope == 0)
		return 0;
	if (slope * s->sign < 0) {
		if (lp_grow(&s->found, &s->capacity, s->n + 1,
			    sizeof(*s->found)) < 0)
			return -ENOMEM;
		e.at = turning(s->d, s->last, at, s->sign);
		e.value = lp_density_at(s->d, e.at);
		s->found[s->n++] = e;
	}
	s->last = at;
	s->sign = slope;
	return 0;
}

int lp_density_extrema(const struct lp_density *d, struct lp_extremum **extrema,
		       size_t *n)
{
	double from, to, step = step_of(d);
	struct search s = { .d = d };
	size_t steps;
	int status;

	lp_density_range(d, &from, &to);
	steps = (size_t)ceil((to - from) / step);
	s.last = from;
	s.sign = 1; /* all numbers lie to the right */
	status = 0;
	for (size_t i = 1; i < steps && status == 0; i++)
		status = look_at(&s, from + (double)i * step);
	if (status == 0)
		status = look_at(&s, to);
	if (status < 0) {
		free(s.found);
		return status;
	}
	*extrema = s.found;
	*n = s.n;
	return 0;
}

/* Above the value at a, not at b, on either side of a. */
static double crossing(const struct lp_density *d, double a, double b,
		       double value)
{
	while (fabs(b - a) > FOUND * d->bandwidth) {
		double at = a + (b - a) / 2;

		if (at == a || at == b)
			break;
		if (lp_density_at(d, at) > value)
			a = at;
		else
			b = at;
	}
	return b;
}

double lp_density_falls_to(const struct lp_density *d, double from, double to,
			   double value)
{
	double step = to < from ? -step_of(d) : step_of(d), last = from;

	if (lp_density_at(d, from) <= value)
		return from;
	for (size_t i = 1; last != to; i++) {
		double at = from + (double)i * step;

		at = step < 0 ? fmax(at, to) : fmin(at, to);
		if (lp_density_at(d, at) <= value)
			return crossing(d, last, at, value);
		last = at;
	}
	return to;
}
