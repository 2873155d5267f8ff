/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/ordeal.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "campaign/recorder.h"
#include "campaign/runs.h"
#include "campaign/trial.h"
#include "failure/logtail.h"
#include "failure/refresh.h"
#include "site/machine.h"
#include "site/nodekill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writers write before and after the failure begins. */
#define WARMING_S 3.0
/* A first failure lasts so long where a second one follows. */
#define FIRST_S 15.0

struct running {
	const struct lab_ordeal_bench *bench;
	const struct lab_matrix_run *run;
	const struct lab_driver *driver;
	const char *dir;
	struct lab_ordeal *o;
	struct lab *lab;
	const struct lab_node *client, *node[LAB_MAX_SERVERS];
	struct lab_verify_spec spec;
	char ledger[PATH_MAX], archives[PATH_MAX];
	struct lab_recorders *recorders;
	struct lab_logtail *logs;
	struct lab_failure_run *failure;
	struct lab_fault_run *limping;
	size_t daemons_before;
};

static const char *const phase_names[] = {
	[LAB_TOOLS_HEALTHY] = "healthy",
	[LAB_TOOLS_FAILED] = "failed",
	[LAB_TOOLS_UNDONE] = "undone",
};

static const char *const work_names[] = {
	[LAB_WORK_BEFORE] = "before", [LAB_WORK_WRITERS] = "writers",
	[LAB_WORK_WARM] = "warm",     [LAB_WORK_COLD] = "cold",
	[LAB_WORK_ASYNC] = "async",   [LAB_WORK_SYNC] = "sync",
	[LAB_WORK_UNDONE] = "undone",
};

const char *lab_tool_phase_name(enum lab_tool_phase phase)
{
	return phase_names[phase];
}

const char *lab_work_name(enum lab_work work)
{
	return work_names[work];
}

void lab_ordeal_done(struct lab_ordeal *o)
{
	for (size_t p = 0; p < LAB_TOOL_PHASES; p++)
		for (size_t i = 0; i < LAB_TOOLS_MOST; i++)
			free(o->tool[p][i].output);
	*o = (struct lab_ordeal){ 0 };
}

/* ---- the timeline ---- */

static void begin(struct running *r, const char *step, double limit_s)
{
	struct lab_ordeal *o = r->o;
	int64_t now = lp_time_now();

	if (o->n_moments > 0)
		o->timeline[o->n_moments - 1].end_ns = now;
	if (o->n_moments < LAB_TIMELINE_MOST)
		o->timeline[o->n_moments++] =
			(struct lab_moment){ step, now, now };
	if (r->bench->step)
		r->bench->step(r->bench->context, step, limit_s);
}

static int stopped(const struct running *r, struct lp_error *err)
{
	return *r->bench->stop ? lp_fail(err, EINTR, "interrupted") : 0;
}

static bool never(const void *context)
{
	(void)context;
	return false;
}

static void wait_s(const struct running *r, double seconds)
{
	lab_wait_until(never, NULL, seconds, r->bench->stop);
}

/* ---- work ---- */

static int work(struct running *r, enum lab_work work,
		enum lab_verify_step step, unsigned passes,
		struct lp_error *err)
{
	struct lab_verify_spec spec = r->spec;
	int status = stopped(r, err);

	if (status < 0)
		return status;
	spec.passes = passes;
	status = lab_verify(r->lab, r->client, step, &spec, &r->o->work[work],
			    err);
	r->o->has_work[work] = status == 0;
	/* Whoever hung has left a mount that nobody can use. */
	if (status == 0 && !r->o->work[work].finished &&
	    lab_client_refresh(r->lab, r->client, NULL) < 0)
		r->o->remounts++;
	return status;
}

static int read_cold(struct running *r, enum lab_work which,
		     struct lp_error *err)
{
	lab_servers_forget(r->lab);
	if (lab_client_refresh(r->lab, r->client, NULL) < 0)
		r->o->remounts++;
	return work(r, which, LAB_VERIFY_READ, r->bench->matrix->passes, err);
}

/* ---- tools ---- */

/* From a server that did not fail, if there is one. */
static const struct lab_node *caller(const struct running *r)
{
	const struct lab_node *server;

	for (size_t i = 0; (server = lab_nth(r->lab, LAB_SERVER, i)); i++) {
		bool fails = false;

		for (size_t k = 0; k < r->run->members.n; k++)
			fails |= r->node[k] == server;
		if (!fails)
			return server;
	}
	return lab_nth(r->lab, LAB_SERVER, 0);
}

static int use_tools(struct running *r, enum lab_tool_phase phase,
		     struct lp_error *err)
{
	const struct lab_tool *tool = r->driver->tools;
	double limit_s = r->bench->matrix->limits.tool_s;

