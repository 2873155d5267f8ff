/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes that a lab will have: names, addresses and paths, all of which
 * follow from its directory and its spec.
 */
#ifndef LAB_SITE_NODES_H
#define LAB_SITE_NODES_H

#include "site/lab.h"

/* The lab's own net; it is seen inside of its namespaces only. */
#define LAB_NET "10.77.0"
#define LAB_SUBNET "10.77.0.0/24"

/* A lab with its nodes; nothing is made but memory. lab_close frees. */
int lab_new(const char *dir, const struct lab_spec *spec, struct lab **lab,
	    struct lp_error *err);

/* LAB/NODE/NAME */
int lab_node_path(const struct lab *lab, const struct lab_node *node,
		  const char *name, char path[PATH_MAX], struct lp_error *err);

#endif
