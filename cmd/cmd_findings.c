/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

/* A program of its own: it needs SQLite. */
const struct lp_command lp_command_findings = {
	.name = "findings",
	.summary = "list what limpid serve found, acknowledge and plan work",
};
