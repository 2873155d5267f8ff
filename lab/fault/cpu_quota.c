/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu-quota: the server's daemons may use only a share of a processor, as in a
 * container whose limit is too small.
 */
#include "base/memory.h"
#include "fault/fault.h"
#include "site/cgroup.h"
#include "site/machine.h"

#include <errno.h>
#include <stdio.h>

#define PERIOD_US 100000

/* Of version 1 of control groups, and of version 2. */
static const struct knob {
	const char *file, *format, *before;
} knobs[] = {
	{ "cpu.cfs_quota_us", "%.0f", "-1" },
	{ "cpu.max", "%.0f 100000", "max" },
};

static double times_throttled(const struct lab_node *node)
{
	char path[PATH_MAX], line[128];
	lp_auto_fclose FILE *file = NULL;
	double times = 0;

	if (lab_cgroup_file(node, "cpu.stat", path) == 0)
		file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "nr_throttled %lf", &times) == 1)
			break;
	return times;
}

static int set(struct lab_fault_run *run, const struct knob *knob,
	       const char *path, struct lp_error *err)
{
	char text[PATH_MAX + 16], value[32];
	int status;

	snprintf(text, sizeof(text), "%s %s", knob->before, path);
	status = lab_fault_note(run, LAB_SETTING, text, err);
	if (status < 0)
		return status;
	snprintf(value, sizeof(value), knob->format,
		 run->strength / 100 * PERIOD_US);
	status = lab_write_line(path, value);
	return status < 0 ? lp_fail_errno(err, -status, "cannot write %s", path)
			  : 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char path[PATH_MAX];

	run->before = times_throttled(run->victim);
	for (size_t i = 0; i < lp_array_size(knobs); i++)
		if (lab_cgroup_file(run->victim, knobs[i].file, path) == 0)
			return set(run, &knobs[i], path, err);
	return lp_fail(err, ENOTSUP,
		       "this machine has no control groups with a quota of CPU "
		       "time");
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	double times = times_throttled(run->victim) - run->before;

	snprintf(run->seen, sizeof(run->seen),
		 "it had to wait %.0f times for its share", times);
	return times > 0 ? 0
			 : lp_fail(err, EIO,
				   "%s needs less CPU time than its quota",
				   run->victim->name);
}

const struct lab_fault lab_fault_cpu_quota = {
	.name = "cpu-quota",
	.summary = "the server may use only a share of a processor",
	.strength_unit = "%",
	.strengths = { 5, 10 },
	.weakest = 1,
	.strongest = 1000,
	.cause = "software",
	.start = start,
	.bites = bites,
};
