/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes from one node to another over TCP, at a rate.
 */
#ifndef LAB_FAULT_NETLOAD_H
#define LAB_FAULT_NETLOAD_H

#include "fault/fault.h"

/* run->strength MB/s; run->own is the hog. */
int lab_net_load_start(struct lab_fault_run *run, const struct lab_node *from,
		       const struct lab_node *to, struct lp_error *err);
int lab_net_load_stop(struct lab_fault_run *run, struct lp_error *err);
int lab_net_load_bites(struct lab_fault_run *run, struct lp_error *err);

/* x1, the node that is neither server nor client. */
int lab_third_party(const struct lab *lab, const struct lab_node **node,
		    struct lp_error *err);

#endif
