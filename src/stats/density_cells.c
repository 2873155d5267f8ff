/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/density_cells.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Two at a time, as every 64-bit machine can. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static void add(double *moment, double u)
{
	pair *sum = (pair *)moment, square = { u * u, u * u };
	pair power = { 1, u };

	sum[0] += power;
	power *= square;
	sum[1] += power;
	power *= square;
	sum[2] += power;
	power *= square;
	sum[3] += power;
}

/* The extent costs nothing here: adding waits for the sums in memory. */
static void fill(struct lp_density_cells *cells, const double *x, size_t n)
{
	double per_width = 1 / cells->width, first = cells->first;
	double least = INFINITY, most = -INFINITY, end = (double)cells->n;
	double(*moment)[LP_CELL_MOMENTS] = cells->moment;
	size_t outside = 0;

	for (size_t i = 0; i < n; i++) {
		double at = (x[i] - first) * per_width;
		int64_t cell;

		least = x[i] < least ? x[i] : least;
		most = x[i] > most ? x[i] : most;
		if (!(at >= 0 && at < end)) {
			outside++;
			continue;
		}
		/* Signed, since that is the conversion processors have. */
		cell = (int64_t)at;
		add(moment[cell], at - (double)cell - 0.5);
	}
	cells->least = least;
	cells->most = most;
	cells->n_outside = outside;
}

struct lp_density_cells *lp_cells_new(const double *x, size_t n, double first,
				      double last, double width)
{
	struct lp_density_cells *cells = calloc(1, sizeof(*cells));
	size_t bytes;

	if (!cells)
		return NULL;
	cells->first = first;
	cells->width = width;
	/* One more, since the largest may round up. */
	cells->n = (size_t)((last - first) / width) + 2;
	bytes = cells->n * sizeof(*cells->moment);
	cells->moment = aligned_alloc(64, bytes);
	if (!cells->moment) {
		free(cells);
		return NULL;
	}
	memset(cells->moment, 0, bytes);
	fill(cells, x, n);
	return cells;
}

void lp_cells_free(struct lp_density_cells *cells)
{
	if (!cells)
		return;
	free(cells->moment);
	free(cells->fading);
	free(cells);
}

/* ---- spread ---- */

static double middle(const struct lp_density_cells *cells, size_t i)
{
	return cells->first + ((double)i + 0.5) * cells->width;
}

double lp_cells_sd(const struct lp_density_cells *cells, size_t n)
{
	double width = cells->width, mean = 0, square = 0;

	for (size_t i = 0; i < cells->n; i++)
		mean += cells->moment[i][0] *
				(middle(cells, i) - cells->first) +
			cells->moment[i][1] * width;
	mean = cells->first + mean / (double)n;
	for (size_t i = 0; i < cells->n; i++) {
		const double *m = cells->moment[i];
		double off = middle(cells, i) - mean;

		square += m[2] * width * width + 2 * m[1] * width * off +
			  m[0] * off * off;
	}
	return sqrt(fmax(square, 0) / (double)(n - 1));
}

/* A quartile: between two ranks, which lie in cells [first, end). */
struct quartile {
	size_t rank; /* the lower of the two, then among what is gathered */
	double part; /* of the way to the next */
	double first, end;
	size_t count; /* in these cells */
	double *x;    /* them */
};

static void find_cells(const struct lp_density_cells *cells, size_t n, double p,
		       struct quartile *q)
{
	double index = (double)(n - 1) * p;
	size_t next, below = 0, i = 0;

	*q = (struct quartile){ .rank = (size_t)index };
	q->part = index - (double)q->rank;
	next = q->rank + 1 < n ? q->rank + 1 : q->rank;
	while (below + (size_t)cells->moment[i][0] <= q->rank)
		below += (size_t)cells->moment[i++][0];
	q->first = (double)i;
	while (below + q->count <= next)
		q->count += (size_t)cells->moment[i++][0];
	q->end = i < cells->n ? (double)i : INFINITY;
	q->rank -= below;
}

