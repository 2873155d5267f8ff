/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that open, close and copy descriptors.
 */
#include "preload.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* What programs built with _FORTIFY_SOURCE call instead. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);

/* The mode is there only if a file may be made. */
#define MODE(flags)                                                            \
	mode_t mode = 0;                                                       \
	if ((flags) & (O_CREAT | __O_TMPFILE)) {                               \
		va_list arguments;                                             \
                                                                               \
		va_start(arguments, flags);                                    \
		mode = va_arg(arguments, mode_t);                              \
		va_end(arguments);                                             \
	}

#define OPEN(name)                                                             \
	EXPORT int name(const char *path, int flags, ...)                      \
	{                                                                      \
		uint64_t start;                                                \
		int fd;                                                        \
                                                                               \
		MODE(flags)                                                    \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(path, flags, mode);                        \
		start = lp_now();                                              \
		fd = real(path, flags, mode);                                  \
		lp_end_open(start, fd, path, flags);                           \
		return fd;                                                     \
	}

OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                           \
	EXPORT int name(int directory, const char *path, int flags, ...)       \
	{                                                                      \
		uint64_t start;                                                \
		int fd;                                                        \
                                                                               \
		MODE(flags)                                                    \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(directory, path, flags, mode);             \
		start = lp_now();                                              \
		fd = real(directory, path, flags, mode);                       \
		lp_end_open(start, fd, path, flags);                           \
		return fd;                                                     \
	}

OPENAT(openat)
OPENAT(openat64)

#define OPEN_2(name)                                                           \
	EXPORT int name(const char *path, int flags)                           \
	{                                                                      \
		uint64_t start;                                                \
		int fd;                                                        \
                                                                               \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(path, flags);                              \
		start = lp_now();                                              \
		fd = real(path, flags);                                        \
		lp_end_open(start, fd, path, flags);                           \
		return fd;                                                     \
	}

OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                         \
	EXPORT int name(int directory, const char *path, int flags)            \
	{                                                                      \
		uint64_t start;                                                \
		int fd;                                                        \
                                                                               \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(directory, path, flags);                   \
		start = lp_now();                                              \
		fd = real(directory, path, flags);                             \
		lp_end_open(start, fd, path, flags);                           \
		return fd;                                                     \
	}

OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define CREAT(name)                                                            \
	EXPORT int name(const char *path, mode_t mode)                         \
	{                                                                      \
		uint64_t start;                                                \
		int fd;                                                        \
                                                                               \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(path, mode);                               \
		start = lp_now();                                              \
		fd = real(path, mode);                                         \
		lp_end_open(start, fd, path, 0);                               \
		return fd;                                                     \
	}

CREAT(creat)
CREAT(creat64)

/* Forgotten before: once closed, another thread may get the number. */
EXPORT int close(int fd)
{
	struct lp_call call;
	int r;

	REAL(close);
	if (!lp_begin_close(&call, fd))
		return real(fd);
	r = real(fd);
	lp_end_at(&call, LP_IO_CLOSE, LP_IO_NO_OFFSET, 0, r);
	return r;
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	REAL(close_range);
	lp_entries_forget(first, last);
	return real(first, last, flags);
}

EXPORT void closefrom(int first)
{
	REAL(closefrom);
	lp_entries_forget(first < 0 ? 0 : (unsigned)first, LP_FDS - 1);
	real(first);
}

EXPORT int dup(int fd)
{
	int r;

	REAL(dup);
	r = real(fd);
	if (r >= 0 && lp_on())
		lp_traced_copied(fd, r);
	return r;
}

EXPORT int dup2(int from, int to)
{
	int r;

	REAL(dup2);
	if (from != to)
		lp_traced_forget(to);
	r = real(from, to);
	if (r >= 0 && lp_on())
		lp_traced_copied(from, to);
	return r;
}

EXPORT int dup3(int from, int to, int flags)
{
	int r;

	REAL(dup3);
	lp_traced_forget(to);
	r = real(from, to, flags);
	if (r >= 0 && lp_on())
		lp_traced_copied(from, to);
	return r;
}

/* All its arguments fit a long, or there is none. */
#define FCNTL(name)                                                            \
	EXPORT int name(int fd, int command, ...)                              \
	{                                                                      \
		va_list arguments;                                             \
		long argument;                                                 \
		int r;                                                         \
                                                                               \
		va_start(arguments, command);                                  \
		argument = va_arg(arguments, long);                            \
		va_end(arguments);                                             \
		REAL(name);                                                    \
		r = real(fd, command, argument);                               \
		if (r < 0 || !lp_on())                                         \
			return r;                                              \
		if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)          \
			lp_traced_copied(fd, r);                               \
		else if (command == F_SETFL)                                   \
			lp_traced_copied(fd, fd);                              \
		return r;                                                      \
	}

FCNTL(fcntl)
FCNTL(fcntl64)
