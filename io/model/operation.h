/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One I/O operation of a program, as limpid's benchmark, its preload library
 * or another tool timed it, and the trace that holds many of them. Everything
 * in io/model/ reads this and knows no file format.
 */
#ifndef LP_IO_MODEL_OPERATION_H
#define LP_IO_MODEL_OPERATION_H

#include <stdbool.h>
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
	/* From one file to another, in the kernel: copy_file_range, sendfile.
	 */
	LP_IO_COPY = 9,
	/* Between a file and a pipe. */
	LP_IO_SPLICE = 10,
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

/*
 * What is known of I/O that was not timed: the kernel's own counts of all that
 * the program and the children it waited for read and wrote, /proc/PID/io, and
 * what the preload library noticed.
 */
struct lp_io_account {
	bool known; /* else all is 0 */
	/* By calls, of files, pipes and all else; by pages of storage. */
	uint64_t rchar, wchar, read_bytes, write_bytes;
	/* By calls that are timed, but not of files. */
	uint64_t passed_read, passed_written;
	uint64_t refill;    /* that stdio may have read beyond what was asked */
	uint64_t aio_bytes; /* handed to io_submit */
	uint64_t trace_bytes; /* that the trace itself may have occupied */
	uint32_t rings;       /* of io_uring, open when processes ended */
};

/* Everything a trace holds; operations in the order of their start. */
struct lp_io_trace {
	const char *host;
	const char *command; /* the program and its arguments, or "" */
	int64_t start_ns;    /* since the epoch */
	int64_t clock_ns;    /* what reading the clock twice costs by itself;
				0: not known */
	/*
	 * Starts and ends are multiples of it: a duration that is given as d is
	 * between d - resolution_ns and d + resolution_ns. 0: they are in ns.
	 */
	int64_t resolution_ns;
	struct lp_io_file *file;
	size_t n_files;
	struct lp_io_task *task;
	size_t n_tasks;
	struct lp_io_operation *operation;
	size_t n_operations;
	uint64_t n_lost;   /* operations that were not kept: no room */
	int64_t record_ns; /* what recording one operation cost; 0: unknown */
	struct lp_io_account account;
	/* MPI-IO calls of Darshan, which end in operations that are here. */
	uint64_t n_left_out;
	/* Pieces of the file that could not be read, and where the first is. */
	uint64_t n_damaged, damage_offset;
	const char *damage; /* what was wrong there, or NULL */
};

#endif
