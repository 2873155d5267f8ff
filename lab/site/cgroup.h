/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control group per node, for its CPU time and its memory, in whichever
 * version of cgroups the machine has.
 */
#ifndef LAB_SITE_CGROUP_H
#define LAB_SITE_CGROUP_H

#include "site/lab.h"

/*
 * Make the node's groups, noted first; memory_bytes 0: no limit. 0; -ENOTSUP
 * with what is missing: a lab can do without, but its servers' memory then is
 * the machine's.
 */
int lab_cgroup_make(struct lab *lab, const struct lab_node *node,
		    uint64_t memory_bytes, struct lp_error *err);

/* Put the calling process into the node's groups, those there are. */
void lab_cgroup_join(const struct lab_node *node);

/*
 * A file of the node's groups, in the first that has it: "cpu.max".  -ENOENT:
 * none has it.
 */
int lab_cgroup_file(const struct lab_node *node, const char *file,
		    char path[PATH_MAX]);

#endif
