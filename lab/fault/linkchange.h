/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link that carries less, both ways, as long as the fault lasts.
 */
#ifndef LAB_FAULT_LINKCHANGE_H
#define LAB_FAULT_LINKCHANGE_H

#include "fault/fault.h"

/* The victim's link at run->strength Mbit/s. */
int lab_link_change(struct lab_fault_run *run, struct lp_error *err);
int lab_link_change_bites(struct lab_fault_run *run, struct lp_error *err);

/* Bits a second, from what `tc qdisc show` lists; false: it has no limit. */
bool lab_link_rate(const char *listing, double *bits);

#endif
