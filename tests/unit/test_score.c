/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way to the scores against the plain one, on made-up groups of many
 * kinds: z within 2 % wherever it is not quiet, and the same accusations.
 */
#include "unit.h"

#include "base/memory.h"
#include "score_pair.h"

#include <stdio.h>

#define BLOCKS 280
#define WITHIN 0.02

/* The scores of all components at the end of a block. */
struct told {
	struct lp_zscore *scores; /* [n][PAIR_SCORES] */
	bool *has;
	bool *any; /* [n] */
};

static size_t place_of(const struct lp_zscore *score)
{
	const size_t *windows = lp_score_windows(PAIR_BLOCK_S);
	size_t w = 0;

	while (windows[w] != score->blocks)
		w++;
	return w * LP_SCORE_KINDS + score->kind;
}

static int hear(void *user, size_t i, const struct lp_zscore *score)
{
	struct told *told = user;
	size_t k = i * PAIR_SCORES + place_of(score);

	assert_false(told->has[k]);
	told->scores[k] = *score;
	told->has[k] = told->any[i] = true;
	return 0;
}

static void told_init(struct told *told, size_t n)
{
	told->scores = calloc(n * PAIR_SCORES, sizeof(*told->scores));
	told->has = calloc(n * PAIR_SCORES, sizeof(*told->has));
	told->any = calloc(n, sizeof(*told->any));
}

static void told_clear(struct told *told, size_t n)
{
	memset(told->has, 0, n * PAIR_SCORES * sizeof(*told->has));
	memset(told->any, 0, n * sizeof(*told->any));
}

static void told_done(struct told *told)
{
	free(told->scores);
	free(told->has);
	free(told->any);
}

/* What was seen of all comparisons. */
struct seen {
	size_t loud, accused, differently;
	double worst;
};

static double z_of(const struct told *told, size_t k)
{
	return told->has[k] ? told->scores[k].z : -1;
}

static void compare_one(const struct told *plain, const struct told *fast,
			size_t k, bool all, struct seen *seen)
{
	double a = z_of(plain, k), b = z_of(fast, k);
	bool accused;

	if (!all)
		assert_int_equal(plain->has[k], fast->has[k]);
	if (!(a > LP_SCORE_QUIET) && !(b > LP_SCORE_QUIET * (1 + WITHIN)))
		return;
	/* Just quiet in the fast way: it need not be told. */
	if (all && a < LP_SCORE_QUIET * (1 + WITHIN) && !fast->has[k])
		return;
	seen->loud++;
	if (fabs(a - b) > WITHIN * fabs(a))
		fail_msg("z %.5f, fast %.5f: kind %d, %zu blocks", a, b,
			 plain->scores[k].kind, plain->scores[k].blocks);
	seen->worst = fmax(seen->worst, fabs(a - b) / a);
	accused = lp_score_accuses(&plain->scores[k], PAIR_LIMIT);
	seen->accused += accused;
	seen->differently +=
		accused != lp_score_accuses(&fast->scores[k], PAIR_LIMIT);
}

static void compare(struct pair *p, struct told *plain, struct told *fast,
		    size_t one, struct seen *seen)
{
	bool all = one == LP_SCORE_ALL;

	told_clear(plain, p->n);
	told_clear(fast, p->n);
	assert_int_equal(lp_scores_tell(p->scores[0], one, hear, plain), 0);
	assert_int_equal(lp_scores_tell(p->scores[1], one, hear, fast), 0);
	for (size_t i = 0; i < p->n; i++)
		assert_int_equal(plain->any[i], fast->any[i]);
	for (size_t k = 0; k < p->n * PAIR_SCORES; k++)
		compare_one(plain, fast, k, all, seen);
}

static struct seen run(struct pair_world *w, const struct lp_metric *quantity,
		       size_t blocks, size_t every)
{
	struct seen seen = { 0 };
	struct told plain, fast;
	struct pair p;

	pair_init(&p, quantity, w->n);
	told_init(&plain, w->n);
	told_init(&fast, w->n);
	for (size_t b = 0; b < blocks; b++) {
		assert_int_equal(pair_push_block(&p, w), 0);
		if (b % every)
			continue;
		compare(&p, &plain, &fast, LP_SCORE_ALL, &seen);
		compare(&p, &plain, &fast, b % w->n, &seen);
	}
	told_done(&plain);
	told_done(&fast);
	pair_done(&p);
	return seen;
}

static const struct lp_metric *quantity_of(size_t k)
{
	static const char *const names[] = { "service", "latency", "read",
					     "write" };

	return k < 4 ? lp_class_quantity(&lp_class_disk, names[k])
		     : lp_class_quantity(&lp_class_tcp, "loss");
}
#define QUANTITIES 5

/* All quantities of worlds that are changed by `make`. */
static struct seen run_all(size_t n, size_t blocks, size_t every,
			   void (*make)(struct pair_world *w))
{
	struct seen sum = { 0 };

	for (size_t k = 0; k < QUANTITIES; k++) {
		struct pair_world w;
		struct seen seen;

		pair_world_init(&w, n, 7 * n + k);
		make(&w);
		seen = run(&w, quantity_of(k), blocks, every);
		free(w.level);
		sum.loud += seen.loud;
		sum.accused += seen.accused;
		sum.differently += seen.differently;
		sum.worst = fmax(sum.worst, seen.worst);
	}
	print_message("# n = %zu: %zu z above 1, off by at most %.2f %%, %zu "
		      "accuse, %zu differently\n",
		      n, sum.loud, 100 * sum.worst, sum.accused,
		      sum.differently);
	assert_true(sum.loud > 100);
	return sum;
}

static void make_healthy(struct pair_world *w)
{
	w->scatter = 0.3;
}

static void make_ill(struct pair_world *w)
{
	w->ill_from = 150;
}

static void make_holes(struct pair_world *w)
{
	w->missing = 0.3;
	w->idle = 0.3;
	w->resets = true;
	w->ill_from = 120;
}

static void small_groups_agree(void **state)
{
	(void)state;
	for (size_t n = 3; n <= 40; n += n < 9 ? 1 : 31)
		run_all(n, BLOCKS, 11, make_healthy);
}

static void an_ill_component_is_accused_the_same(void **state)
{
	(void)state;
	for (size_t n = 4; n <= 12; n += n < 8 ? 2 : 4) {
		struct seen seen = run_all(n, BLOCKS, 2, make_ill);

		assert_true(seen.accused > 20);
		assert_true(seen.differently * 100 <= seen.accused);
	}
}

static void groups_with_holes_agree(void **state)
{
	(void)state;
	for (size_t n = 5; n <= 40; n += 14)
		run_all(n, BLOCKS, 7, make_holes);
}

static void larger_groups_agree(void **state)
{
	(void)state;
	run_all(200, BLOCKS, 93, make_ill);
	run_all(520, BLOCKS, 93, make_ill);
	run_all(600, BLOCKS, 131, make_holes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_groups_agree),
		cmocka_unit_test(an_ill_component_is_accused_the_same),
		cmocka_unit_test(groups_with_holes_agree),
		cmocka_unit_test(larger_groups_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
