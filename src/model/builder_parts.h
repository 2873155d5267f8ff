/* SPDX-License-Identifier: Apache-2.0 */
/* How a builder is made inside: for builder*.c only. */
#ifndef LP_MODEL_BUILDER_PARTS_H
#define LP_MODEL_BUILDER_PARTS_H

#include "base/memory.h"
#include "base/names.h"
#include "model/builder.h"

/*
 * What stands beside a public panel and its series. `leading` counts, per
 * column, the values present from the first sample on without a hole; as long
 * as there is none, no `present` bytes are needed.
 */
struct build_panel {
	struct lp_names names; /* number = index of the series */
	size_t series_capacity, columns_capacity;
	size_t next; /* where the next row is expected */
	struct build_series {
		size_t *leading;
		size_t n_columns; /* allocated in values and leading */
		size_t last;      /* sample of its last row, from 1; 0: none */
		size_t owed; /* samples up to it that repeat the one before */
		bool pieced; /* that row was asked for more than once */
		bool row_known; /* the first sample is in `row`, by column */
		struct lp_values row;
	} * series;
	size_t build_capacity;
	uint64_t *log; /* rows not yet in their columns: builder_log.c */
	size_t log_size, log_capacity;
};

struct lp_builder {
	struct lp_chunk chunk;
	size_t now;      /* the sample that rows are of, from 1 */
	uint64_t epoch;  /* grows whenever samples are taken away */
	size_t capacity; /* samples that every array has room for */
	struct build_panel *panels;
	size_t panels_capacity, build_capacity, time_capacity;
	struct lp_names texts;
	uint32_t last_text;    /* the same one comes again and again */
	struct lp_arena arena; /* column descriptions */
	bool lost;
};

/* Room for so many samples in all arrays; false: out of memory. */
bool lp_builder_reserve(struct lp_builder *builder, size_t need);
/* Where the bits of a value go, which is marked present; NULL: no memory. */
uint64_t *lp_builder_place(struct lp_builder *builder, size_t panel,
			   size_t series, size_t column, size_t sample);
/* The index of a series; LP_BUILDER_NONE: there is none of this name. */
size_t lp_builder_find(const struct lp_builder *builder, size_t panel,
		       const char *name, size_t name_length);
/* The columns of the mask, of one series in one sample. */
void lp_builder_store(struct lp_builder *builder, size_t panel, size_t series,
		      size_t sample, const uint64_t *bits, uint64_t mask);
/* The samples [from, to) of a series are as the one before them. */
void lp_builder_repeat(struct lp_builder *builder, size_t panel, size_t series,
		       size_t from, size_t to);
/* Later: the first n columns of a row; what its series owes. False: no memory,
 * nothing done. */
bool lp_builder_log_row(const struct lp_row *row, const uint64_t *bits,
			size_t n);
void lp_builder_log_owed(struct lp_builder *builder, size_t panel,
			 size_t series);
/* Now: before anybody touches a column. */
void lp_builder_flush(struct lp_builder *builder, size_t panel);
/* Write out what was only noted as a repetition; all rows are in their columns
 * by then. */
void lp_builder_settle(struct lp_builder *builder, size_t panel, size_t series);
void lp_builder_settle_all(struct lp_builder *builder);
/* False: the series has other rows than the first, or there is no memory. */
bool lp_builder_steady_row(const struct lp_builder *builder, size_t panel,
			   size_t series, struct lp_values *row);
/* Bring a series to what chunk.h promises of it. */
void lp_builder_complete(struct lp_builder *builder, size_t panel,
			 size_t series);
bool lp_builder_has(const struct lp_builder *builder, const struct lp_row *row,
		    size_t column, size_t sample);
void lp_builder_free_series(struct lp_series *series,
			    struct build_series *build);

#endif
