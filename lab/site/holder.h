/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's first process. It holds the node's namespaces (network, mounts,
 * processes, host name) and takes what its daemons leave behind; when it ends,
 * the kernel ends every process of the node.
 */
#ifndef LAB_SITE_HOLDER_H
#define LAB_SITE_HOLDER_H

#include "site/lab.h"

/*
 * Start it; fills holder and holder_start. The node's network namespace is
 * there, and private directories LAB/NODE/private/0, 1, ... for those of the
 * driver.
 */
int lab_holder_start(struct lab *lab, struct lab_node *node,
		     const char *const *private_dirs, struct lp_error *err);

#endif
