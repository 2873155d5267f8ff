/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace for a command: read, and what is wrong with it said.
 */
#ifndef LP_CMD_IO_LOAD_H
#define LP_CMD_IO_LOAD_H

#include "base/option.h"
#include "io/model/trace.h"

/*
 * lp_io_trace_read(), and a line each on standard error about pieces that are
 * damaged and operations that were not kept.
 */
int lp_io_load(const struct lp_usage *usage, const char *path,
	       struct lp_io_trace **trace, struct lp_error *err);

#endif
