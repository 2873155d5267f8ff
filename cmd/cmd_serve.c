/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own, for its libraries. */
const struct lp_command lp_command_serve = {
	.name = "serve",
	.summary = "follow the recordings of all servers, and alert",
};
