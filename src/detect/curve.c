/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/curve.h"

#include "stats/quantile.h"

#include <math.h>
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

		if (isnan(v))
			continue;
		if (v < r.low)
			r.low = v;
		if (v > r.high)
			r.high = v;
		if (kept)
			kept[r.count] = v;
		r.count++;
	}
	return r;
}

struct lp_bins lp_bins_sturges(const struct lp_window *window)
{
	struct range r = joint_range(window, NULL);
	double count = ceil(log2((double)window->w) + 1);

	if (!(r.high > r.low))
		return (struct lp_bins){ 0 };
	return (struct lp_bins){ r.low, (r.high - r.low) / count,
				 (size_t)count };
}

static size_t components_with_data(const struct lp_window *window)
{
	size_t n = 0;

	for (size_t i = 0; i < window->n; i++)
		for (size_t s = 0; s < window->w; s++)
			if (!isnan(window->x[i * window->w + s])) {
				n++;
				break;
			}
	return n;
}

struct lp_bins lp_bins_freedman(const struct lp_window *window, double floor,
				double *scratch)
{
	struct range r = joint_range(window, scratch);
	double range = r.high - r.low, spread, width;

	if (!(range > 0))
		return (struct lp_bins){ 0 };
	spread = components_with_data(window) < FEW_COMPONENTS
			 ? lp_mad(scratch, r.count)
			 : lp_iqr(scratch, r.count);
	width = 2 * spread / cbrt((double)window->w);
	if (spread == 0)
		width = fmax(range / LP_BINS_MAX, floor);
	if (range / width > LP_BINS_MAX)
		width = range / LP_BINS_MAX;
	return (struct lp_bins){
		r.low, width, (size_t)fmin(ceil(range / width), LP_BINS_MAX)
	};
}

static size_t bin_of(const struct lp_bins *bins, double v)
{
	size_t b = (size_t)((v - bins->low) / bins->width);

	return b < bins->count ? b : bins->count - 1;
}

static uint16_t count_row(uint16_t *row, const double *x, size_t w,
			  const struct lp_bins *bins)
{
	uint16_t present = 0;

	memset(row, 0, bins->count * sizeof(*row));
	for (size_t s = 0; s < w; s++) {
		if (isnan(x[s]))
			continue;
		if (bins->count)
			row[bin_of(bins, x[s])]++;
		present++;
	}
	return present;
}

void lp_curves_fill(struct lp_curves *curves, const struct lp_window *window,
		    const struct lp_bins *bins, bool cumulative)
{
	curves->n = window->n;
	curves->bins = bins->count;
	for (size_t i = 0; i < window->n; i++) {
		uint16_t *row = curves->counts + i * bins->count;
		uint16_t present = count_row(row, window->x + i * window->w,
					     window->w, bins);

		curves->present[i] = 2 * present < window->w ? 0 : present;
		for (size_t b = 1; cumulative && b < bins->count; b++)
			row[b] = (uint16_t)(row[b] + row[b - 1]);
	}
}
