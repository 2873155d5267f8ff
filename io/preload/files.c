/* SPDX-License-Identifier: Apache-2.0 */
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct lp_traced entries[LP_FDS];
static _Atomic unsigned highest; /* of those in use so far */

static struct lp_traced *slot(int fd)
{
	return fd >= 0 && fd < LP_FDS ? &entries[fd] : NULL;
}

static void note_highest(unsigned fd)
{
	unsigned known = atomic_load_explicit(&highest, memory_order_relaxed);

	while (fd > known &&
	       !atomic_compare_exchange_weak(&highest, &known, fd))
		;
}

/* Files of disks; not pipes, sockets, terminals. */
static bool is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
}

/* What the kernel makes up costs no I/O. */
static bool is_kernels(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0 ||
	       strncmp(path, "/sys/", 5) == 0 ||
	       strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/tty") == 0;
}

static uint32_t number_of(const char *path, size_t length)
{
	uint32_t number;

	if (is_kernels(path))
		return LP_FILE_IGNORED;
	number = lp_sink_name(path, length);
	return number ? number : LP_FILE_IGNORED;
}

/* The name as the kernel knows it. */
static uint32_t ask_name(int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		n = snprintf(path, sizeof(path), "(descriptor %d)", fd);
	path[n] = '\0';
	return number_of(path, (size_t)n);
}

/* Met for the first time: inherited, or made by a call that is not traced. */
static uint32_t discover(struct lp_traced *entry, int fd)
{
	int code = errno;
	uint32_t file = is_file(fd) ? ask_name(fd) : LP_FILE_IGNORED;

	atomic_store(&entry->ask, LP_ASK_ALWAYS);
	atomic_store(&entry->file, file);
	note_highest((unsigned)fd);
	errno = code;
	return file;
}

/* Not yet known, or not to be traced. */
__attribute__((noinline)) static uint32_t look_closer(struct lp_traced *entry,
						      int fd, uint32_t file)
{
	int code = errno;

	if (file == LP_FILE_UNKNOWN)
		return discover(entry, fd);
	file = is_file(fd) ? file & ~LP_FILE_UNCHECKED : LP_FILE_IGNORED;
	atomic_store(&entry->file, file);
	errno = code;
	return file;
}

struct lp_traced *lp_traced(int fd)
{
	struct lp_traced *entry;
	uint32_t file;

	if (!lp_on())
		return NULL;
	entry = slot(fd);
	if (!entry)
		return NULL;
	file = atomic_load_explicit(&entry->file, memory_order_relaxed);
	if (file == LP_FILE_IGNORED)
		return NULL;
	if (__builtin_expect(
		    file == LP_FILE_UNKNOWN || (file & LP_FILE_UNCHECKED), 0))
		file = look_closer(entry, fd, file);
	return file == LP_FILE_IGNORED ? NULL : entry;
}

/* To look at it costs as much as opening it, so that waits for the first call
 * that moves bytes. */
void lp_traced_opened(int fd, const char *path, int flags)
{
	struct lp_traced *entry = slot(fd);
	int code = errno;
	uint32_t file;

	if (!entry)
		return;
	if (flags & (O_DIRECTORY | O_PATH))
		file = LP_FILE_IGNORED;
	else if (path && path[0] == '/')
		file = number_of(path, strnlen(path, PATH_MAX));
	else
		file = ask_name(fd);
	if (file != LP_FILE_IGNORED)
		file |= LP_FILE_UNCHECKED;
	atomic_store_explicit(&entry->ask,
			      flags & O_APPEND ? LP_ASK_ALWAYS : LP_ASK_NOBODY,
			      memory_order_relaxed);
	atomic_store_explicit(&entry->position, 0, memory_order_relaxed);
	atomic_store_explicit(&entry->file, file, memory_order_relaxed);
	note_highest((unsigned)fd);
	errno = code;
}

void lp_traced_invent(int fd)
{
	struct lp_traced *entry = slot(fd);

	atomic_store(&entry->ask, LP_ASK_NOBODY);
	atomic_store(&entry->file, 1);
}

void lp_traced_copied(int from, int to)
{
	struct lp_traced *source = slot(from), *target = slot(to);
	bool twins = source && target && from != to &&
		     atomic_load(&source->file) != LP_FILE_UNKNOWN &&
		     atomic_load(&source->ask) == LP_ASK_NOBODY;

	if (source)
		atomic_store(&source->ask, twins ? LP_ASK_TWIN + (uint32_t)to
						 : LP_ASK_ALWAYS);
	if (!target || from == to)
		return;
	atomic_store(&target->ask,
		     twins ? LP_ASK_TWIN + (uint32_t)from : LP_ASK_ALWAYS);
	atomic_store(&target->file,
		     source ? atomic_load(&source->file) : LP_FILE_UNKNOWN);
	note_highest((unsigned)to);
}

