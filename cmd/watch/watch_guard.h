/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal's guard: a parent that does nothing but wait, and that leaves
 * the terminal as it was when its child did not live to do so.
 */
#ifndef LP_CMD_WATCH_GUARD_H
#define LP_CMD_WATCH_GUARD_H

#include <stdbool.h>

/*
 * True in the child, which goes on. False in the parent, after the child's end:
 * leave with *status. Where there is no terminal, or no process to be had,
 * there is no guard, and this process goes on.
 */
bool lp_guard_begin(int *status);

#endif
