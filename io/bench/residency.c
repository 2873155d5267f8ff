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
	int r;

	if (map == MAP_FAILED)
		return -errno;
	r = mincore(map, bytes, pages) < 0 ? -errno : 0;
	munmap(map, bytes);
	for (uint64_t i = 0; r == 0 && i < (bytes + PAGE - 1) / PAGE; i++)
		*resident += pages[i] & 1;
	return r;
}

static int by_mincore(int fd, uint64_t offset, uint64_t bytes,
		      uint64_t *resident)
{
	uint64_t end = offset + bytes;

	*resident = 0;
	for (offset = offset / PAGE * PAGE; offset < end; offset += CHUNK) {
		uint64_t n = end - offset < CHUNK ? end - offset : CHUNK;
		int r = count_chunk(fd, offset, n, resident);

		if (r < 0)
			return r;
	}
	return 0;
}

int lp_residency(int fd, uint64_t offset, uint64_t bytes,
		 struct lp_residency *residency)
{
	uint64_t first = offset / PAGE;
	uint64_t last = bytes ? (offset + bytes - 1) / PAGE : first;
	uint64_t resident = 0;
	int r = by_cachestat(fd, offset, bytes, &resident);

	if (r < 0)
		r = by_mincore(fd, offset, bytes, &resident);
	if (r < 0)
		return r;
	residency->pages = last - first + 1;
	residency->resident = resident;
	return 0;
}

void lp_evict(int fd, uint64_t offset, uint64_t bytes)
{
	posix_fadvise(fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}
