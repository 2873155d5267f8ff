/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do something on a node: in its network and mount namespaces and its cgroup.
 * Every call has a time limit; a program that outlives it is ended.
 */
#ifndef LAB_SITE_NODE_H
#define LAB_SITE_NODE_H

#include "site/lab.h"

#include <stdbool.h>

/*
 * Run a program and wait. Its output is dropped, or given in *output (NUL
 * ended, at most 64 KiB, to be freed) if that is not NULL. 0 when it exits
 * with 0; else -EIO with its own last words, -ETIME after limit_s seconds.
 */
int lab_node_run(const struct lab_node *node, const char *const *argv,
		 double limit_s, char **output, struct lp_error *err);

/*
 * Start a program that goes on, in a session of its own, noted in the journal
 * (mark, may be NULL); its output goes to the file log. End it by
 * lab_journal_undo(journal, mark).
 */
int lab_node_spawn(struct lab *lab, const struct lab_node *node,
		   const char *const *argv, const char *log, pid_t *pid,
		   size_t *mark, struct lp_error *err);

/*
 * The same for a function of ours: it runs in a child, in the node, until it
 * returns its exit status; it gets SIGTERM when it shall end, and dies with
 * the process that started it.
 */
typedef int lab_node_body(void *context);
int lab_node_fork(struct lab *lab, const struct lab_node *node,
		  lab_node_body *body, void *context, pid_t *pid, size_t *mark,
		  struct lp_error *err);

/*
 * Run a program in the foreground, with our terminal: `lab shell`. Its exit
 * status, or -errno.
 */
int lab_node_exec(const struct lab_node *node, const char *const *argv,
		  struct lp_error *err);

/* The same as lab_node_spawn on the machine itself. */
int lab_spawn(struct lab_journal *journal, const char *const *argv,
	      const char *log, pid_t *pid, size_t *mark, struct lp_error *err);

#endif
