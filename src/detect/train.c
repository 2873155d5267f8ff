/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/train.h"

#include <math.h>

#define STEPS_PER_UNIT 10
#define CUSHION 2
#define FRACTION_STEPS 100

void lp_trainer_init(struct lp_trainer *trainer,
		     const struct lp_detector *detector, double *worst,
		     size_t n)
{
	*trainer = (struct lp_trainer){ detector, n, worst, 0 };
	for (size_t i = 0; i < n; i++)
		worst[i] = NAN;
}

int lp_trainer_take(void *user, const struct lp_judged *judged)
{
	struct lp_trainer *t = user;

	t->windows++;
	for (size_t i = 0; i < t->n; i++) {
		double c = judged->verdicts[i].critical;

		/* fmin and fmax pass over NaN. */
		t->worst[i] = t->detector->lower_is_worse
				      ? fmin(t->worst[i], c)
				      : fmax(t->worst[i], c);
	}
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
