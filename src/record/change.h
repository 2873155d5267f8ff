/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When devices changed, as the samples themselves show it: an inventory is read
 * some samples after that.
 */
#ifndef LP_RECORD_CHANGE_H
#define LP_RECORD_CHANGE_H

#include "model/chunk.h"
#include "model/inventory.h"

/*
 * The first sample since which the inventory's components are there, those that
 * are in none apart. 0: all the samples may be of it.
 */
size_t lp_change_find(const struct lp_chunk *chunk,
		      const struct lp_inventory *inventory);

#endif
