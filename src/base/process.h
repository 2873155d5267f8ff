/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run another program and read what it prints.
 *
 *     const char *const argv[] = { "sadf", "-H", path, NULL };
 *     lp_process_open(argv, "sysstat", &process, err);
 *     while ((got = lp_process_line(process, &line, &n, err)) > 0)
 *             ...
 *     r = lp_process_finish(process, err);
 *
 * No shell is involved. The program gets LC_ALL=C and TZ=UTC, an empty
 * standard input, and the signals as a login shell would give them. What it
 * writes to standard error is never shown; its last line goes into the message
 * when it fails.
 */
#ifndef LP_BASE_PROCESS_H
#define LP_BASE_PROCESS_H

#include "base/error.h"

#include <stddef.h>

struct lp_process;

/*
 * Start argv[0], which is looked for in PATH if it has no slash. package is
 * what to install when it is not there. 0 or -errno (-ENOENT: not installed).
 */
int lp_process_open(const char *const *argv, const char *package,
		    struct lp_process **process, struct lp_error *err);

/*
 * The next line of its output, ended by NUL in place of the newline; yours to
 * change, valid until the next call. 1: a line; 0: the end; below 0: -errno
 * (-EOVERFLOW: a line over LP_PROCESS_LINE bytes).
 */
#define LP_PROCESS_LINE (1 << 20)
int lp_process_line(struct lp_process *process, char **line, size_t *length,
		    struct lp_error *err);

/*
 * Bytes of its output as they come: their number in *got, at least 1.
 * 1: some; 0: the end; below 0: -errno.
 */
int lp_process_read(struct lp_process *process, void *bytes, size_t room,
		    size_t *got, struct lp_error *err);

/* The last line it wrote to standard error so far; "" if none. */
const char *lp_process_complaint(const struct lp_process *process);

/*
 * Discard what it still prints, wait for its end, free. 0 when it exited with
 * 0; else -EIO with a line that names the program and repeats its own words.
 */
int lp_process_finish(struct lp_process *process, struct lp_error *err);

/* Kill it if it still runs, wait, free. Accepts NULL. */
void lp_process_close(struct lp_process *process);

#endif
