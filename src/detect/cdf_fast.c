/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same flags with almost no pairs.
 *
 * With any reference curve R, D_i = d(P_i, R) and S_i the sum of the shares of
 * curve i, the distance of a pair has two bounds:
 *
 *     d(P_i, P_j) <= D_i + D_j        (triangle inequality)
 *     d(P_i, P_j) >= |S_i - S_j|
 *
 * A flag needs only "more than half are over the threshold T": component i is
 * normal if D_j <= T - D_i for half of the others, and anomalous if |S_i - S_j|
 * > T for more than half. Both are counted for all j at once in sorted arrays,
 * and one of them nearly always decides. Who is left is paired with everyone,
 * exactly, until it is decided.
 *
 * D and S are kept as whole numbers of 2^-20 bins, rounded to the safe side: a
 * bound never decides what the exact distances would not.
 */
#include "detect/cdf.h"

#include "stats/sort.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define UNIT 1048576.0
/* More than rounding D_i, D_j (or S_i, S_j) and T down may hide, in units. */
#define SLACK 4
/* Curves that the reference is made of: a power of three. */
#define REFERENCES 81

struct fast {
	const struct lp_curves *curves;
	uint32_t n;      /* components with a histogram */
	uint32_t *who;   /* [n] */
	uint32_t *d, *s; /* [n]: by place in `who`, rounded down */
	uint32_t *d_sorted, *s_sorted; /* [n] */
	uint32_t *scratch;
};

static bool allocate(struct fast *f, struct lp_arena *arena)
{
	size_t n = f->curves->n;
	uint32_t *memory = lp_arena_alloc_raw(arena, 6 * n * sizeof(*memory));

	if (!memory)
		return false;
	f->who = memory;
	f->d = memory + n;
	f->s = memory + 2 * n;
	f->d_sorted = memory + 3 * n;
	f->s_sorted = memory + 4 * n;
	f->scratch = memory + 5 * n;
	return true;
}

/* The number of samples that most have, if most have the same number. */
static uint16_t common_present(const struct fast *f)
{
	uint16_t most = 0;
	uint32_t lead = 0;

	for (uint32_t k = 0; k < f->n; k++) {
		uint16_t present = f->curves->present[f->who[k]];

		if (lead == 0)
			most = present;
		lead = present == most ? lead + 1 : lead - 1;
	}
	return most;
}

/* Curves of components with m samples, from all over the group. */
static size_t gather(const struct fast *f, uint16_t m, unsigned char *pile,
		     size_t most)
{
	const struct lp_curves *c = f->curves;
	size_t bytes = c->length * c->rows->size, rows = 0;
	size_t stride = f->n / most + 1;

	for (size_t first = 0; first < stride; first++)
		for (size_t k = first; k < f->n && rows < most; k += stride)
			if (c->present[f->who[k]] == m)
				memcpy(pile + rows++ * bytes,
				       lp_curves_row(c, f->who[k]), bytes);
	return rows;
}

/*
 * A curve in the middle: medians of three curves, of three of those, and so
 * on. Not quite the median, but as little moved by a few that differ; it need
 * not be more than a good guess.
 */
static const void *make_reference(const struct fast *f, uint16_t m,
				  struct lp_arena *arena)
{
	const struct lp_curves *c = f->curves;
	size_t bytes = c->length * c->rows->size;
	unsigned char *pile = lp_arena_alloc_raw(arena, REFERENCES * bytes);
	size_t rows;

	if (!pile)
		return NULL;
	rows = gather(f, m, pile, REFERENCES);
	for (; rows >= 3; rows /= 3)
		for (size_t k = 0; k < rows / 3; k++)
			c->rows->median(pile + k * bytes, pile + 3 * k * bytes,
					pile + (3 * k + 1) * bytes,
					pile + (3 * k + 2) * bytes, c->length);
	return pile;
}

