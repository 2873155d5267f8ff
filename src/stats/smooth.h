/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving averages of many series at once: trailing, over the samples present
 * among the last `width`, NaN when fewer than half of them are. What is
 * infinite is missing, as is a mean too large for a double.
 *
 * Each mean is summed anew. A running sum would be cheaper, but what a large
 * sample leaves behind in it by rounding makes an idle series look busy.
 */
#ifndef LP_STATS_SMOOTH_H
#define LP_STATS_SMOOTH_H

#include <stddef.h>

struct lp_smooth;

/* n series; before the first row everything is missing. NULL: no memory. */
struct lp_smooth *lp_smooth_new(size_t n, size_t width);
/* Take the next row of n values and give the row of n means. */
void lp_smooth_push(struct lp_smooth *smooth, const double *row, double *means);
void lp_smooth_free(struct lp_smooth *smooth);

/*
 * The same of one series that lies in memory point by point: means[i] is of
 * x[i] to x[i + width - 1], for n of them.
 */
void lp_smooth_series(const double *x, size_t width, double *means, size_t n);

#endif
