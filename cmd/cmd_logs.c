/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own: it links PCRE2. */
const struct lp_command lp_command_logs = {
	.name = "logs",
	.summary = "say from logs what failed, and on which nodes",
};
