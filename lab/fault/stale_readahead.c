/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stale-readahead: the kernel reads ahead far more of this disk than of its
 * peers', as of a device that was another's before and kept its setting.
 */
#include "fault/fault.h"
#include "site/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void path_of(const struct lab_fault_run *run, char path[96])
{
	snprintf(path, 96, "/sys/block/%s/queue/read_ahead_kb",
		 run->victim->device);
}

static int note(struct lab_fault_run *run, const char *path,
		struct lp_error *err)
{
	char before[32], text[160];
	int status = lab_read_line(path, before, sizeof(before));

	if (status < 0)
		return lp_fail_errno(err, -status, "cannot read %s", path);
	snprintf(text, sizeof(text), "%s %s", before, path);
	return lab_fault_note(run, LAB_SETTING, text, err);
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char path[96], value[32];
	int status;

	path_of(run, path);
	snprintf(value, sizeof(value), "%.0f", run->strength);
	status = note(run, path, err);
	if (status < 0)
		return status;
	status = lab_write_line(path, value);
	return status < 0
		       ? lp_fail_errno(err, -status, "cannot write to %s", path)
		       : 0;
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	char path[96], value[32];
	int status;

	path_of(run, path);
	status = lab_read_line(path, value, sizeof(value));
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot read %s", path);
	snprintf(run->seen, sizeof(run->seen), "%s kB are read ahead", value);
	if (strtod(value, NULL) != run->strength)
		return lp_fail(err, EIO, "%s is %s", path, value);
	return 0;
}

const struct lab_fault lab_fault_stale_readahead = {
	.name = "stale-readahead",
	.summary = "the kernel reads too far ahead on this disk",
	.strength_unit = "kB",
	.strengths = { 2560, 1024, 512 },
	.weakest = 4,
	.strongest = 65536,
	.cause = "disk-busy",
	.start = start,
	.bites = bites,
};
