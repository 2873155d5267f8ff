/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archives below some paths, found again and again.
 */
#ifndef LP_LIVE_LIVE_FILES_H
#define LP_LIVE_LIVE_FILES_H

#include "archive/bookmark.h"
#include "base/names.h"

#include <sys/stat.h>

struct lp_live_file {
	const char *path;
	int64_t first_ns, last_ns; /* of its samples, when it was found */
	struct lp_bookmark mark;
	uint64_t inode, bytes;
	int64_t changed_ns;
	bool due;      /* it is not as it was when it was read last */
	bool known;    /* it was looked into */
	bool left_out; /* until it changes */
};

/* Zero-initialise; lp_live_files_done frees. */
struct lp_live_files {
	struct lp_names names; /* number = file, until they are sorted */
	struct lp_live_file *items;
	size_t n, capacity;
	size_t *order; /* [n] by first_ns */
	size_t order_capacity;
};

/*
 * Look for files that are new or changed: those are due. 0, or -ENOMEM. What
 * is not there is no error: it may come, or come back.
 */
int lp_live_files_find(struct lp_live_files *files, const char *const *paths,
		       size_t n);
void lp_live_files_done(struct lp_live_files *files);

#endif
