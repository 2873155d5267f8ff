/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C and its like, for commands that have something to undo: nothing is
 * interrupted in its middle, a flag is set that they look at.
 */
#ifndef LAB_INTERRUPT_H
#define LAB_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP set the flag, whose address is
 * returned, and cut a wait short.
 */
const volatile int *lab_interrupt_catch(void);

/* Sleep so long, or until the flag is set: true. */
bool lab_interrupt_wait(int64_t ns);

#endif
