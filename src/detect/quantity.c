/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/quantity.h"

#include "base/memory.h"

#include <math.h>

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

void lp_medians_of_others(const double *y, size_t n, double *others,
			  double *scratch)
{
	struct lp_middle middle;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(y[i]))
			scratch[m++] = y[i];
	lp_middle_of(scratch, m, &middle);
	for (size_t i = 0; i < n; i++)
		others[i] = isnan(y[i]) || m < 3
				    ? NAN
				    : lp_median_without(&middle, y[i]);
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

typedef double value_of(const struct lp_sums *s, size_t blocks, double block_s);

static void middle_of(const struct lp_sums *sums, size_t n, value_of *of,
		      size_t blocks, double block_s, double *scratch,
		      struct lp_middle *middle)
{
	size_t m = 0;

	for (size_t j = 0; j < n; j++) {
		double v = of(&sums[j], blocks, block_s);

		if (!isnan(v))
			scratch[m++] = v;
	}
	lp_middle_of(scratch, m, middle);
}

static value_of *bytes_of(const struct lp_metric *metric)
{
	return metric->flow == LP_FLOW_IN ? received : sent;
}

void lp_quantity_peers(const struct lp_metric *metric,
		       const struct lp_sums *sums, size_t n, size_t blocks,
		       double block_s, struct lp_quantity_peers *peers,
		       double *scratch)
{
	const struct lp_quantity *q = lp_quantity_of(metric);

	*peers = (struct lp_quantity_peers){ .util.n = 0 };
	if (q->more_util > 0)
		middle_of(sums, n, utilisation, blocks, block_s, scratch,
			  &peers->util);
	if (q->more_queue > 0)
		middle_of(sums, n, queue, blocks, block_s, scratch,
			  &peers->queue);
	if (q->more_bytes > 0)
		middle_of(sums, n, bytes_of(metric), blocks, block_s, scratch,
			  &peers->bytes);
}

/* What it has more than the median of the others; NaN: unknown. */
static double excess(const struct lp_middle *all, double own)
{
	return isnan(own) ? NAN : own - lp_median_without(all, own);
}

bool lp_quantity_matters(const struct lp_metric *metric,
			 const struct lp_quantity_peers *peers,
			 const struct lp_sums *s, size_t blocks, double block_s)
{
	const struct lp_quantity *q = lp_quantity_of(metric);
	double util, queued;

	if (q->more_bytes > 0)
		return excess(&peers->bytes,
			      bytes_of(metric)(s, blocks, block_s)) >=
		       q->more_bytes;
	if (!(q->more_util > 0))
		return true;
	util = excess(&peers->util, utilisation(s, blocks, block_s));
	queued = q->more_queue > 0
			 ? excess(&peers->queue, queue(s, blocks, block_s))
			 : NAN;
	if (isnan(util) && isnan(queued))
		return true;
	return util >= q->more_util || queued >= q->more_queue;
}
