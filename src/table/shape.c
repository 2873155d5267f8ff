/* SPDX-License-Identifier: Apache-2.0 */
#include "table/delta.h"
#include "table/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool listed(const char *const *list, const char *name)
{
	const struct lp_query query = { .columns = list };

	return lp_query_wants_column(&query, name);
}

static int add(struct lp_shape *shape, const struct lp_column *column,
	       const char *const *wanted)
{
	size_t n = shape->n_columns;
	struct lp_column copy = *column;

	copy.name = lp_arena_string(&shape->arena, column->name);
	copy.unit = lp_arena_string(&shape->arena,
				    column->unit ? column->unit : "");
	copy.help = NULL;
	copy.origin = NULL;
	if (column->partner)
		copy.partner = lp_arena_string(&shape->arena, column->partner);
	if (!copy.name || !copy.unit || (column->partner && !copy.partner) ||
	    lp_grow(&shape->columns, &shape->columns_capacity, n + 1,
		    sizeof(copy)) < 0 ||
	    lp_grow(&shape->wanted, &shape->wanted_capacity, n + 1,
		    sizeof(bool)) < 0)
		return -ENOMEM;
	shape->columns[n] = copy;
	shape->wanted[n] =
		column->kind != LP_STATE && listed(wanted, column->name);
	shape->n_columns++;
	return (int)n;
}

int lp_shape_column(struct lp_shape *shape, const struct lp_column *column,
		    const char *const *wanted)
{
	for (size_t i = 0; i < shape->n_columns; i++)
		if (strcmp(shape->columns[i].name, column->name) == 0 &&
		    lp_delta_counts(&shape->columns[i]) ==
			    lp_delta_counts(column))
			return (int)i;
	return add(shape, column, wanted);
}

void lp_shape_done(struct lp_shape *shape)
{
	free(shape->columns);
	free(shape->wanted);
	lp_arena_done(&shape->arena);
}
