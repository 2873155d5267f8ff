/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two files under a virtual disk's mount point: `disk`, which a loop
 * device is put on, and `under`, the second door to the same spindle. What is
 * read there are the disk's bytes, what is written there costs its time and is
 * thrown away: load beneath the loop device can do no harm to what is on it.
 */
#ifndef LAB_DISK_DOORS_H
#define LAB_DISK_DOORS_H

#include "disk/drive.h"

#define FUSE_USE_VERSION 34
#include <fuse_lowlevel.h>

struct lab_doors {
	struct lab_drive *drive;
	int store; /* descriptor of the backing file */
	struct fuse_session *session;
	struct fuse_buf buffer; /* of the request that is being taken */
	bool ready;             /* the kernel has greeted */
	bool gone;              /* unmounted, by whomever */
};

/* Could a disk be mounted at dir? What a dead one left there is unmounted. */
int lab_doors_check(const char *dir, struct lp_error *err);

/* Mount at dir. Filled by the caller: drive, store. */
int lab_doors_open(struct lab_doors *doors, const char *dir,
		   struct lp_error *err);
/* Answer all that waits with EIO, unmount. */
void lab_doors_close(struct lab_doors *doors);

/* Readable: there is a request. */
int lab_doors_fd(const struct lab_doors *doors);
/* Take one request of the kernel's. 0, or -errno: cannot go on. */
int lab_doors_receive(struct lab_doors *doors, struct lp_error *err);
/* Answer what is due. */
void lab_doors_answer(struct lab_doors *doors, int64_t now_ns);

#endif
