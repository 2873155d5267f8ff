/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvvalue.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <string.h>

bool lp_csv_is_missing(const struct lp_csv_field *f, enum lp_type type)
{
	static const char *const words[] = { "NA", "NaN", "nan", "null",
					     "NULL" };

	if (f->n == 0)
		return true;
	if (type == LP_TEXT || f->n > 4 || (f->text[0] | 0x20) != 'n')
		return false;
	for (size_t i = 0; i < lp_array_size(words); i++)
		if (strlen(words[i]) == f->n &&
		    memcmp(words[i], f->text, f->n) == 0)
			return true;
	return false;
}

static int set_text(const struct lp_row *row, size_t column,
		    const struct lp_csv_field *f)
{
	char text[256];

	if (f->n >= sizeof(text) || memchr(f->text, '\0', f->n))
		return -EINVAL;
	memcpy(text, f->text, f->n);
	text[f->n] = '\0';
	lp_row_text(row, column, text);
	return 0;
}

/* A metric that another program computed; none of them can be below 0. */
static bool is_computed(const struct lp_csv_value *value)
{
	int raw = lp_class_column(value->class, value->column.name);

	return raw < 0 || value->class->columns[raw].type != LP_F64;
}

int lp_csv_set_value(const struct lp_row *row, size_t column,
		     const struct lp_csv_value *value,
		     const struct lp_csv_field *f)
{
	uint64_t whole;
	double number;
	int status;

	if (value->column.type == LP_TEXT)
		return set_text(row, column, f);
	if (value->column.type == LP_U64) {
		status = lp_parse_u64(f->text, f->n, &whole);
		if (status == 0)
			lp_row_u64(row, column, whole);
		return status;
	}
	status = lp_parse_double(f->text, f->n, &number);
	if (status == 0 && number < 0 && is_computed(value))
		return -EDOM;
	if (status == 0)
		lp_row_f64(row, column, number / value->factor);
	return status;
}
