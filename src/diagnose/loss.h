/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a small congestion window is worth. It grows only where a connection
 * fills it, so a server that nobody reads from has a small one, too; it
 * shrinks by loss, and what is lost is sent again. A window that is smaller
 * than the peers' while nothing was sent again speaks of work, not of loss.
 */
#ifndef LP_DIAGNOSE_LOSS_H
#define LP_DIAGNOSE_LOSS_H

#include "diagnose/diagnose.h"

/*
 * Whether the peer sent something again in the time that the unit's window up
 * to end_ns was smoothed over; yes where that is not recorded. Only for cwnd.
 */
bool lp_loss_seen(const struct lp_unit *unit,
		  const struct lp_diagnose_input *input, size_t peer,
		  int64_t end_ns);

#endif
