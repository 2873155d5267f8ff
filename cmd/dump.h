/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every window of every component as CSV, for other programs:
 *
 *     metric,window_end,component,distance_to_median_peer,share_over,
 *     threshold,flag,indicted
 */
#ifndef LP_CMD_DUMP_H
#define LP_CMD_DUMP_H

#include "base/outfile.h"
#include "diagnose/diagnose.h"

extern const struct lp_outkind lp_outkind_dump;

struct lp_dump {
	struct lp_outfile file;
};

int lp_dump_open(struct lp_dump *dump, const char *path, struct lp_error *err);
/* An lp_diagnose_dump. */
int lp_dump_window(void *dump, const struct lp_unit *unit,
		   const struct lp_judged *judged);
int lp_dump_commit(struct lp_dump *dump, struct lp_error *err);
void lp_dump_abandon(struct lp_dump *dump);

#endif
