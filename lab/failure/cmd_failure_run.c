/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid failure run: what breaks, what recovery repairs.
 */
#include "failure/failure_word.h"
#include "interrupt.h"

#include "base/memory.h"
#include "campaign/runs.h"
#include "failure/matrix_conduct.h"
#include "site/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A lab of its own: it is taken down after each run. */
#define OWN_DIR "/var/lib/limpid-failure"
#define OWN "smoke, gluster and gluster-replicated"

struct options {
	const char *dir, *output, *only;
	unsigned long limit;
	int64_t for_ns;
	bool dry_run;
};

static const struct lp_option option_table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, output),
	  .help = "directory for the runs; existing runs are kept" },
	{ .long_name = "dry-run",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, dry_run),
	  .help = "show the plan and how long it will take" },
	{ .long_name = "only",
	  .type = LP_OPTION_STRING,
	  .value = "PATTERN",
	  .offset = offsetof(struct options, only),
	  .help = "make only runs whose names match, for example '*-cut-off'" },
	{ .long_name = "limit",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, limit),
	  .help = "make at most N runs now",
	  .low = 1 },
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "DURATION",
	  .offset = offsetof(struct options, for_ns),
	  .help = "do not start a run that would end later",
	  .low = 1 },
	{ .long_name = "dir",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, dir),
	  .help = "where the lab is made (default " OWN_DIR ")" },
};

static const struct lp_usage usage = {
	.command = "limpid failure run",
	.summary = "Breaks nodes of a lab, and records what recovery repairs.",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "FILE is described in limpid-failure-campaign(5), or is one "
		 "that "
		 "comes with\nlimpid: " OWN ".\n"
		 "After an interruption, run the same command again to "
		 "continue.\n",
};

/* Beside this program in a build, and where it is installed. */
static const char *const places[] = { "../lab",
				      "../../share/limpid/campaigns" };

/* A name without a slash that is no file here is one of limpid's own. */
static int find_file(const char *name, char path[PATH_MAX],
		     struct lp_error *err)
{
	char self[PATH_MAX], place[PATH_MAX];
	int status = lab_path(path, err, "%s", name);

	if (status < 0 || access(path, F_OK) == 0 || strchr(name, '/') ||
	    !realpath("/proc/self/exe", self))
		return status;
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < lp_array_size(places); i++)
		if (lab_path(place, err, "%s/%s/failure-%s.conf", self,
			     places[i], name) == 0 &&
		    realpath(place, path))
			return 0;
	return lp_fail(err, ENOENT,
		       "there is no file '%s', and none of that name comes "
		       "with limpid; there are " OWN,
		       name);
}

static int conduct(const struct options *o, const struct lab_matrix *matrix,
		   const struct lab_matrix_plan *plan, struct lp_error *err)
{
	struct lab_matrix_sitting s = {
		.matrix = matrix,
		.plan = plan,
		.dir = o->output,
		.lab_dir = o->dir,
		.only = o->only,
		.limit = o->limit,
		.for_ns = o->for_ns,
		.stop = lab_interrupt_catch(),
		.out = stdout,
		.status = isatty(STDERR_FILENO) ? stderr : NULL,
	};
	struct lab_matrix_tally tally;
	char dir[PATH_MAX];
	int status;

	if (o->dry_run) {
		lab_matrix_print(&s);
		return 0;
	}
	status = lab_check(usage.command, &matrix->cluster, err);
	if (status == 0)
		status = lab_runs_open(o->output, matrix->path, matrix->text,
				       err);
	if (status < 0)
		return status;
	s.dir = realpath(o->output, dir);
	status = lab_matrix_conduct(&s, &tally, err);
	if (status == 0)
		printf("%zu of %zu runs are in %s; made %zu now.\n", tally.done,
		       tally.wanted, o->output, tally.made);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = OWN_DIR };
	struct lab_matrix_plan plan = { 0 };
	struct lab_matrix matrix = { 0 };
	char path[PATH_MAX];
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (!options.output && !options.dry_run) {
		lp_fail(&err, EINVAL,
			"-o DIR is missing: the directory for the runs");
		return lp_command_misuse(&usage, &err);
	}
	status = find_file(argv[first], path, &err);
	if (status == 0)
		status = lab_matrix_read(path, &matrix, &err);
	if (status == 0)
		status = lab_matrix_plan(&matrix, &plan, &err);
	if (status == 0)
		status = conduct(&options, &matrix, &plan, &err);
	lab_matrix_plan_done(&plan);
	lab_matrix_done(&matrix);
	if (status == -EINTR)
		lp_fail(&err, EINTR,
			"interrupted; finished runs are kept; run the same "
			"command again to continue");
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lab_failure_word_run = {
	.name = "run",
	.usage = &usage,
	.run = run,
};
