/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings as if they were being recorded now: their samples are written
 * into archives of a directory, host by host, at the pace of a clock that runs
 * `speed` times as fast and begins with the first of them.
 */
#ifndef LP_SERVE_REPLAY_H
#define LP_SERVE_REPLAY_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct lp_replay;

/*
 * from: a directory with recordings, or a file; to: an empty directory, which
 * is made. 0 or -errno.
 */
int lp_replay_open(const char *from, const char *to, double speed,
		   struct lp_replay **replay, struct lp_error *err);
/* Accepts NULL. */
void lp_replay_close(struct lp_replay *replay);

/* What its clock shows. */
int64_t lp_replay_now(const struct lp_replay *replay);
/* Write what was recorded until now. *over: that was all. */
int lp_replay_step(struct lp_replay *replay, int64_t now_ns, bool *over,
		   struct lp_error *err);

#endif
