/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How Ceph's programs are called: the configuration that all of them read, the
 * third party, which is the manager, and what it is told. For ceph.c.
 */
#ifndef LAB_DRIVER_CEPH_CALL_H
#define LAB_DRIVER_CEPH_CALL_H

#include "site/lab.h"

#include <limits.h>

#define LAB_CEPH_FSID "6c696d70-6964-4c61-8b00-000000000001"

const struct lab_node *lab_ceph_manager(const struct lab *lab);
/* A file or directory of the manager, which all nodes can read. */
int lab_ceph_path(const struct lab *lab, const char *name, char path[PATH_MAX],
		  struct lp_error *err);
/* Write ceph.conf, before anything is called. */
int lab_ceph_configure(const struct lab *lab, struct lp_error *err);

/* PROGRAM -c CONF WORDS... on a node; `output` may be NULL. */
int lab_ceph_call(const struct lab *lab, const struct lab_node *node,
		  const char *const *words, char **output,
		  struct lp_error *err);

/* A daemon in the foreground, its output in the node's LOG. */
int lab_ceph_start(struct lab *lab, const struct lab_node *node,
		   const char *const *words, const char *log,
		   struct lp_error *err);

#endif
