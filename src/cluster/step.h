/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The step in which components are compared.
 */
#ifndef LP_CLUSTER_STEP_H
#define LP_CLUSTER_STEP_H

#include "detect/detector.h"
#include "survey/survey.h"

/*
 * wanted_ns 0: the default of this detector (lp_step_default). The step is a
 * multiple of the coarsest host's interval; if it had to be rounded up, or if
 * the hosts' intervals differ, the note says so
 * ("" otherwise). 0: no interval is known.
 */
#define LP_STEP_NOTE 256
int64_t lp_step_choose(const struct lp_survey *survey,
		       const struct lp_detector *detector, int64_t wanted_ns,
		       char note[LP_STEP_NOTE]);

#endif
