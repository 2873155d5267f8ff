/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/detector.h"

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
