/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a campaign's runs are kept:
 *
 *     DIR/campaign.conf                  the file they were made from
 *     DIR/1-07-ddw-disk-busy-2-s3/       a finished run
 *     DIR/.1-08-ddr-none/                one that is being made
 *     DIR/failed/1-08-ddr-none.1/        one that failed, with reason.txt
 *
 * A run appears when it is whole, so that an interrupted campaign goes on
 * where it was.
 */
#ifndef LAB_CAMPAIGN_RUNS_H
#define LAB_CAMPAIGN_RUNS_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>

/*
 * Make DIR if it is missing, and keep the campaign's text there. -EEXIST if it
 * holds runs of another campaign; the path is for messages.
 */
int lab_runs_open(const char *dir, const char *campaign_path, const char *text,
		  struct lp_error *err);

bool lab_runs_has(const char *dir, const char *name);

/* An empty directory for a run that begins; its path in `path`. */
int lab_runs_begin(const char *dir, const char *name, char path[PATH_MAX],
		   struct lp_error *err);
/* The run is whole. */
int lab_runs_commit(const char *dir, const char *name, struct lp_error *err);
/* The run failed: keep what there is of it, and why. */
int lab_runs_put_aside(const char *dir, const char *name, const char *reason,
		       struct lp_error *err);
/* Forget what was begun. */
void lab_runs_drop(const char *dir, const char *name);

/* How often this run failed so far. */
unsigned lab_runs_failures(const char *dir, const char *name);

/* Remove a file or a directory with all that is in it. 0 or -errno. */
int lab_runs_remove(const char *path);

#endif
