/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream without what is outside of a time. Archives give whole blocks, of
 * which commands that copy or count need the rows that were asked for.
 */
#ifndef LP_CMD_TRIM_H
#define LP_CMD_TRIM_H

#include "model/stream.h"

/*
 * Put it in front of *stream, which it then owns; nothing is done where all
 * times are wanted. Inventories, events and counts pass. On failure *stream is
 * closed.
 */
int lp_trim(struct lp_stream **stream, int64_t since_ns, int64_t until_ns,
	    struct lp_error *err);

#endif
