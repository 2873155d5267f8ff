/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the columns of a CSV file are, by its header line: limpid-csv(5).
 *
 * A file is wide, one line per component and time with a column per value,
 *
 *     time,host,device,rd_ios,rd_sectors,rd_ms
 *
 * or long, one line per value, as `limpid show --csv` prints it:
 *
 *     time,host,class,component,metric,value
 */
#ifndef LP_SOURCE_CSVLAYOUT_H
#define LP_SOURCE_CSVLAYOUT_H

#include "base/error.h"
#include "base/names.h"
#include "model/catalogue.h"
#include "source/csvlexer.h"

#define LP_CSV_NONE ((size_t)-1)

/* A kind of value: what a column holds (wide), or class and metric (long). */
struct lp_csv_value {
	const struct lp_class *class;
	struct lp_column column;
	size_t field;  /* of the record; long: that of `value` */
	double factor; /* the file's numbers are so many times ours */
};

/* Fields are indices into a record, or LP_CSV_NONE. */
struct lp_csv_layout {
	bool is_long;
	const struct lp_class *class; /* wide */
	size_t n_fields;
	size_t time, host, instance, local;
	size_t class_field, metric; /* long */
	size_t number;              /* long: the value */
	struct lp_csv_value *values;
	size_t n_values, capacity;
	struct lp_names kinds; /* long: "CLASS METRIC", number = value */
	struct lp_arena arena; /* weights' names */
};

/*
 * Read a header. map is the text of --map ("time=ts,await=latency") or NULL.
 * -EINVAL with a line in err that begins with what is wrong, not with the
 * file. lp_csv_layout_done in any case.
 */
int lp_csv_layout_init(struct lp_csv_layout *layout,
		       const struct lp_csv_field *fields, size_t n,
		       const char *map, struct lp_error *err);
void lp_csv_layout_done(struct lp_csv_layout *layout);

/*
 * Long form: which value a class and a metric are; added if new. -1 with a
 * line in err: there is no such class or metric, or no memory.
 */
int lp_csv_layout_kind(struct lp_csv_layout *layout,
		       const struct lp_csv_field *class_name,
		       const struct lp_csv_field *metric, struct lp_error *err);

#endif
