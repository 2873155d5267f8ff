/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bench/residency.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)
/* At once through mincore. */
#define CHUNK (UINT64_C(16) << 20)

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/* As in linux/mman.h since 6.5. */
struct range {
	uint64_t offset, bytes;
};

struct statistics {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

static int by_cachestat(int fd, uint64_t offset, uint64_t bytes,
			uint64_t *resident)
{
	struct range range = { offset, bytes };
	struct statistics st = { 0 };

	if (syscall(SYS_cachestat, fd, &range, &st, 0) < 0)
		return -errno;
	*resident = st.cached;
	return 0;
}

static int count_chunk(int fd, uint64_t offset, uint64_t bytes,
		       uint64_t *resident)
{
	unsigned char pages[CHUNK / PAGE];
	void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)offset);
	int status;

	if (map == MAP_FAILED)
		return -errno;
	status = mincore(map, bytes, pages) < 0 ? -errno : 0;
	munmap(map, bytes);
	for (uint64_t i = 0; status == 0 && i < (bytes + PAGE - 1) / PAGE; i++)
		*resident += pages[i] & 1;
	return status;
}

static int by_mincore(int fd, uint64_t offset, uint64_t bytes,
		      uint64_t *resident)
{
	uint64_t end = offset + bytes;

	*resident = 0;
	for (offset = offset / PAGE * PAGE; offset < end; offset += CHUNK) {
		uint64_t n = end - offset < CHUNK ? end - offset : CHUNK;
		int status = count_chunk(fd, offset, n, resident);

		if (status < 0)
			return status;
	}
	return 0;
}

int lp_residency(int fd, uint64_t offset, uint64_t bytes,
		 struct lp_residency *residency)
{
	uint64_t first = offset / PAGE;
	uint64_t last = bytes ? (offset + bytes - 1) / PAGE : first;
	uint64_t resident = 0;
	int status = by_cachestat(fd, offset, bytes, &resident);

	if (status < 0)
		status = by_mincore(fd, offset, bytes, &resident);
	if (status < 0)
		return status;
	residency->pages = last - first + 1;
	residency->resident = resident;
	return 0;
}

void lp_evict(int fd, uint64_t offset, uint64_t bytes)
{
	posix_fadvise(fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}
