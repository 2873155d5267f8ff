/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/detector.h"

#include "base/memory.h"
#include "detect/joint.h"
#include "detect/vote.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ADDRESS(name) &lp_detector_##name,
const struct lp_detector *const lp_detectors[] = {
	LP_DETECTORS(ADDRESS) NULL,
};

const struct lp_detector *lp_detector_find(const char *name)
{
	for (size_t i = 0; lp_detectors[i]; i++)
		if (strcmp(lp_detectors[i]->name, name) == 0)
			return lp_detectors[i];
	return NULL;
}

/* ---- what it judges, and how one is judged ---- */

static bool is_own(const struct lp_detector *detector,
		   const struct lp_metric *metric)
{
	return lp_detector_is_special(detector) && metric->indicts &&
	       metric->role == detector->role;
}

bool lp_detector_applies(const struct lp_detector *detector,
			 const struct lp_metric *metric)
{
	if (detector->joint || lp_metric_is_quantity(metric))
		return detector->joint && lp_metric_is_quantity(metric);
	if (lp_detector_is_special(detector))
		return is_own(detector, metric);
	for (size_t i = 0; lp_detectors[i]; i++)
		if (is_own(lp_detectors[i], metric))
			return false;
	return true;
}

const char *lp_detector_names(char text[LP_DETECTORS_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; lp_detectors[i] && used < LP_DETECTORS_TEXT; i++)
		used += (size_t)snprintf(text + used, LP_DETECTORS_TEXT - used,
					 "%s%s", i ? ", " : "",
					 lp_detectors[i]->name);
	return text;
}

const struct lp_detector *lp_detector_main(
	const struct lp_detector *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		if (!lp_detector_is_special(list[i]))
			return list[i];
	/* The special ones go with those that have windows. */
	for (size_t i = 0; lp_detectors[i]; i++)
		if ((list ? lp_detectors[i]->usual_trained
			  : lp_detectors[i]->usual) &&
		    !lp_detector_is_special(lp_detectors[i]))
			return lp_detectors[i];
	return NULL;
}

void lp_detectors_trained(const struct lp_detector *list[LP_DETECTORS_MOST])
{
	size_t n = 0;

	static_assert(lp_array_size(lp_detectors) <= LP_DETECTORS_MOST,
		      "a list has room for all");
	for (size_t i = 0; lp_detectors[i]; i++)
		if (lp_detectors[i]->usual_trained)
			list[n++] = lp_detectors[i];
	list[n] = NULL;
}

bool lp_detector_is_windowed(const struct lp_detector *detector)
{
	return !detector->joint && !detector->smooth_ns;
}

bool lp_detector_is_ready(const struct lp_detector *detector)
{
	return !isnan(detector->defaults.threshold);
}

struct lp_verdict lp_verdict_none(void)
{
	return (struct lp_verdict){ .median_distance = NAN, .critical = NAN };
}

int lp_detector_explain(const struct lp_detector *detector,
			const struct lp_judge_input *input, size_t i,
			struct lp_arena *arena, struct lp_verdict *verdict)
{
	struct lp_verdict *all;
	int status;

	assert(detector->judge && i < input->window.n);
	if (detector->explain)
		return detector->explain(input, i, arena, verdict);
	all = lp_arena_alloc_raw(arena, input->window.n * sizeof(*all));
	status = all ? detector->judge(input, arena, all) : -ENOMEM;
	if (status == 0)
		*verdict = all[i];
	return status;
}

double lp_reason_part(const struct lp_reason *reason, const char *name)
{
	for (size_t i = 0; i < LP_REASON_PARTS && reason->parts[i].name; i++)
		if (strcmp(reason->parts[i].name, name) == 0)
			return reason->parts[i].value;
	return NAN;
}

double lp_reason_nearness(const struct lp_reason *reason)
{
	return reason->lower ? reason->limit / reason->distance
			     : reason->distance / reason->limit;
}

