/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk: what one host measured over a span of time, in columns.
 *
 *     chunk ── time_ns[sample]                     one tick of the recorder
 *       └─ panel (class: disk) ── columns[c]       rd_ios, rd_sectors, ...
 *            └─ series (instance: sda)
 *                 └─ values[c] ── bits[sample]     raw counters, not rates
 *                              └─ present[sample]  or NULL: all are there
 *
 * The same shape is filled by the recorder and the importers (builder.h),
 * written and read by the archive, and consumed by table/. Samples stand in
 * the order in which they were taken; their times may repeat or step back when
 * the clock did.
 */
#ifndef LP_MODEL_CHUNK_H
#define LP_MODEL_CHUNK_H

#include "base/bytes.h"
#include "model/catalogue.h"

/* Read only: columns that hold the same may share their arrays. */
struct lp_values {
	uint64_t *bits;   /* [n_samples]; NULL: no value at all */
	uint8_t *present; /* [n_samples], 1 or 0; NULL: all present */
};

struct lp_series {
	const char *name;
	struct lp_values *values; /* [panel->n_columns] */
	/* In a brief chunk only (builder.h): all samples are this row, by
	 * column, and the values above are not written out. NULL: they are. */
	struct lp_values row;
};

struct lp_panel {
	const char *class_name;
	const struct lp_class *class; /* NULL: from a later limpid */
	struct lp_column *columns;    /* any subset of the class's, and more */
	size_t n_columns;
	struct lp_series *series;
	size_t n_series;
};

struct lp_chunk {
	const char *host;
	int64_t *time_ns;
	size_t n_samples;
	struct lp_panel *panels;
	size_t n_panels;
	const char **texts; /* what LP_TEXT values are indices of */
	size_t n_texts;
};

/* -1: the panel has no such column. */
int lp_panel_column(const struct lp_panel *panel, const char *name);
/* NULL: the chunk has no such panel. */
const struct lp_panel *lp_chunk_panel(const struct lp_chunk *chunk,
				      const char *class_name);

static inline bool lp_values_has(const struct lp_values *values, size_t sample)
{
	return values->bits && (!values->present || values->present[sample]);
}

/* Whether the series has any value in the sample. */
bool lp_series_has(const struct lp_panel *panel, const struct lp_series *series,
		   size_t sample);

/* The value as a number; NaN when missing or a text. */
double lp_values_number(const struct lp_values *values, enum lp_type type,
			size_t sample);

/*
 * Whether two chunks hold the same samples: same host, times, and values by
 * class, instance and column name, whatever their order. For tests: it takes
 * long where there are many series.
 */
bool lp_chunk_equal(const struct lp_chunk *a, const struct lp_chunk *b);

#endif