/* The cells of both quartiles, in widths from the first cell's left side. */
struct wanted {
	double origin, per_width;
	double a1, a2, b1, b2;
};

static bool is_in_a(const struct wanted *w, double at)
{
	return (at >= w->a1) & (at < w->a2);
}

static bool is_in_b(const struct wanted *w, double at)
{
	return (at >= w->b1) & (at < w->b2);
}

/* Numbers that are looked at together: few groups have one that is wanted. */
#define GROUP 8

static bool wants_any(const struct wanted *w, const double *x)
{
	pair_mask any = { 0, 0 };

	for (size_t i = 0; i < GROUP; i += 2) {
		pair at = { x[i], x[i + 1] };

		at = (at - w->origin) * w->per_width;
		any |= ((at >= w->a1) & (at < w->a2)) |
		       ((at >= w->b1) & (at < w->b2));
	}
	return any[0] | any[1];
}

/* Always stored, and counted if wanted: no branch to guess. */
static void gather(const struct wanted *w, const double *x, size_t n,
		   double **a, double **b)
{
	for (size_t i = 0; i < n; i++) {
		double at = (x[i] - w->origin) * w->per_width;

		**a = x[i];
		**b = x[i];
		*a += is_in_a(w, at);
		*b += is_in_b(w, at);
	}
}

static void gather_all(const struct lp_density_cells *cells, const double *x,
		       size_t n, const struct quartile *a,
		       const struct quartile *b)
{
	const struct wanted w = { cells->first, 1 / cells->width, a->first,
				  a->end,       b->first,         b->end };
	double *pa = a->x, *pb = b->x;
	size_t i = 0;

	for (; i + GROUP <= n; i += GROUP)
		if (wants_any(&w, x + i))
			gather(&w, x + i, GROUP, &pa, &pb);
	gather(&w, x + i, n - i, &pa, &pb);
}

static double value_of(const struct quartile *q)
{
	double low = lp_select(q->x, q->count, q->rank), high = INFINITY;

	/* All that is behind it now is no smaller. */
	for (size_t i = q->rank + 1; i < q->count; i++)
		high = q->x[i] < high ? q->x[i] : high;
	return q->part > 0 && low != high ? (1 - q->part) * low + q->part * high
					  : low;
}

double lp_cells_iqr(const struct lp_density_cells *cells, const double *x,
		    size_t n)
{
	struct quartile a, b;
	lp_auto_free double *room = NULL;

	find_cells(cells, n, 0.25, &a);
	find_cells(cells, n, 0.75, &b);
	/* One more each, for what is stored and not counted. */
	room = malloc((a.count + b.count + 2) * sizeof(*room));
	if (!room)
		return NAN;
	a.x = room;
	b.x = room + a.count + 1;
	gather_all(cells, x, n, &a, &b);
	return value_of(&b) - value_of(&a);
}

/* ---- sums ---- */

/* He_k(z) by powers of z. */
static const double hermite[LP_CELL_MOMENTS][LP_CELL_MOMENTS] = {
	{ 1 },
	{ 0, 1 },
	{ -1, 0, 1 },
	{ 0, -3, 0, 1 },
	{ 3, 0, -6, 0, 1 },
	{ 0, 15, 0, -10, 0, 1 },
	{ -15, 0, 45, 0, -15, 0, 1 },
	{ 0, -105, 0, 105, 0, -21, 0, 1 },
};

/* The sum of moment[k] factor[k] He_k(z), as a polynomial in z. */
static void to_powers(double *moment, const double *factor)
{
	double power[LP_CELL_MOMENTS] = { 0 };

	for (size_t k = 0; k < LP_CELL_MOMENTS; k++)
		for (size_t j = 0; j <= k; j++)
			power[j] += moment[k] * factor[k] * hermite[k][j];
	memcpy(moment, power, sizeof(power));
}

