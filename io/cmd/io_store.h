/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where models are kept if nobody says where:
 * $XDG_DATA_HOME/limpid/io/HOST-FILESYSTEM.model.
 */
#ifndef LP_CMD_IO_STORE_H
#define LP_CMD_IO_STORE_H

#include "base/error.h"

#include <limits.h>

/*
 * The model for files below the directory on this host, with the given ending.
 * 0 or -errno; nothing is made.
 */
int lp_io_store_path(const char *directory, const char *ending,
		     char path[PATH_MAX], struct lp_error *err);

/* Make the directories above a path. */
int lp_io_store_make(const char *path, struct lp_error *err);

#endif
