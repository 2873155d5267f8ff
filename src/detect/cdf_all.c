/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All distances of all components, quickly. If all have the same number of
 * samples, a distance is a whole number divided by it: a component's sums are
 * counted in an array, from whose beginning the middle is soon reached.
 */
#include "detect/cdf.h"

#include <errno.h>
#include <math.h>

/* Sums up to here are counted: the array stays in the cache. */
#define SUM_MOST 65536

struct tallies {
	const struct lp_curves *curves;
	uint16_t m;           /* samples of everyone who has a histogram */
	uint32_t others;      /* of each of them */
	uint32_t *sums;       /* [n]: of the component at hand */
	uint32_t *times;      /* by sum: how often; 0 between two components */
	uint32_t least, most; /* sums of the component at hand */
};

/* False: numbers of samples differ. */
static bool count_others(struct tallies *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->curves->n; i++) {
		uint16_t present = t->curves->present[i];

		if (present && t->m && present != t->m)
			return false;
		t->m = present ? present : t->m;
		n += present > 0;
	}
	t->others = n ? (uint32_t)n - 1 : 0;
	return n > 2;
}

static void count_sums(struct tallies *t, size_t i)
{
	const struct lp_curves *c = t->curves;

	c->rows->l1_to_all(lp_curves_row(c, i), c->counts, c->n, c->length,
			   t->sums);
	t->least = UINT32_MAX;
	t->most = 0;
	for (size_t j = 0; j < c->n; j++) {
		uint32_t sum = t->sums[j];

		if (j == i || !c->present[j])
			continue;
		t->times[sum]++;
		t->least = sum < t->least ? sum : t->least;
		t->most = sum > t->most ? sum : t->most;
	}
}

/* The sum of this rank, from 0; *seen: how many are up to it. */
static uint32_t sum_at(const struct tallies *t, uint32_t rank, uint32_t *seen)
{
	uint32_t sum = t->least;

	for (*seen = t->times[sum]; *seen <= rank; *seen += t->times[sum])
		sum++;
	return sum;
}

static uint32_t count_over(const struct tallies *t, double threshold)
{
	uint32_t over = 0;

	for (uint32_t sum = t->most + 1; sum-- > t->least;) {
		if (!((double)sum / t->m > threshold))
			break;
		over += t->times[sum];
	}
	return over;
}

static struct lp_verdict judge(const struct tallies *t, double threshold)
{
	struct lp_verdict v = { .others = t->others };
	uint32_t half = (t->others - 1) / 2, seen;
	uint32_t sum = sum_at(t, half, &seen), next = sum;

	if (seen <= half + 1 && t->others % 2 == 0)
		for (next++; !t->times[next];)
			next++;
	v.critical = (double)sum / t->m;
	v.median_distance = t->others % 2
				    ? v.critical
				    : (v.critical + (double)next / t->m) / 2;
	v.over = count_over(t, threshold);
	v.flag = 2 * v.over > v.others;
	return v;
}

static void judge_all(struct tallies *t, const double *thresholds,
		      struct lp_verdict *verdicts)
{
	for (size_t i = 0; i < t->curves->n; i++) {
		verdicts[i] = lp_verdict_none();
		if (!t->curves->present[i])
			continue;
		count_sums(t, i);
		verdicts[i] = judge(t, thresholds[i]);
		for (uint32_t sum = t->least; sum <= t->most; sum++)
			t->times[sum] = 0;
	}
}

int lp_cdf_all(const struct lp_curves *curves, const double *thresholds,
	       struct lp_verdict *verdicts, struct lp_arena *arena)
{
	struct tallies t = { .curves = curves };
	size_t most;

	if (!count_others(&t))
		return lp_cdf_plain(curves, thresholds, verdicts, arena);
	most = curves->bins.count * t.m;
	if (most > SUM_MOST)
		return lp_cdf_plain(curves, thresholds, verdicts, arena);
	t.sums = lp_arena_alloc_raw(arena, curves->n * sizeof(*t.sums));
	t.times = lp_arena_alloc(arena, (most + 1) * sizeof(*t.times));
	if (!t.sums || !t.times)
		return -ENOMEM;
	judge_all(&t, thresholds, verdicts);
	return 0;
}
