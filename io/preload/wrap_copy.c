/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that move bytes inside the kernel, from one descriptor to another. They
 * are listed under the file that is written, if that is one, else under the one
 * that is read.
 */
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* One end of a copy; offset NULL: at the file's position. */
struct end {
	struct lp_call call;
	bool traced;
	bool moves;
	int64_t offset;
};

static void begin_end(struct end *end, int fd, const int64_t *offset)
{
	end->traced = lp_begin(&end->call, fd);
	end->moves = !offset;
	end->offset = offset ? *offset : LP_IO_NO_OFFSET;
}

struct copy {
	struct end from, to;
	struct lp_call call;
};

static bool begin_copy(struct copy *copy, int from, const int64_t *from_offset,
		       int to, const int64_t *to_offset)
{
	begin_end(&copy->from, from, from_offset);
	begin_end(&copy->to, to, to_offset);
	if (!copy->from.traced && !copy->to.traced)
		return false;
	copy->call = copy->to.traced ? copy->to.call : copy->from.call;
	copy->call.start = lp_now();
	return true;
}

static void end_copy(const struct copy *copy, uint8_t kind, size_t n,
		     int64_t result)
{
	const struct end *end = copy->to.traced ? &copy->to : &copy->from;

	if (end->moves)
		lp_end_here(&copy->call, kind, n, result);
	else
		lp_end_at(&copy->call, kind, end->offset, n, result);
	if (copy->to.traced && copy->from.traced && copy->from.moves)
		lp_moved(&copy->from.call, result);
}

/* Both ends are none that is traced. */
static ssize_t pass_both(ssize_t result)
{
	lp_passed(false, result);
	return (ssize_t)lp_passed(true, result);
}

EXPORT ssize_t copy_file_range(int from, off64_t *from_offset, int to,
			       off64_t *to_offset, size_t n, unsigned flags)
{
	struct copy copy;
	ssize_t r;

	REAL(copy_file_range);
	if (!begin_copy(&copy, from, from_offset, to, to_offset))
		return pass_both(
			real(from, from_offset, to, to_offset, n, flags));
	r = real(from, from_offset, to, to_offset, n, flags);
	end_copy(&copy, LP_IO_COPY, n, r);
	return r;
}

#define SENDFILE(name, offset_type)                                            \
	EXPORT ssize_t name(int to, int from, offset_type *offset, size_t n)   \
	{                                                                      \
		struct copy copy;                                              \
		ssize_t r;                                                     \
                                                                               \
		REAL(name);                                                    \
		if (!begin_copy(&copy, from, offset, to, NULL))                \
			return pass_both(real(to, from, offset, n));           \
		r = real(to, from, offset, n);                                 \
		end_copy(&copy, LP_IO_COPY, n, r);                             \
		return r;                                                      \
	}

SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

/* One end is a pipe. The kernel does not count these bytes. */
EXPORT ssize_t splice(int from, off64_t *from_offset, int to,
		      off64_t *to_offset, size_t n, unsigned flags)
{
	struct copy copy;
	ssize_t r;

	REAL(splice);
	if (!begin_copy(&copy, from, from_offset, to, to_offset))
		return real(from, from_offset, to, to_offset, n, flags);
	r = real(from, from_offset, to, to_offset, n, flags);
	end_copy(&copy, LP_IO_SPLICE, n, r);
	return r;
}

/* ---- aio, which goes on behind the program's back: only counted ---- */

int io_submit(aio_context_t context, long n, struct iocb **all);

static uint64_t bytes_of(const struct iocb *one)
{
	const struct iovec *vector =
		(const struct iovec *)(uintptr_t)one->aio_buf;
	uint64_t bytes = 0;

	switch (one->aio_lio_opcode) {
	case IOCB_CMD_PREAD:
	case IOCB_CMD_PWRITE:
		return one->aio_nbytes;
	case IOCB_CMD_PREADV:
	case IOCB_CMD_PWRITEV:
		for (uint64_t i = 0; i < one->aio_nbytes; i++)
			bytes += vector[i].iov_len;
		return bytes;
	default:
		return 0;
	}
}

static uint64_t bytes_of_all(struct iocb **all, long from, long n)
{
	uint64_t bytes = 0;

	for (long i = from; i < n; i++)
		bytes += bytes_of(all[i]);
	return bytes;
}

/*
 * libaio's: it returns an error, not errno. What it has taken may be done and
 * freed by another thread before it returns: only before can one look at it.
 */
EXPORT int io_submit(aio_context_t context, long n, struct iocb **all)
{
	uint64_t bytes = lp_on() ? bytes_of_all(all, 0, n) : 0;
	int r;

	REAL(io_submit);
	if (real) {
		r = real(context, n, all);
	} else {
		long result = syscall(SYS_io_submit, context, n, all);

		r = result < 0 ? -errno : (int)result;
	}
	if (bytes > 0 && r > 0)
		__atomic_fetch_add(&lp_sink.header->aio_bytes,
				   bytes - bytes_of_all(all, r, n),
				   __ATOMIC_RELAXED);
	return r;
}
