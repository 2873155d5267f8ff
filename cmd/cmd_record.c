/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own, so that a server needs little more than libc. */
const struct lp_command lp_command_record = {
	.name = "record",
	.summary = "record this host's counters into archives",
};
