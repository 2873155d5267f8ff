/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of which so many differ that the comparison goes blind.
 *
 * The bins of cdf follow the spread of the whole group. Where a quarter or more
 * of it stands apart, that spread is the gap itself, and nobody is ever over
 * the threshold: silence that must not be taken for health. So the medians of
 * the components are compared by the spread within a component. Of a group of
 * four, one is a quarter, too, and is seen: what was flagged does not count.
 */
#ifndef LP_DIAGNOSE_APART_H
#define LP_DIAGNOSE_APART_H

#include "diagnose/unit.h"

struct lp_apart {
	size_t looked, apart; /* windows */
	size_t n, compared;   /* components, in the window with most of them */
	uint8_t *who;         /* [group->n], of that window; the caller's */
};

/* Look at the windows of a unit. 0 or -ENOMEM. */
int lp_unit_look_apart(const struct lp_unit *unit,
		       const struct lp_diagnose_input *input,
		       struct lp_apart *apart);
/* The same of one of them: apart->apart is 1 or 0. */
int lp_unit_apart_at(const struct lp_unit *unit,
		     const struct lp_diagnose_input *input, size_t window,
		     struct lp_apart *apart);

#endif
