/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of code, each read once, whatever its name and however often it is
 * mapped: by build id where it has one, else by device and inode.
 */
#ifndef LP_PROFILE_IMAGES_H
#define LP_PROFILE_IMAGES_H

#include "profile/functions.h"

#include <sys/types.h>

struct lp_image {
	struct lp_image *next;
	char *name; /* "libc.so.6@4f2a8c1b" */
	uint8_t build_id[LP_BUILD_ID_MOST];
	size_t build_id_size;
	uint64_t device, inode; /* 0: only known by its build id */
	bool readable;
	struct lp_functions functions;
};

struct lp_images {
	struct lp_image *first;
	size_t n;
	const char *debug_dir; /* "/usr/lib/debug" */
};

/* What is known of a mapping. */
struct lp_image_key {
	const char *path; /* as the process calls it */
	const uint8_t *build_id;
	size_t build_id_size; /* 0: not known */
	uint64_t device, inode;
};

/*
 * The image, read if it is new: by one of the paths (ended by NULL), the first
 * that has the right bytes. NULL: out of memory, or too many.
 */
struct lp_image *lp_images_get(struct lp_images *images,
			       const struct lp_image_key *key,
			       const char *const *paths);
void lp_images_done(struct lp_images *images);

/* The whole file in memory, yours; NULL: it cannot be read, is too large. */
uint8_t *lp_image_bytes(const char *path, size_t *n);
/* The debug file of a build below a directory, as above. */
uint8_t *lp_debug_bytes(const char *dir, const uint8_t *build_id, size_t n,
			size_t *size);

#endif
