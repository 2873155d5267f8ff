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

static int set(const struct lp_unit *u, const char *component, double v,
	       struct lp_thresholds *into)
{
	return lp_thresholds_set(into, u->detector->name, u->class->name,
				 u->metric->name, component, v);
}

static double get(const struct lp_unit *u, const char *component,
		  const struct lp_thresholds *from)
{
	return lp_thresholds_get(from, u->detector->name, u->class->name,
				 u->metric->name, component);
}

/* Several peers may share a key: what flags none of them counts. */
static int keep(const struct lp_unit *u, const double *worst,
		struct lp_thresholds *into)
{
	int status = 0;

	for (size_t i = 0; i < u->group->n && status == 0; i++) {
		const char *key = lp_unit_threshold_key(u, i);
		double v = lp_trained_threshold(u->detector, worst[i]);

		if (u->detector->lower_is_worse)
			v = fmin(v, get(u, key, into));
		if (!isnan(v))
			status = set(u, key, v, into);
	}
	return status;
}

static int train_unit(struct lp_unit *u, const struct lp_diagnose_input *input,
		      bool filtered, struct lp_thresholds *into)
{
	struct training t = { .input = input };
	struct lp_diagnose_options how = { .dump = take, .dump_user = &t };
	size_t votes = 2 * u->params.k - 1;
	lp_auto_free double *worst =
		reallocarray(NULL, u->group->n + 1, sizeof(*worst));
	lp_auto_free double *history =
		calloc(u->group->n * votes + 1, sizeof(*history));
	int status;

	if (!worst || !history)
		return -ENOMEM;
	lp_trainer_init(&t.trainer, u->detector, worst, u->group->n);
	if (filtered)
		lp_trainer_filter(&t.trainer, u->params.k, history);
	status = lp_unit_push(u, input, &how);
	lp_unit_close(u);
	return status ? status : keep(u, worst, into);
}

static bool same_kind(const struct lp_unit *a, const struct lp_unit *b)
{
	return a->detector == b->detector && a->metric == b->metric;
}

/*
 * For components of groups that were not there: the median over all groups.
 * Sockets need none, they have one threshold a direction.
 */
static int keep_common(const struct lp_units *units, size_t unit,
		       struct lp_thresholds *into)
{
	const struct lp_unit *u = &units->items[unit];
	lp_auto_free double *all = NULL;
	size_t n = 0, capacity = 0;

	for (size_t i = 0; i < unit; i++)
		if (same_kind(&units->items[i], u))
			return 0;
	if (u->group->sockets != LP_SOCKETS_NONE)
		return 0;
	for (size_t i = unit; i < units->n; i++) {
		const struct lp_unit *v = &units->items[i];

		if (!same_kind(v, u))
			continue;
		if (lp_grow(&all, &capacity, n + v->group->n + 1,
			    sizeof(*all)) < 0)
			return -ENOMEM;
		for (size_t p = 0; p < v->group->n; p++) {
			all[n] = get(v, v->group->peers[p].lasting, into);
			n += isnan(all[n]) ? 0u : 1u;
		}
	}
	return n ? set(u, "", lp_median(all, n), into) : 0;
}

int lp_diagnose_train(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      struct lp_thresholds *thresholds, struct lp_error *err)
{
	struct lp_diagnose_options how = *options;
	struct lp_units units = { 0 };
	int status;

	/* Nothing is flagged meanwhile; only the distances count. */
	how.params.threshold = INFINITY;
	how.cwnd_threshold = -1;
	how.thresholds = NULL;
	status = lp_units_plan(input, &how, false, &units, err);
	for (size_t i = 0; i < units.n && status == 0; i++) {
		status = train_unit(&units.items[i], input,
				    options->train_filtered, thresholds);
		if (status < 0)
			status = lp_fail_errno(err, -status, "cannot train");
	}
	for (size_t i = 0; i < units.n && status == 0; i++)
		if (keep_common(&units, i, thresholds) < 0)
			status = lp_fail_memory(err);
	lp_units_done(&units);
	if (status == 0)
		lp_thresholds_set_step(thresholds, input->step_ns);
	return status;
}
