/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the detector said of each component at the ends of the last blocks: it
 * keeps its own past, so that it is asked while it runs.
 */
#ifndef LP_CMD_WATCH_RECALL_H
#define LP_CMD_WATCH_RECALL_H

#include "watch_board.h"

#include "base/names.h"
#include "diagnose/diagnose.h"

struct lp_recall_entry {
	uint8_t marks[LP_BOARD_TRAIL]; /* by number of the block */
	int64_t newest;                /* number of its newest block */
	double nearness;
	struct lp_board_score scores[LP_BOARD_SCORES];
	size_t n_scores;
};

/* Zero-initialise. */
struct lp_recall {
	struct lp_names labels;
	struct lp_recall_entry *entries; /* by number of the label */
	size_t capacity;
	int64_t block_ns; /* 0: there was none so far */
};

/* An lp_diagnose_blocks. */
int lp_recall_block(void *recall, const struct lp_joint_block *block);
/* NULL: nothing was said of it. */
const struct lp_recall_entry *lp_recall_find(const struct lp_recall *recall,
					     const char *label);
/* The marks up to the block that ends at this time, the oldest first. */
void lp_recall_trail(const struct lp_recall *recall,
		     const struct lp_recall_entry *entry, int64_t until_ns,
		     uint8_t trail[LP_BOARD_TRAIL]);
void lp_recall_done(struct lp_recall *recall);

#endif
