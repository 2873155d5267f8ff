/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/curve.h"

#include "stats/quantile.h"

#include <errno.h>
#include <string.h>

/* Thesis 6.2.3: the IQR says little about so few. */
#define FEW_COMPONENTS 5

struct range {
	double low, high;
	size_t count;
};

/* The joint range; the samples present go to `kept` unless it is NULL. */
static struct range joint_range(const struct lp_window *window, double *kept)
{
	struct range r = { INFINITY, -INFINITY, 0 };

	for (size_t i = 0; i < window->n * window->w; i++) {
		double v = window->x[i];

		if (!lp_is_sample(v))
			continue;
		r.low = v < r.low ? v : r.low;
		r.high = v > r.high ? v : r.high;
		if (kept)
			kept[r.count] = v;
		r.count++;
	}
	return r;
}

/* Ranges too small or too large for a double to divide have no bins. */
static struct lp_bins bins_of(double low, double width, double count)
{
	if (!(width > 0) || !lp_is_sample(width))
		return (struct lp_bins){ 0 };
	return (struct lp_bins){ low, width, (size_t)count };
}

size_t lp_bins_sturges_count(size_t w)
{
	return (size_t)ceil(log2((double)w) + 1);
}

struct lp_bins lp_bins_sturges(const struct lp_window *window)
{
	struct range r = joint_range(window, NULL);
	double count = (double)lp_bins_sturges_count(window->w);

	if (!(r.high > r.low))
		return (struct lp_bins){ 0 };
	return bins_of(r.low, (r.high - r.low) / count, count);
}

static size_t components_with_data(const struct lp_window *window)
{
	size_t n = 0;

	for (size_t i = 0; i < window->n; i++)
		for (size_t s = 0; s < window->w; s++)
			if (lp_is_sample(window->x[i * window->w + s])) {
				n++;
				break;
			}
	return n;
}

/*
 * glibc's cbrt(27) is above 3: one Newton step makes cubes exact, so that a
 * range of whole widths has so many bins.
 */
static double cube_root(double w)
{
	double r = cbrt(w);

	return r - (r * r * r - w) / (3 * r * r);
}

struct lp_bins lp_bins_freedman(const struct lp_window *window,
				struct lp_floor floor, double *scratch)
{
	struct range r = joint_range(window, scratch);
	double range = r.high - r.low, spread, width;

	if (!(range > 0))
		return (struct lp_bins){ 0 };
	spread = components_with_data(window) < FEW_COMPONENTS
			 ? lp_mad(scratch, r.count)
			 : lp_iqr(scratch, r.count);
	width = 2 * spread / cube_root((double)window->w);
	if (spread == 0)
		width = fmax(range / LP_BINS_MAX, floor.idle);
	width = fmax(width, floor.always);
	if (!(range / width <= LP_BINS_MAX))
		width = range / LP_BINS_MAX;
	return bins_of(r.low, width, fmin(ceil(range / width), LP_BINS_MAX));
}

/* The bins of the samples present; their number. */
static size_t find_bins(uint16_t *places, const double *x, size_t w,
			const struct lp_bins *bins)
{
	size_t present = 0, last = bins->count - 1;

	for (size_t s = 0; s < w; s++) {
		size_t b;

		if (!lp_is_sample(x[s]))
			continue;
		b = (size_t)((x[s] - bins->low) / bins->width);
		places[present++] = (uint16_t)(b < last ? b : last);
	}
	return present;
}

static void fill(struct lp_curves *curves, const struct lp_window *window,
		 const struct lp_bins *bins, bool cumulative)
{
	size_t bytes = curves->length * curves->rows->size;
	uint16_t places[LP_WINDOW_MAX];

	memset(curves->counts, 0, curves->n * bytes);
	for (size_t i = 0; i < window->n; i++) {
		unsigned char *row = curves->counts + i * bytes;
		size_t present = find_bins(places, window->x + i * window->w,
					   window->w, bins);

		curves->rows->increment(row, places, present);
		if (cumulative)
			curves->rows->cumulate(row, curves->length);
		curves->present[i] =
			2 * present < window->w ? 0 : (uint16_t)present;
	}
}

int lp_curves_make(struct lp_curves *curves, const struct lp_window *window,
		   const struct lp_bins *bins, bool cumulative,
		   struct lp_arena *arena)
{
	curves->n = window->n;
	curves->bins = bins->count;
	curves->length =
		(bins->count + LP_ROW_PAD - 1) / LP_ROW_PAD * LP_ROW_PAD;
	curves->rows = lp_rows_for(window->w);
	curves->present =
		lp_arena_alloc_raw(arena, window->n * sizeof(*curves->present));
	curves->counts = lp_arena_alloc_raw(arena, window->n * curves->length *
							   curves->rows->size);
	if (!curves->present || !curves->counts)
		return -ENOMEM;
	fill(curves, window, bins, cumulative);
	return 0;
}