int lp_cells_expand(struct lp_density_cells *cells, double bandwidth)
{
	double q = cells->width / bandwidth;
	double factor[LP_CELL_MOMENTS] = { 1 };

	cells->reach = (size_t)(LP_DENSITY_REACH / q) + 1;
	cells->fading = malloc((cells->reach + 1) * sizeof(*cells->fading));
	if (!cells->fading)
		return -ENOMEM;
	for (size_t j = 0; j <= cells->reach; j++)
		cells->fading[j] = exp(-(double)j * q * (double)j * q / 2);
	for (size_t k = 1; k < LP_CELL_MOMENTS; k++)
		factor[k] = factor[k - 1] * q / (double)k;
	for (size_t i = 0; i < cells->n; i++)
		if (cells->moment[i][0] != 0)
			to_powers(cells->moment[i], factor);
	return 0;
}

/* P(z), or P'(z) - z P(z), which is what exp(-z^2 / 2) P(z) rises by. */
static double polynomial(const double *p, double z, bool slope)
{
	double value = p[LP_CELL_MOMENTS - 1], rise = 0;

	for (size_t k = LP_CELL_MOMENTS - 1; k-- > 0;) {
		if (slope)
			rise = rise * z + value;
		value = value * z + p[k];
	}
	return slope ? rise - z * value : value;
}

/*
 * With z0 of the nearest cell's middle, cell j further has z = z0 -+ j q, and
 * exp(-z^2 / 2) = exp(-z0^2 / 2) exp(+-z0 q)^j exp(-(j q)^2 / 2): two
 * exponentials for all of them.
 */
static double one_side(const struct lp_density_cells *cells, size_t nearest,
		       int step, double z0, double q, bool slope)
{
	double ratio = exp(step * z0 * q), weight = exp(-z0 * z0 / 2);
	double sum = 0;
	size_t room = step < 0 ? nearest : cells->n - 1 - nearest;
	size_t last = room < cells->reach ? room : cells->reach;

	/* The nearest itself belongs to the side of the larger. */
	if (step < 0)
		weight *= ratio;
	for (size_t j = step < 0; j <= last; j++, weight *= ratio) {
		const double *a =
			cells->moment[step < 0 ? nearest - j : nearest + j];

		if (a[0] == 0)
			continue;
		sum += weight * cells->fading[j] *
		       polynomial(a, z0 - step * (double)j * q, slope);
	}
	return sum;
}

static double beyond(const struct lp_density_cells *cells, double bandwidth,
		     double t, bool slope)
{
	double at = (t - cells->first) / cells->width - 0.5;
	double q = cells->width / bandwidth, sum = 0;
	double from = ceil(at - LP_DENSITY_REACH / q);
	double to = floor(at + LP_DENSITY_REACH / q);

	for (double i = fmax(from, 0); i <= fmin(to, (double)cells->n - 1);
	     i++) {
		double z = (at - i) * q;

		sum += exp(-z * z / 2) *
		       polynomial(cells->moment[(size_t)i], z, slope);
	}
	return sum;
}

static double sum_at(const struct lp_density_cells *cells, double bandwidth,
		     double t, bool slope)
{
	double at = (t - cells->first) / cells->width - 0.5;
	double nearest = nearbyint(at), q = cells->width / bandwidth;
	double z0 = (at - nearest) * q;

	if (nearest < 0 || nearest > (double)(cells->n - 1))
		return beyond(cells, bandwidth, t, slope);
	return one_side(cells, (size_t)nearest, 1, z0, q, slope) +
	       one_side(cells, (size_t)nearest, -1, z0, q, slope);
}

double lp_cells_sum(const struct lp_density_cells *cells, double bandwidth,
		    double t)
{
	return sum_at(cells, bandwidth, t, false);
}

double lp_cells_sum_slope(const struct lp_density_cells *cells,
			  double bandwidth, double t)
{
	return sum_at(cells, bandwidth, t, true);
}
