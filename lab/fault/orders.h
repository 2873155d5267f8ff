/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults by other orders for the daemon of one server: an option that its peers
 * do not have.
 */
#ifndef LAB_FAULT_ORDERS_H
#define LAB_FAULT_ORDERS_H

#include "fault/fault.h"

/*
 * Give the part of the daemon's orders that begins with "type TYPE" an option.
 * -ENOTSUP: the file system's daemons take no such orders.
 */
int lab_orders_start(struct lab_fault_run *run, const char *type,
		     const char *option, struct lp_error *err);

/*
 * The text with the option in place of another of its name, or added; to be
 * freed. NULL: it has no such part, or there is no memory.
 */
char *lab_orders_with(const char *orders, const char *type, const char *option);

#endif
