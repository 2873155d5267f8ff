/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inventory as one more reader, so that a hung sysfs file cannot stop the
 * recorder: fetch reads it, parse keeps it until the archive takes it.
 */
#ifndef LP_RECORD_CENSUS_H
#define LP_RECORD_CENSUS_H

#include "model/inventory.h"
#include "source/reader.h"

struct lp_census {
	const char *root, *host;
	int netns_fd;
	int64_t interval_ns;
	struct lp_inventory *fetched, *ready;
};

/* Its state is a struct lp_census; open is NULL, close frees what it holds. */
extern const struct lp_reader lp_census_reader;

#endif
