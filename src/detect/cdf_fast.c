/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same flags with almost no pairs.
 *
 * Nearly all components have all their samples, m of them; among those the
 * distance is L1(c_i, c_j) / m with whole-number counts, and "over the
 * threshold" is L1 > limit_i, a whole number. With any reference curve r (the
 * bin-wise median is a good one), d_i = L1(c_i, r) and s_i = sum(c_i):
 *
 *     d_j <= limit_i - d_i     =>  L1(c_i, c_j) <= limit_i  (triangle)
 *     |s_i - s_j| > limit_i    =>  L1(c_i, c_j) >  limit_i
 *
 * Both are counted for all j at once in sorted arrays. A flag needs only "more
 * than half", so one of the two nearly always decides; what is left is counted
 * exactly, and stops as soon as it is decided. The few components with missing
 * samples are paired exactly with everyone.
 */
#include "detect/cdf.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

/* Bins between two looks at whether a sum has passed its limit. */
#define STRIDE 64

struct fast {
	const struct lp_curves *curves;
	uint16_t m;                   /* samples of the components in `full` */
	uint32_t *full, n_full;       /* components with m samples */
	uint32_t *odd, n_odd;         /* components with another number */
	int32_t *d, *s;               /* by component */
	int32_t *d_sorted, *s_sorted; /* of the full ones */
	uint16_t *reference;
};

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* How many of the sorted numbers are <= limit. */
static uint32_t count_up_to(const int32_t *sorted, uint32_t n, int64_t limit)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (sorted[middle] <= limit)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static const uint16_t *row(const struct fast *f, size_t i)
{
	return f->curves->counts + i * f->curves->bins;
}

static int32_t l1(const uint16_t *p, const uint16_t *q, size_t n)
{
	int32_t sum = 0;

	for (size_t b = 0; b < n; b++)
		sum += abs(p[b] - q[b]);
	return sum;
}

static bool l1_over(const uint16_t *p, const uint16_t *q, size_t n,
		    int64_t limit)
{
	int64_t sum = 0;

	for (; n > STRIDE; n -= STRIDE, p += STRIDE, q += STRIDE) {
		sum += l1(p, q, STRIDE);
		if (sum > limit)
			return true;
	}
	return sum + l1(p, q, n) > limit;
}

/* The number of samples that most components have. */
static uint16_t common_present(const struct lp_curves *curves)
{
	uint32_t seen[LP_WINDOW_MAX + 1] = { 0 };
	uint16_t best = 1;

	for (size_t i = 0; i < curves->n; i++)
		seen[curves->present[i]]++;
	for (uint16_t m = 2; m <= LP_WINDOW_MAX; m++)
		if (seen[m] > seen[best])
			best = m;
	return best;
}

static void split(struct fast *f)
{
	f->m = common_present(f->curves);
	for (size_t i = 0; i < f->curves->n; i++) {
		if (f->curves->present[i] == f->m)
			f->full[f->n_full++] = (uint32_t)i;
		else if (f->curves->present[i])
			f->odd[f->n_odd++] = (uint32_t)i;
	}
}

/* The bin-wise median of the full curves, by counting. */
static void make_reference(struct fast *f, uint32_t *tally)
{
	for (size_t b = 0; b < f->curves->bins; b++) {
		uint32_t below = 0;
		uint16_t v = 0;

		for (size_t c = 0; c <= f->m; c++)
			tally[c] = 0;
		for (uint32_t k = 0; k < f->n_full; k++)
			tally[row(f, f->full[k])[b]]++;
		while (v < f->m && (below += tally[v]) <= f->n_full / 2)
			v++;
		f->reference[b] = v;
	}
}

static void measure(struct fast *f)
{
	for (uint32_t k = 0; k < f->n_full; k++) {
		uint32_t i = f->full[k];
		const uint16_t *c = row(f, i);
		int32_t sum = 0;

		for (size_t b = 0; b < f->curves->bins; b++)
			sum += c[b];
		f->s[i] = f->s_sorted[k] = sum;
		f->d[i] = f->d_sorted[k] = l1(c, f->reference, f->curves->bins);
	}
	qsort(f->d_sorted, f->n_full, sizeof(*f->d_sorted), by_number);
	qsort(f->s_sorted, f->n_full, sizeof(*f->s_sorted), by_number);
}

/* The largest L1 that is not over the threshold, as doubles compare it. */
static int64_t limit_of(const struct fast *f, double threshold)
{
	double most = (double)f->m * (double)f->curves->bins;
	int64_t limit;

	if (!(threshold >= 0))
		return -1;
	if (threshold > most)
		return (int64_t)most;
	limit = (int64_t)(threshold * f->m);
	while ((double)limit / f->m > threshold)
		limit--;
	while ((double)(limit + 1) / f->m <= threshold)
		limit++;
	return limit;
}

