/* SPDX-License-Identifier: Apache-2.0 */
#include "record/census.h"

#include "base/timestamp.h"
#include "source/inventory_read.h"

#include <inttypes.h>
#include <stdio.h>

static int label_recorder(const struct lp_census *census,
			  struct lp_inventory *inventory)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, census->interval_ns);
	if (lp_inventory_label(inventory, &inventory->labels, "interval_ns",
			       text) < 0)
		return -1;
	return lp_inventory_label(inventory, &inventory->labels, "recorder",
				  "limpid " LIMPID_VERSION);
}

static int fetch(void *state, struct lp_error *err)
{
	struct lp_census *census = state;
	struct lp_inventory *inventory = NULL;
	int status =
		lp_inventory_read(census->root, census->host, census->netns_fd,
				  lp_time_now(), &inventory, err);

	if (status < 0)
		return status;
	if (label_recorder(census, inventory) < 0) {
		lp_inventory_free(inventory);
		return lp_fail_memory(err);
	}
	lp_inventory_free(census->fetched);
	census->fetched = inventory;
	return 0;
}

static int parse(void *state, struct lp_builder *builder, struct lp_error *err)
{
	struct lp_census *census = state;

	(void)builder;
	(void)err;
	lp_inventory_free(census->ready);
	census->ready = census->fetched;
	census->fetched = NULL;
	return 0;
}

static void close_census(void *state)
{
	struct lp_census *census = state;

	lp_inventory_free(census->fetched);
	lp_inventory_free(census->ready);
	census->fetched = census->ready = NULL;
}

const struct lp_reader lp_census_reader = {
	.name = "inventory",
	.fetch = fetch,
	.parse = parse,
	.close = close_census,
};
