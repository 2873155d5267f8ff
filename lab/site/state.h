/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What other commands must know of a lab that is up and cannot compute from
 * its directory: its spec, and each node's first process and device.
 *
 *     boot = "6f1c24c2-..."; spec = { servers = "6"; ... };
 *     nodes = ( { name = "s1"; holder = 4711; start = "123"; device = ...
 */
#ifndef LAB_SITE_STATE_H
#define LAB_SITE_STATE_H

#include "site/lab.h"

/* LAB/state, whole or not at all. */
int lab_state_write(const struct lab *lab, struct lp_error *err);

/* The lab that the n bytes describe; `dir` is where it is. */
int lab_state_parse(const char *dir, const char *text, size_t n,
		    struct lab **lab, struct lp_error *err);

#endif
