/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/train.h"

#include "detect/vote.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

#define STEPS_PER_UNIT 10
#define CUSHION 2
#define FRACTION_STEPS 100

/* What no threshold is ever passed by. */
static double harmless(const struct lp_trainer *t)
{
	return t->detector->lower_is_worse ? INFINITY : -INFINITY;
}

void lp_trainer_init(struct lp_trainer *trainer,
		     const struct lp_detector *detector, double *worst,
		     size_t n)
{
	*trainer = (struct lp_trainer){
		.detector = detector, .n = n, .worst = worst, .k = 1
	};
	for (size_t i = 0; i < n; i++)
		worst[i] = NAN;
}

void lp_trainer_filter(struct lp_trainer *t, unsigned k, double *history)
{
	t->k = k;
	t->history = history;
	for (size_t i = 0; i < t->n * (2 * k - 1); i++)
		history[i] = harmless(t);
}

/* The k-th worst of the last 2k - 1: k are flagged if it is. NaN: none. */
static double kth_worst(struct lp_trainer *t, size_t i, double critical)
{
	size_t length = 2 * t->k - 1;
	double *last = t->history + i * length, sorted[2 * LP_VOTE_K_MAX];
	double v;

	last[t->windows % length] = isnan(critical) ? harmless(t) : critical;
	memcpy(sorted, last, length * sizeof(*last));
	/* The k-th from either end of 2k - 1 is the middle. */
	v = lp_select(sorted, length, t->k - 1);
	return isinf(v) ? NAN : v;
}

int lp_trainer_take(void *user, const struct lp_judged *judged)
{
	struct lp_trainer *t = user;

	for (size_t i = 0; i < t->n; i++) {
		double c = judged->verdicts[i].critical;

		if (t->history)
			c = kth_worst(t, i, c);
		/* fmin and fmax pass over NaN. */
		t->worst[i] = t->detector->lower_is_worse
				      ? fmin(t->worst[i], c)
				      : fmax(t->worst[i], c);
	}
	t->windows++;
	return 0;
}

/* The smallest multiple of 0.1, at least 0.1, that is not below. */
static double round_up(double worst)
{
	double k = fmax(1, floor(worst * STEPS_PER_UNIT));

	while (k / STEPS_PER_UNIT < worst)
		k++;
	return k / STEPS_PER_UNIT;
}

/* The largest of 0.99 ... 0.01 that is not above. */
static double round_down(double worst)
{
	double k = FRACTION_STEPS - 1;

	while (k > 1 && k / FRACTION_STEPS > worst)
		k--;
	return k / FRACTION_STEPS;
}

double lp_trained_threshold(const struct lp_detector *detector, double worst)
{
	if (isnan(worst))
		return NAN;
	return detector->lower_is_worse ? round_down(worst)
					: CUSHION * round_up(worst);
}
