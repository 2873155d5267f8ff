/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid: one word on the command line picks a row of the table.
 */
#include "command.h"

#include <stdio.h>
#include <string.h>

static void print_help(FILE *out)
{
	fputs("Usage: limpid COMMAND [OPTIONS] ...\n\n"
	      "Finds the component that makes a parallel file system limp.\n\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; lp_commands[i]; i++)
		fprintf(out, "  %-12s %s\n", lp_commands[i]->name,
			lp_commands[i]->summary);
	fputs("\n'limpid COMMAND --help' shows the options of a command,\n"
	      "'man limpid-COMMAND' its page.\n",
	      out);
}

static const struct lp_command *find(const char *name)
{
	for (size_t i = 0; lp_commands[i]; i++)
		if (strcmp(lp_commands[i]->name, name) == 0)
			return lp_commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct lp_command *command;

	if (argc < 2) {
		print_help(stderr);
		return LP_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return LP_EXIT_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("limpid " LIMPID_VERSION);
		return LP_EXIT_OK;
	}
	command = find(argv[1]);
	if (!command) {
		fprintf(stderr,
			"limpid: unknown command '%s'; see 'limpid --help'\n",
			argv[1]);
		return LP_EXIT_USAGE;
	}
	if (!command->run)
		return lp_command_exec(command, argc - 1, argv + 1);
	return command->run(argc - 1, argv + 1);
}
