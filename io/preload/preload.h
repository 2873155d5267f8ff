/* SPDX-License-Identifier: Apache-2.0 */
/*
 * liblimpid-io.so: loaded in front of the C library by `limpid io run`, it
 * times a program's I/O calls and writes them to a trace.
 *
 *     wrap_*.c     a function for each call: read the clock, call the real one,
 *         |        read the clock, record; leave.c looks for what no call shows
 *         v
 *     files.c      descriptors: which file, where in it
 *         |
 *         v
 *     sink.c       this thread's block of the trace, which is mapped memory
 *                  shared with the file: what is written there outlives the
 *                  program, however it dies
 *
 * It needs nothing but the C library and never changes what the program sees:
 * results, errno, the order of calls, the numbers of descriptors. It allocates
 * nothing and takes no lock. Because it has no caller of its own that could
 * hand it a pointer, its state is global, unlike anywhere else in limpid.
 */
#ifndef LP_PRELOAD_H
#define LP_PRELOAD_H

#include "io/model/trace_clock.h"
#include "io/model/trace_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* The sink. */

struct lp_sink {
	uint8_t *map; /* the trace, shared with the file; NULL: off */
	struct lp_io_header *header;
	size_t bytes; /* of the map */
	uint32_t clock;
	_Atomic bool on;
	_Atomic bool full; /* whoever needs a block gets none any more */
	/* A page that is zero in a forked child: 1 where it was set. */
	volatile uint32_t *alive;
	_Atomic uint32_t generation; /* counts forks: blocks are the parent's */
	long sandbox; /* how system calls were filtered at the begin */
	char path[4096];
};
extern struct lp_sink lp_sink;

static inline bool lp_on(void)
{
	return atomic_load_explicit(&lp_sink.on, memory_order_relaxed);
}

static inline uint64_t lp_now(void)
{
	return lp_io_clock_read(lp_sink.clock);
}

/* Append one operation; start and stop are readings of the clock. */
void lp_record(struct lp_io_operation *op, uint64_t start, uint64_t stop);
/* Make a file known to the trace: its number, or 0. */
uint32_t lp_sink_name(const char *path, size_t length);
/* A call that could not be recorded. */
void lp_sink_lose(void);
void lp_sink_open(void);

/* Descriptors. */

#define LP_FDS 65536
#define LP_FILE_UNKNOWN 0u
#define LP_FILE_IGNORED UINT32_MAX /* a pipe, a terminal, /proc ... */
/* Opened by a name, but nobody has looked yet whether it is a file at all. */
#define LP_FILE_UNCHECKED 0x80000000u

enum { LP_ASK_NOBODY, LP_ASK_ALWAYS, LP_ASK_TWIN };

struct lp_traced {
	_Atomic uint32_t file;
	/*
	 * Whether others move the position, too: LP_ASK_NOBODY, LP_ASK_ALWAYS,
	 * or LP_ASK_TWIN and the only other descriptor of the same open file.
	 */
	_Atomic uint32_t ask;
	_Atomic int64_t position;
};

/* The entry of a descriptor that is to be traced, or NULL. */
struct lp_traced *lp_traced(int fd);
/* It was just opened as path (NULL: not known), by these flags of open. */
void lp_traced_opened(int fd, const char *path, int flags);
/* As if it were open, to see what recording costs. */
void lp_traced_invent(int fd);
/* Another number for the same open file. */
void lp_traced_copied(int from, int to);
/* It is going to be closed. */
void lp_traced_forget(int fd);
void lp_entries_forget(unsigned first, unsigned last);
/* After a fork two processes move the positions. */
void lp_entries_shared(void);

/*
 * A call that is being timed.
 *
 *     if (!lp_begin(&call, fd))
 *             return real(fd, ...);
 *     r = real(fd, ...);
 *     lp_end_here(&call, LP_IO_READ, n, r);
 *
 * The clock is read last in lp_begin and first in lp_end; errno is kept.
 */
struct lp_call {
	struct lp_traced *entry;
	uint64_t start;
	uint32_t file;
	int fd;
};

bool lp_begin(struct lp_call *call, int fd);
/* The same for a call that closes it: nothing is asked, and it is forgotten. */
bool lp_begin_close(struct lp_call *call, int fd);
/* At the given offset, or LP_IO_NO_OFFSET. */
void lp_end_at(const struct lp_call *call, uint8_t kind, int64_t offset,
	       uint64_t size, int64_t result);
/* At the file's position, which moves by the result. */
void lp_end_here(const struct lp_call *call, uint8_t kind, uint64_t size,
		 int64_t result);

/* At the file's position, which moved by the result, too: a copy's other end.
 */
void lp_moved(const struct lp_call *call, int64_t result);

/*
 * A call on what is not traced, a pipe or a terminal, has moved bytes. The
 * kernel counts them with all others, so they are counted here.
 */
static inline int64_t lp_passed(bool written, int64_t result)
{
	struct lp_io_header *header = lp_sink.header;

	if (result > 0 && lp_on() && !lp_sink.full)
		__atomic_fetch_add(written ? &header->passed_written
					   : &header->passed_read,
				   (uint64_t)result, __ATOMIC_RELAXED);
	return result;
}

/* stdio may read this much of the descriptor's file beyond what is asked. */
void lp_refill(int fd);
/* The process ends: look for what was not seen. */
void lp_leave(void);
/* As prctl(PR_GET_SECCOMP) says. */
long lp_sandbox(void);

/* An open call: returned fd at `stop`. */
void lp_end_open(uint64_t start, int fd, const char *path, int flags);

/* The C library's function of that name; for the head of a wrapper. */
void *lp_real(const char *name);
#define REAL(name)                                                             \
	static __typeof__(&name) real;                                         \
	if (__builtin_expect(!real, 0))                                        \
	real = (__typeof__(&name))lp_real(#name)

#endif
