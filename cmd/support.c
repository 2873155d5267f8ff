/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all commands share: beginning, failing, finishing, and running helpers.
 */
#include "command.h"

#include "base/helper.h"
#include "base/visible.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool lp_command_begin(const struct lp_usage *usage, int argc, char **argv,
		      void *fields, int *first_operand, int *status)
{
	struct lp_error err;
	int outcome = lp_options_parse(usage, argc, argv, fields, first_operand,
				       &err);

	if (outcome == LP_OPTIONS_RUN)
		return true;
	if (outcome == LP_OPTIONS_HELP) {
		lp_options_help(usage, stdout);
		*status = lp_command_finish(usage);
	} else {
		fprintf(stderr, "%s\n", lp_shown(err.text));
		*status = LP_EXIT_USAGE;
	}
	return false;
}

int lp_command_fail(const struct lp_usage *usage, const struct lp_error *err)
{
	char text[4 * sizeof(err->text)];

	fprintf(stderr, "%s: %s\n", usage->command,
		lp_visible_text(text, sizeof(text), err->text));
	return LP_EXIT_ERROR;
}

int lp_command_misuse(const struct lp_usage *usage, const struct lp_error *err)
{
	lp_command_fail(usage, err);
	return LP_EXIT_USAGE;
}

int lp_command_finish(const struct lp_usage *usage)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return LP_EXIT_OK;
	if (errno == EPIPE)
		return LP_EXIT_OK;
	fprintf(stderr, "%s: cannot write the output: %s\n", usage->command,
		strerror(errno));
	return LP_EXIT_ERROR;
}

int lp_command_exec(const struct lp_command *command, int argc, char **argv)
{
	char path[PATH_MAX];

	(void)argc;
	lp_helper_path(command->name, path);
	execv(path, argv);
	fprintf(stderr,
		"limpid: cannot run %s: %s; it is part of limpid; if it is in "
		"another directory, set LIMPID_LIBEXEC to that directory\n",
		path, strerror(errno));
	return LP_EXIT_ERROR;
}
