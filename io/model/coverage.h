/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a program's I/O its trace holds, against what the kernel counted.
 *
 *     /proc/PID/io         rchar, wchar: every call that reads or writes, also
 *                          on pipes; not splice, io_uring, aio, mapped memory
 *       - operations       that were timed
 *       - passed           timed calls on what is no file
 *       - refill           what stdio reads ahead
 *       = unseen           calls around the C library, static programs ...
 *
 * What rchar and wchar do not hold is added: bytes that were handed to aio and
 * files that were mapped, and what reached the storage by none of all these.
 */
#ifndef LP_IO_MODEL_COVERAGE_H
#define LP_IO_MODEL_COVERAGE_H

#include "io/model/operation.h"

struct lp_io_coverage {
	bool known; /* the kernel's counts are; maps are noticed without them */
	uint64_t timed;  /* bytes read and written by the operations */
	uint64_t unseen; /* by calls that are not timed */
	uint64_t aio;    /* handed to io_submit */
	uint64_t mapped; /* of files that were mapped: at most */
	uint64_t stored; /* written to storage by none of these */
	uint32_t rings;  /* of io_uring: its bytes nobody counts */
};

/* 0 or -ENOMEM. */
int lp_io_cover(struct lp_io_coverage *coverage,
		const struct lp_io_trace *trace);

/* All that was not timed, and that and what was. */
uint64_t lp_io_untimed(const struct lp_io_coverage *coverage);
/* Whether most was not timed, or nobody knows how much. */
bool lp_io_is_unseen(const struct lp_io_coverage *coverage);

#endif
