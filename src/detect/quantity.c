/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/quantity.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

/* Times of fewer requests say little. */
#define REQUESTS_MIN 8

/*
 * Where the numbers come from: docs/methods/own-detector.md. All were chosen
 * on the kept runs of the lab.
 */
static const struct lp_quantity quantities[] = {
	{ .role = LP_SERVICE,
	  .resource = LP_STORAGE,
	  .prior = 0.05,
	  .prior_change = 0.015,
	  .gate = 0.22314355131420976,        /* ln 1.25 */
	  .gate_change = 0.07696104113612832, /* ln 1.08 */
	  .more_util = 3,
	  .more_queue = 0.03,
	  .coarse = true },
	{ .role = LP_LATENCY,
	  .resource = LP_STORAGE,
	  .prior = 0.15,
	  .prior_change = 0.10,
	  .gate = 0.4054651081081644,         /* ln 1.5 */
	  .gate_change = 0.33647223662121289, /* ln 1.4 */
	  .more_util = 3,
	  .more_queue = 0.03,
	  .coarse = true },
	{ .role = LP_LOAD,
	  .resource = LP_STORAGE,
	  .prior = 0.10,
	  .prior_change = 0.10,
	  .gate = 0.25,
	  .gate_change = 0.25,
	  .more_util = 10,
	  .least_load = 200 },
	{ .role = LP_LOAD,
	  .resource = LP_NETWORK,
	  .prior = 0.10,
	  .prior_change = 0.10,
	  .gate = 0.5,
	  .gate_change = 0.5,
	  .more_bytes = 1e6,
	  .least_load = 100e3 },
	{ .role = LP_LOSS,
	  .resource = LP_NETWORK,
	  .gate = 0.0005,
	  .counts = true },
};

const struct lp_quantity *lp_quantity_of(const struct lp_metric *metric)
{
	for (size_t i = 0; i < lp_array_size(quantities); i++)
		if (lp_metric_is_quantity(metric) &&
		    quantities[i].role == metric->role &&
		    quantities[i].resource == metric->resource)
			return &quantities[i];
	return NULL;
}

/* ---- medians of the others ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The median of sorted[m] without the one at position p. */
static double median_without(const double *sorted, size_t m, size_t p)
{
	size_t left = m - 1, high = left / 2, low = left % 2 ? high : high - 1;

	low += low >= p;
	high += high >= p;
	return (sorted[low] + sorted[high]) / 2;
}

/* Any place of the value: equal ones leave the same behind. */
static size_t place_of(const double *sorted, size_t m, double value)
{
	size_t low = 0, high = m;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void lp_medians_of_others(const double *y, size_t n, double *others,
			  double *scratch)
{
	double *sorted = scratch;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(y[i]))
			sorted[m++] = y[i];
	qsort(sorted, m, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++)
		others[i] = isnan(y[i]) || m < 3
				    ? NAN
				    : median_without(sorted, m,
						     place_of(sorted, m, y[i]));
}

/* ---- values of one component ---- */

static double requests_of(const struct lp_sums *s, size_t blocks)
{
	double requests = lp_sum_known(s, LP_SUM_REQUESTS, blocks);

	return requests >= REQUESTS_MIN ? requests : NAN;
}

/* The logarithm, where there is one. */
static double ln(double x)
{
	return x > 0 && isfinite(x) ? log(x) : NAN;
}

static double per_request_ms(const struct lp_sums *s, size_t blocks)
{
	return lp_sum_known(s, LP_SUM_BUSY_MS, blocks) / requests_of(s, blocks);
}

static double per_sector_ms(const struct lp_sums *s, size_t blocks)
{
	double sectors = lp_sum_known(s, LP_SUM_IN, blocks) +
			 lp_sum_known(s, LP_SUM_OUT, blocks);

	return isnan(requests_of(s, blocks))
		       ? NAN
		       : lp_sum_known(s, LP_SUM_BUSY_MS, blocks) / sectors;
}

/* Where nobody counted requests, the mean of their mean times. */
static double latency_ms(const struct lp_sums *s, size_t blocks)
{
	double level = lp_sum_known(s, LP_SUM_LEVEL_MS, blocks);

	if (!isnan(level))
		return level / (double)s->present[LP_SUM_LEVEL_MS];
	return lp_sum_known(s, LP_SUM_WAIT_MS, blocks) / requests_of(s, blocks);
}

/* What is known of a part of the blocks, per second of that part. */
static double per_second(const struct lp_sums *s, enum lp_sum which,
			 size_t blocks, double block_s)
{
	return lp_sum_known(s, which, blocks) /
	       ((double)s->present[which] * block_s);
}

static enum lp_sum flow_of(const struct lp_metric *metric)
{
	return metric->flow == LP_FLOW_IN ? LP_SUM_IN : LP_SUM_OUT;
}

double lp_quantity_share(const struct lp_sums *s, size_t blocks)
{
	double sent = lp_sum_known(s, LP_SUM_OUT, blocks);

	return sent > 0 ? lp_sum_known(s, LP_SUM_RESENT, blocks) / sent : NAN;
}

double lp_quantity_value(const struct lp_metric *metric,
			 const struct lp_sums *s, size_t blocks, double block_s)
{
	switch (metric->role) {
	case LP_SERVICE:
		return per_request_ms(s, blocks);
	case LP_LATENCY:
		return latency_ms(s, blocks);
	case LP_LOAD:
		return per_second(s, flow_of(metric), blocks, block_s);
	case LP_LOSS:
		return 100 * lp_quantity_share(s, blocks);
	default:
		return NAN;
	}
}

/* ---- residuals ---- */

/* How far from the others: y[n] becomes that. */
static void subtract_others(double *y, size_t n, double *scratch)
{
	double *others = scratch;

	lp_medians_of_others(y, n, others, scratch + n);
	for (size_t i = 0; i < n; i++)
		y[i] -= others[i];
}

