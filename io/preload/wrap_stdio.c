/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of stdio. What glibc does inside them (one read for many of these)
 * cannot be seen, so they are a kind of their own that is never judged. Calls
 * for single characters are not timed: they would become several times slower.
 */
/* The library defines what glibc's header would define inline, too. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include "preload.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Macros of glibc. */
#undef fread_unlocked
#undef fwrite_unlocked

/* What programs built with _FORTIFY_SOURCE call instead. */
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t n,
		   FILE *file);
size_t __fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t n,
			    FILE *file);
char *__fgets_chk(char *buffer, size_t room, int n, FILE *file);
char *__fgets_unlocked_chk(char *buffer, size_t room, int n, FILE *file);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
int __printf_chk(int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list arguments);

static bool begin(struct lp_call *call, FILE *file)
{
	return lp_on() && lp_begin(call, fileno_unlocked(file));
}

static void end(const struct lp_call *call, uint8_t kind, size_t size,
		int64_t result)
{
	lp_end_at(call, kind, LP_IO_NO_OFFSET, size, result);
	/* read() on its descriptor must not trust our position. */
	atomic_store_explicit(&call->entry->ask, 1, memory_order_relaxed);
}

static size_t pass(uint8_t kind, size_t size, size_t n)
{
	lp_passed(kind == LP_IO_BUFFERED_WRITE, (int64_t)(size * n));
	return n;
}

static char *pass_line(char *line)
{
	lp_passed(false, line ? (int64_t)strlen(line) : 0);
	return line;
}

#define FOPEN(name)                                                            \
	EXPORT FILE *name(const char *path, const char *how)                   \
	{                                                                      \
		uint64_t start;                                                \
		FILE *file;                                                    \
                                                                               \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(path, how);                                \
		start = lp_now();                                              \
		file = real(path, how);                                        \
		lp_end_open(start, file ? fileno_unlocked(file) : -1, path,    \
			    O_APPEND);                                         \
		if (file)                                                      \
			lp_refill(fileno_unlocked(file));                      \
		return file;                                                   \
	}

FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name)                                                          \
	EXPORT FILE *name(const char *path, const char *how, FILE *old)        \
	{                                                                      \
		uint64_t start;                                                \
		FILE *file;                                                    \
                                                                               \
		REAL(name);                                                    \
		if (!lp_on())                                                  \
			return real(path, how, old);                           \
		lp_traced_forget(fileno_unlocked(old));                        \
		start = lp_now();                                              \
		file = real(path, how, old);                                   \
		lp_end_open(start, file ? fileno_unlocked(file) : -1, path,    \
			    O_APPEND);                                         \
		if (file)                                                      \
			lp_refill(fileno_unlocked(file));                      \
		return file;                                                   \
	}

FREOPEN(freopen)
FREOPEN(freopen64)

/*
 * Seeking empties the buffer, and it is filled again, as a whole, whatever is
 * asked for then. The calls themselves are not timed.
 */
#define FSEEK(name, offset_type)                                               \
	EXPORT int name(FILE *file, offset_type offset, int whence)            \
	{                                                                      \
		REAL(name);                                                    \
		lp_refill(fileno_unlocked(file));                              \
		return real(file, offset, whence);                             \
	}

FSEEK(fseek, long)
FSEEK(fseeko, off_t)
FSEEK(fseeko64, off64_t)

#define FSETPOS(name, position_type)                                           \
	EXPORT int name(FILE *file, const position_type *position)             \
	{                                                                      \
		REAL(name);                                                    \
		lp_refill(fileno_unlocked(file));                              \
		return real(file, position);                                   \
	}

FSETPOS(fsetpos, fpos_t)
FSETPOS(fsetpos64, fpos64_t)

EXPORT void rewind(FILE *file)
{
	REAL(rewind);
	lp_refill(fileno_unlocked(file));
	real(file);
}

EXPORT int fclose(FILE *file)
{
	struct lp_call call;
	int r;

	REAL(fclose);
	if (!lp_begin_close(&call, fileno_unlocked(file)))
		return real(file);
	r = real(file);
	lp_end_at(&call, LP_IO_CLOSE, LP_IO_NO_OFFSET, 0, r);
	return r;
}

EXPORT int fflush(FILE *file)
{
	struct lp_call call;
	int r;

	REAL(fflush);
	if (!file || !begin(&call, file))
		return real(file);
	r = real(file);
	end(&call, LP_IO_BUFFERED_WRITE, 0, r);
	return r;
}

#define FREAD(name, kind, pointer)                                             \
	EXPORT size_t name(pointer buffer, size_t size, size_t n, FILE *file)  \
	{                                                                      \
		struct lp_call call;                                           \
		size_t r;                                                      \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file))                                       \
			return pass(kind, size, real(buffer, size, n, file));  \
		r = real(buffer, size, n, file);                               \
		end(&call, kind, size *n, (int64_t)(size * r));                \
		return r;                                                      \
	}

FREAD(fread, LP_IO_BUFFERED_READ, void *)
FREAD(fread_unlocked, LP_IO_BUFFERED_READ, void *)
FREAD(fwrite, LP_IO_BUFFERED_WRITE, const void *)
FREAD(fwrite_unlocked, LP_IO_BUFFERED_WRITE, const void *)

