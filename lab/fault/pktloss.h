/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets dropped on their way through the lab's switch.
 *
 * There and not on the server: what a server drops in its own OUTPUT chain is
 * no loss for TCP, which sees the error and keeps the packet.
 */
#ifndef LAB_FAULT_PKTLOSS_H
#define LAB_FAULT_PKTLOSS_H

#include "fault/fault.h"

#include <stdint.h>

/* run->strength percent of the packets in the fault's direction. */
int lab_pktloss_start(struct lab_fault_run *run, struct lp_error *err);
int lab_pktloss_bites(struct lab_fault_run *run, struct lp_error *err);

/*
 * The packets that the rule of a chain has dropped, from `iptables -nvxL`: of
 * the line that holds "--physdev-in PORT " or "--physdev-out PORT ". False if
 * there is no such line.
 */
bool lab_pktloss_count(const char *listing, const char *match,
		       uint64_t *packets);

#endif
