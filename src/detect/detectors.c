/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/detector.h"

#include "detect/vote.h"

#include <errno.h>
#include <string.h>

const struct lp_detector *const lp_detectors[] = {
	&lp_detector_cdf,    &lp_detector_pdf,  &lp_detector_median,
	&lp_detector_thresh, &lp_detector_cwnd, NULL,
};

const struct lp_detector *lp_detector_find(const char *name)
{
	for (size_t i = 0; lp_detectors[i]; i++)
		if (strcmp(lp_detectors[i]->name, name) == 0)
			return lp_detectors[i];
	return NULL;
}

struct lp_detector_params lp_detector_params(
	const struct lp_detector *detector,
	const struct lp_detector_params *given)
{
	struct lp_detector_params p = detector->defaults;

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
			       "windows %zu samples apart: from 1 to their "
			       "length, %zu, are possible",
			       p->shift, p->window);
	if (p->k < 1 || p->k > LP_VOTE_K_MAX)
		return lp_fail(err, EINVAL,
			       "k is %u of %u windows: 1 to %d are possible",
			       p->k, 2 * p->k - 1, LP_VOTE_K_MAX);
	return 0;
}