	/* There is work for them then, and nothing in their way. */
	if (phase == LAB_TOOLS_UNDONE)
		limit_s *= 2;
	for (size_t i = 0; tool[i].name && i < LAB_TOOLS_MOST; i++) {
		if (stopped(r, err) < 0)
			return -EINTR;
		tool[i].run(r->lab, caller(r), limit_s, &r->o->tool[phase][i]);
	}
	r->o->has_tools[phase] = true;
	return 0;
}

/* ---- the failure ---- */

static int find_nodes(struct running *r, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < r->run->members.n; i++)
		status = lab_find(r->lab, r->run->members.node[i], &r->node[i],
				  err);
	return status;
}

static int fail_with(struct running *r, const struct lab_failure *failure,
		     struct lp_error *err)
{
	return lab_failure_start(r->lab, failure, r->node, r->run->members.n,
				 r->run->of->strength, r->run->seed,
				 &r->failure, err);
}

static int start_failures(struct running *r, struct lp_error *err)
{
	const struct lab_matrix_case *c = r->run->of;
	const struct lab_node *node;
	int status = 0;

	if (*r->run->limping) {
		status = lab_find(r->lab, r->run->limping, &node, err);
		if (status == 0)
			status = lab_fault_start(r->lab, c->limping, node, 0,
						 &r->limping, err);
	}
	if (status == 0 && r->run->failure)
		status = fail_with(r, r->run->failure, err);
	if (status < 0 || !c->then)
		return status;
	/* Recovery of the first has just begun when the second comes. */
	wait_s(r, FIRST_S);
	lab_failure_bites(r->failure, NULL);
	status = lab_failure_undo(r->failure, err);
	r->failure = NULL;
	return status < 0 ? status : fail_with(r, c->then, err);
}

/* With writers before, during and for a while after its beginning. */
static int fail_now(struct running *r, struct lp_error *err)
{
	struct lab_verify_run *writers = NULL;
	struct lp_error why = { "" };
	int status = 0;

	if (!r->run->of->idle)
		status = lab_verify_start(r->lab, r->client, LAB_VERIFY_LOOP,
					  &r->spec, &writers, err);
	if (status < 0)
		return status;
	wait_s(r, writers ? WARMING_S : 0);
	r->o->failed_ns = lp_time_now();
	status = start_failures(r, err);
	wait_s(r, r->bench->matrix->delay_s);
	if (status == 0 && r->failure) {
		r->o->bites = lab_failure_bites(r->failure, &why) == 0;
		snprintf(r->o->seen, sizeof(r->o->seen), "%.190s",
			 r->o->bites ? r->failure->seen : why.text);
	}
	if (writers) {
		lab_verify_stop(writers, &r->o->work[LAB_WORK_WRITERS]);
		r->o->has_work[LAB_WORK_WRITERS] = true;
		if (!r->o->work[LAB_WORK_WRITERS].finished &&
		    lab_client_refresh(r->lab, r->client, NULL) < 0)
			r->o->remounts++;
	}
	return status;
}

/* What it did not manage is an outcome: the tools come all the same. */
static void undo_failure(struct running *r)
{
	struct lp_error why = { "" };
	int status = lab_failure_undo(r->failure, &why);

	r->failure = NULL;
	if (status == 0)
		status = lab_fault_stop(r->limping, &why);
	else
		lab_fault_stop(r->limping, NULL);
	r->limping = NULL;
	r->o->undone = status == 0;
	r->o->undone_ns = lp_time_now();
	snprintf(r->o->undo_error, sizeof(r->o->undo_error), "%.190s",
		 status < 0 ? why.text : "");
}

/* ---- daemons that died where nothing failed ---- */

static bool is_victim(const struct running *r, const struct lab_node *node)
{
	for (size_t i = 0; i < r->run->members.n; i++)
		if (r->node[i] == node)
			return true;
	return false;
}

static void look_for_dead(struct running *r)
{
	size_t used = 0;

	for (size_t i = 0; i < r->lab->n_nodes; i++) {
		const struct lab_node *node = &r->lab->node[i];
		const struct lab_daemon *d = r->driver->daemons;

		if (node->role != LAB_SERVER || is_victim(r, node))
			continue;
		for (; d->role && used < sizeof(r->o->died); d++)
			if (lab_node_count(node, d->program) == 0)
				used += (size_t)snprintf(
					r->o->died + used,
					sizeof(r->o->died) - used, "%s%s %s",
					used ? ", " : "", node->name, d->role);
	}
}

/* ---- the steps ---- */

