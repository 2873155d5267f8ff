/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tape: rows of many series as they come, one value each, and windows of
 * their moving averages by series, as they are compared.
 *
 * The averages are those of stats/smooth.h to the last bit: trailing, over the
 * samples present among the last `smooth`, summed anew from the oldest on, NaN
 * when fewer than half are present. They are made only when a window is asked
 * for, many rows at once, where a series' samples lie together in memory.
 */
#ifndef LP_DETECT_TAPE_H
#define LP_DETECT_TAPE_H

#include <stddef.h>

struct lp_tape;

/*
 * n series, before whose first row everything is missing; windows that are
 * usually `shift` rows apart. NULL: no memory.
 */
struct lp_tape *lp_tape_new(size_t n, size_t smooth, size_t window,
			    size_t shift);
void lp_tape_free(struct lp_tape *tape);

/* Take the next row of n values; NULL: all of them are missing. */
void lp_tape_push(struct lp_tape *tape, const double *row);

/*
 * The averages at the last `window` rows, [n][window], the oldest first. Valid
 * until the next push.
 */
const double *lp_tape_window(struct lp_tape *tape);

#endif
