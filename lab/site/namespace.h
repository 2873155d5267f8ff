/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network namespaces, each kept by a mount on a file of the lab's own
 * directory. Not in /run/netns: whoever runs `ip netns add` first mounts that
 * directory over itself, and hides what was mounted there before.
 */
#ifndef LAB_SITE_NAMESPACE_H
#define LAB_SITE_NAMESPACE_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>

/* The name of the file in a node's directory. */
#define LAB_NETNS_FILE "netns"

/*
 * The file of a namespace that a journal names: its path, or "limpid-s1", as
 * older labs had them in /run/netns. false: it is none of a lab.
 */
bool lab_namespace_file(const char *named, char path[PATH_MAX]);

/* Make a namespace, kept by a new file; -EEXIST: the file is there. */
int lab_namespace_make(const char *path, struct lp_error *err);

/* End whoever is in it, and remove it; 0 also if there is none. */
int lab_namespace_remove(const char *path, struct lp_error *err);

/* Enter the namespace at a path: for lab_exec's `enter`. */
int lab_enter_netns(const void *path);

/* Run a program on this machine, but in the network of that namespace. */
int lab_run_in(const char *path, const char *const *argv, const char *package,
	       struct lp_error *err);
#define LAB_RUN_IN(path, package, err, ...)                                    \
	lab_run_in(path, (const char *const[]){ __VA_ARGS__, NULL }, package,  \
		   err)

/* Write a file of /proc/sys/net as the namespace has it; 0 or -errno. */
int lab_namespace_set(const char *path, const char *file, const char *value);

#endif
