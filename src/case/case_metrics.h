/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which metrics of a case are read.
 */
#ifndef LP_CASE_CASE_METRICS_H
#define LP_CASE_CASE_METRICS_H

#include "base/option.h"
#include "detect/detector.h"
#include "survey/survey.h"
#include "table/matrix.h"

/*
 * Whether each of the names, which may be lists with commas, is a metric that
 * accuses and that one of the methods judges (NULL: the usual ones). option is
 * how the message calls them: "--metric". 0 or -EINVAL.
 */
int lp_case_check_metrics(const char *option,
			  const struct lp_option_list *names,
			  const struct lp_detector *const *methods,
			  struct lp_error *err);

/* Whether any of these methods (NULL: the usual ones) is a joint one. */
bool lp_case_is_joint(const struct lp_detector *const *methods);

/*
 * What accuses (of `names`, if there are any) by these methods (NULL: the usual
 * ones) and what that needs, ended by a class of NULL. rest: the other usual
 * metrics, too. NULL: out of memory; else it is yours to free.
 */
struct lp_matrix_metric *lp_case_metrics(
	const struct lp_option_list *names,
	const struct lp_detector *const *methods, bool rest);

/*
 * The same for a whole recording at this step, with the rest if that is not too
 * large. -EFBIG: even without it more than the memory holds.
 */
int lp_case_metrics_choose(const struct lp_option_list *names,
			   const struct lp_detector *const *methods,
			   const struct lp_survey *recording, int64_t step_ns,
			   struct lp_matrix_metric **metrics,
			   struct lp_error *err);

#endif