struct tally {
	uint32_t others, over, not_over;
};

static bool decided(const struct tally *t, bool *flag)
{
	if (2 * t->over > t->others)
		*flag = true;
	else if (2 * t->not_over >= t->others)
		*flag = false;
	else
		return false;
	return true;
}

static void count_pair(struct tally *t, bool over)
{
	if (over)
		t->over++;
	else
		t->not_over++;
}

static void count_odd(const struct fast *f, size_t i, double threshold,
		      struct tally *t)
{
	for (uint32_t k = 0; k < f->n_odd; k++)
		if (f->odd[k] != i)
			count_pair(t, lp_cdf_distance(f->curves, i, f->odd[k]) >
					      threshold);
}

/* What the two bounds say of component i and the full ones, itself apart. */
static struct tally bounds(const struct fast *f, size_t i, int64_t limit)
{
	int64_t d = f->d[i], s = f->s[i];
	struct tally t = { .others = f->n_full - 1 };

	t.not_over = count_up_to(f->d_sorted, f->n_full, limit - d);
	if (d <= limit - d)
		t.not_over--;
	t.over = count_up_to(f->s_sorted, f->n_full, s - limit - 1) +
		 f->n_full - count_up_to(f->s_sorted, f->n_full, s + limit);
	/* A limit below 0 counts the component itself. */
	if (limit < 0)
		t.over = t.others;
	return t;
}

static bool flag_exactly(const struct fast *f, size_t i, int64_t limit,
			 struct tally t)
{
	bool flag = false;

	for (uint32_t k = 0; k < f->n_full; k++) {
		if (f->full[k] == i)
			continue;
		count_pair(&t, l1_over(row(f, i), row(f, f->full[k]),
				       f->curves->bins, limit));
		if (decided(&t, &flag))
			break;
	}
	return flag;
}

static bool flag_full(const struct fast *f, size_t i, double threshold,
		      uint32_t others)
{
	int64_t limit = limit_of(f, threshold);
	struct tally odd = { .others = others }, t = bounds(f, i, limit);
	bool flag = false;

	count_odd(f, i, threshold, &odd);
	t.others = others;
	t.over += odd.over;
	t.not_over += odd.not_over;
	if (decided(&t, &flag))
		return flag;
	return flag_exactly(f, i, limit, odd);
}

static bool flag_odd(const struct fast *f, size_t i, double threshold,
		     uint32_t others)
{
	struct tally t = { .others = others };
	bool flag = false;

	count_odd(f, i, threshold, &t);
	for (uint32_t k = 0; k < f->n_full && !decided(&t, &flag); k++)
		count_pair(&t, lp_cdf_distance(f->curves, i, f->full[k]) >
				       threshold);
	decided(&t, &flag);
	return flag;
}

static void flag_all(const struct fast *f, const double *thresholds,
		     struct lp_verdict *verdicts)
{
	uint32_t others = f->n_full + f->n_odd;

	for (size_t i = 0; i < f->curves->n; i++) {
		struct lp_verdict *v = &verdicts[i];

		*v = (struct lp_verdict){ 0 };
		if (!f->curves->present[i])
			continue;
		v->others = others - 1;
		if (v->others < 2)
			continue;
		v->flag = f->curves->present[i] == f->m
				  ? flag_full(f, i, thresholds[i], v->others)
				  : flag_odd(f, i, thresholds[i], v->others);
	}
}

int lp_cdf_fast(const struct lp_curves *curves, const double *thresholds,
		struct lp_verdict *verdicts)
{
	struct lp_arena arena = { 0 };
	size_t n = curves->n, each = n * sizeof(uint32_t);
	struct fast f = { .curves = curves };
	uint32_t *tally = lp_arena_alloc_raw(&arena, (LP_WINDOW_MAX + 1) *
							     sizeof(*tally));
	int status = -ENOMEM;

	f.full = lp_arena_alloc_raw(&arena, each);
	f.odd = lp_arena_alloc_raw(&arena, each);
	f.d = lp_arena_alloc_raw(&arena, each);
	f.s = lp_arena_alloc_raw(&arena, each);
	f.d_sorted = lp_arena_alloc_raw(&arena, each);
	f.s_sorted = lp_arena_alloc_raw(&arena, each);
	f.reference =
		lp_arena_alloc_raw(&arena, curves->bins * sizeof(uint16_t));
	if (tally && f.full && f.odd && f.d && f.s && f.d_sorted &&
	    f.s_sorted && f.reference) {
		split(&f);
		make_reference(&f, tally);
		measure(&f);
		flag_all(&f, thresholds, verdicts);
		status = 0;
	}
	lp_arena_done(&arena);
	return status;
}
