/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which order the lines of a CSV file are taken.
 *
 * Collectors write by time: all components of a tick, then the next tick. In
 * such a file the order of the lines is the order of the samples, even where
 * the time goes back (the clock did). Other files hold one component after the
 * other, or one metric after the other, or the newest line first: their lines
 * must be sorted by time to make ticks of them.
 */
#ifndef LP_SOURCE_CSVORDER_H
#define LP_SOURCE_CSVORDER_H

#include "source/csvrow.h"

/* A file that must be sorted may have at most this many lines. */
#define LP_CSV_MOST_SORTED ((size_t)1 << 26)

struct lp_csv_position {
	int64_t time_ns;
	uint64_t offset;
	uint32_t line;
	uint32_t key; /* host, component and metric; when sorted: the how
			 manieth of these with this time */
};

/* positions is NULL: take the lines as they stand. */
struct lp_csv_order {
	struct lp_csv_position *positions;
	size_t n, capacity;
};

/*
 * Read all lines and decide. Errors in times, hosts and components come out
 * here, those in values do not. The reader is rewound. lp_csv_order_done in
 * any case.
 */
int lp_csv_order_init(struct lp_csv_order *order, struct lp_csv_reader *reader,
		      struct lp_error *err);
void lp_csv_order_done(struct lp_csv_order *order);

#endif
