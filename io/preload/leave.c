/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What no call shows: rings of io_uring, whose operations the kernel does not
 * count either. They are looked for among the descriptors when a process ends.
 */
#include "preload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_ring(long directory, const char *name)
{
	static const char ring[] = "anon_inode:[io_uring]";
	char link[sizeof(ring)] = "";
	long n = syscall(SYS_readlinkat, directory, name, link, sizeof(link));

	return n == (long)sizeof(ring) - 1 &&
	       memcmp(link, ring, sizeof(ring) - 1) == 0;
}

static uint32_t count_rings(long directory)
{
	_Alignas(struct dirent64) char entries[2048];
	uint32_t rings = 0;
	long n;

	while ((n = syscall(SYS_getdents64, directory, entries,
			    sizeof(entries))) > 0)
		for (long at = 0; at < n;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(entries + at);

			rings += is_ring(directory, entry->d_name);
			at += entry->d_reclen;
		}
	return rings;
}

long lp_sandbox(void)
{
	return syscall(SYS_prctl, PR_GET_SECCOMP, 0L, 0L, 0L, 0L);
}

/* A program that has locked itself in since may be killed for opening files. */
void lp_leave(void)
{
	int code = errno;
	uint32_t rings;
	long directory;

	if (!lp_on() || lp_sandbox() != lp_sink.sandbox)
		return;
	directory = syscall(SYS_openat, AT_FDCWD, "/proc/self/fd",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (directory < 0)
		return;
	rings = count_rings(directory);
	syscall(SYS_close, directory);
	__atomic_fetch_add(&lp_sink.header->rings, rings, __ATOMIC_RELAXED);
	errno = code;
}

__attribute__((destructor)) static void leave(void)
{
	lp_leave();
}

/* Here no destructor runs. */
EXPORT void _exit(int status)
{
	REAL(_exit);
	lp_leave();
	real(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	_exit(status);
}

void lp_refill(int fd)
{
	struct stat st;
	int code = errno;

	if (lp_on() && lp_traced(fd) && fstat(fd, &st) == 0)
		__atomic_fetch_add(&lp_sink.header->refill,
				   (uint64_t)st.st_blksize, __ATOMIC_RELAXED);
	errno = code;
}
