/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a field of a CSV file says: a number, a text, or nothing.
 */
#ifndef LP_SOURCE_CSVVALUE_H
#define LP_SOURCE_CSVVALUE_H

#include "model/builder.h"
#include "source/csvlayout.h"

/* Empty, or what R, pandas and databases write instead. */
bool lp_csv_is_missing(const struct lp_csv_field *f, enum lp_type type);

/*
 * Put it into a column of the row. -EINVAL, -ERANGE: it is no such value;
 * -EDOM: a metric that another program computed, and negative.
 */
int lp_csv_set_value(const struct lp_row *row, size_t column,
		     const struct lp_csv_value *value,
		     const struct lp_csv_field *f);

#endif
