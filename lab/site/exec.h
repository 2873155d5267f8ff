/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run a program with a time limit, on this machine or inside of namespaces; no
 * shell. Unlike base/process.h it can enter namespaces first, never waits for
 * ever, and the program dies with the process that started it.
 */
#ifndef LAB_SITE_EXEC_H
#define LAB_SITE_EXEC_H

#include "base/error.h"

#include <sys/types.h>

struct lab_exec {
	const char *const *argv;
	const char *package; /* to be installed when it is missing, or NULL */
	double limit_s;
	char **output; /* of standard output, or NULL: dropped */
	/* In the child, before the program: 0 or -errno. May be NULL. */
	int (*enter)(const void *context);
	const void *context;
	int pidns; /* of the child, or 0 */
};

/*
 * 0 when it exits with 0; -ENOENT: not installed; -EIO with its last words;
 * -ETIME. The output, NUL ended, is to be freed; at most 64 KiB of it.
 */
int lab_exec_run(const struct lab_exec *exec, struct lp_error *err);

/* A program on this machine: {"ip", "link", ...}. */
int lab_run(const char *const *argv, const char *package, struct lp_error *err);
#define LAB_RUN(package, err, ...)                                             \
	lab_run((const char *const[]){ __VA_ARGS__, NULL }, package, err)

/* Run a function in a child; what it returns, 0 or -errno. */
int lab_in_child(int (*body)(void *context), void *context);

/* Fork a child whose pid namespace is the open one; as fork(). */
pid_t lab_fork_into(int pidns);

/* Is the program in PATH? -ENOENT with the package's name. */
int lab_need_program(const char *name, const char *package,
		     struct lp_error *err);

#endif
