/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of counts, the histograms of a window. Samples in a window of up to 255
 * points are counted in bytes, of which a processor compares sixteen at once;
 * longer windows take two bytes a count. Both are the same code
 * (rows_template.h) behind one table of functions.
 */
#ifndef LP_DETECT_ROWS_H
#define LP_DETECT_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Rows are padded to a multiple of so many counts. */
#define LP_ROW_PAD 32

/* `length` is that of the padded row everywhere. */
struct lp_rows {
	size_t size; /* bytes of a count */
	/* Add one to a place. */
	void (*increment)(void *row, const uint16_t *places, size_t n);
	/* Each count then includes those before. */
	void (*cumulate)(void *row, size_t length);
	uint32_t (*at)(const void *row, size_t place);
	uint64_t (*sum)(const void *row, size_t length);
	/* Sum of |p - q|. */
	uint64_t (*l1)(const void *p, const void *q, size_t length);
	/* The same of a row and each of n rows, one behind the other. */
	void (*l1_to_all)(const void *row, const void *rows, size_t n,
			  size_t length, uint32_t *sums);
	/* Sum of |p * p_times - q * q_times|. */
	uint64_t (*l1_scaled)(const void *p, uint32_t p_times, const void *q,
			      uint32_t q_times, size_t length);
	/* The median of three rows, place by place. */
	void (*median)(void *row, const void *a, const void *b, const void *c,
		       size_t length);
};

/* The rows that hold counts up to `most`. */
const struct lp_rows *lp_rows_for(size_t most);

#endif
