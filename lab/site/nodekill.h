/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGKILL for what runs on a node, and what keeps the node itself.
 */
#ifndef LAB_SITE_NODEKILL_H
#define LAB_SITE_NODEKILL_H

#include "site/lab.h"

/*
 * All that run on the node but its first process, or those of one program
 * ("glusterfsd"); NULL: all. How many there were; waits a moment for their end
 * (who waits for a disk that does not answer stays).
 */
size_t lab_node_kill(const struct lab_node *node, const char *program);

/* The number of them. */
size_t lab_node_count(const struct lab_node *node, const char *program);

#endif
