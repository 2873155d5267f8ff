/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream together with the descriptor that its bytes come from, and with
 * what was lost before it began.
 */
#ifndef LP_TABLE_HELD_H
#define LP_TABLE_HELD_H

#include "source/source.h"

/*
 * The stream now owns `inner` and fd (-1: none), which are closed even at
 * -ENOMEM. lost is copied; "": nothing.
 */
int lp_held_open(struct lp_stream *inner, int fd, const char *lost,
		 struct lp_stream **stream, struct lp_error *err);

#endif
