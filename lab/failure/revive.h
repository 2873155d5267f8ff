/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's local file systems off and on again, with its daemons.
 */
#ifndef LAB_FAILURE_REVIVE_H
#define LAB_FAILURE_REVIVE_H

#include "site/lab.h"

/* All on the node are killed, its file systems unmounted. */
int lab_lay_off(struct lab *lab, const struct lab_node *node,
		struct lp_error *err);
/* Mounted again (what is mounted already stays), and its daemons started. */
int lab_take_on(struct lab *lab, const struct lab_node *node,
		struct lp_error *err);
/* Both. */
int lab_revive(struct lab *lab, const struct lab_node *node,
	       struct lp_error *err);

#endif
