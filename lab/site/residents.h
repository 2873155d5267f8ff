/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of one program on a node.
 */
#ifndef LAB_SITE_RESIDENTS_H
#define LAB_SITE_RESIDENTS_H

#include <stddef.h>
#include <sys/types.h>

/*
 * How many there are in the pid namespace of a node's holder; each is sent the
 * signal, if that is not 0. *first (may be NULL) is one of them.
 */
size_t lab_residents(pid_t holder, const char *program, int signal,
		     pid_t *first);

#endif
