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

static void describe(struct look *l)
{
	size_t n = l->unit->group->n, w = l->unit->params.window;

	l->with = 0;
	for (size_t i = 0; i < n; i++) {
		size_t present = 0;

		for (size_t s = 0; s < w; s++)
			if (!isnan(l->x[i * w + s]))
				l->scratch[present++] = l->x[i * w + s];
		l->medians[i] = NAN;
		if (2 * present < w || present == 0)
			continue;
		l->medians[i] = lp_median(l->scratch, present);
		l->spreads[l->with] = lp_iqr(l->scratch, present);
		l->sorted[l->with++] = l->medians[i];
	}
	qsort(l->sorted, l->with, sizeof(*l->sorted), lp_compare_double);
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

/* Those farther from more than half of the others than their threshold. */
static size_t find_apart(struct look *l)
{
	const struct lp_unit *u = l->unit;
	double spread = lp_median(l->spreads, l->with);
	double width = 2 * spread / cbrt((double)u->params.window);
	size_t n = 0;

	memset(l->who, 0, u->group->n);
	/* Where the usual one does nothing, there is nothing to tell. */
	if (l->with < 3 || !(width > 0))
		return 0;
	width = fmax(width, u->metric->floor.idle / 2);
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

/* Whether most of them were not flagged: the method did not see them. */
static bool went_unseen(const struct look *l, size_t window, size_t n)
{
	size_t seen = 0;

	for (size_t i = 0; i < l->unit->group->n; i++)
		seen += l->who[i] &&
			*lp_unit_at(l->unit, window, i) & LP_TRACK_FLAG;
	return 2 * seen < n;
}

static int look_at(struct look *l, const struct lp_diagnose_input *input,
		   size_t window, struct lp_apart *apart)
{
	const struct lp_unit *u = l->unit;
	size_t n;

	if (lp_unit_window(u, input, u->end_ns[window], l->x) < 0)
		return -ENOMEM;
	describe(l);
	n = find_apart(l);
	apart->looked++;
	if ((double)n < PART * (double)l->with || !went_unseen(l, window, n))
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