static int healthy(struct running *r, struct lp_error *err)
{
	const struct lab_matrix_limits *l = &r->bench->matrix->limits;
	int status;

	begin(r, "age", l->work_s);
	status = work(r, LAB_WORK_BEFORE, LAB_VERIFY_AGE, 1, err);
	begin(r, "write", l->work_s);
	if (status == 0)
		status = work(r, LAB_WORK_BEFORE, LAB_VERIFY_WRITE, 1, err);
	begin(r, "tools before", l->tool_s);
	if (status == 0)
		status = use_tools(r, LAB_TOOLS_HEALTHY, err);
	return status < 0
		       ? status
		       : lab_logtail_phase(r->logs, r->dir, "1-healthy", err);
}

static int failed(struct running *r, struct lp_error *err)
{
	const struct lab_matrix_limits *l = &r->bench->matrix->limits;
	int status;

	begin(r, "failure", r->bench->matrix->delay_s);
	status = fail_now(r, err);
	begin(r, "tools", l->tool_s);
	if (status == 0)
		status = use_tools(r, LAB_TOOLS_FAILED, err);
	if (status == 0)
		status = lab_logtail_phase(r->logs, r->dir, "2-failed", err);
	begin(r, "warm read", l->work_s);
	if (status == 0)
		status = work(r, LAB_WORK_WARM, LAB_VERIFY_READ, 1, err);
	begin(r, "cold read", l->work_s);
	if (status == 0)
		status = read_cold(r, LAB_WORK_COLD, err);
	begin(r, "async", l->work_s);
	if (status == 0)
		status = work(r, LAB_WORK_ASYNC, LAB_VERIFY_ASYNC, 1, err);
	begin(r, "sync", l->work_s);
	if (status == 0)
		status = work(r, LAB_WORK_SYNC, LAB_VERIFY_SYNC, 1, err);
	if (status == 0)
		look_for_dead(r);
	return status < 0 ? status
			  : lab_logtail_phase(r->logs, r->dir, "3-used", err);
}

static int undone(struct running *r, struct lp_error *err)
{
	const struct lab_matrix_limits *l = &r->bench->matrix->limits;
	int status;

	begin(r, "undo", 60);
	undo_failure(r);
	begin(r, "tools after", l->tool_s);
	status = use_tools(r, LAB_TOOLS_UNDONE, err);
	begin(r, "read after", l->work_s);
	if (status == 0)
		status = read_cold(r, LAB_WORK_UNDONE, err);
	return status < 0 ? status
			  : lab_logtail_phase(r->logs, r->dir, "4-undone", err);
}

static int prepare(struct running *r, struct lp_error *err)
{
	const struct lab_matrix *m = r->bench->matrix;
	int status = lab_path(r->ledger, err, "%s/ledger.txt", r->dir);

	r->spec = (struct lab_verify_spec){
		.ledger = r->ledger,
		.files = m->files,
		.bytes = (uint64_t)(m->megabytes * 1e6),
		.seed = r->run->seed,
		.limit_s = m->limits.work_s,
	};
	if (status == 0)
		status = lab_path(r->archives, err, "%s/archives", r->dir);
	if (status == 0 && mkdir(r->archives, 0777) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s",
				       r->archives);
	if (status == 0)
		status = find_nodes(r, err);
	if (status == 0)
		status = lab_logtail_begin(r->lab, &r->logs, err);
	return status < 0 ? status
			  : lab_recorders_start(r->lab, r->archives, false,
						&r->recorders, err);
}

/* All that may be on, whatever happened; the recording is made. */
static void finish(struct running *r)
{
	lab_failure_undo(r->failure, NULL);
	lab_fault_stop(r->limping, NULL);
	if (lab_recorders_stop(r->recorders, NULL) == 0 && r->recorders)
		lab_archive_join(r->archives, r->dir, NULL);
	lab_runs_remove(r->archives);
	lab_logtail_end(r->logs);
	if (r->o->n_moments > 0)
		r->o->timeline[r->o->n_moments - 1].end_ns = lp_time_now();
	r->o->end_ns = lp_time_now();
}

int lab_ordeal_run(const struct lab_ordeal_bench *bench,
		   const struct lab_matrix_run *run, const char *dir,
		   struct lab_ordeal *ordeal, struct lp_error *err)
{
	struct running r = {
		.bench = bench,
		.run = run,
		.driver = lab_driver_find(bench->matrix->cluster.driver),
		.dir = dir,
		.o = ordeal,
		.lab = bench->lab,
		.client = lab_nth(bench->lab, LAB_CLIENT, 0),
	};
	int status;

	/* From here on servers may be missing. */
	r.lab->mount_s = bench->matrix->limits.work_s;
	ordeal->begin_ns = lp_time_now();
	status = prepare(&r, err);
	if (status == 0)
		status = healthy(&r, err);
	if (status == 0)
		status = failed(&r, err);
	if (status == 0)
		status = undone(&r, err);
	finish(&r);
	r.lab->mount_s = 0;
	return status;
}
