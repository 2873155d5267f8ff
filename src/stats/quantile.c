/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/quantile.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

static double median_of_three(double a, double b, double c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		b = c;
	return a > b ? a : b;
}

/* Quickselect with three parts, so that ties (idle devices) cost nothing. */
double lp_select(double *x, size_t n, size_t k)
{
	size_t lo = 0, hi = n;

	while (hi - lo > 1) {
		double pivot = median_of_three(x[lo], x[lo + (hi - lo) / 2],
					       x[hi - 1]);
		size_t below = lo, at = lo, above = hi;

		while (at < above) {
			if (x[at] < pivot)
				swap(&x[below++], &x[at++]);
			else if (x[at] > pivot)
				swap(&x[at], &x[--above]);
			else
				at++;
		}
		if (k < below)
			hi = below;
		else if (k >= above)
			lo = above;
		else
			break;
	}
	return x[k];
}

/*
 * Many numbers, few of which matter: those of the wanted ranks. The numbers
 * are sorted into buckets by the leading bits of their distance from the
 * smallest, where a double's bits are in the order of its value; only buckets
 * that hold a wanted rank are kept. Exact, and two quick passes instead of a
 * selection's many mispredicted steps.
 */
#define BUCKET_BITS 12
#define BUCKETS (1u << BUCKET_BITS)
/* Fewer than this are left to selection. */
#define MANY 2048
#define RANKS_MAX 4

struct ranks {
	size_t rank[RANKS_MAX]; /* ascending */
	size_t n;
};

