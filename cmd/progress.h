/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a long command is, in one line on a terminal:
 *
 *     importing  [#########-----------]  45 %  1.2 M samples/s  3 s left
 *
 * Never in a pipe or a file. It appears after half a second, so that quick
 * work shows nothing.
 */
#ifndef LP_CMD_PROGRESS_H
#define LP_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_progress {
	const char *title;
	const char *unit; /* of the count: "samples" */
	bool on, shown;
	int64_t start_ns, last_ns;
};

/* title and unit must stay. */
void lp_progress_begin(struct lp_progress *progress, const char *title,
		       const char *unit);
/* part is 0 to 1, or below 0 when it is not known. Call as often as you like.
 */
void lp_progress_update(struct lp_progress *progress, double part,
			uint64_t count);
/* Clear the line. */
void lp_progress_end(struct lp_progress *progress);

#endif
