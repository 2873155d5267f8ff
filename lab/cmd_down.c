/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab down: undo whatever the journal says was made.
 */
#include "word.h"

#include "base/memory.h"
#include "cluster/lab.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

struct options {
	const char *dir;
};

static const struct lp_option option_table[] = {
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab down",
	.summary = "Ends the lab and removes everything it made, after any "
		   "crash of it, too.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	struct lp_error err;
	int first, status, r;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	/* Half undone is what nobody wants; it takes seconds. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	r = lab_down(options.dir, &err);
	if (r == -ENOENT)
		printf("%s\n", err.text);
	else if (r < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_down = {
	.name = "down",
	.usage = &usage,
	.run = run,
};
