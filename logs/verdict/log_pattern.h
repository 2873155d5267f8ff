/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions of PCRE2, compiled to machine code where that works. A
 * match that backtracks too much is none: see LP_LOG_PATTERN_STEPS.
 */
#ifndef LP_LOGS_LOG_PATTERN_H
#define LP_LOGS_LOG_PATTERN_H

#include "base/error.h"
#include "logs/input/log_format.h"

struct lp_log_pattern;

/* Groups of an expression; more are not looked at. */
#define LP_LOG_GROUPS 8
/* What one match may do. Rules that are sane need a few hundred. */
#define LP_LOG_PATTERN_STEPS 20000

/* NULL and *err: it is wrong, "at 7: missing closing parenthesis". */
struct lp_log_pattern *lp_log_pattern_new(const char *text,
					  struct lp_error *err);
void lp_log_pattern_free(struct lp_log_pattern *pattern);

/*
 * Whether it is found; groups[0] is all of it, those that took no part are
 * empty. *too_long: it was given up.
 */
bool lp_log_pattern_find(struct lp_log_pattern *pattern,
			 struct lp_log_text text,
			 struct lp_log_text groups[LP_LOG_GROUPS],
			 bool *too_long);

#endif
