/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that outlives the command, if that is killed, just long enough to
 * undo what the fault left: rules, settings, links. (Hogs die with the command
 * by themselves.) The command, when it ends in order, undoes them and sends
 * the guard home.
 */
#ifndef LAB_FAULT_GUARD_H
#define LAB_FAULT_GUARD_H

#include "site/lab.h"

struct lab_guard;

int lab_guard_post(struct lab *lab, struct lab_guard **guard,
		   struct lp_error *err);
/* One more thing of the journal to be undone. */
void lab_guard_entrust(struct lab_guard *guard, size_t mark);
/* All is undone. Waits, frees. Accepts NULL. */
void lab_guard_dismiss(struct lab_guard *guard);

#endif
