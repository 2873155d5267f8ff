/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/apart.h"

#include "base/number.h"
#include "diagnose/single.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many windows are looked at. */
#define WINDOWS_MAX 64
/* From this part of the group on, quartiles lie in the gap. */
#define PART 0.25

struct look {
	const struct lp_unit *unit;
	double *x;       /* [n][w] */
	double *medians; /* [n], NaN: too few samples */
	double *sorted, *spreads, *scratch;
	size_t with; /* components that have a median */
	uint8_t *who;
};

/* Of series i those that are present; returns how many. */
static size_t gather(struct look *l, size_t i)
{
	size_t w = l->unit->params.window, present = 0;
	const double *x = l->x + i * w;

	for (size_t s = 0; s < w; s++)
		if (!isnan(x[s]))
			l->scratch[present++] = x[s];
	return present;
}

/* Spare paths in a group of which some work. */
static bool is_even(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!(x[i] == x[0]))
			return false;
	return n > 1;
}

static void find_medians(struct look *l)
{
	size_t w = l->unit->params.window;

	l->with = 0;
	for (size_t i = 0; i < l->unit->group->n; i++) {
		size_t present;

		if (is_even(l->x + i * w, w)) {
			l->medians[i] = l->x[i * w];
			l->sorted[l->with++] = l->medians[i];
			continue;
		}
		present = gather(l, i);

		l->medians[i] = NAN;
		if (2 * present < w || present == 0)
			continue;
		l->medians[i] = lp_median_few(l->scratch, present);
		l->sorted[l->with++] = l->medians[i];
	}
	qsort(l->sorted, l->with, sizeof(*l->sorted), lp_compare_double);
}

/* The usual one's interquartile range. */
static double find_spread(struct look *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->unit->group->n; i++)
		if (!isnan(l->medians[i])) {
			size_t present = gather(l, i);

			l->spreads[n++] = lp_iqr(l->scratch, present);
		}
	return lp_median(l->spreads, n);
}

/* How many of the sorted numbers are below v, or not above it. */
static size_t count_below(const struct look *l, double v, bool or_equal)
{
	size_t lo = 0, hi = l->with;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		double at = l->sorted[middle];

		if (at < v || (or_equal && at == v))
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* Those farther from more than half of the others than so many widths. */
static size_t count_apart(struct look *l, double width)
{
	const struct lp_unit *u = l->unit;
	size_t n = 0;

	memset(l->who, 0, u->group->n);
	for (size_t i = 0; i < u->group->n; i++) {
		double reach = u->thresholds[i] * width, m = l->medians[i];
		size_t near;

		if (isnan(m))
			continue;
		near = count_below(l, m + reach, true) -
		       count_below(l, m - reach, false) - 1;
		l->who[i] = 2 * (l->with - 1 - near) > l->with - 1;
		n += l->who[i];
	}
	return n;
}

static bool are_enough(const struct look *l, size_t n)
{
	return (double)n >= PART * (double)l->with;
}

/* How many differ by more than their threshold. */
static size_t find_apart(struct look *l)
{
	const struct lp_unit *u = l->unit;
	double least = u->metric->floor.idle / 2, width;

	memset(l->who, 0, u->group->n);
	if (l->with < 3)
		return 0;
	/* The wider, the fewer: how wide need not be known for most windows. */
	if (least > 0 && !are_enough(l, count_apart(l, least)))
		return 0;
	width = 2 * find_spread(l) / cbrt((double)u->params.window);
	/* Where the usual one does nothing, there is nothing to tell. */
	return width > 0 ? count_apart(l, fmax(width, least)) : 0;
}

/* Whether most of them were not flagged: the method did not see them. */
static bool went_unseen(const struct look *l, size_t window, size_t n)
{
	size_t seen = 0;

	for (size_t i = 0; i < l->unit->group->n; i++)
		seen += l->who[i] &&
			*lp_unit_at(l->unit, window, i) & LP_TRACK_FLAG;
	return 2 * seen < n;
}

/* Whether nobody did anything: all that is known of the window is 0. */
static bool group_rests(const struct lp_unit *u,
			const struct lp_diagnose_input *input, int64_t end_ns)
{
	int64_t begin = 0, points, last;
	int64_t rows = (int64_t)(u->params.window + u->params.smooth) - 1;

	points = (int64_t)lp_matrix_points(input->matrix, &begin);
	last = (end_ns - begin) / input->step_ns;
	rows = rows <= last ? rows : last + 1;
	return u->group->sockets == LP_SOCKETS_NONE && last >= 0 &&
	       last < points &&
	       lp_matrix_rests(input->matrix, u->metric_index,
			       u->group->components, u->group->n,
			       (size_t)(last + 1 - rows), (size_t)rows);
}

static int look_at(struct look *l, const struct lp_diagnose_input *input,
		   size_t window, struct lp_apart *apart)
{
	const struct lp_unit *u = l->unit;
	size_t n;

	apart->looked++;
	/* Nobody can be told apart then: see find_apart. */
	if (group_rests(u, input, u->end_ns[window]))
		return 0;
	if (lp_unit_window(u, input, u->end_ns[window], l->x) < 0)
		return -ENOMEM;
	find_medians(l);
	n = find_apart(l);
	if (!are_enough(l, n) || !went_unseen(l, window, n))
		return 0;
	apart->apart++;
	if (n <= apart->n)
		return 0;
	apart->n = n;
	apart->compared = l->with;
	memcpy(apart->who, l->who, u->group->n);
	return 0;
}

/* Windows from first on, so many apart. */
static int look(const struct lp_unit *u, const struct lp_diagnose_input *input,
		size_t first, size_t last, size_t stride,
		struct lp_apart *apart)
{
	size_t n = u->group->n, w = u->params.window;
	struct lp_arena arena = { 0 };
	struct look l = {
		.unit = u,
		.x = lp_arena_alloc_raw(&arena, n * w * sizeof(double)),
		.medians = lp_arena_alloc_raw(&arena, n * sizeof(double)),
		.sorted = lp_arena_alloc_raw(&arena, n * sizeof(double)),
		.spreads = lp_arena_alloc_raw(&arena, n * sizeof(double)),
		.scratch = lp_arena_alloc_raw(&arena, w * sizeof(double)),
		.who = lp_arena_alloc(&arena, n),
	};
	int status = -ENOMEM;

	if (l.x && l.medians && l.sorted && l.spreads && l.scratch && l.who)
		status = 0;
	for (size_t i = first; i <= last && status == 0; i += stride)
		status = look_at(&l, input, i, apart);
	lp_arena_done(&arena);
	return status;
}

int lp_unit_look_apart(const struct lp_unit *u,
		       const struct lp_diagnose_input *input,
		       struct lp_apart *apart)
{
	if (u->windows == 0)
		return 0;
	return look(u, input, 0, u->windows - 1, u->windows / WINDOWS_MAX + 1,
		    apart);
}

int lp_unit_apart_at(const struct lp_unit *u,
		     const struct lp_diagnose_input *input, size_t window,
		     struct lp_apart *apart)
{
	return look(u, input, window, window, 1, apart);
}