/*
 * It is going to be closed: if it has a twin, that one is alone from now on.
 * (dd, for one, opens a file, makes a copy as descriptor 0, and closes it.)
 */
static void leave_twin(const struct lp_traced *entry, int fd)
{
	uint32_t ask = atomic_load(&entry->ask);
	struct lp_traced *twin =
		ask >= LP_ASK_TWIN ? &entries[ask - LP_ASK_TWIN] : NULL;
	int code = errno;
	long position;

	if (!twin || atomic_load(&twin->ask) != LP_ASK_TWIN + (uint32_t)fd)
		return;
	position = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
	errno = code;
	if (position < 0)
		return;
	atomic_store(&twin->position, position);
	atomic_store(&twin->ask, LP_ASK_NOBODY);
}

void lp_traced_forget(int fd)
{
	struct lp_traced *entry = slot(fd);

	if (entry)
		atomic_store(&entry->file, LP_FILE_UNKNOWN);
}

void lp_entries_forget(unsigned first, unsigned last)
{
	unsigned end = atomic_load(&highest);

	for (unsigned fd = first; fd <= last && fd <= end; fd++)
		atomic_store(&entries[fd].file, LP_FILE_UNKNOWN);
}

void lp_entries_shared(void)
{
	unsigned end = atomic_load(&highest);

	for (unsigned fd = 0; fd <= end; fd++)
		atomic_store(&entries[fd].ask, LP_ASK_ALWAYS);
}

/* Where a call that moved `result` bytes at the position did it. */
static int64_t advance(const struct lp_call *call, int64_t result)
{
	struct lp_traced *entry = call->entry;
	int64_t step = result > 0 ? result : 0, now;
	int code = errno;

	if (!atomic_load_explicit(&entry->ask, memory_order_relaxed))
		return atomic_fetch_add_explicit(&entry->position, step,
						 memory_order_relaxed);
	now = syscall(SYS_lseek, call->fd, 0L, SEEK_CUR);
	errno = code;
	return now < step ? LP_IO_NO_OFFSET : now - step;
}

bool lp_begin(struct lp_call *call, int fd)
{
	call->entry = lp_traced(fd);
	if (!call->entry)
		return false;
	call->fd = fd;
	call->file =
		atomic_load_explicit(&call->entry->file, memory_order_relaxed);
	call->start = lp_now();
	return true;
}

bool lp_begin_close(struct lp_call *call, int fd)
{
	struct lp_traced *entry = slot(fd);

	if (!entry)
		return false;
	call->file = atomic_exchange_explicit(&entry->file, LP_FILE_UNKNOWN,
					      memory_order_relaxed);
	if (!lp_on() || call->file == LP_FILE_UNKNOWN ||
	    call->file == LP_FILE_IGNORED)
		return false;
	leave_twin(entry, fd);
	call->file &= ~LP_FILE_UNCHECKED;
	call->entry = entry;
	call->fd = fd;
	call->start = lp_now();
	return true;
}

static void end_call(const struct lp_call *call, uint8_t kind, int64_t offset,
		     uint64_t size, int64_t result, uint64_t stop)
{
	struct lp_io_operation op = {
		.offset = offset < 0 ? LP_IO_NO_OFFSET : offset,
		.size = size > INT64_MAX ? INT64_MAX : (int64_t)size,
		.result = result < 0 ? -errno : result,
		.file = call->file,
		.kind = kind,
	};

	lp_record(&op, call->start, stop);
}

void lp_end_at(const struct lp_call *call, uint8_t kind, int64_t offset,
	       uint64_t size, int64_t result)
{
	end_call(call, kind, offset, size, result, lp_now());
}

void lp_end_here(const struct lp_call *call, uint8_t kind, uint64_t size,
		 int64_t result)
{
	uint64_t stop = lp_now();

	end_call(call, kind, advance(call, result), size, result, stop);
}

void lp_moved(const struct lp_call *call, int64_t result)
{
	struct lp_traced *entry = call->entry;

	if (result > 0 &&
	    !atomic_load_explicit(&entry->ask, memory_order_relaxed))
		atomic_fetch_add_explicit(&entry->position, result,
					  memory_order_relaxed);
}

void lp_end_open(uint64_t start, int fd, const char *path, int flags)
{
	struct lp_call call = { .start = start };
	uint64_t stop = lp_now();

	if (fd < 0 || fd >= LP_FDS)
		return;
	lp_traced_opened(fd, path, flags);
	call.file =
		atomic_load_explicit(&entries[fd].file, memory_order_relaxed);
	if (call.file == LP_FILE_IGNORED)
		return;
	call.file &= ~LP_FILE_UNCHECKED;
	end_call(&call, LP_IO_OPEN, LP_IO_NO_OFFSET, 0, 0, stop);
}
