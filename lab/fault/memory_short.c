/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory-short: the server's daemons get little more memory than they use now,
 * so that their cache is given up again and again. Not less: a daemon that is
 * killed is another fault.
 */
#include "base/memory.h"
#include "fault/daemon.h"
#include "fault/fault.h"
#include "site/cgroup.h"
#include "site/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* For pages on their way to the disk or from it: with less, daemons are killed.
 */
#define UNDER_WAY_BYTES (32 << 20)

/* Of version 1 of control groups, and of version 2. */
static const struct knob {
	const char *limit, *unlimited;
	const char *own; /* memory that is no cache, in memory.stat */
} knobs[] = {
	{ "memory.limit_in_bytes", "-1", "rss" },
	{ "memory.max", "max", "anon" },
};

/* "rss 25165824" */
static bool stat_of(const struct lab_node *node, const char *file,
		    const char *key, uint64_t *value)
{
	char path[PATH_MAX], line[128];
	lp_auto_fclose FILE *from = NULL;
	size_t n = strlen(key);

	if (lab_cgroup_file(node, file, path) == 0)
		from = fopen(path, "re");
	while (from && fgets(line, sizeof(line), from))
		if (strncmp(line, key, n) == 0 && line[n] == ' ')
			return sscanf(line + n, " %" SCNu64, value) == 1;
	return false;
}

static double times_short(const struct lab_node *node)
{
	char path[PATH_MAX], line[32];
	uint64_t times = 0;

	if (lab_cgroup_file(node, "memory.failcnt", path) == 0 &&
	    lab_read_line(path, line, sizeof(line)) == 0)
		sscanf(line, "%" SCNu64, &times);
	else
		stat_of(node, "memory.events", "max", &times);
	return (double)times;
}

static int set(struct lab_fault_run *run, const struct knob *knob,
	       const char *path, struct lp_error *err)
{
	char text[PATH_MAX + 40], value[32];
	uint64_t own;
	int status = lab_read_line(path, value, sizeof(value));

	if (status == 0 &&
	    !stat_of(run->victim, "memory.stat", knob->own, &own))
		status = -EIO;
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot tell what %s uses",
				     run->victim->name);
	snprintf(text, sizeof(text), "%s %s", value, path);
	status = lab_fault_note(run, LAB_SETTING, text, err);
	if (status < 0)
		return status;
	snprintf(value, sizeof(value), "%.0f",
		 (double)own * (1 + run->strength / 100) + UNDER_WAY_BYTES);
	status = lab_write_line(path, value);
	return status < 0 ? lp_fail_errno(err, -status, "cannot write %s", path)
			  : 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char path[PATH_MAX];

	run->before = times_short(run->victim);
	for (size_t i = 0; i < lp_array_size(knobs); i++)
		if (lab_cgroup_file(run->victim, knobs[i].limit, path) == 0)
			return set(run, &knobs[i], path, err);
	return lp_fail(err, ENOTSUP,
		       "this machine has no control groups with a limit of "
		       "memory");
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	double times = times_short(run->victim) - run->before;
	pid_t pid;
	int status = lab_daemon_find(run->lab, run->victim, &pid, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "memory was short %.0f times",
		 times);
	return times > 0 ? 0
			 : lp_fail(err, EIO,
				   "%s has not come to its limit of memory",
				   run->victim->name);
}

const struct lab_fault lab_fault_memory_short = {
	.name = "memory-short",
	.summary = "the server's daemons have little memory beyond their own",
	.strength_unit = "%",
	.strengths = { 20, 50 },
	.weakest = 5,
	.strongest = 1000,
	.cause = "software",
	.start = start,
	.bites = bites,
};