static int64_t order_key(double v)
{
	int64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

struct buckets {
	int64_t first;
	int shift;
	uint32_t count[BUCKETS];
	uint8_t keep[BUCKETS];
};

static size_t bucket_of(const struct buckets *b, double v)
{
	return ((uint64_t)order_key(v) - (uint64_t)b->first) >> b->shift;
}

static void spread_out(struct buckets *b, const double *x, size_t n,
		       int64_t first, int64_t last)
{
	b->first = first;
	b->shift = 0;
	while (((uint64_t)last - (uint64_t)first) >> b->shift >= BUCKETS)
		b->shift++;
	memset(b->count, 0, sizeof(b->count));
	for (size_t i = 0; i < n; i++)
		b->count[bucket_of(b, x[i])]++;
}

/* Mark the buckets with wanted ranks; ranks are then among what is kept. */
static void choose(struct buckets *b, struct ranks *ranks)
{
	size_t seen = 0, kept = 0, next = 0;

	for (size_t k = 0; k < BUCKETS; k++) {
		size_t end = seen + b->count[k];

		b->keep[k] = next < ranks->n && ranks->rank[next] < end;
		for (; next < ranks->n && ranks->rank[next] < end; next++)
			ranks->rank[next] += kept - seen;
		if (b->keep[k])
			kept += b->count[k];
		seen = end;
	}
}

/*
 * What wanted ranks need of numbers whose keys are from first to last; kept
 * may be x. How many are kept.
 */
static size_t keep_wanted(const double *x, size_t n, int64_t first,
			  int64_t last, struct ranks *ranks, double *kept)
{
	struct buckets b;
	size_t count = 0;

	spread_out(&b, x, n, first, last);
	choose(&b, ranks);
	for (size_t i = 0; i < n; i++) {
		double v = x[i];

		kept[count] = v;
		count += b.keep[bucket_of(&b, v)];
	}
	return count;
}

/* Leave out what no wanted rank needs; how many are left. */
static size_t thin(double *x, size_t n, struct ranks *ranks)
{
	size_t before = SIZE_MAX;

	/* All in one bucket: all equal, or nothing to gain. */
	while (n > MANY && n < before) {
		int64_t first = INT64_MAX, last = INT64_MIN;

		for (size_t i = 0; i < n; i++) {
			int64_t key = order_key(x[i]);

			first = key < first ? key : first;
			last = key > last ? key : last;
		}
		before = n;
		n = keep_wanted(x, n, first, last, ranks, x);
	}
	return n;
}

static double between(double a, double b, double h)
{
	/* As R: equal neighbours, infinite ones too, give themselves. */
	return h > 0 && a != b ? (1 - h) * a + h * b : a;
}

/* Type 7 from the p-th position on, its two neighbours at ranks k and next. */
static double interpolate(double *x, size_t n, const size_t *rank, double index)
{
	double low = lp_select(x, n, rank[0]);
	double high = lp_select(x, n, rank[1]);

	return between(low, high, index - floor(index));
}

static void want(struct ranks *ranks, size_t n, double index)
{
	size_t k = (size_t)index;

	ranks->rank[ranks->n++] = k;
	ranks->rank[ranks->n++] = k + 1 < n ? k + 1 : k;
}

double lp_quantile(double *x, size_t n, double p)
{
	struct ranks ranks = { .n = 0 };
	double index = ((double)n - 1) * p;

	if (n == 0)
		return NAN;
	want(&ranks, n, index);
	n = thin(x, n, &ranks);
	return interpolate(x, n, ranks.rank, index);
}

void lp_select_ranks(double *x, size_t n, const size_t *rank, size_t k,
		     double *values)
{
	struct ranks ranks = { .n = k };

	assert(k <= RANKS_MAX);
	memcpy(ranks.rank, rank, k * sizeof(*rank));
	n = thin(x, n, &ranks);
	for (size_t i = 0; i < k; i++)
		values[i] = lp_select(x, n, ranks.rank[i]);
}

double lp_quantile_sorted(const double *x, size_t n, double p)
{
	double index;
	size_t k;

	if (n == 0)
		return NAN;
	index = (double)(n - 1) * p;
	k = (size_t)index;
	return k + 1 == n ? x[k] : between(x[k], x[k + 1], index - (double)k);
}

double lp_median(double *x, size_t n)
{
	return lp_quantile(x, n, 0.5);
}

/* What is behind the k-th smallest is not smaller: no second selection. */
double lp_median_few(double *x, size_t n)
{
	size_t k = (n - 1) / 2;
	double low = lp_select(x, n, k), high = INFINITY;

	if (n % 2)
		return low;
	for (size_t i = k + 1; i < n; i++)
		high = x[i] < high ? x[i] : high;
	return between(low, high, 0.5);
}

static double iqr_of_ranks(double *x, size_t n, struct ranks *ranks,
			   double first, double third)
{
	n = thin(x, n, ranks);
	return interpolate(x, n, ranks->rank + 2, third) -
	       interpolate(x, n, ranks->rank, first);
}

double lp_iqr(double *x, size_t n)
{
	struct ranks ranks = { .n = 0 };
	double first = ((double)n - 1) * 0.25, third = ((double)n - 1) * 0.75;

	if (n == 0)
		return NAN;
	want(&ranks, n, first);
	want(&ranks, n, third);
	return iqr_of_ranks(x, n, &ranks, first, third);
}

double lp_iqr_of(const double *x, size_t n, double low, double high,
		 double *scratch)
{
	double first = ((double)n - 1) * 0.25, third = ((double)n - 1) * 0.75;
	struct ranks ranks = { .n = 0 };

	if (n <= MANY) {
		memcpy(scratch, x, n * sizeof(*x));
		return lp_iqr(scratch, n);
	}
	want(&ranks, n, first);
	want(&ranks, n, third);
	/* Either of the two zeros may be among them. */
	n = keep_wanted(x, n, order_key(low == 0 ? -0.0 : low),
			order_key(high == 0 ? 0.0 : high), &ranks, scratch);
	return iqr_of_ranks(scratch, n, &ranks, first, third);
}

double lp_mad(double *x, size_t n)
{
	double middle;

	if (n == 0)
		return NAN;
	/* By selection only: the numbers are needed once more. */
	middle = between(lp_select(x, n, (n - 1) / 2), lp_select(x, n, n / 2),
			 n % 2 ? 0 : 0.5);
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - middle);
	return lp_median(x, n);
}
