/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict: a fault, none, or that it cannot be told, and why.
 */
#ifndef LP_DIAGNOSE_CONCLUDE_H
#define LP_DIAGNOSE_CONCLUDE_H

#include "diagnose/diagnose.h"

/* Set outcome, reason and notes from findings and units. 0 or -ENOMEM. */
int lp_diagnosis_conclude(struct lp_diagnosis *d,
			  const struct lp_diagnose_input *input,
			  const struct lp_diagnose_options *options);

/* Note hosts whose clock was not kept right. 0 or -ENOMEM. */
int lp_diagnosis_note_clocks(struct lp_diagnosis *d,
			     const struct lp_survey *recording);

/*
 * Find findings that end because their group can no longer be judged, and say
 * so in them. 0 or -ENOMEM.
 */
int lp_findings_look_on(struct lp_diagnosis *d,
			const struct lp_diagnose_input *input);

/* Add a sentence that a reader should know. 0 or -ENOMEM. */
int lp_diagnosis_note(struct lp_diagnosis *d, const char *text);

#endif
