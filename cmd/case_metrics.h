/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which metrics of a case are read.
 */
#ifndef LP_CMD_CASE_METRICS_H
#define LP_CMD_CASE_METRICS_H

#include "case_files.h"

/*
 * Whether each of the names, which may be lists with commas, is a metric that
 * accuses and that one of the methods judges (NULL: the usual ones). 0 or
 * -EINVAL.
 */
int lp_case_check_metrics(const struct lp_option_list *names,
			  const struct lp_detector *const *methods,
			  struct lp_error *err);

/*
 * Fill c->metrics: those that accuse (of `names`, if there are any), what they
 * need, and the others if they are not too large. After the survey. -EFBIG:
 * more than the memory holds.
 */
int lp_case_choose_metrics(struct lp_case_files *c,
			   const struct lp_option_list *names,
			   struct lp_error *err);

#endif
