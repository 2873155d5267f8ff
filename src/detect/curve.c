/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/curve.h"

#include "detect/pair.h"
#include "stats/quantile.h"

#include <errno.h>
#include <string.h>

/* Thesis 6.2.3: the IQR says little about so few. */
#define FEW_COMPONENTS 5

struct range {
	double low, high;
	size_t count;
};

/* Numbers looked at together, more than one pair of them. */
#define LANES 4

/* The range of n samples, of which none is infinite; NaN is passed over. */
static struct range range_of(const double *x, size_t n)
{
	lp_pair low[2], high[2];
	lp_pair_bits missing[2] = { 0 };
	struct range r = { INFINITY, -INFINITY, n };
	size_t whole = n - n % LANES;

	for (size_t p = 0; p < 2; p++) {
		low[p] = (lp_pair){ INFINITY, INFINITY };
		high[p] = -low[p];
	}
	for (size_t i = 0; i < whole; i += LANES)
		for (size_t p = 0; p < 2; p++) {
			lp_pair v = lp_pair_load(x + i + 2 * p);

			low[p] = lp_pair_min(v, low[p]);
			high[p] = lp_pair_max(v, high[p]);
			missing[p] -= v != v;
		}
	for (size_t b = 0; b < LANES; b++) {
		r.low = fmin(r.low, low[b / 2][b % 2]);
		r.high = fmax(r.high, high[b / 2][b % 2]);
		r.count -= (size_t)missing[b / 2][b % 2];
	}
	for (size_t i = whole; i < n; i++) {
		r.low = fmin(r.low, x[i]);
		r.high = fmax(r.high, x[i]);
		r.count -= isnan(x[i]) ? 1u : 0u;
	}
	return r;
}

static struct range joint_range(const struct lp_window *window)
{
	size_t n = window->n * window->w;
	struct range r = range_of(window->x, n);

	/* Infinities, or no sample at all. */
	if (!lp_is_sample(r.low) || !lp_is_sample(r.high)) {
		r = (struct range){ INFINITY, -INFINITY, 0 };
		for (size_t i = 0; i < n; i++)
			if (lp_is_sample(window->x[i])) {
				r.low = fmin(r.low, window->x[i]);
				r.high = fmax(r.high, window->x[i]);
				r.count++;
			}
	}
	return r;
}

/* The samples present; their number. */
static size_t keep_present(const struct lp_window *window, double *kept)
{
	size_t n = window->n * window->w, count = 0;

	for (size_t i = 0; i < n; i++) {
		kept[count] = window->x[i];
		count += lp_is_sample(window->x[i]);
	}
	return count;
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
	struct range r = joint_range(window);
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

/* The IQR or, of few components, the MAD of all samples. */
static double spread_of(const struct lp_window *window, const struct range *r,
			double *scratch)
{
	size_t count = r->count;
	bool few = components_with_data(window) < FEW_COMPONENTS;

	if (!few && count == window->n * window->w)
		return lp_iqr_of(window->x, count, r->low, r->high, scratch);
	count = keep_present(window, scratch);
	return few ? lp_mad(scratch, count) : lp_iqr(scratch, count);
}

struct lp_bins lp_bins_freedman(const struct lp_window *window,
				struct lp_floor floor, double *scratch)
{
	struct range r = joint_range(window);
	double range = r.high - r.low, spread, width;

	if (!(range > 0))
		return (struct lp_bins){ 0 };
	spread = spread_of(window, &r, scratch);
	width = 2 * spread / cube_root((double)window->w);
	if (spread == 0)
		width = fmax(range / LP_BINS_MAX, floor.idle);
	width = fmax(width, floor.always);
	if (!(range / width <= LP_BINS_MAX))
		width = range / LP_BINS_MAX;
	return bins_of(r.low, width, fmin(ceil(range / width), LP_BINS_MAX));
}

static size_t count_present(const double *x, size_t w)
{
	uint64_t present = 0;

	for (size_t s = 0; s < w; s++)
		present += lp_is_sample(x[s]);
	return present;
}

/* The bins of samples of which none is missing. */
static void find_all_bins(uint16_t *restrict places, const double *restrict x,
			  size_t w, const struct lp_bins *bins)
{
	double low = bins->low, width = bins->width;
	double last = (double)(bins->count - 1);

	for (size_t s = 0; s < w; s++) {
		double b = (x[s] - low) / width;

		places[s] = (uint16_t)(int32_t)(b < last ? b : last);
	}
}

/* The bins of the samples present; their number. */
static size_t find_bins(uint16_t *places, const double *x, size_t w,
			const struct lp_bins *bins)
{
	size_t present = count_present(x, w), n = 0;
	double kept[LP_WINDOW_MAX];

	if (present == w) {
		find_all_bins(places, x, w, bins);
		return w;
	}
	for (size_t s = 0; s < w; s++)
		if (lp_is_sample(x[s]))
			kept[n++] = x[s];
	find_all_bins(places, kept, n, bins);
	return n;
}

void lp_curves_fill(struct lp_curves *curves, size_t i)
{
	const struct lp_window *window = &curves->window;
	size_t bytes = curves->length * curves->rows->size, present;
	unsigned char *row = curves->counts + i * bytes;
	uint16_t places[LP_WINDOW_MAX];

	if (curves->filled[i])
		return;
	curves->filled[i] = 1;
	memset(row, 0, bytes);
	present = find_bins(places, window->x + i * window->w, window->w,
			    &curves->bins);
	curves->rows->increment(row, places, present);
	if (curves->cumulative)
		curves->rows->cumulate(row, curves->length);
	curves->present[i] = 2 * present < window->w ? 0 : (uint16_t)present;
}

int lp_curves_plan(struct lp_curves *curves, const struct lp_window *window,
		   const struct lp_bins *bins, bool cumulative,
		   struct lp_arena *arena)
{
	size_t n = window->n;

	*curves = (struct lp_curves){
		.window = *window,
		.bins = *bins,
		.cumulative = cumulative,
		.n = n,
		.length = (bins->count + LP_ROW_PAD - 1) / LP_ROW_PAD *
			  LP_ROW_PAD,
		.rows = lp_rows_for(window->w),
	};
	curves->filled = lp_arena_alloc(arena, n);
	curves->present =
		lp_arena_alloc_raw(arena, n * sizeof(*curves->present));
	curves->counts = lp_arena_alloc_raw(arena, n * curves->length *
							   curves->rows->size);
	return curves->filled && curves->present && curves->counts ? 0
								   : -ENOMEM;
}

int lp_curves_make(struct lp_curves *curves, const struct lp_window *window,
		   const struct lp_bins *bins, bool cumulative,
		   struct lp_arena *arena)
{
	int status = lp_curves_plan(curves, window, bins, cumulative, arena);

	for (size_t i = 0; status == 0 && i < window->n; i++)
		lp_curves_fill(curves, i);
	return status;
}
