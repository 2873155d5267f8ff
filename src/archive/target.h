/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file being written: at once where it belongs, or beside it until whole.
 */
#ifndef LP_ARCHIVE_TARGET_H
#define LP_ARCHIVE_TARGET_H

#include "archive/archive.h"

enum target_mode {
	TARGET_LIVE,    /* must not exist yet */
	TARGET_ATOMIC,  /* may replace an archive */
	TARGET_REPLACE, /* may replace any regular file */
};

struct target {
	int fd;
	char *path;   /* where it will be */
	char *temp;   /* where it is meanwhile; NULL: at path */
	bool unnamed; /* it will be at temp: so far it has no name, and vanishes
			 with the process, however that ends */
	bool adopted; /* somebody else's file, path is only its name */
	bool settled; /* the directory with its name is on the disk */
	uint64_t reserved; /* the disk has room up to here; 0: not known */
};

int lp_target_open(struct target *target, const char *path,
		   enum target_mode mode, struct lp_error *err);
/* A descriptor, which the target now owns, whatever happens. */
int lp_target_adopt(struct target *target, int fd, const char *name,
		    struct lp_error *err);
/*
 * Room for the bytes [at, at + n) on the disk, so that writing them cannot
 * fail half-way for want of it. `size` is the file's. 0 or -errno.
 */
int lp_target_reserve(struct target *target, uint64_t at, size_t n,
		      uint64_t size);
/* Let the file end here. 0 or -errno. */
int lp_target_cut(struct target *target, uint64_t size);
/* Write all of it. 0 or -errno. */
int lp_target_write(struct target *target, const void *bytes, size_t n,
		    uint64_t at);
/* Bring the bytes to the disk, and the name too. 0 or -errno. */
int lp_target_sync(struct target *target);
/*
 * Sync (unless it is adopted), close, move to where it belongs. Frees, whatever
 * happens.
 */
int lp_target_finish(struct target *target, struct lp_error *err);
/* Close; remove what is beside. Frees. */
void lp_target_abandon(struct target *target);

#endif
