/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loaded-library: the library of the other faults of a daemon's software is
 * loaded into it, and does nothing. A control: whatever differs then comes of
 * how those faults are made.
 */
#include "fault/daemon.h"
#include "fault/software.h"
#include "inject/deed.h"
#include "inject/symbol_address.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_start(run, PAYLOAD_NOTHING, 0, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_deed *deed = run->own;
	uint64_t address;
	pid_t pid;
	int status = lab_daemon_find(run->lab, run->victim, &pid, err);

	if (status == 0)
		status =
			lab_symbol_address(pid, strrchr(deed->library, '/') + 1,
					   "limpid_payload", &address, err);
	if (status == 0)
		snprintf(run->seen, sizeof(run->seen),
			 "a library was loaded into process %d", (int)pid);
	return status;
}

const struct lab_fault lab_fault_loaded_library = {
	.name = "loaded-library",
	.summary = "a library that does nothing is loaded into the daemon",
	.cause = "",
	.start = start,
	.stop = lab_software_stop,
	.bites = bites,
};
