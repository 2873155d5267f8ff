/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps from outside: a child on the client, its limit, its end.
 */
#include "verify/verify.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "site/machine.h"
#include "site/node.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* How long a killed process may take before it is freed. */
#define KILLED_S 2.0
#define FREED_S 20.0
/* Of a step that gets on: so many times its limit. */
#define PATIENCE 5

static const char *const names[] = {
	[LAB_VERIFY_AGE] = "verify-age",   [LAB_VERIFY_WRITE] = "verify-write",
	[LAB_VERIFY_READ] = "verify-read", [LAB_VERIFY_ASYNC] = "verify-async",
	[LAB_VERIFY_SYNC] = "verify-sync",
};

const char *lab_verify_name(enum lab_verify_step step)
{
	return step < LAB_VERIFY_LOOP ? names[step] : "verify-loop";
}

enum lab_verify_step lab_verify_find(const char *name)
{
	for (size_t i = 0; i < lp_array_size(names); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum lab_verify_step)i;
	return LAB_VERIFY_STEPS;
}

enum lab_verdict lab_verify_verdict(const struct lab_verify_result *r)
{
	if (!r->finished)
		return LAB_IS_HANG;
	for (int i = LAB_VERDICTS - 1; i > 0; i--)
		if (r->count[i])
			return (enum lab_verdict)i;
	return LAB_IS_OK;
}

struct lab_verify_run {
	struct lab *lab;
	const struct lab_node *client;
	enum lab_verify_step step;
	struct lab_verify_spec spec;
	struct lab_verify_result *result; /* in shared memory */
	pid_t pid;
	size_t mark;
	bool ended;
};

static int body(void *context)
{
	const struct lab_verify_run *run = context;

	/* What is not mounted is a directory of this machine. */
	if (!lab_is_mounted(run->client->mount)) {
		run->result->count[LAB_IS_UNREACHED]++;
		snprintf(run->result->first, sizeof(run->result->first),
			 "the file system is not mounted");
		run->result->finished = true;
		return 0;
	}
	lab_verify_do(run->client->mount, run->step, &run->spec, run->result);
	return 0;
}

int lab_verify_start(struct lab *lab, const struct lab_node *client,
		     enum lab_verify_step step,
		     const struct lab_verify_spec *spec,
		     struct lab_verify_run **started, struct lp_error *err)
{
	struct lab_verify_run *run = calloc(1, sizeof(*run));
	void *page = mmap(NULL, sizeof(*run->result), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	if (!run || page == MAP_FAILED)
		status = lp_fail_memory(err);
	if (status == 0) {
		*run = (struct lab_verify_run){ .lab = lab,
						.client = client,
						.step = step,
						.spec = *spec,
						.result = page };
		status = lab_node_fork(lab, client, body, run, &run->pid,
				       &run->mark, err);
	}
	if (status < 0) {
		if (page != MAP_FAILED)
			munmap(page, sizeof(*run->result));
		free(run);
		return status;
	}
	*started = run;
	return 0;
}

static bool has_ended(const void *context)
{
	struct lab_verify_run *run = (struct lab_verify_run *)context;

	if (!run->ended)
		run->ended = waitpid(run->pid, NULL, WNOHANG) != 0;
	return run->ended;
}

/* Killed, and freed if that had no effect. */
static void end(struct lab_verify_run *run)
{
	kill(-run->pid, SIGKILL);
	kill(run->pid, SIGKILL);
	if (lab_wait_until(has_ended, run, KILLED_S, NULL) == 0)
		return;
	run->result->freed = true;
	lab_fuse_abort(run->client->mount, NULL);
	lab_wait_until(has_ended, run, FREED_S, NULL);
}

void lab_verify_stop(struct lab_verify_run *run,
		     struct lab_verify_result *result)
{
	if (!run)
		return;
	if (!has_ended(run))
		end(run);
	if (run->ended)
		lab_journal_undo(run->lab->journal, run->mark, NULL);
	/* Files that were being worked on when it ended. */
	if (!run->result->finished && run->ended && !run->result->freed &&
	    run->step == LAB_VERIFY_LOOP)
		run->result->finished = true;
	if (result)
		*result = *run->result;
	munmap(run->result, sizeof(*run->result));
	free(run);
}

/*
 * Who is slow goes on, and who does not get on with anything hangs: until it
 * has ended, or finished no file for so long, or was at it for many times that.
 */
static void await(struct lab_verify_run *run)
{
	const int64_t limit_ns = (int64_t)(run->spec.limit_s * 1e9);
	const int64_t begun_ns = lp_monotonic_now();
	int64_t moved_ns = begun_ns, now_ns = begun_ns;
	unsigned done = 0;

	while (now_ns - moved_ns < limit_ns &&
	       now_ns - begun_ns < PATIENCE * limit_ns) {
		if (lab_wait_until(has_ended, run, 0.2, run->lab->stop) !=
		    -ETIME)
			return;
		now_ns = lp_monotonic_now();
		if (run->result->done != done)
			moved_ns = now_ns;
		done = run->result->done;
	}
}

int lab_verify(struct lab *lab, const struct lab_node *client,
	       enum lab_verify_step step, const struct lab_verify_spec *spec,
	       struct lab_verify_result *result, struct lp_error *err)
{
	struct lab_verify_run *run;
	int status = lab_verify_start(lab, client, step, spec, &run, err);

	if (status < 0)
		return status;
	await(run);
	lab_verify_stop(run, result);
	return 0;
}
