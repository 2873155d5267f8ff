/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes over TCP, at a rate.
 */
#ifndef LAB_FAULT_NETLOAD_H
#define LAB_FAULT_NETLOAD_H

#include "fault/hog.h"

/*
 * Between the victim and a node that is neither server nor client, in the
 * fault's direction, run->strength MB/s; run->own is the hog.
 */
int lab_net_load_start(struct lab_fault_run *run, struct lp_error *err);
int lab_net_load_bites(struct lab_fault_run *run, struct lp_error *err);

#endif
