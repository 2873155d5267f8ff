/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files without a name, in TMPDIR or /tmp: nothing is left behind, however the
 * process ends. For what must be read more than once and cannot be (a pipe),
 * or not as it is (a compressed file).
 */
#ifndef LP_BASE_TEMPFILE_H
#define LP_BASE_TEMPFILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* No file grows further, nor over half of what is free in its directory. */
#define LP_TEMP_MOST (UINT64_C(16) << 30)

struct lp_temp_file {
	int fd;              /* yours; opened for reading and writing */
	uint64_t size, most; /* bytes it has, and may have */
};

int lp_temp_file_open(struct lp_temp_file *file, struct lp_error *err);
/* Append. -EFBIG: over `most`. name is of what is kept, for messages. */
int lp_temp_file_write(struct lp_temp_file *file, const void *bytes, size_t n,
		       const char *name, struct lp_error *err);

/* Where other processes, too, find the descriptor while we live. */
#define LP_TEMP_PATH 64
const char *lp_temp_path(int fd, char path[LP_TEMP_PATH]);

#endif
