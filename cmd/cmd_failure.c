/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own, as the lab is. */
const struct lp_command lp_command_failure = {
	.name = "failure",
	.summary = "break nodes of a lab and report what recovery repairs",
};
