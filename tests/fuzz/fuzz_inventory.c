/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inventory of a tree whose files all hold the same bytes, those that are
 * parsed and those that are only cleaned: each parser finds what is its own.
 */
#include "source/inventory_read.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[64];

/* Directories before what is in them. */
static const char *const directories[] = {
	"proc",
	"proc/net",
	"run",
	"run/udev",
	"run/udev/data",
	"sys",
	"sys/block",
	"sys/block/dm-0",
	"sys/block/dm-0/dm",
	"sys/block/sda",
	"sys/block/sda/device",
	"sys/block/sda/queue",
	"sys/class",
	"sys/class/net",
	"sys/class/net/eth0",
	"sys/class/infiniband",
	"sys/class/infiniband/mlx4_0",
	"sys/class/infiniband/mlx4_0/ports",
	"sys/class/infiniband/mlx4_0/ports/1",
	"sys/class/infiniband/mlx4_0/ports/1/gids",
};
static const char *const files[] = {
	"proc/net/fib_trie",
	"proc/net/if_inet6",
	"run/udev/data/b8:0",
	"sys/block/dm-0/dm/uuid",
	"sys/block/sda/device/vpd_pg80",
	"sys/block/sda/device/wwid",
	"sys/block/sda/queue/scheduler",
	"sys/block/sda/size",
	"sys/class/net/eth0/address",
	"sys/class/net/eth0/uevent",
	"sys/class/infiniband/mlx4_0/ports/1/gids/0",
};

static void path_of(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", root, name);
}

static void put(const char *name, const void *bytes, size_t n)
{
	char path[256];
	int fd;

	path_of(name, path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	close(fd);
}

static void clear(void)
{
	char path[256];

	for (size_t i = 0; i < lp_array_size(files); i++) {
		path_of(files[i], path);
		unlink(path);
	}
	path_of("sys/block/sda/dev", path);
	unlink(path);
	for (size_t i = lp_array_size(directories); i-- > 0;) {
		path_of(directories[i], path);
		rmdir(path);
	}
	rmdir(root);
}

/* In memory where there is such a place. */
static void set_up(void)
{
	bool memory = access("/dev/shm", W_OK) == 0;
	char path[256];

	snprintf(root, sizeof(root), "%s/limpid-fuzz-XXXXXX",
		 memory ? "/dev/shm" : "/tmp");
	if (!mkdtemp(root))
		abort();
	atexit(clear);
	for (size_t i = 0; i < lp_array_size(directories); i++) {
		path_of(directories[i], path);
		if (mkdir(path, 0700) < 0)
			abort();
	}
	put("sys/block/sda/dev", "8:0\n", 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_inventory *inventory = NULL;
	struct lp_error err;

	if (!root[0])
		set_up();
	for (size_t i = 0; i < lp_array_size(files); i++)
		put(files[i], data, size);
	if (lp_inventory_read(root, "h", -1, 0, &inventory, &err) == 0 &&
	    !lp_inventory_same(inventory, inventory))
		abort();
	lp_inventory_free(inventory);
	return 0;
}
