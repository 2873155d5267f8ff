/* SPDX-License-Identifier: Apache-2.0 */
/* Where a model is made: this machine, and the file system of a directory. */
#ifndef LP_IO_MODEL_ORIGIN_H
#define LP_IO_MODEL_ORIGIN_H

#include "io/model/iomodel.h"

/*
 * Host, kernel and time of now; the directory (may be NULL: not known), made
 * absolute, and its file system. Texts are in the arena. 0, -ENOMEM, or why
 * the directory cannot be looked at.
 */
int lp_io_origin_here(struct lp_io_origin *origin, struct lp_arena *arena,
		      const char *directory, struct lp_error *err);

/* "ext4", "lustre" ...; a number for one that is not in the table. */
const char *lp_io_file_system_name(uint64_t type, char text[32]);

#endif
