/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small questions to the machine the lab is on: files of /proc and /sys,
 * mounts, processes.
 */
#ifndef LAB_SITE_MACHINE_H
#define LAB_SITE_MACHINE_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A path, printed; -ENAMETOOLONG if it does not fit. */
int lab_path(char path[PATH_MAX], struct lp_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Which boot of the machine this is; "unknown" if it does not say. */
void lab_boot(char boot[64]);

/* The first line of a file of /proc or /sys, without its newline. */
int lab_read_line(const char *path, char *line, size_t room);
/* Write one text to a file of /proc or /sys. 0 or -errno. */
int lab_write_line(const char *path, const char *text);

/*
 * When the process started, in the kernel's ticks since boot. -ESRCH: there is
 * none, or it has ended and only waits to be noticed.
 */
int lab_process_start(pid_t pid, uint64_t *start);

/* Is something mounted exactly there? */
bool lab_is_mounted(const char *path);
/* Unmount all that is mounted at the path or below it, deepest first. */
void lab_detach_below(const char *path);

/*
 * A process that keeps a file system of the block device in use, by its working
 * directory, an open file or a mount: "process 4711 (bash)". false: none is
 * seen.
 */
bool lab_user_of(dev_t device, char who[64]);

/*
 * Wait at most limit_s for done(context), asking it every 20 ms. For the few
 * states of the kernel that cannot be waited for. -ETIME; -EINTR when *stop
 * (stop may be NULL) is not 0.
 */
int lab_wait_until(bool (*done)(const void *context), const void *context,
		   double limit_s, const volatile int *stop);

#endif
