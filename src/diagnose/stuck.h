/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ports whose counters stay at their largest value: InfiniBand's 32-bit ones
 * do, until somebody resets them. Their rates are missing then; the port is
 * not.
 */
#ifndef LP_DIAGNOSE_STUCK_H
#define LP_DIAGNOSE_STUCK_H

#include "diagnose/diagnose.h"

/*
 * Take absence back where a peer that has no values of the unit's metric was
 * recorded all the same, and note the first such. It takes what came later to
 * tell, so this is done when findings are asked for. Only for counters that
 * saturate. 0 or -ENOMEM.
 */
int lp_unit_look_stuck(struct lp_unit *unit,
		       const struct lp_diagnose_input *input);

#endif
