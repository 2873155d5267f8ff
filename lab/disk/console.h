/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control socket of a virtual disk: callers that send lines and get one
 * line for each. It never waits: a caller that does not read is dropped.
 */
#ifndef LAB_DISK_CONSOLE_H
#define LAB_DISK_CONSOLE_H

#include "base/error.h"
#include "disk/control.h"

#include <poll.h>
#include <stddef.h>

#define LAB_CONSOLE_CALLERS 8
#define LAB_CONSOLE_FDS (LAB_CONSOLE_CALLERS + 1)

struct lab_console {
	int listener;
	const char *path; /* the caller's, removed at the end */
	struct lab_caller {
		int fd; /* -1: a free place */
		size_t used;
		char line[LAB_DISK_LINE];
	} caller[LAB_CONSOLE_CALLERS];
};

/*
 * Listen at path. What a disk that was killed left there is replaced; a disk
 * that lives there is -EADDRINUSE.
 */
int lab_console_open(struct lab_console *console, const char *path,
		     struct lp_error *err);
void lab_console_close(struct lab_console *console);

/* What to wait for, LAB_CONSOLE_FDS of them. */
void lab_console_poll(const struct lab_console *console, struct pollfd *fds);

/* Answer a command of n bytes. */
typedef void lab_console_fn(void *context, const char *line, size_t n,
			    char reply[LAB_DISK_LINE]);
/* Do what those fds are ready for. */
void lab_console_serve(struct lab_console *console, const struct pollfd *fds,
		       lab_console_fn *answer, void *context);

#endif
