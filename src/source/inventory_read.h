/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inventory of a machine, from its /proc and /sys.
 */
#ifndef LP_SOURCE_INVENTORY_READ_H
#define LP_SOURCE_INVENTORY_READ_H

#include "base/error.h"
#include "model/inventory.h"

/*
 * Read what `host` has at time_ns. `root` is "" or a directory that holds
 * proc/ and sys/; netns_fd is the namespace of the interfaces and addresses,
 * or -1 for our own (it is not used with a root). What is missing or odd is
 * left out; components stand in the order of their names. You now own *out.
 * 0, or -ENOMEM, or -errno when the namespace cannot be entered.
 */
int lp_inventory_read(const char *root, const char *host, int netns_fd,
		      int64_t time_ns, struct lp_inventory **out,
		      struct lp_error *err);

#endif