static void measure(struct fast *f, const void *reference, uint16_t m)
{
	const struct lp_curves *c = f->curves;

	for (uint32_t k = 0; k < f->n; k++) {
		const void *row = lp_curves_row(c, f->who[k]);
		uint16_t n = c->present[f->who[k]];
		double d = n == m ? (double)c->rows->l1(row, reference,
							c->length) /
					    m
				  : (double)c->rows->l1_scaled(
					    row, m, reference, n, c->length) /
					    ((double)m * n);

		f->d[k] = (uint32_t)(d * UNIT);
		f->s[k] = (uint32_t)((double)c->rows->sum(row, c->length) / n *
				     UNIT);
	}
}

static void sort_measures(struct fast *f)
{
	memcpy(f->d_sorted, f->d, f->n * sizeof(*f->d));
	memcpy(f->s_sorted, f->s, f->n * sizeof(*f->s));
	lp_sort_u32(f->d_sorted, f->n, f->scratch);
	lp_sort_u32(f->s_sorted, f->n, f->scratch);
}

/* How many of the sorted numbers are <= limit. */
static uint32_t count_up_to(const uint32_t *sorted, uint32_t n, int64_t limit)
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

struct tally {
	uint32_t others, over, not_over;
};

static bool decided(const struct tally *t, bool *flag)
{
	*flag = 2 * t->over > t->others;
	return *flag || 2 * t->not_over >= t->others;
}

static int64_t in_units(double threshold)
{
	return (int64_t)(fmax(-1, fmin(threshold, LP_BINS_MAX)) * UNIT);
}

/* What is certain of component who[k] without a pair. */
static struct tally bounds(const struct fast *f, uint32_t k, double threshold)
{
	int64_t t = in_units(threshold);
	int64_t d = f->d[k], s = f->s[k], near = t - d - SLACK, far = t + SLACK;
	struct tally tally = { .others = f->n - 1 };

	tally.not_over = count_up_to(f->d_sorted, f->n, near) - (d <= near);
	/* Below 0 everyone is over, and the component counts itself. */
	if (far < 0)
		tally.over = tally.others;
	else
		tally.over = f->n - count_up_to(f->s_sorted, f->n, s + far) +
			     count_up_to(f->s_sorted, f->n, s - far - 1);
	return tally;
}

/*
 * Whether half of the others are near for certain, at a glance: one more than
 * half of all are, of whom the component may be one.
 */
static bool is_near(const struct fast *f, uint32_t k, double threshold)
{
	return f->d_sorted[f->n / 2] <= in_units(threshold) - f->d[k] - SLACK;
}

static bool flag_exactly(const struct fast *f, uint32_t k, double threshold)
{
	struct tally t = { .others = f->n - 1 };
	bool flag = false;

	for (uint32_t j = 0; j < f->n && !decided(&t, &flag); j++) {
		if (j == k)
			continue;
		if (lp_cdf_distance(f->curves, f->who[k], f->who[j]) >
		    threshold)
			t.over++;
		else
			t.not_over++;
	}
	decided(&t, &flag);
	return flag;
}

static bool flag_one(const struct fast *f, uint32_t k, double threshold)
{
	struct tally t;
	bool flag;

	/* Nothing is over a threshold that is none. */
	if (isnan(threshold) || is_near(f, k, threshold))
		return false;
	t = bounds(f, k, threshold);
	return decided(&t, &flag) ? flag : flag_exactly(f, k, threshold);
}

static void list(struct fast *f, struct lp_verdict *verdicts)
{
	for (size_t i = 0; i < f->curves->n; i++) {
		verdicts[i] = lp_verdict_none();
		if (f->curves->present[i])
			f->who[f->n++] = (uint32_t)i;
	}
}

int lp_cdf_fast(const struct lp_curves *curves, const double *thresholds,
		struct lp_verdict *verdicts, struct lp_arena *arena)
{
	struct fast f = { .curves = curves };
	const void *reference;
	uint16_t m;

	if (!allocate(&f, arena))
		return -ENOMEM;
	list(&f, verdicts);
	m = common_present(&f);
	reference = make_reference(&f, m, arena);
	if (!reference)
		return -ENOMEM;
	measure(&f, reference, m);
	sort_measures(&f);
	for (uint32_t k = 0; k < f.n; k++) {
		struct lp_verdict *v = &verdicts[f.who[k]];

		v->others = f.n - 1;
		v->flag = f.n > 2 && flag_one(&f, k, thresholds[f.who[k]]);
	}
	return 0;
}
