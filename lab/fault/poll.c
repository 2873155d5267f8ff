/* SPDX-License-Identifier: Apache-2.0 */
/*
 * poll: a thread of the server's daemon asks again and again whether there is
 * something to do, instead of waiting for it.
 */
#include "fault/software.h"

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_start(run, PAYLOAD_POLL, 0, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	return lab_software_bites(run, "asked %.0f times", 1, err);
}

const struct lab_fault lab_fault_poll = {
	.name = "poll",
	.summary = "a thread of the daemon polls instead of waiting",

	.cause = "software",
	.start = start,
	.stop = lab_software_stop,
	.bites = bites,
};
