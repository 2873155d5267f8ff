/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lab's network: a namespace per node, each with one link to a bridge that
 * has a namespace of its own.
 */
#ifndef LAB_SITE_NETWORK_H
#define LAB_SITE_NETWORK_H

#include "site/lab.h"

/* The programs it takes. */
int lab_network_check(struct lp_error *err);

/* A namespace with its loopback up, noted first. */
int lab_network_namespace(struct lab *lab, const struct lab_node *node,
			  struct lp_error *err);
/* The bridge; its namespace is there. */
int lab_network_bridge(struct lab *lab, struct lp_error *err);
/* A node's link to the bridge: address, rate, no offloads, TCP's ways. */
int lab_network_link(struct lab *lab, const struct lab_node *node,
		     struct lp_error *err);

/* Bits a second of a node's link: a client's is twice as fast. */
uint64_t lab_network_bits(const struct lab *lab, const struct lab_node *node);

/* Change the rate of what leaves by a device of the namespace at a path. */
int lab_network_rate(const char *netns, const char *device, uint64_t bits,
		     struct lp_error *err);

#endif
