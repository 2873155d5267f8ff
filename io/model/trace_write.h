/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces as they are written: by the benchmark in one go, by programs through
 * the preload library into a file that grows.
 */
#ifndef LP_IO_MODEL_TRACE_WRITE_H
#define LP_IO_MODEL_TRACE_WRITE_H

#include "base/outfile.h"
#include "io/model/trace_format.h"

#include <stdio.h>

extern const struct lp_outkind lp_outkind_io_trace;

/*
 * What one thread recorded, in memory. put() never writes to a file, and
 * allocates only when a reserve() before was too small.
 */
struct lp_io_tape {
	struct lp_io_state state;
	int64_t process, thread;
	uint8_t **block; /* each begins with its struct lp_io_block */
	size_t n_blocks, block_capacity, next_block;
	uint8_t *at, *end; /* in the block that is being filled */
	uint64_t lost;
};

void lp_io_tape_init(struct lp_io_tape *tape, int64_t process, int64_t thread);
/* Have room for about so many operations, its pages touched. 0, -ENOMEM. */
int lp_io_tape_reserve(struct lp_io_tape *tape, uint64_t operations);
void lp_io_tape_name(struct lp_io_tape *tape, uint32_t file, const char *path);
void lp_io_tape_put(struct lp_io_tape *tape, const struct lp_io_operation *op);
void lp_io_tape_done(struct lp_io_tape *tape);

/*
 * The file's header as it will stand there: fills all but what
 * lp_io_clock_choose does. host and command may be cut off.
 */
#define LP_IO_HEADER_MAX LP_IO_TRACE_PAGE
size_t lp_io_header_bytes(struct lp_io_header *header, const char *host,
			  const char *command, uint8_t bytes[LP_IO_HEADER_MAX]);

/* The header of a finished trace of this host; then the blocks of tapes. */
void lp_io_header_write(struct lp_io_header *header, const char *command,
			FILE *out);
void lp_io_tape_write(const struct lp_io_tape *tape, FILE *out);

/* A finished trace at path, of the tapes; the header has its clock. */
int lp_io_trace_write(const char *path, struct lp_io_header *header,
		      const char *host, const char *command,
		      struct lp_io_tape *const *tapes, size_t n,
		      struct lp_error *err);

/*
 * Make the file that programs with the preload library write to: at most
 * `limit` bytes. The header gets its clock here.
 */
int lp_io_trace_create(const char *path, const char *command, uint64_t limit,
		       struct lp_error *err);

#endif
