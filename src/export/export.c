/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export.h"

#include <string.h>

/* A metric that another program computed, under the name of a raw column. */
static bool is_clash(const struct lp_class *class,
		     const struct lp_column *column)
{
	int raw = class ? lp_class_column(class, column->name) : -1;

	return raw >= 0 && lp_class_metric(class, column->name) &&
	       (class->columns[raw].kind != column->kind ||
		class->columns[raw].type != column->type);
}

static bool is_weighted_metric(const struct lp_class *class,
			       const struct lp_column *column)
{
	return class && column->kind == LP_WEIGHTED && column->partner &&
	       lp_class_column(class, column->name) < 0 &&
	       lp_class_metric(class, column->name);
}

const char *lp_export_name(const struct lp_class *class,
			   const struct lp_column *column,
			   char name[LP_EXPORT_NAME])
{
	bool clash = is_clash(class, column);

	if (is_weighted_metric(class, column) ||
	    (clash && column->kind == LP_WEIGHTED && column->partner))
		snprintf(name, LP_EXPORT_NAME, "%s:gauge/%s", column->name,
			 column->partner);
	else
		snprintf(name, LP_EXPORT_NAME, "%s%s", column->name,
			 clash ? ":gauge" : "");
	return name;
}

size_t lp_export_local(const struct lp_class *class, const char *instance)
{
	const char *arrow =
		class && class->two_ended ? strchr(instance, '>') : NULL;

	return arrow ? (size_t)(arrow - instance) : 0;
}
