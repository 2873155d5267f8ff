/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two ways in which limpid inventory prints what it found.
 */
#ifndef LP_CMD_INVENTORY_H
#define LP_CMD_INVENTORY_H

#include "inputs.h"

#include "base/zone.h"
#include "cluster/cluster.h"
#include "cluster/groups.h"

void lp_inventory_print(const struct lp_survey *recording,
			const struct lp_plan *plan,
			const struct lp_inputs *inputs,
			const struct lp_zone *zone, bool verbose);
void lp_inventory_print_json(const struct lp_survey *recording,
			     const struct lp_plan *plan,
			     const struct lp_inputs *inputs);
/* The part of the first that tells who is compared with whom. */
void lp_inventory_print_plan(const struct lp_plan *plan, bool verbose);

/* "oss1/sda", "oss1:2049>10.0.0.5", "oss1". Returns text. */
#define LP_COMPONENT_TEXT 256
const char *lp_component_format(const struct lp_roster *roster,
				const struct lp_roster_item *item,
				char text[LP_COMPONENT_TEXT]);

#endif