static double smaller_excess(double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	if (a > 0 && b > 0)
		return fmin(a, b);
	return a < 0 && b < 0 ? fmax(a, b) : 0;
}

static void service(const struct lp_sums *sums, size_t n, size_t blocks,
		    double *residuals, double *scratch)
{
	double *per_sector = scratch;

	for (size_t i = 0; i < n; i++) {
		residuals[i] = ln(per_request_ms(&sums[i], blocks));
		per_sector[i] = ln(per_sector_ms(&sums[i], blocks));
	}
	subtract_others(residuals, n, scratch + n);
	subtract_others(per_sector, n, scratch + n);
	for (size_t i = 0; i < n; i++)
		residuals[i] = smaller_excess(residuals[i], per_sector[i]);
}

static void latency(const struct lp_sums *sums, size_t n, size_t blocks,
		    double *residuals, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		residuals[i] = ln(latency_ms(&sums[i], blocks));
	subtract_others(residuals, n, scratch);
}

static void load(const struct lp_metric *metric, const struct lp_sums *sums,
		 size_t n, size_t blocks, double block_s, double *residuals,
		 double *scratch)
{
	double least = lp_quantity_of(metric)->least_load;
	double *total = scratch, *others = scratch + n;

	for (size_t i = 0; i < n; i++) {
		residuals[i] =
			per_second(&sums[i], flow_of(metric), blocks, block_s);
		total[i] = per_second(&sums[i], LP_SUM_IN, blocks, block_s) +
			   per_second(&sums[i], LP_SUM_OUT, blocks, block_s);
	}
	subtract_others(residuals, n, scratch + n);
	lp_medians_of_others(total, n, others, scratch + 2 * n);
	for (size_t i = 0; i < n; i++)
		residuals[i] /= isnan(others[i]) ? NAN : fmax(others[i], least);
}

/* Counts, made alike in their spread by the square root. */
static void loss(const struct lp_sums *sums, size_t n, size_t blocks,
		 double *residuals, double *scratch)
{
	double *share = scratch, *others = scratch + n;

	for (size_t i = 0; i < n; i++) {
		double active = lp_sum_known(&sums[i], LP_SUM_ACTIVE, blocks);

		share[i] = active > 0 ? sums[i].v[LP_SUM_LOSSY] / active : NAN;
	}
	lp_medians_of_others(share, n, others, scratch + 2 * n);
	for (size_t i = 0; i < n; i++)
		residuals[i] =
			2 *
			(sqrt(sums[i].v[LP_SUM_LOSSY] + 0.375) -
			 sqrt(others[i] * sums[i].v[LP_SUM_ACTIVE] + 0.375));
}

void lp_quantity_residuals(const struct lp_metric *metric,
			   const struct lp_sums *sums, size_t n, size_t blocks,
			   double block_s, double *residuals, double *scratch)
{
	switch (metric->role) {
	case LP_SERVICE:
		service(sums, n, blocks, residuals, scratch);
		break;
	case LP_LATENCY:
		latency(sums, n, blocks, residuals, scratch);
		break;
	case LP_LOAD:
		load(metric, sums, n, blocks, block_s, residuals, scratch);
		break;
	default:
		loss(sums, n, blocks, residuals, scratch);
		break;
	}
}

/* ---- whether it matters ---- */

/* What component i has more than the median of the others; NaN: unknown. */
static double excess(const struct lp_sums *sums, size_t n, size_t i,
		     double (*of)(const struct lp_sums *s, size_t blocks,
				  double block_s),
		     size_t blocks, double block_s, double *scratch)
{
	double own = of(&sums[i], blocks, block_s);
	size_t m = 0;

	for (size_t j = 0; j < n; j++) {
		double v = j == i ? NAN : of(&sums[j], blocks, block_s);

		if (!isnan(v))
			scratch[m++] = v;
	}
	return own - lp_median(scratch, m);
}

static double utilisation(const struct lp_sums *s, size_t blocks,
			  double block_s)
{
	return per_second(s, LP_SUM_BUSY_MS, blocks, block_s) / 10;
}

static double queue(const struct lp_sums *s, size_t blocks, double block_s)
{
	return per_second(s, LP_SUM_WAIT_MS, blocks, block_s) / 1000;
}

static double received(const struct lp_sums *s, size_t blocks, double block_s)
{
	return per_second(s, LP_SUM_IN, blocks, block_s);
}

static double sent(const struct lp_sums *s, size_t blocks, double block_s)
{
	return per_second(s, LP_SUM_OUT, blocks, block_s);
}

static bool works_more(const struct lp_quantity *q, const struct lp_sums *sums,
		       size_t n, size_t i, size_t blocks, double block_s,
		       double *scratch)
{
	double util = excess(sums, n, i, utilisation, blocks, block_s, scratch);
	double queued = q->more_queue > 0 ? excess(sums, n, i, queue, blocks,
						   block_s, scratch)
					  : NAN;

	if (isnan(util) && isnan(queued))
		return true;
	return util >= q->more_util || queued >= q->more_queue;
}

bool lp_quantity_matters(const struct lp_metric *metric,
			 const struct lp_sums *sums, size_t n, size_t i,
			 size_t blocks, double block_s, double *scratch)
{
	const struct lp_quantity *q = lp_quantity_of(metric);
	double bytes;

	if (q->more_util > 0)
		return works_more(q, sums, n, i, blocks, block_s, scratch);
	if (!(q->more_bytes > 0))
		return true;
	bytes = excess(sums, n, i, metric->flow == LP_FLOW_IN ? received : sent,
		       blocks, block_s, scratch);
	return bytes >= q->more_bytes;
}
