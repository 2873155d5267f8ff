/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One file out of the page cache: never drop_caches, which would also drop
 * what other labs and programs of this machine have cached.
 */
#ifndef LAB_WORKLOAD_EVICT_H
#define LAB_WORKLOAD_EVICT_H

#include "base/error.h"

/*
 * Write what is dirty of the file and drop all of it from the cache of the
 * file system it is in.
 */
int lab_evict_fd(int fd, struct lp_error *err);

/*
 * The part of the file's pages that are in the cache, 0 to 1; NaN if the file
 * system cannot say, or the file is empty.
 */
double lab_resident(int fd);

#endif
