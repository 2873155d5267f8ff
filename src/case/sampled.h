/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is counted in single samples, of recordings whose points are longer:
 * the samples go by in order of time, and only some minutes of them are kept.
 */
#ifndef LP_CASE_SAMPLED_H
#define LP_CASE_SAMPLED_H

#include "case/case.h"
#include "diagnose/unit.h"

/*
 * Judge all samples, which config->samples opens, in those units that count
 * them (lp_unit_takes). The plan, which is the input's, speaks of the matrix of
 * the samples meanwhile, and of the input's again afterwards.
 */
int lp_sampled_push(const struct lp_case_config *config,
		    const struct lp_diagnose_input *input, struct lp_plan *plan,
		    struct lp_units *units,
		    const struct lp_diagnose_options *options,
		    struct lp_error *err);

#endif