#define FREAD_CHK(name)                                                        \
	EXPORT size_t name(void *buffer, size_t room, size_t size, size_t n,   \
			   FILE *file)                                         \
	{                                                                      \
		struct lp_call call;                                           \
		size_t r;                                                      \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file))                                       \
			return pass(LP_IO_BUFFERED_READ, size,                 \
				    real(buffer, room, size, n, file));        \
		r = real(buffer, room, size, n, file);                         \
		end(&call, LP_IO_BUFFERED_READ, size *n, (int64_t)(size * r)); \
		return r;                                                      \
	}

FREAD_CHK(__fread_chk)
FREAD_CHK(__fread_unlocked_chk)

/* Lines. What was read is what was asked for: the room says little. */

static void end_line(const struct lp_call *call, const char *line)
{
	size_t n = line ? strlen(line) : 0;

	end(call, LP_IO_BUFFERED_READ, n, (int64_t)n);
}

#define FGETS(name)                                                            \
	EXPORT char *name(char *buffer, int n, FILE *file)                     \
	{                                                                      \
		struct lp_call call;                                           \
		char *r;                                                       \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file))                                       \
			return pass_line(real(buffer, n, file));               \
		r = real(buffer, n, file);                                     \
		end_line(&call, r);                                            \
		return r;                                                      \
	}

FGETS(fgets)
FGETS(fgets_unlocked)

#define FGETS_CHK(name)                                                        \
	EXPORT char *name(char *buffer, size_t room, int n, FILE *file)        \
	{                                                                      \
		struct lp_call call;                                           \
		char *r;                                                       \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file))                                       \
			return pass_line(real(buffer, room, n, file));         \
		r = real(buffer, room, n, file);                               \
		end_line(&call, r);                                            \
		return r;                                                      \
	}

FGETS_CHK(__fgets_chk)
FGETS_CHK(__fgets_unlocked_chk)

#define GETDELIM(name)                                                         \
	EXPORT ssize_t name(char **line, size_t *room, int delimiter,          \
			    FILE *file)                                        \
	{                                                                      \
		struct lp_call call;                                           \
		ssize_t r;                                                     \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file))                                       \
			return lp_passed(false,                                \
					 real(line, room, delimiter, file));   \
		r = real(line, room, delimiter, file);                         \
		end(&call, LP_IO_BUFFERED_READ, r < 0 ? 0 : (size_t)r,         \
		    r < 0 ? 0 : r);                                            \
		return r;                                                      \
	}

GETDELIM(getdelim)
GETDELIM(__getdelim)

EXPORT ssize_t getline(char **line, size_t *room, FILE *file)
{
	return getdelim(line, room, '\n', file);
}

/* Text. */

#define FPUTS(name)                                                            \
	EXPORT int name(const char *text, FILE *file)                          \
	{                                                                      \
		struct lp_call call;                                           \
		size_t n;                                                      \
		int r;                                                         \
                                                                               \
		REAL(name);                                                    \
		if (!begin(&call, file)) {                                     \
			r = real(text, file);                                  \
			lp_passed(true, r < 0 ? 0 : (int64_t)strlen(text));    \
			return r;                                              \
		}                                                              \
		r = real(text, file);                                          \
		n = strlen(text);                                              \
		end(&call, LP_IO_BUFFERED_WRITE, n, r < 0 ? r : (int64_t)n);   \
		return r;                                                      \
	}

FPUTS(fputs)
FPUTS(fputs_unlocked)

EXPORT int puts(const char *text)
{
	struct lp_call call;
	int r;

	REAL(puts);
	if (!begin(&call, stdout))
		return (int)lp_passed(true, real(text));
	r = real(text);
	end(&call, LP_IO_BUFFERED_WRITE, r < 0 ? 0 : (size_t)r, r);
	return r;
}

EXPORT int vfprintf(FILE *file, const char *format, va_list arguments)
{
	struct lp_call call;
	int r;

	REAL(vfprintf);
	if (!begin(&call, file))
		return (int)lp_passed(true, real(file, format, arguments));
	r = real(file, format, arguments);
	end(&call, LP_IO_BUFFERED_WRITE, r < 0 ? 0 : (size_t)r, r);
	return r;
}

EXPORT int __vfprintf_chk(FILE *file, int flag, const char *format,
			  va_list arguments)
{
	struct lp_call call;
	int r;

	REAL(__vfprintf_chk);
	if (!begin(&call, file))
		return (int)lp_passed(true,
				      real(file, flag, format, arguments));
	r = real(file, flag, format, arguments);
	end(&call, LP_IO_BUFFERED_WRITE, r < 0 ? 0 : (size_t)r, r);
	return r;
}

EXPORT int vprintf(const char *format, va_list arguments)
{
	return vfprintf(stdout, format, arguments);
}

EXPORT int __vprintf_chk(int flag, const char *format, va_list arguments)
{
	return __vfprintf_chk(stdout, flag, format, arguments);
}

/* The ones with dots, by those with a list. */
#define PRINT(last, call)                                                      \
	va_list arguments;                                                     \
	int r;                                                                 \
                                                                               \
	va_start(arguments, last);                                             \
	r = call;                                                              \
	va_end(arguments);                                                     \
	return r

EXPORT int fprintf(FILE *file, const char *format, ...)
{
	PRINT(format, vfprintf(file, format, arguments));
}

EXPORT int printf(const char *format, ...)
{
	PRINT(format, vfprintf(stdout, format, arguments));
}

EXPORT int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	PRINT(format, __vfprintf_chk(file, flag, format, arguments));
}

EXPORT int __printf_chk(int flag, const char *format, ...)
{
	PRINT(format, __vfprintf_chk(stdout, flag, format, arguments));
}
