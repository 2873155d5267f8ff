/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab campaign: many runs with known faults, for limpid evaluate.
 */
#include "interrupt.h"
#include "word.h"

#include "base/memory.h"
#include "base/stdin.h"
#include "campaign/conduct.h"
#include "campaign/runs.h"
#include "site/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The campaigns that limpid brings. */
#define OWN "smoke, one, dose, benign, quiet, ceph and tour"

struct options {
	const char *dir, *output, *only;
	unsigned long limit, block;
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
	  .help = "make only runs whose names match, for example '*-ddr-*'" },
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
	{ .long_name = "block",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, block),
	  .help = "make only this block",
	  .low = 1 },
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab campaign",
	.summary =
		"Makes many recordings with known faults, for limpid evaluate.",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes =
		"FILE is a campaign file, or the name of a campaign that comes "
		"with limpid:\n" OWN ".\nAfter an interruption, run the same "
		"command again to continue.\n",
};

/* Beside this program in a build, and where it is installed. */
static const char *const places[] = { "../lab",
				      "../../share/limpid/campaigns" };

/* A name without a slash that is no file here is one of limpid's own. */
static int find_file(const char *name, char path[PATH_MAX],
		     struct lp_error *err)
{
	char self[PATH_MAX];
	char place[PATH_MAX];
	int status = lab_path(path, err, "%s", name);

	if (status < 0 || lp_is_stdin(name) || access(path, F_OK) == 0 ||
	    strchr(name, '/') || !realpath("/proc/self/exe", self))
		return status;
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < lp_array_size(places); i++)
		if (lab_path(place, err, "%s/%s/%s.conf", self, places[i],
			     name) == 0 &&
		    realpath(place, path))
			return 0;
	return lp_fail(err, ENOENT,
		       "there is no file '%s', and no campaign of that name "
		       "comes with limpid; there are " OWN,
		       name);
}

static int report(const struct lab_tallied *t, const struct options *o,
		  struct lp_error *err)
{
	printf("%zu of %zu runs are in %s; made %zu now", t->done, t->wanted,
	       o->output, t->made);
	if (t->failures)
		printf("; %zu failed, see %s/failed", t->failures, o->output);
	puts(".");
	if (t->done < t->wanted && !o->limit && !o->for_ns)
		return lp_fail(err, EIO, "%zu runs are missing",
			       t->wanted - t->done);
	return 0;
}

/* Before anything is made: can it all be run here? */
static int check(const struct lab_campaign *campaign,
		 const struct lab_plan *plan, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < campaign->n_clusters; i++)
		status = lab_check(usage.command, &campaign->clusters[i], err);
	for (size_t i = 0; status == 0 && i < plan->n; i++)
		status = lab_workload_check(plan->trials[i].workload, err);
	return status;
}

static int conduct(const struct options *o, const struct lab_campaign *campaign,
		   const struct lab_plan *plan, struct lp_error *err)
{
	struct lab_conduct c = {
		.campaign = campaign,
		.plan = plan,
		.dir = o->output,
		.lab_dir = o->dir,
		.only = o->only,
		.block = (unsigned)o->block,
		.limit = o->limit,
		.for_ns = o->for_ns,
		.stop = lab_interrupt_catch(),
		.out = stdout,
		.status = isatty(STDERR_FILENO) ? stderr : NULL,
	};
	struct lab_tallied tallied;
	char dir[PATH_MAX];
	int status;

	if (o->dry_run) {
		lab_campaign_print(&c);
		return 0;
	}
	status = check(campaign, plan, err);
	if (status == 0)
		status = lab_runs_open(o->output, campaign->path,
				       campaign->text, err);
	/* Whoever writes there may be in another directory. */
	if (status == 0)
		c.dir = realpath(o->output, dir);
	if (status == 0)
		status = lab_campaign_conduct(&c, &tallied, err);
	return status < 0 ? status : report(&tallied, o, err);
}

static int campaign(const struct options *o, const char *file,
		    struct lp_error *err)
{
	struct lab_campaign made = { 0 };
	struct lab_plan plan = { 0 };
	char path[PATH_MAX];
	int status = find_file(file, path, err);

	if (status == 0)
		status = lab_campaign_read(path, &made, err);
	if (status == 0)
		status = lab_plan_make(&made, &plan, err);
	if (status == 0)
		status = conduct(o, &made, &plan, err);
	lab_plan_done(&plan);
	lab_campaign_done(&made);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (!options.output && !options.dry_run) {
		lp_fail(&err, EINVAL,
			"-o DIR is missing: the directory for the runs");
		return lp_command_misuse(&usage, &err);
	}
	status = campaign(&options, argv[first], &err);
	if (status == -EINTR)
		lp_fail(&err, EINTR,
			"interrupted; finished runs are kept; run the same "
			"command again to continue");
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_campaign = {
	.name = "campaign",
	.usage = &usage,
	.run = run,
};
