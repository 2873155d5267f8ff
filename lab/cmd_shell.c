/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab shell: a command on one of the lab's nodes.
 */
#include "word.h"

#include "base/memory.h"
#include "site/lab.h"
#include "site/node.h"

#include <stdlib.h>

struct options {
	const char *dir;
};

static const struct lp_option option_table[] = {
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab shell",
	.summary = "Runs a shell, or a command, on a node of the lab.",
	.operands = "NODE [-- COMMAND...]",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Nodes are s1, s2, ... (servers), c1, ... (clients), x1 "
		 "(neither server nor\nclient) and bridge (the switch).\n",
};

static const char *users_shell(void)
{
	const char *shell = getenv("SHELL");

	return shell && shell[0] ? shell : "/bin/sh";
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	const struct lab_node *node;
	const char *shell[] = { users_shell(), NULL };
	struct lp_error err;
	struct lab *lab;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (lab_open(options.dir, true, &lab, &err) < 0)
		return lp_command_fail(&usage, &err);
	status = lab_find(lab, argv[first], &node, &err);
	if (status == 0)
		status = lab_node_exec(
			node,
			first + 1 < argc ? (const char *const *)argv + first + 1
					 : shell,
			&err);
	lab_close(lab);
	return status < 0 ? lp_command_fail(&usage, &err) : status;
}

const struct lp_word lab_word_shell = {
	.name = "shell",
	.usage = &usage,
	.run = run,
};
