/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debugger: somebody traces the server's daemon and forgot to end it: each of
 * its system calls stops twice.
 */
#include "base/memory.h"
#include "fault/daemon.h"
#include "fault/fault.h"
#include "site/exec.h"
#include "site/node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char number[16];
	const char *const argv[] = { "strace",    "-f", "-qq",  "-o",
				     "/dev/null", "-p", number, NULL };
	pid_t daemon, inner, tracer;
	size_t mark;
	int status = lab_need_program("strace", "strace", err);

	if (status == 0)
		status = lab_daemon_find(run->lab, run->victim, &daemon, err);
	if (status == 0)
		status = lab_daemon_inner_pid(daemon, &inner, err);
	if (status < 0)
		return status;
	snprintf(number, sizeof(number), "%d", (int)inner);
	status = lab_node_spawn(run->lab, run->victim, argv, "/dev/null",
				&tracer, &mark, err);
	return status < 0 ? status : lab_fault_entrust(run, mark, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	char path[64], line[128];
	lp_auto_fclose FILE *file = NULL;
	long tracer = 0;
	pid_t daemon;
	int status = lab_daemon_find(run->lab, run->victim, &daemon, err);

	if (status < 0)
		return status;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)daemon);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "TracerPid:", 10) == 0)
			tracer = strtol(line + 10, NULL, 10);
	snprintf(run->seen, sizeof(run->seen), "process %d is traced",
		 (int)daemon);
	return tracer > 0 ? 0
			  : lp_fail(err, EIO, "process %d is not traced",
				    (int)daemon);
}

const struct lab_fault lab_fault_debugger = {
	.name = "debugger",
	.summary = "the daemon's system calls are traced",
	.cause = "software",
	.start = start,
	.bites = bites,
};
