/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that reads a disk from one end to the other, again and again,
 * past all caches.
 */
#ifndef LAB_FAULT_DISKLOAD_H
#define LAB_FAULT_DISKLOAD_H

#include "fault/fault.h"
#include "fault/hog.h"

struct lab_disk_load {
	char path[PATH_MAX]; /* a device or a file */
	size_t block;
	double bytes_per_s; /* at most; 0: as fast as it goes */
	struct lab_hog_page *page;
};

/* The device of the victim, read at run->strength MB/s: run->own is the hog. */
int lab_disk_load_start(struct lab_fault_run *run, size_t block,
			struct lp_error *err);
/* The same of all servers. */
int lab_disk_load_start_all(struct lab_fault_run *run, size_t block,
			    struct lp_error *err);
int lab_disk_load_bites(struct lab_fault_run *run, struct lp_error *err);

/* A place to read from: opened past the cache, its size, an aligned buffer. */
struct lab_platter {
	int fd;
	uint64_t size, at;
	size_t block;
	void *buffer;
};

int lab_platter_open(struct lab_platter *platter, const char *path,
		     size_t block, struct lp_error *err);
/* Where the next block is; begins anew at the end. */
uint64_t lab_platter_next(struct lab_platter *platter);
/* Read it. */
int lab_platter_read(struct lab_platter *platter, struct lp_error *err);
void lab_platter_close(struct lab_platter *platter);

#endif
