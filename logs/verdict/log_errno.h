/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error numbers, and words that mean the same (PFault, table 7).
 */
#ifndef LP_LOGS_LOG_ERRNO_H
#define LP_LOGS_LOG_ERRNO_H

#include "logs/verdict/log_rules.h"

struct lp_log_errno {
	const char *name; /* "EIO" */
	int number;
	enum lp_log_kind kind; /* what it means where no rule is asked */
	const char *texts[3];  /* ended by NULL, if fewer */
};

extern const struct lp_log_errno lp_log_errnos[];
/* Ended by a name that is NULL. NULL: the template has none. */
const struct lp_log_errno *lp_log_errno_of(const char *template);
/* Whether it is worded as a failure. */
bool lp_log_is_worded_as_failure(const char *template);

#endif
