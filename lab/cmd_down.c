/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab down: undo whatever the journal says was made.
 */
#include "word.h"

#include "base/memory.h"
#include "site/lab.h"

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
	.summary = "Stops the lab and removes everything that it created, even "
		   "after a crash.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

struct left {
	unsigned long n;
};

static void tell(void *context, const char *why)
{
	struct left *left = context;

	fprintf(stderr, "%s: %s\n", usage.command, why);
	left->n++;
}

/* In one line more: how much is left, and what to do. */
static int fail(const struct left *left, const char *dir, struct lp_error *err)
{
	if (left->n > 0)
		lp_fail(err, EBUSY,
			"%lu %s still there; everything else was removed. When "
			"nobody uses %s any more, run: limpid lab down --dir "
			"%s",
			left->n,
			left->n == 1 ? "thing of the lab is"
				     : "things of the lab are",
			left->n == 1 ? "it" : "them", dir);
	return lp_command_fail(&usage, err);
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	struct left left = { 0 };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	/* Half undone is what nobody wants; it takes seconds. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	status = lab_down(options.dir, tell, &left, &err);
	if (status == -ENOENT)
		printf("%s\n", err.text);
	else if (status < 0)
		return fail(&left, options.dir, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_down = {
	.name = "down",
	.usage = &usage,
	.run = run,
};