struct lp_reason lp_verdict_reason(const struct lp_detector *detector,
				   const struct lp_verdict *verdict,
				   double threshold)
{
	bool lower = detector->lower_is_worse;

	return (struct lp_reason){
		.distance =
			lower ? verdict->critical : verdict->median_distance,
		.limit = threshold,
		.lower = lower,
		.share = lower || verdict->others < 2
				 ? NAN
				 : (double)verdict->over / verdict->others,
		.effect = NAN,
		.gate = NAN,
	};
}

/* ---- parameters ---- */

/* `given`, and where it is 0 the others. */
static struct lp_detector_params merge(const struct lp_detector_params *given,
				       struct lp_detector_params p)
{
	if (given->smooth)
		p.smooth = given->smooth;
	if (given->window)
		p.window = given->window;
	if (given->shift)
		p.shift = given->shift;
	if (given->k)
		p.k = given->k;
	if (given->threshold != 0)
		p.threshold = given->threshold;
	return p;
}

struct lp_detector_params lp_detector_params(
	const struct lp_detector *detector,
	const struct lp_detector_params *given)
{
	return merge(given, detector->defaults);
}

/* Threshold that is as many spreads of the group in this window. */
static double same_spreads(const struct lp_detector *detector, size_t window)
{
	double usual = (double)detector->defaults.window;
	double share = cbrt((double)window / usual);

	return round(10 * detector->defaults.threshold * share) / 10;
}

size_t lp_joint_steps(const struct lp_joint *joint, int64_t step_ns)
{
	int64_t steps = joint->block_ns / step_ns;

	return steps > 1 ? (size_t)steps : 1;
}

struct lp_detector_params lp_detector_params_at(
	const struct lp_detector *detector,
	const struct lp_detector_params *given, int64_t step_ns)
{
	struct lp_detector_params p = detector->defaults;

	assert(step_ns > 0);
	if (detector->joint) {
		if (given->threshold != 0)
			p.threshold = given->threshold;
		p.smooth = 1;
		p.window = p.shift = lp_joint_steps(detector->joint, step_ns);
		return p;
	}
	if (detector->smooth_ns) {
		int64_t points = detector->smooth_ns / step_ns;

		p.smooth = points > 1 ? (size_t)points : 1;
		p.threshold =
			given->threshold != 0 ? given->threshold : p.threshold;
		return p;
	}
	if (step_ns > LP_COARSE_STEP_NS)
		p = merge(&detector->coarse, p);
	p = merge(given, p);
	if (detector->threshold_in_bins && given->threshold == 0)
		p.threshold = same_spreads(detector, p.window);
	return p;
}

int64_t lp_detector_looks_back(const struct lp_detector *detector,
			       const struct lp_detector_params *p,
			       int64_t step_ns)
{
	size_t windows = 2 * (size_t)p->k + 1;
	size_t points = detector->joint
				? (detector->joint->blocks_back + 1) * p->window
				: p->window + p->smooth + windows * p->shift;

	return (int64_t)points * step_ns;
}

int lp_detector_check(const struct lp_detector_params *p, struct lp_error *err)
{
	if (p->window < 1 || p->window > LP_WINDOW_MAX)
		return lp_fail(err, EINVAL,
			       "a window of %zu samples: 1 to %d are possible",
			       p->window, LP_WINDOW_MAX);
	if (p->smooth < 1 || p->smooth > LP_WINDOW_MAX)
		return lp_fail(err, EINVAL,
			       "a moving average over %zu samples: 1 to %d are "
			       "possible",
			       p->smooth, LP_WINDOW_MAX);
	if (p->shift < 1 || p->shift > p->window)
		return lp_fail(err, EINVAL,
			       "a shift of %zu samples: expected 1 to %zu, the "
			       "length of a window",
			       p->shift, p->window);
	if (p->k < 1 || p->k > LP_VOTE_K_MAX)
		return lp_fail(err, EINVAL,
			       "%u of %u windows must differ: the first number "
			       "(k) must be 1 to %d",
			       p->k, 2 * p->k - 1, LP_VOTE_K_MAX);
	return 0;
}
