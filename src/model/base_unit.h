/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns as Prometheus wants metrics: in seconds and bytes, with the unit at
 * the end of the name. Export writes them so, and the source reads them back.
 */
#ifndef LP_MODEL_BASE_UNIT_H
#define LP_MODEL_BASE_UNIT_H

#include "model/catalogue.h"

struct lp_base_unit {
	const char *name; /* "seconds", "bytes"; "": it stays as it is */
	/* value * times / by is in the base unit; one of the two is 1. */
	uint64_t times, by;
};

/* By the unit of the column; the class tells what a tick is. */
struct lp_base_unit lp_base_unit_of(const char *class_name,
				    const struct lp_column *column);
/* "limpid_disk_rd_seconds" of rd_ms. What follows "_total" is not in it. */
#define LP_BASE_NAME 256
void lp_base_name(const char *class_name, const struct lp_column *column,
		  char name[LP_BASE_NAME]);

#endif
