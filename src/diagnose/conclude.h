/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict: a fault, none, or that it cannot be told, and why.
 */
#ifndef LP_DIAGNOSE_CONCLUDE_H
#define LP_DIAGNOSE_CONCLUDE_H

#include "diagnose/diagnose.h"

/* Set outcome, reason and notes from findings and units. 0 or -ENOMEM. */
int lp_diagnosis_conclude(struct lp_diagnosis *d,
			  const struct lp_diagnose_input *input);

#endif
