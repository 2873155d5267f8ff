/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/software.h"

#include "fault/daemon.h"
#include "inject/deed.h"
#include "inject/inject.h"
#include "site/nodes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int put_in(struct lab_fault_run *run, const struct lab_deed *deed,
		  struct lp_error *err)
{
	pid_t pid;
	int status = lab_fault_note(run, LAB_DEED, deed->page_path, err);

	if (status == 0)
		status = lab_daemon_find(run->lab, run->victim, &pid, err);
	return status < 0 ? status : lab_inject(pid, deed->library, err);
}

int lab_software_start(struct lab_fault_run *run, enum payload_deed kind,
		       uint32_t amount, struct lp_error *err)
{
	struct lab_deed *deed = calloc(1, sizeof(*deed));
	char dir[PATH_MAX];
	int status;

	if (!deed)
		return lp_fail_memory(err);
	/* The node sees its own directory under the same path. */
	status = lab_node_path(run->lab, run->victim, ".", dir, err);
	if (status == 0)
		status = lab_deed_make(dir, kind, amount, deed, err);
	if (status == 0)
		status = put_in(run, deed, err);
	run->own = deed;
	if (status < 0)
		lab_software_stop(run, NULL);
	return status;
}

int lab_software_stop(struct lab_fault_run *run, struct lp_error *err)
{
	(void)err;
	if (run->own)
		lab_deed_done(run->own);
	free(run->own);
	run->own = NULL;
	return 0;
}

uint64_t lab_software_done(const struct lab_fault_run *run)
{
	const struct lab_deed *deed = run->own;

	return atomic_load(&deed->page->done);
}

int lab_software_bites(struct lab_fault_run *run, const char *format,
		       double unit, struct lp_error *err)
{
	double done = (double)lab_software_done(run) * unit;

	snprintf(run->seen, sizeof(run->seen), format, done);
	return done > 0 ? 0
			: lp_fail(err, EIO,
				  "the daemon has not done any of it yet");
}
