/* SPDX-License-Identifier: Apache-2.0 */
/*
 * two-victims: disk-busy on the server and on the next one.
 */
#include "fault/fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct lab_node *next_server(const struct lab_fault_run *run)
{
	const struct lab_node *first = lab_nth(run->lab, LAB_SERVER, 0);

	for (size_t i = 0;; i++) {
		const struct lab_node *server =
			lab_nth(run->lab, LAB_SERVER, i);
		const struct lab_node *next =
			lab_nth(run->lab, LAB_SERVER, i + 1);

		if (!server || !next)
			return first;
		if (server == run->victim)
			return next;
	}
}

static int stop(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_fault_run **both = run->own;
	int status = lab_fault_stop(both[0], err);
	int second = lab_fault_stop(both[1], status < 0 ? NULL : err);

	free(both);
	return status < 0 ? status : second;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *other = next_server(run);
	struct lab_fault_run **both = calloc(2, sizeof(*both));
	int status;

	if (!both)
		return lp_fail_memory(err);
	run->own = both;
	run->also = other;
	status = other == run->victim
			 ? lp_fail(err, EINVAL, "this lab has only one server")
			 : lab_fault_start(run->lab, &lab_fault_disk_busy,
					   run->victim, run->strength, &both[0],
					   err);
	if (status == 0)
		status = lab_fault_start(run->lab, &lab_fault_disk_busy, other,
					 run->strength, &both[1], err);
	if (status < 0)
		stop(run, NULL);
	return status;
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_fault_run **both = run->own;
	int status = lab_fault_bites(both[0], err);

	if (status == 0)
		status = lab_fault_bites(both[1], err);
	if (status == 0)
		snprintf(run->seen, sizeof(run->seen), "%s and %s: %.120s",
			 both[0]->victim->name, both[1]->victim->name,
			 both[1]->seen);
	return status;
}

const struct lab_fault lab_fault_two_victims = {
	.name = "two-victims",
	.summary = "disk-busy on the server and on the next one",
	.strength_unit = "x",
	.strengths = { 10, 4, 2 },
	.weakest = 1.05,
	.strongest = 10,
	.cause = "disk-busy",
	.start = start,
	.stop = stop,
	.bites = bites,
};
