/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One component in one window by all its pairs, where the fast way gave its
 * flag only: evidence needs the distance for a few of thousands.
 */
#ifndef LP_DIAGNOSE_SINGLE_H
#define LP_DIAGNOSE_SINGLE_H

#include "diagnose/diagnose.h"

/* Smoothed values x[n][w] of a window, as the engine has them. 0 or -ENOMEM. */
int lp_unit_window(const struct lp_unit *unit,
		   const struct lp_diagnose_input *input, int64_t end_ns,
		   double *x);

/*
 * The exact verdict on a peer of the unit in the window that ends at end_ns.
 * 0 or -ENOMEM.
 */
int lp_judge_single(const struct lp_unit *unit,
		    const struct lp_diagnose_input *input, size_t peer,
		    int64_t end_ns, struct lp_verdict *verdict);

#endif
