/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many false alarms an operator accepts: "1/month" of the whole system, or
 * "1/100h/server" of each server.
 */
#ifndef LP_DETECT_BUDGET_H
#define LP_DETECT_BUDGET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-valued: the default, one in 100 hours of a server. */
struct lp_budget {
	double alarms, hours;
	bool per_server;
};

/* "1/month", "2/week", "1/100h/server". -EINVAL and what is wrong. */
int lp_budget_parse(const char *text, struct lp_budget *budget,
		    struct lp_error *err);

/* The same with the default filled in. */
struct lp_budget lp_budget_of(const struct lp_budget *budget);

/* False alarms per hour of a server, of so many servers. */
double lp_budget_rate(const struct lp_budget *budget, size_t servers);

/* "one false alarm per 100 hours of each server". Returns text. */
#define LP_BUDGET_TEXT 96
const char *lp_budget_text(const struct lp_budget *budget,
			   char text[LP_BUDGET_TEXT]);

#endif
