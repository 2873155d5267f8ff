/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-watch: who differs from its peers now, in a terminal.
 */
#include "command.h"
#include "watch_guard.h"
#include "watch_loop.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_INTERVAL_NS (60 * LP_NS_PER_S)
#define LEAST_INTERVAL_NS (LP_NS_PER_S / 10)

static const struct lp_option table[] = {
	{ .short_name = 'i',
	  .long_name = "interval",
	  .type = LP_OPTION_DURATION,
	  .value = "SECONDS",
	  .offset = offsetof(struct lp_watch_options, interval_ns),
	  .help = "time between samples, 0.1 s to 60 s (default 1 s)",
	  .low = LEAST_INTERVAL_NS,
	  .high = MOST_INTERVAL_NS },
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "DURATION",
	  .offset = offsetof(struct lp_watch_options, for_ns),
	  .help = "end after this time",
	  .low = 1 },
	{ .long_name = "once",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct lp_watch_options, once),
	  .help = "print the first verdict and end; exit status: 0 nothing "
		  "differs, 3 a component differs, 4 cannot tell" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct lp_watch_options, json),
	  .help = "print every verdict as a JSON object on a line" },
	{ .long_name = "root",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct lp_watch_options, root),
	  .help = "read DIR/proc and DIR/sys instead of the kernel's" },
};

static const struct lp_usage usage = {
	.command = "limpid watch",
	.summary = "Shows in a terminal which component differs from its peers "
		   "now.",
	.operands = "[FILE...]",
	.min_operands = 0,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Without a FILE, it samples this machine: its equal disks and "
		 "interfaces are\npeers. A FILE is an archive that grows, or a "
		 "directory of them.\n",
};

static int check(const struct lp_watch_options *options, struct lp_error *err)
{
	if (options->root && options->n_paths)
		return lp_fail(err, EINVAL,
			       "--root is for this machine; leave the files or "
			       "--root out");
	for (size_t i = 0; i < options->n_paths; i++)
		if (access(options->paths[i], R_OK) < 0)
			return lp_fail_errno(err, errno, "%s",
					     options->paths[i]);
	return 0;
}

int main(int argc, char **argv)
{
	struct lp_watch_options options = { .interval_ns = LP_NS_PER_S,
					    .command = usage.command };
	struct lp_error err;
	int status, first, outcome;
	bool stuck = false;

	/* A second arena for the sampler's thread would double the memory. */
	mallopt(M_ARENA_MAX, 1);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	options.paths = (const char *const *)argv + first;
	options.n_paths = (size_t)(argc - first);
	if (check(&options, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (!options.once && !options.json && !lp_guard_begin(&status))
		return status;
	if (lp_watch_run(&options, &outcome, &stuck, &err) < 0)
		status = lp_command_fail(&usage, &err);
	else
		status = lp_command_finish(&usage);
	if (status == LP_EXIT_OK)
		status = outcome;
	if (stuck)
		_exit(status);
	return status;
}
