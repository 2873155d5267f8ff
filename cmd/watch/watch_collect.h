/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a case to a board.
 */
#ifndef LP_CMD_WATCH_COLLECT_H
#define LP_CMD_WATCH_COLLECT_H

#include "watch_recall.h"

#include "case/case.h"

struct lp_watch_sources {
	const struct lp_case *open;         /* NULL: nothing came so far */
	const struct lp_findings *findings; /* NULL: no verdict yet */
	const struct lp_recall *recall;
	int64_t horizon_ns; /* of the case */
};

/*
 * Tables, verdict and suspects; the other fields of the board are the caller's.
 * What it held before is gone; all texts are its own. 0 or -ENOMEM.
 */
int lp_board_collect(struct lp_board *board,
		     const struct lp_watch_sources *from);

#endif
