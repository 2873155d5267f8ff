/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a virtual disk's bytes really are: a sparse file.
 *
 * It is read and written through the page cache. That cannot make the disk
 * faster than it says, because a request is answered at the time that was
 * computed for it, not when its bytes are there; and it keeps the real disk
 * beneath, whose time is anything but constant, out of the answers: writes
 * reach it whenever the kernel thinks fit, reads are begun when the request
 * comes and awaited only when it is due. On a tmpfs no real disk is involved.
 */
#ifndef LAB_DISK_STORE_H
#define LAB_DISK_STORE_H

#include "base/error.h"
#include "disk/settings.h"

#include <stddef.h>
#include <stdint.h>

/* Sizes are whole blocks, so that a loop device shows all of them. */
#define LAB_STORE_BLOCK 4096

/*
 * Open the file at path and lock it against a second disk. size 0: the size
 * it has; else it is made, or must have that size. The descriptor, or -errno.
 */
int lab_store_open(const char *path, uint64_t size, uint64_t *true_size,
		   struct lp_error *err);

/* All bytes or a negative errno. */
int lab_store_read(int fd, void *bytes, size_t n, uint64_t offset);
int lab_store_write(int fd, const void *bytes, size_t n, uint64_t offset);
/* Begin to read what will soon be asked for. */
void lab_store_expect(int fd, size_t n, uint64_t offset);
/* The bytes are zeros afterwards, and take no room. */
int lab_store_discard(int fd, uint64_t n, uint64_t offset);
/*
 * The first stretch of data at or behind an offset, which may have begun
 * before: 1; 0: there is none; or -errno.
 */
int lab_store_data(int fd, uint64_t offset, uint64_t *from, uint64_t *to);

/*
 * Change one bit in each of n blocks that hold data and lie between from and
 * to, chosen by the seed; offsets of the changed bytes, in order, go to at[].
 * -ENODATA with the number of such blocks if there are fewer; nothing is
 * changed then.
 */
int lab_store_flip(int fd, const struct lab_disk_flip *flip, uint64_t *at,
		   struct lp_error *err);

#endif
