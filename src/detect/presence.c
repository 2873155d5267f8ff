/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A detector that finds nobody different. Its windows are those in which the
 * absence of components is seen, beside a detector that has none.
 */
#include "detect/detector.h"

static int judge(const struct lp_judge_input *input, struct lp_arena *arena,
		 struct lp_verdict *verdicts)
{
	(void)arena;
	for (size_t i = 0; i < input->window.n; i++)
		verdicts[i] = lp_verdict_none();
	return 0;
}

const struct lp_detector lp_presence = {
	.name = "presence",
	.help = "whether there are samples, and work",
	.defaults = { .smooth = 15,
		      .window = 60,
		      .shift = 30,
		      .k = 3,
		      .threshold = 1 },
	.coarse = LP_COARSE_WINDOWS,
	.judge = judge,
};
