/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inventory: which components a host has, and what is known of each, as
 * labels. It gives a component its stable identity and its layer, which the
 * names in the samples (sda, dm-3) do not.
 *
 * Labels that limpid itself understands:
 *
 *   id       stable identity: "wwid:naa.5000c500...", "serial:...", "dm:uuid",
 *            "md:uuid", "path:..."; for interfaces "mac:..." or "bond:NAME"
 *   layer    path, disk, array, logical, partition (disk); port, bond, vlan,
 *            virtual (net)
 *   alias    the name an operator would use: the dm name, the md name
 *   parents  names of the devices beneath, separated by spaces
 *
 * All others (model, size_bytes, rotational, queue_scheduler, speed_mbit ...)
 * are shown and can be matched by a cluster file.
 */
#ifndef LP_MODEL_INVENTORY_H
#define LP_MODEL_INVENTORY_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct lp_label {
	const char *key, *value;
};

struct lp_labels {
	struct lp_label *items;
	size_t count, capacity;
};

struct lp_component {
	const char *class_name; /* "disk", "net", ... */
	const char *name;       /* as in the samples */
	struct lp_labels labels;
};

/* Owns all its strings (in the arena). */
struct lp_inventory {
	struct lp_arena arena;
	const char *host;
	int64_t time_ns;
	struct lp_labels labels; /* of the host: kernel, boot_id, addresses,
				    interval_ns ... */
	struct lp_component *components;
	size_t n_components, components_capacity;
};

struct lp_inventory *lp_inventory_new(const char *host, int64_t time_ns);
void lp_inventory_free(struct lp_inventory *inventory);

/* Add a component. NULL: out of memory. Valid until the next is added. */
struct lp_component *lp_inventory_add(struct lp_inventory *inventory,
				      const char *class_name, const char *name);
/*
 * Set a label of the host (labels = &inventory->labels) or of a component.
 * A NULL or empty value is left out. 0 or -ENOMEM.
 */
int lp_inventory_label(struct lp_inventory *inventory, struct lp_labels *labels,
		       const char *key, const char *value);

/* NULL: no such label. */
const char *lp_labels_get(const struct lp_labels *labels, const char *key);
/* The same, "" if there is none. */
const char *lp_labels_text(const struct lp_labels *labels, const char *key);
/* Whether the value of a label such as `parents` lists this name. */
bool lp_label_lists(const char *value, const char *name);
/* NULL: no such component. */
const struct lp_component *lp_inventory_find(
	const struct lp_inventory *inventory, const char *class_name,
	const char *name);

/* Whether two inventories say the same, their times apart. */
int lp_inventory_same(const struct lp_inventory *a,
		      const struct lp_inventory *b);

#endif
