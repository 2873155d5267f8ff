/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/train.h"
#include "diagnose/unit.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct training {
	const struct lp_diagnose_input *input;
	struct lp_trainer trainer;
};

static int take(void *user, const struct lp_unit *unit,
		const struct lp_judged *judged)
{
	struct training *t = user;

	(void)unit;
	return lp_trainer_take(&t->trainer, judged);
}

/* The median of the group's is for those that were not there. */
static int keep(const struct lp_unit *u, double *worst,
		struct lp_thresholds *into)
{
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < u->group->n && status == 0; i++) {
		double v = lp_trained_threshold(u->detector, worst[i]);

		if (isnan(v))
			continue;
		status = lp_thresholds_set(into, u->detector->name,
					   u->class->name, u->metric->name,
					   u->group->peers[i].label, v);
		worst[n++] = v;
	}
	if (status == 0 && n)
		status = lp_thresholds_set(into, u->detector->name,
					   u->class->name, u->metric->name, "",
					   lp_median(worst, n));
	return status;
}

static int train_unit(struct lp_unit *u, const struct lp_diagnose_input *input,
		      struct lp_thresholds *into)
{
	struct training t = { .input = input };
	struct lp_diagnose_options how = { .dump = take, .dump_user = &t };
	lp_auto_free double *worst =
		reallocarray(NULL, u->group->n + 1, sizeof(*worst));
	int status;

	if (!worst)
		return -ENOMEM;
	lp_trainer_init(&t.trainer, u->detector, worst, u->group->n);
	status = lp_unit_run(u, input, &how);
	return status ? status : keep(u, worst, into);
}

int lp_diagnose_train(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      struct lp_thresholds *thresholds, struct lp_error *err)
{
	struct lp_diagnose_options how = *options;
	struct lp_diagnosis d = { 0 };
	int status;

	/* Nothing is flagged meanwhile; only the distances count. */
	how.params.threshold = INFINITY;
	how.cwnd_threshold = -1;
	how.thresholds = NULL;
	status = lp_units_plan(input, &how, false, &d, err);
	for (size_t i = 0; i < d.n_units && status == 0; i++) {
		status = train_unit(&d.units[i], input, thresholds);
		if (status < 0)
			status = lp_fail_errno(err, -status, "cannot train");
	}
	lp_diagnosis_done(&d);
	return status;
}
