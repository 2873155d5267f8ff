/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab heal: bring all servers up to date.
 */
#include "word.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "driver/driver.h"
#include "site/lab.h"

#include <errno.h>
#include <stdio.h>

#define USUAL_S 180

struct options {
	const char *dir;
	int64_t for_ns;
};

static const struct lp_option option_table[] = {
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = offsetof(struct options, for_ns),
	  .help = "how long it may take (default 3 min)",
	  .low = 1 },
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab heal",
	.summary = "Restarts daemons that died, and waits until all servers "
		   "are up to date.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

static int heal(struct lab *lab, int64_t for_ns, struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	int64_t begin_ns = lp_monotonic_now();
	char volume[512], took[LP_TIME_TEXT];
	int status = driver->recover(lab, (double)for_ns / 1e9, err);

	if (status == 0)
		status = driver->status(lab, volume, sizeof(volume), err);
	if (status > 0)
		return lp_fail(err, EIO, "only %s", volume);
	if (status == 0)
		printf("%s, nothing is left to heal; this took %s\n", volume,
		       lp_duration_format(lp_monotonic_now() - begin_ns, took));
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR,
				   .for_ns = USUAL_S * LP_NS_PER_S };
	struct lp_error err;
	struct lab *lab;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (lab_open(options.dir, false, &lab, &err) < 0)
		return lp_command_fail(&usage, &err);
	status = heal(lab, options.for_ns, &err);
	lab_close(lab);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lab_word_heal = {
	.name = "heal",
	.usage = &usage,
	.run = run,
};
