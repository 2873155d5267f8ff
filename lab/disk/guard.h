/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk that is killed cannot unmount its directory, and whoever looks there
 * then gets ENOTCONN. So a small child waits for its end and unmounts what is
 * dead; after an orderly end there is nothing left to do for it.
 */
#ifndef LAB_DISK_GUARD_H
#define LAB_DISK_GUARD_H

#include "base/error.h"

/* Start the child, before anything is opened that it would hold open too. */
int lab_guard_start(const char *dir, struct lp_error *err);

/* Unmount what a dead disk left at dir. 0, also if nothing is there. */
int lab_guard_clear(const char *dir, struct lp_error *err);

#endif
