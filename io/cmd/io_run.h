/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a program with the preload library.
 */
#ifndef LP_CMD_IO_RUN_H
#define LP_CMD_IO_RUN_H

#include "base/error.h"
#include "io/model/operation.h"

#include <limits.h>

/*
 * Where argv[0] of a program is, as execvp would find it, and whether its calls
 * can be traced. -ENOENT, -EACCES; -ENOTSUP: a static program, one of another
 * word size, or one that gains privileges.
 */
int lp_io_run_find(const char *program, char path[PATH_MAX],
		   struct lp_error *err);

/*
 * Run it and wait; *wait_status as from waitpid, and what the kernel counted of
 * its I/O. The trace must be there already. 0 or -errno: it could not be
 * started.
 */
int lp_io_run_program(const char *path, char **argv, const char *trace,
		      int *wait_status, struct lp_io_account *account,
		      struct lp_error *err);

#endif
