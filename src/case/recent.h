/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A survey of the recent past, made anew again and again: what a running case
 * plans by.
 *
 * Two surveys run at a time, of which the older is taken when a plan is made;
 * so a plan rests on at least the time between two. What is said only once,
 * inventories and that a recorder began or ended, is told to each new survey.
 */
#ifndef LP_CASE_RECENT_H
#define LP_CASE_RECENT_H

#include "survey/survey.h"

struct lp_recent;

/* NULL: out of memory. */
struct lp_recent *lp_recent_new(void);
void lp_recent_free(struct lp_recent *recent);

int lp_recent_put(struct lp_recent *recent, const struct lp_item *item,
		  struct lp_error *err);

/* Whether hosts or components came, or changed, since the last was taken. */
bool lp_recent_changed(const struct lp_recent *recent);

/* The older survey, finished; it is the caller's. */
int lp_recent_take(struct lp_recent *recent, struct lp_survey *recording,
		   struct lp_error *err);

#endif
