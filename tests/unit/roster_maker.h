/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A roster made by hand, host by host, and the groups that follow from it.
 */
#ifndef LP_TESTS_ROSTER_MAKER_H
#define LP_TESTS_ROSTER_MAKER_H

#include "unit.h"

#include "cluster/groups.h"
#include "model/builder.h"

#include <stdio.h>
#include <string.h>

#define S LP_NS_PER_S

struct maker {
	struct lp_roster roster;
	struct lp_inventory *inventory;
	struct lp_builder *builder;
};

static inline void begin_host(struct maker *m, const char *host)
{
	m->inventory = lp_inventory_new(host, 0);
	m->builder = lp_builder_new(host);
}

static inline void tell(struct maker *m, const char *key, const char *value)
{
	size_t last = m->inventory->n_components - 1;

	lp_inventory_label(m->inventory, &m->inventory->components[last].labels,
			   key, value);
}

static inline void add(struct maker *m, const char *class_name,
		       const char *name, const char *layer, const char *size)
{
	lp_inventory_add(m->inventory, class_name, name);
	tell(m, "layer", layer);
	tell(m, strcmp(class_name, "net") == 0 ? "speed_mbit" : "size_bytes",
	     size);
}

/* Three samples of each component; counter 0 grows unless it is idle. */
static inline void sample(struct maker *m, const char *class_name,
			  const char *name, bool idle)
{
	size_t panel = lp_builder_panel(m->builder, lp_class_find(class_name));
	struct lp_row row;

	lp_builder_row(m->builder, panel, name, strlen(name), &row);
	for (size_t c = 0; c < 16; c++)
		lp_row_u64(&row, c, idle ? 5 : lp_builder_samples(m->builder));
}

static inline void end_host(struct maker *m, const char *idle_name)
{
	struct lp_item inventory = { .kind = LP_ITEM_INVENTORY,
				     .inventory = m->inventory };
	struct lp_item chunk = { .kind = LP_ITEM_CHUNK };

	for (int64_t t = 0; t < 3; t++) {
		lp_builder_tick(m->builder, t * S);
		for (size_t i = 0; i < m->inventory->n_components; i++) {
			const struct lp_component *c =
				&m->inventory->components[i];

			sample(m, c->class_name, c->name,
			       idle_name && strcmp(c->name, idle_name) == 0);
		}
	}
	chunk.chunk = lp_builder_chunk(m->builder);
	assert_int_equal(lp_roster_put(&m->roster, &inventory, NULL), 0);
	assert_int_equal(lp_roster_put(&m->roster, &chunk, NULL), 0);
	lp_inventory_free(m->inventory);
	lp_builder_free(m->builder);
}

static inline struct lp_grouping finish(struct maker *m)
{
	struct lp_grouping grouping;

	lp_roster_finish(&m->roster);
	assert_int_equal(lp_grouping_make(&m->roster, &grouping), 0);
	return grouping;
}

static inline void done(struct maker *m, struct lp_grouping *grouping)
{
	lp_grouping_done(grouping);
	lp_roster_done(&m->roster);
}

static inline size_t index_of(const struct maker *m, const char *host,
			      const char *name)
{
	for (size_t i = 0; i < m->roster.n_items; i++) {
		const struct lp_roster_item *item = &m->roster.items[i];

		if (strcmp(item->name, name) == 0 &&
		    strcmp(m->roster.hosts[item->host].name, host) == 0)
			return i;
	}
	fail_msg("no %s/%s", host, name);
	return 0;
}

static inline uint32_t group_of(const struct maker *m,
				const struct lp_grouping *g, const char *host,
				const char *name)
{
	return g->group_of[index_of(m, host, name)];
}

#define left_out(m, g, host, name) ((g)->left_out[index_of(m, host, name)])

#endif
