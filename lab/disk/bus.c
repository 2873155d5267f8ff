/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/bus.h"

#include "base/memory.h"
#include "disk/spindle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* /proc/sys/kernel/random/boot_id without its newline */
#define BOOT_ID_SIZE 36

/* The file, as it is mapped. */
struct page {
	char magic[8];
	char boot_id[BOOT_ID_SIZE];
	uint32_t reserved;
	_Atomic uint64_t rate;
	_Atomic int64_t busy_until_ns;
};

static const char magic[8] = "limpbus";

struct lab_bus {
	struct page *page;
};

static int read_boot_id(char id[BOOT_ID_SIZE], struct lp_error *err)
{
	static const char path[] = "/proc/sys/kernel/random/boot_id";
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, id, BOOT_ID_SIZE) != BOOT_ID_SIZE)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	return 0;
}

/* Is the locked file a bus of this start of the machine? Else 0, or -errno. */
static int recognise(int fd, const char *path, const char *boot_id,
		     struct lp_error *err)
{
	struct page page;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	if (st.st_size == 0)
		return 0;
	if (st.st_size != sizeof(page) ||
	    pread(fd, &page, sizeof(page), 0) != sizeof(page) ||
	    memcmp(page.magic, magic, sizeof(magic)) != 0)
		return lp_fail(err, EINVAL, "%s is not the file of a bus",
			       path);
	return memcmp(page.boot_id, boot_id, BOOT_ID_SIZE) == 0;
}

static int prepare(int fd, const char *path, uint64_t rate,
		   struct lp_error *err)
{
	struct page page = { .rate = rate };
	int known;

	if (read_boot_id(page.boot_id, err) < 0)
		return -EIO;
	known = recognise(fd, path, page.boot_id, err);
	if (known != 0)
		return known < 0 ? known : 0;
	if (rate == 0)
		return lp_fail(
			err, EINVAL,
			"%s is a new bus: set its rate with: bus %s RATE", path,
			path);
	memcpy(page.magic, magic, sizeof(magic));
	if (pwrite(fd, &page, sizeof(page), 0) != sizeof(page))
		return lp_fail_errno(err, errno, "cannot write %s", path);
	return 0;
}

static int map(int fd, const char *path, struct lab_bus **bus,
	       struct lp_error *err)
{
	void *at = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	struct lab_bus *made = NULL;

	if (at == MAP_FAILED)
		return lp_fail_errno(err, errno, "cannot map %s", path);
	made = malloc(sizeof(*made));
	if (!made) {
		munmap(at, sizeof(struct page));
		return lp_fail_memory(err);
	}
	made->page = at;
	*bus = made;
	return 0;
}

int lab_bus_open(const char *path, uint64_t rate, struct lab_bus **bus,
		 struct lp_error *err)
{
	lp_auto_close int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct lab_bus *made = NULL;
	int status;

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open the bus %s",
				     path);
	if (flock(fd, LOCK_EX) < 0)
		return lp_fail_errno(err, errno, "cannot lock %s", path);
	status = prepare(fd, path, rate, err);
	if (status == 0)
		status = map(fd, path, &made, err);
	/* The mapping keeps the file open, and the lock with it. */
	flock(fd, LOCK_UN);
	if (status < 0)
		return status;
	if (rate)
		atomic_store(&made->page->rate, rate);
	*bus = made;
	return 0;
}

void lab_bus_close(struct lab_bus *bus)
{
	if (!bus)
		return;
	munmap(bus->page, sizeof(*bus->page));
	free(bus);
}

/* What another process wrote there is not trusted to be a rate. */
uint64_t lab_bus_rate(const struct lab_bus *bus)
{
	uint64_t rate = atomic_load(&bus->page->rate);

	if (rate < LAB_RATE_MIN)
		return LAB_RATE_MIN;
	return rate > LAB_RATE_MAX ? LAB_RATE_MAX : rate;
}

int64_t lab_bus_book(struct lab_bus *bus, int64_t now_ns, uint64_t bytes)
{
	const int64_t took = lab_transfer_ns(bytes, lab_bus_rate(bus));
	int64_t busy = atomic_load(&bus->page->busy_until_ns), until;

	do {
		until = (busy > now_ns ? busy : now_ns) + took;
	} while (!atomic_compare_exchange_weak(&bus->page->busy_until_ns, &busy,
					       until));
	return until;
}
