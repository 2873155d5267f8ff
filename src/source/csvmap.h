/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names in a CSV header, after --map gave them limpid's.
 */
#ifndef LP_SOURCE_CSVMAP_H
#define LP_SOURCE_CSVMAP_H

#include "base/error.h"
#include "base/memory.h"
#include "model/catalogue.h"
#include "source/csvlexer.h"

struct lp_csv_names {
	size_t n;
	const char **text; /* NULL: left out */
	bool *chosen;      /* by --map */
	bool from_sadf;    /* the header is one of sadf -d */
	struct lp_arena arena;
};

/*
 * Apply "NAME=COLUMN,..." to a header; NAME=- leaves the column NAME out.
 * -EINVAL: the map is malformed or names a column that is not there, or a
 * column has no name or a name twice. lp_csv_names_done in any case.
 */
int lp_csv_names_init(struct lp_csv_names *names,
		      const struct lp_csv_field *fields, size_t n,
		      const char *map, struct lp_error *err);
void lp_csv_names_done(struct lp_csv_names *names);
/* Whether a map is well-formed, before there is a header. 0 or -EINVAL. */
int lp_csv_map_check(const char *map, struct lp_error *err);

/* The name that was perhaps meant; NULL: none is near. */
const char *lp_csv_nearest(const struct lp_class *class, const char *name);

#endif
