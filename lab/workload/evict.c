/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/evict.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int lab_evict_fd(int fd, struct lp_error *err)
{
	int status;

	/* Dirty pages would stay. */
	if (fdatasync(fd) < 0)
		return lp_fail_errno(err, errno,
				     "cannot write a file back to drop it "
				     "from the cache");
	status = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (status != 0)
		return lp_fail_errno(err, status,
				     "cannot drop a file from the cache");
	return 0;
}

static double share_of_ones(const unsigned char *page, size_t n)
{
	size_t ones = 0;

	for (size_t i = 0; i < n; i++)
		ones += page[i] & 1;
	return (double)ones / (double)n;
}

double lab_resident(int fd)
{
	lp_auto_free unsigned char *page = NULL;
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	double share = NAN;
	struct stat st;
	size_t n;
	void *map;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return NAN;
	n = ((size_t)st.st_size + size - 1) / size;
	page = malloc(n);
	/* Mapping reads nothing by itself. */
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return NAN;
	if (page && mincore(map, (size_t)st.st_size, page) == 0)
		share = share_of_ones(page, n);
	munmap(map, (size_t)st.st_size);
	return share;
}
