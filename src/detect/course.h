/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Courses: how far a component is from its peers in a quantity, point by point.
 * Blocks and windows say that it differs; a course says since when.
 */
#ifndef LP_DETECT_COURSE_H
#define LP_DETECT_COURSE_H

#include "detect/quantity.h"

struct lp_course;

/*
 * Of a quantity of n components, the first of which is followed, by rows of
 * these metrics, so many points at a time. All of it outlives the course. NULL:
 * out of memory.
 */
struct lp_course *lp_course_new(size_t n, const struct lp_metric *quantity,
				const struct lp_metric *const *metrics,
				size_t n_metrics, double step_s, size_t points);
void lp_course_free(struct lp_course *course);

/* A point: rows[metric][component], NaN where missing. */
void lp_course_take(struct lp_course *course, const double *const *rows);

/*
 * The residual of the points since the last call, in the unit of the effects of
 * which the quantity is accused; of loss the share of bytes. NaN: it did
 * nothing then, or fewer than two peers did.
 */
double lp_course_end(struct lp_course *course);

#endif
