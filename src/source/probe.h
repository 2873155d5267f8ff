/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A probe: the inventory while it is being read, one part of /sys after the
 * other. Inside source/ only; users call lp_inventory_read.
 *
 * To add a part: a file inventory_NAME.c with one function here, and one line
 * in inventory_read.c.
 */
#ifndef LP_SOURCE_PROBE_H
#define LP_SOURCE_PROBE_H

#include "model/inventory.h"

#include <stdbool.h>

struct lp_probe {
	const char *root;
	struct lp_inventory *inventory;
	bool failed; /* out of memory: checked once, at the end */
};

/* Long enough for any label; longer text is cut. */
#define LP_PROBE_TEXT 256

/* The last component that was added. */
struct lp_component *lp_probe_add(struct lp_probe *probe,
				  const char *class_name, const char *name);
/* Set a label of the component added last. Nothing for "" and NULL. */
void lp_probe_label(struct lp_probe *probe, const char *key, const char *value);
/* The label of the component added last, or "". */
const char *lp_probe_get(const struct lp_probe *probe, const char *key);
/* A label with the first line of the file FORMAT below the root. */
void lp_probe_file(struct lp_probe *probe, const char *key, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
/* The same where the file holds a number of 0 or more. */
void lp_probe_number(struct lp_probe *probe, const char *key,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void lp_probe_host(struct lp_probe *probe);
void lp_probe_disks(struct lp_probe *probe);
void lp_probe_interfaces(struct lp_probe *probe);
void lp_probe_infiniband(struct lp_probe *probe);

/*
 * WWID, serial number, path and such of the disk added last, whose directory
 * in sysfs is sys/block/ENTRY.
 */
void lp_probe_identity(struct lp_probe *probe, const char *entry);
/*
 * Its label `id` from what is known; `parent` is the id of the disk of a
 * partition, or NULL.
 */
void lp_probe_id(struct lp_probe *probe, const char *parent);

#endif
