/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

const struct lp_command lp_commands[] = {
	{ 0 },
};
