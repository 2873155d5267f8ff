/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid: one word on the command line picks a row of the table.
 */
#include "command.h"

#include "base/nearest.h"
#include "base/visible.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const struct lp_usage usage = { .command = "limpid" };

static void print_help(FILE *out)
{
	fputs("Usage: limpid COMMAND [OPTIONS] ...\n\nFinds the slow disk, "
	      "link or server that holds back a parallel file "
	      "system.\n\nCommands:\n",
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

/*
 * Recordings of many hosts are read side by side, some through programs with
 * pipes: the usual soft limit of 1024 descriptors, which is meant for programs
 * that call select(), would end at 150 files of sysstat.
 */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
	       strcmp(word, "help") == 0;
}

static int unknown(const char *name, int argc, char **argv)
{
	struct lp_nearest nearest = lp_nearest_begin(name);
	char hint[LP_NEAREST_HINT];

	for (size_t i = 0; lp_commands[i]; i++)
		lp_nearest_offer(&nearest, lp_commands[i]->name);
	fprintf(stderr, "limpid: unknown command '%s'%s; %s\n", lp_shown(name),
		lp_nearest_hint(&nearest, hint), "see 'limpid --help'");
	for (int i = 1; i < argc; i++)
		if (is_help(argv[i])) {
			fputc('\n', stderr);
			print_help(stderr);
			break;
		}
	return LP_EXIT_USAGE;
}

static int run(const char *name, int argc, char **argv)
{
	const struct lp_command *command = find(name);

	if (!command)
		return unknown(name, argc, argv);
	if (!command->run)
		return lp_command_exec(command, argc, argv);
	raise_descriptor_limit();
	return command->run(argc, argv);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return LP_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts("limpid " LIMPID_VERSION);
		return lp_command_finish(&usage);
	}
	if (is_help(argv[1]) && argc > 2)
		return run(argv[2], 2,
			   (char *[]){ argv[2], (char[]){ "--help" }, NULL });
	if (is_help(argv[1])) {
		print_help(stdout);
		return lp_command_finish(&usage);
	}
	return run(argv[1], argc - 1, argv + 1);
}
