/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

/* A program of its own, so that one file can be copied to a server. */
const struct lp_command lp_command_watch = {
	.name = "watch",
	.summary = "show in a terminal which component differs now",
};
