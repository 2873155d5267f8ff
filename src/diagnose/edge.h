/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges: when what a joint detector accuses began and ended, by the samples
 * around it. Blocks and windows are late by what they need to be sure.
 */
#ifndef LP_DIAGNOSE_EDGE_H
#define LP_DIAGNOSE_EDGE_H

#include "diagnose/suspect.h"

/*
 * Date the suspects that joint detectors accuse and that nobody else explains,
 * the worst ones: suspect.dates. 0 or -ENOMEM.
 */
int lp_suspects_date(struct lp_suspects *suspects, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input);

/*
 * Points up to this time will be forgotten: keep when the peaks up to reach_ns
 * after it began. Only points within reach_ns of each are looked at: those
 * are there, however often anything is forgotten. 0 or -ENOMEM.
 */
int lp_unit_keep_edges(struct lp_unit *unit,
		       const struct lp_diagnose_input *input, int64_t until_ns,
		       int64_t reach_ns);

#endif
