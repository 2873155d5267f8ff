/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every window of every component as CSV, for other programs:
 *
 *     metric,window_end,component,distance_to_median_peer,share_over,
 *     threshold,flag,indicted
 *
 * Of a joint detector, every score at the end of every block, and the sums of
 * that block (kind "sum") that scores are made of:
 *
 *     time,group,component,quantity,kind,blocks,sum,z,limit,spread,prior,
 *     between,within,before,effect,gate,accused
 */
#ifndef LP_CMD_DUMP_H
#define LP_CMD_DUMP_H

#include "base/outfile.h"
#include "diagnose/diagnose.h"

extern const struct lp_outkind lp_outkind_dump;

struct lp_dump {
	struct lp_outfile file;
};

/*
 * Whether these methods (NULL: the usual ones) can be in one file. 0 or
 * -EINVAL.
 */
int lp_dump_check(const struct lp_detector *const *methods,
		  struct lp_error *err);
/* The options then dump into it. */
int lp_dump_open(struct lp_dump *dump, const char *path,
		 struct lp_diagnose_options *options, struct lp_error *err);
/* An lp_diagnose_dump, and an lp_diagnose_blocks. */
int lp_dump_window(void *dump, const struct lp_unit *unit,
		   const struct lp_judged *judged);
int lp_dump_block(void *dump, const struct lp_joint_block *block);
int lp_dump_commit(struct lp_dump *dump, struct lp_error *err);
void lp_dump_abandon(struct lp_dump *dump);

#endif
