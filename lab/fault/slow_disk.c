/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slow-disk: the disk moves fewer bytes a second than its peers.
 */
#include "fault/diskchange.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char command[64];
	uint64_t rate;
	int status = lab_disk_ask(run, "rate", &rate, err);

	if (status < 0)
		return status;
	snprintf(command, sizeof(command), "rate %" PRIu64,
		 (uint64_t)((double)rate / run->strength));
	return lab_disk_change(run, command, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	uint64_t rate;
	int status = lab_disk_ask(run, "rate", &rate, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "the disk moves %.1f MB/s",
		 (double)rate / 1e6);
	if (rate >= run->lab->spec.disk_rate)
		return lp_fail(err, EIO, "the disk is as fast as before");
	return 0;
}

const struct lab_fault lab_fault_slow_disk = {
	.name = "slow-disk",
	.summary = "the disk has a lower throughput",
	.strength_unit = "x",
	.strengths = { 4, 2, 1.5, 1.2 },
	.weakest = 1.01,
	.strongest = 1000,
	.cause = "disk-busy",
	.start = start,
	.bites = bites,
};
