/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own: it changes the machine, and knows no detector. */
const struct lp_command lp_command_lab = {
	.name = "lab",
	.summary = "run a parallel file system on this machine and add faults",
};
