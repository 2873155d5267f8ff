/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One I/O operation of a program, as limpid's benchmark, its preload library
 * or another tool timed it, and the trace that holds many of them. Everything
 * in iomodel/ reads this and knows no file format.
 */
#ifndef LP_IOMODEL_OPERATION_H
#define LP_IOMODEL_OPERATION_H

#include <stddef.h>
#include <stdint.h>

/* The numbers stand in trace files: only ever append. */
enum lp_io_kind {
	LP_IO_READ = 0,
	LP_IO_WRITE = 1,
	LP_IO_OPEN = 2,
	LP_IO_CLOSE = 3,
	LP_IO_SEEK = 4,
	LP_IO_SYNC = 5,
	LP_IO_MAP = 6,
	/* stdio calls: timed at the call, never classified. */
	LP_IO_BUFFERED_READ = 7,
	LP_IO_BUFFERED_WRITE = 8,
	LP_IO_KINDS
};

#define LP_IO_NO_OFFSET (-1) /* a pipe, a socket, an unknown position */

struct lp_io_operation {
	int64_t start_ns;    /* since the trace's own start */
	int64_t duration_ns; /* of the call alone */
	int64_t offset;      /* in bytes, or LP_IO_NO_OFFSET */
	int64_t size;        /* bytes asked for */
	int64_t result;      /* bytes done, or -errno */
	uint32_t file;       /* index into the trace's files */
	uint32_t task;       /* index into the trace's tasks */
	uint8_t kind;        /* enum lp_io_kind */
};

struct lp_io_file {
	const char *path; /* as the program named it, made absolute */
};

struct lp_io_task {
	int64_t process, thread; /* as the system numbered them */
};

/* Everything a trace holds; operations in the order of their start. */
struct lp_io_trace {
	const char *host;
	const char *command; /* the program and its arguments, or "" */
	int64_t start_ns;    /* since the epoch */
	int64_t clock_ns;    /* what reading the clock twice costs by itself */
	struct lp_io_file *file;
	size_t n_files;
	struct lp_io_task *task;
	size_t n_tasks;
	struct lp_io_operation *operation;
	size_t n_operations;
	uint64_t n_lost;   /* operations that were not kept: no room */
	int64_t record_ns; /* what recording one operation cost; 0: unknown */
	/* Pieces of the file that could not be read, and where the first is. */
	uint64_t n_damaged, damage_offset;
	const char *damage; /* what was wrong there, or NULL */
};

#endif
