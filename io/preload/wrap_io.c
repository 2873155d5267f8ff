/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that read, write, seek, synchronise and map.
 */
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* What programs built with _FORTIFY_SOURCE call instead. */
ssize_t __read_chk(int fd, void *buffer, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t offset,
		      size_t room);

void *lp_real(const char *name)
{
	int code = errno;
	void *function = dlsym(RTLD_NEXT, name);

	errno = code;
	return function;
}

__attribute__((constructor(101))) static void begin(void)
{
	lp_sink_open();
}

EXPORT ssize_t read(int fd, void *buffer, size_t n)
{
	struct lp_call call;
	ssize_t r;

	REAL(read);
	if (!lp_begin(&call, fd))
		return lp_passed(false, real(fd, buffer, n));
	r = real(fd, buffer, n);
	lp_end_here(&call, LP_IO_READ, n, r);
	return r;
}

EXPORT ssize_t __read_chk(int fd, void *buffer, size_t n, size_t room)
{
	struct lp_call call;
	ssize_t r;

	REAL(__read_chk);
	if (!lp_begin(&call, fd))
		return lp_passed(false, real(fd, buffer, n, room));
	r = real(fd, buffer, n, room);
	lp_end_here(&call, LP_IO_READ, n, r);
	return r;
}

EXPORT ssize_t write(int fd, const void *buffer, size_t n)
{
	struct lp_call call;
	ssize_t r;

	REAL(write);
	if (!lp_begin(&call, fd))
		return lp_passed(true, real(fd, buffer, n));
	r = real(fd, buffer, n);
	lp_end_here(&call, LP_IO_WRITE, n, r);
	return r;
}

/* The ones with an offset: alike but for name, types and the last part. */
#define AT(name, kind, pointer, offset_type, extra, ...)                       \
	EXPORT ssize_t name(int fd, pointer buffer, size_t n,                  \
			    offset_type offset extra)                          \
	{                                                                      \
		struct lp_call call;                                           \
		ssize_t r;                                                     \
                                                                               \
		REAL(name);                                                    \
		if (!lp_begin(&call, fd))                                      \
			return lp_passed(                                      \
				kind == LP_IO_WRITE,                           \
				real(fd, buffer, n, offset __VA_ARGS__));      \
		r = real(fd, buffer, n, offset __VA_ARGS__);                   \
		lp_end_at(&call, kind, offset, n, r);                          \
		return r;                                                      \
	}
#define COMMA ,

AT(pread, LP_IO_READ, void *, off_t, )
AT(pread64, LP_IO_READ, void *, off64_t, )
AT(__pread_chk, LP_IO_READ, void *, off_t, COMMA size_t room, COMMA room)
AT(__pread64_chk, LP_IO_READ, void *, off64_t, COMMA size_t room, COMMA room)
AT(pwrite, LP_IO_WRITE, const void *, off_t, )
AT(pwrite64, LP_IO_WRITE, const void *, off64_t, )

/* Vectors. */

static uint64_t sum(const struct iovec *vector, int n)
{
	uint64_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += vector[i].iov_len;
	return bytes;
}

EXPORT ssize_t readv(int fd, const struct iovec *vector, int n)
{
	struct lp_call call;
	ssize_t r;

	REAL(readv);
	if (!lp_begin(&call, fd))
		return lp_passed(false, real(fd, vector, n));
	r = real(fd, vector, n);
	lp_end_here(&call, LP_IO_READ, r < 0 ? 0 : sum(vector, n), r);
	return r;
}

EXPORT ssize_t writev(int fd, const struct iovec *vector, int n)
{
	struct lp_call call;
	ssize_t r;

	REAL(writev);
	if (!lp_begin(&call, fd))
		return lp_passed(true, real(fd, vector, n));
	r = real(fd, vector, n);
	lp_end_here(&call, LP_IO_WRITE, r < 0 ? 0 : sum(vector, n), r);
	return r;
}

#define VECTOR_AT(name, kind, offset_type)                                     \
	EXPORT ssize_t name(int fd, const struct iovec *vector, int n,         \
			    offset_type offset)                                \
	{                                                                      \
		struct lp_call call;                                           \
		ssize_t r;                                                     \
                                                                               \
		REAL(name);                                                    \
		if (!lp_begin(&call, fd))                                      \
			return lp_passed(kind == LP_IO_WRITE,                  \
					 real(fd, vector, n, offset));         \
		r = real(fd, vector, n, offset);                               \
		lp_end_at(&call, kind, offset, r < 0 ? 0 : sum(vector, n), r); \
		return r;                                                      \
	}

