/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemons that serve parallel file systems, by the name of their program.
 */
#ifndef LP_BEHAVIOR_DAEMONS_H
#define LP_BEHAVIOR_DAEMONS_H

#include <stddef.h>

/* Patterns of fnmatch(3), ended by NULL. */
extern const char *const lp_daemons[];
/* The row of the table that the program matches, or LP_NO_DAEMON. */
#define LP_NO_DAEMON ((size_t)-1)
size_t lp_daemon_find(const char *program, size_t n);

#endif