VECTOR_AT(preadv, LP_IO_READ, off_t)
VECTOR_AT(preadv64, LP_IO_READ, off64_t)
VECTOR_AT(pwritev, LP_IO_WRITE, off_t)
VECTOR_AT(pwritev64, LP_IO_WRITE, off64_t)

/* An offset of -1 is the file's position. */
#define VECTOR_AT2(name, kind, offset_type)                                    \
	EXPORT ssize_t name(int fd, const struct iovec *vector, int n,         \
			    offset_type offset, int flags)                     \
	{                                                                      \
		struct lp_call call;                                           \
		uint64_t size;                                                 \
		ssize_t r;                                                     \
                                                                               \
		REAL(name);                                                    \
		if (!lp_begin(&call, fd))                                      \
			return lp_passed(kind == LP_IO_WRITE,                  \
					 real(fd, vector, n, offset, flags));  \
		r = real(fd, vector, n, offset, flags);                        \
		size = r < 0 ? 0 : sum(vector, n);                             \
		if (offset == -1)                                              \
			lp_end_here(&call, kind, size, r);                     \
		else                                                           \
			lp_end_at(&call, kind, offset, size, r);               \
		return r;                                                      \
	}

VECTOR_AT2(preadv2, LP_IO_READ, off_t)
VECTOR_AT2(preadv64v2, LP_IO_READ, off64_t)
VECTOR_AT2(pwritev2, LP_IO_WRITE, off_t)
VECTOR_AT2(pwritev64v2, LP_IO_WRITE, off64_t)

/* Positions. */

#define SEEK(name, offset_type)                                                \
	EXPORT offset_type name(int fd, offset_type offset, int whence)        \
	{                                                                      \
		struct lp_call call;                                           \
		offset_type r;                                                 \
                                                                               \
		REAL(name);                                                    \
		if (!lp_begin(&call, fd))                                      \
			return real(fd, offset, whence);                       \
		r = real(fd, offset, whence);                                  \
		if (r >= 0)                                                    \
			atomic_store(&call.entry->position, r);                \
		lp_end_at(&call, LP_IO_SEEK, r, 0, r < 0 ? r : 0);             \
		return r;                                                      \
	}

SEEK(lseek, off_t)
SEEK(lseek64, off64_t)

/* To the disk. */

#define SYNC(name)                                                             \
	EXPORT int name(int fd)                                                \
	{                                                                      \
		struct lp_call call;                                           \
		int r;                                                         \
                                                                               \
		REAL(name);                                                    \
		if (!lp_begin(&call, fd))                                      \
			return real(fd);                                       \
		r = real(fd);                                                  \
		lp_end_at(&call, LP_IO_SYNC, LP_IO_NO_OFFSET, 0, r);           \
		return r;                                                      \
	}

SYNC(fsync)
SYNC(fdatasync)

/* Maps are noted, what is done with the memory is not seen. An allocator may
 * call before there is a real one, and dlsym may call the allocator. */
static void *map_plainly(void *at, size_t n, int protection, int flags, int fd,
			 off_t offset)
{
	return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}

/* Of a map that is longer than its file, what there is of the file. */
static int64_t in_file(int fd, size_t n, int64_t offset)
{
	struct stat st;
	int code = errno;
	int64_t left = INT64_MAX;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		left = st.st_size > offset ? st.st_size - offset : 0;
	errno = code;
	return (uint64_t)left < n ? left : (int64_t)n;
}

#define MAP(name, offset_type)                                                 \
	EXPORT void *name(void *at, size_t n, int protection, int flags,       \
			  int fd, offset_type offset)                          \
	{                                                                      \
		struct lp_call call;                                           \
		void *r;                                                       \
                                                                               \
		if (!lp_on())                                                  \
			return map_plainly(at, n, protection, flags, fd,       \
					   offset);                            \
		REAL(name);                                                    \
		if ((flags & MAP_ANONYMOUS) || !lp_begin(&call, fd))           \
			return real(at, n, protection, flags, fd, offset);     \
		r = real(at, n, protection, flags, fd, offset);                \
		lp_end_at(&call, LP_IO_MAP, offset, n,                         \
			  r == MAP_FAILED ? -1 : in_file(fd, n, offset));      \
		return r;                                                      \
	}

MAP(mmap, off_t)
MAP(mmap64, off64_t)
