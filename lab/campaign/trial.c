/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/trial.h"

#include "base/timestamp.h"
#include "campaign/log.h"
#include "campaign/recorder.h"
#include "campaign/runs.h"
#include "driver/driver.h"
#include "site/machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* How often it is looked whether all are alive, and whether to stop. */
#define LOOK_S 0.5
/* A fault needs that long before it can be seen whether it bites. */
#define BITE_S 8.0
/* A recorder that is restarted is away so long. */
#define AWAY_S 10.0
/* Of each phase so much is left out when its throughput is taken: the
 * workload and the fault take a while to have their full effect. */
#define RAMP_NS (10 * LP_NS_PER_S)

/* A run while it runs. */
struct running {
	const struct lab_bench *bench;
	const struct lab_trial *trial;
	const char *dir;
	char work[PATH_MAX], archives[PATH_MAX];
	struct lab_recorders *recorders;
	struct lab_workload_run *workload, *joined;
	struct lab_fault_run *fault;
	int64_t begun_ns; /* CLOCK_MONOTONIC: the workload */
};

static void tell(const struct lab_bench *bench, const char *phase,
		 double seconds)
{
	if (bench->phase)
		bench->phase(bench->context, phase, seconds);
}

static int interrupted(const struct lab_bench *bench, struct lp_error *err)
{
	return *bench->stop ? lp_fail(err, EINTR, "interrupted") : 0;
}

static void nap(double seconds)
{
	struct timespec t = { (time_t)seconds, (long)(fmod(seconds, 1) * 1e9) };

	/* A signal ends it: the caller looks why. */
	nanosleep(&t, NULL);
}

int lab_bench_wait(const struct lab_bench *bench, double seconds,
		   struct lp_error *err)
{
	int64_t end = lp_monotonic_now() + (int64_t)(seconds * 1e9);
	int status = interrupted(bench, err);

	for (int64_t now; status == 0 && (now = lp_monotonic_now()) < end;) {
		nap(fmin(LOOK_S, (double)(end - now) / 1e9));
		status = interrupted(bench, err);
	}
	return status;
}

/* Wait until so many seconds after the start; all must stay alive. */
static int watch_until(struct running *run, const struct lab_outcome *o,
		       double second, struct lp_error *err)
{
	int64_t end = o->first_ns + (int64_t)(second * 1e9);
	int status = 0;

	for (int64_t now; status == 0 && (now = lp_time_now()) < end;) {
		status = lab_bench_wait(run->bench,
					fmin(LOOK_S, (double)(end - now) / 1e9),
					err);
		if (status == 0)
			status = lab_recorders_alive(run->recorders, err);
		if (status == 0)
			status = lab_workload_alive(run->workload, err);
		if (status == 0 && run->joined)
			status = lab_workload_alive(run->joined, err);
	}
	return status;
}

/* ---- the workload ---- */

static struct lab_workload_spec workload_of(const struct running *run)
{
	const struct lab_trial *t = run->trial;
	const struct lab_campaign_entry *e = t->entry;

	return (struct lab_workload_spec){
		.workload = t->workload,
		.processes = e->processes,
		.pace = e->pace < 0 ? t->workload->pace : (uint64_t)e->pace,
		.seed = t->seed,
		.stages = e->stages,
		.begun_ns = run->begun_ns,
		.log_dir = run->work,
	};
}

/* A client that is to be added is not there at first. */
static int start_workload(struct running *run, struct lp_error *err)
{
	struct lab_workload_spec spec = workload_of(run);
	size_t clients = run->bench->lab->spec.clients;

	if (run->trial->entry->happening == LAB_CLIENT_ADDED) {
		spec.pace = spec.pace * (clients - 1) / clients;
		spec.n_clients = clients - 1;
	}
	return lab_workload_start(run->bench->lab, &spec, &run->workload, err);
}

static int add_client(struct running *run, struct lp_error *err)
{
	struct lab_workload_spec spec = workload_of(run);
	size_t clients = run->bench->lab->spec.clients;

	spec.pace /= clients;
	spec.skip_clients = clients - 1;
	return lab_workload_start(run->bench->lab, &spec, &run->joined, err);
}

/* ---- what happens ---- */

static int restart_recorder(struct running *run, struct lp_error *err)
{
	const char *victim = run->trial->victim;
	int status = lab_recorders_pause(run->recorders, victim, err);

	if (status == 0)
		status = lab_bench_wait(run->bench, AWAY_S, err);
	return status < 0 ? status
			  : lab_recorders_resume(run->recorders, victim, err);
}

static int start_fault(struct running *run, struct lp_error *err)
{
	const struct lab_trial *t = run->trial;
	struct lab *lab = run->bench->lab;
	const struct lab_node *victim = lab_nth(lab, LAB_SERVER, 0);
	int status = t->fault->everywhere
			     ? 0
			     : lab_find(lab, t->victim, &victim, err);

	return status < 0 ? status
			  : lab_fault_start(lab, t->fault, victim, t->strength,
					    &run->fault, err);
}

static int begin_event(struct running *run, struct lp_error *err)
{
	switch (run->trial->entry->happening) {
	case LAB_RECORDER_RESTART:
		return restart_recorder(run, err);
	case LAB_CLIENT_ADDED:
		return add_client(run, err);
	default:
		return run->trial->fault ? start_fault(run, err) : 0;
	}
}

static int check_bite(struct running *run, const struct lab_outcome *o,
		      struct lp_error *err)
{
	double since_s = (double)(o->start_ns - o->first_ns) / 1e9;
	struct lp_error why;
	int status;

	if (!run->fault)
		return 0;
	status = watch_until(run, o, since_s + BITE_S, err);
	if (status == 0 && lab_fault_bites(run->fault, &why) < 0)
		status = lp_fail(err, EIO, "%s has no effect: %s",
				 run->trial->fault->name, why.text);
	return status;
}

/* It must have lasted until here; what it did is kept. */
static int check_lasted(struct running *run, struct lab_outcome *o,
			struct lp_error *err)
{
	struct lp_error why;

	if (!run->fault)
		return 0;
	if (lab_fault_bites(run->fault, &why) < 0)
		return lp_fail(err, EIO, "%s did not last: %s",
			       run->trial->fault->name, why.text);
	snprintf(o->seen, sizeof(o->seen), "%s", run->fault->seen);
	if (run->fault->also)
		snprintf(o->also, sizeof(o->also), "%s",
			 run->fault->also->name);
	return 0;
}

static int end_fault(struct running *run, struct lp_error *err)
{
	struct lab_fault_run *fault = run->fault;

	run->fault = NULL;
	return fault ? lab_fault_stop(fault, err) : 0;
}

/* The three phases, with recorders and workload on. */
static int phases(struct running *run, struct lab_outcome *o,
		  struct lp_error *err)
{
	const struct lab_phases *p = &run->bench->campaign->phases;
	double onset = run->trial->onset_s, end = onset + p->fault_s;
	int status;

	tell(run->bench, "healthy", onset);
	status = watch_until(run, o, onset, err);
	tell(run->bench, run->trial->fault ? run->trial->fault->name : "on",
	     p->fault_s);
	o->start_ns = lp_time_now();
	if (status == 0)
		status = begin_event(run, err);
	if (status == 0)
		status = check_bite(run, o, err);
	if (status == 0)
		status = watch_until(run, o, end, err);
	if (status == 0)
		status = check_lasted(run, o, err);
	o->end_ns = lp_time_now();
	if (status == 0)
		status = end_fault(run, err);
	tell(run->bench, "after", lab_phases_total(p) - end);
	if (status == 0)
		status = watch_until(run, o, lab_phases_total(p), err);
	o->last_ns = lp_time_now();
	return status;
}

/* ---- the run ---- */

static int start_all(struct running *run, struct lab_outcome *o,
		     struct lp_error *err)
{
	int status;

	o->ready_ns = lp_time_now();
	status = lab_recorders_start(run->bench->lab, run->archives,
				     run->bench->campaign->machine,
				     &run->recorders, err);
	run->begun_ns = lp_monotonic_now();
	o->load_ns = lp_time_now();
	if (status == 0)
		status = start_workload(run, err);
	o->first_ns = lp_time_now();
	lab_strain_read("", &o->idle);
	return status;
}

/* Stop all that is on; the first failure is said. */
static int stop_all(struct running *run, struct lp_error *err)
{
	struct lp_error first[4] = { 0 };
	int status[4];

	status[0] = end_fault(run, &first[0]);
	status[1] = lab_workload_stop(run->joined, &first[1]);
	status[2] = lab_workload_stop(run->workload, &first[2]);
	status[3] = lab_recorders_stop(run->recorders, &first[3]);
	run->joined = run->workload = NULL;
	run->recorders = NULL;
	for (int i = 0; i < 4; i++)
		if (status[i] < 0) {
			*err = first[i];
			return status[i];
		}
	return 0;
}

/*
 * A redundant file system hides from its clients that a server's daemon died,
 * and then no peers were compared.
 */
static int check_servers(const struct lab_bench *bench, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(bench->lab->spec.driver);
	char volume[512];
	int status = driver->status(bench->lab, volume, sizeof(volume), err);

	return status > 0 ? lp_fail(err, EIO, "only %s", volume) : status;
}

/*
 * The file system's own words, for whoever asks why; and nobody is compared
 * with peers who have other data than it: then reads pass it by, and it is
 * written to less. Only a fault may bring that about.
 */
static int check_logs(const struct running *run, const struct lab_outcome *o,
		      struct lp_error *err)
{
	bool fault = run->trial->fault != NULL;
	struct lab_log log = {
		.since_ns = o->ready_ns,
		.until_ns = fault ? o->start_ns : LP_TIME_MAX,
	};
	int status = lab_logs_write(run->bench, run->dir, &log, err);

	if (status == 0 && *log.complaint)
		status = lp_fail(err, EIO, "a server missed data %s: %s",
				 fault ? "before the fault" : "without a fault",
				 log.complaint);
	return status;
}

/* Of a load that changes by itself they would say nothing of the fault. */
static void take_rates(const struct running *run, struct lab_outcome *o)
{
	o->before = o->during = o->after = NAN;
	if (run->trial->workload == &lab_workload_varied)
		return;
	o->before = lab_workload_rate(run->work, o->first_ns + RAMP_NS,
				      o->start_ns);
	o->during =
		lab_workload_rate(run->work, o->start_ns + RAMP_NS, o->end_ns);
	o->after =
		lab_workload_rate(run->work, o->end_ns + RAMP_NS, o->last_ns);
}

double lab_outcome_slowdown(const struct lab_outcome *outcome)
{
	return outcome->before > 0 ? 1 - outcome->during / outcome->before
				   : NAN;
}

static int keep(struct running *run, struct lab_outcome *o,
		struct lp_error *err)
{
	const struct lab_bench *b = run->bench;
	int status;

	take_rates(run, o);
	status = lab_throughput_write(b->lab, run->work, run->dir, o->first_ns,
				      o->last_ns, err);
	if (status == 0)
		status = lab_archive_join(run->archives, run->dir, err);
	if (status == 0)
		status = lab_cluster_write(b->lab, run->dir, err);
	if (status == 0)
		status = lab_truth_write(b, run->trial, o, run->dir, err);
	lab_runs_remove(run->work);
	lab_runs_remove(run->archives);
	return status;
}

static int make_dirs(struct running *run, struct lp_error *err)
{
	int status = lab_path(run->work, err, "%s/work", run->dir);

	if (status == 0)
		status = lab_path(run->archives, err, "%s/archives", run->dir);
	if (status == 0 &&
	    (mkdir(run->work, 0777) < 0 || mkdir(run->archives, 0777) < 0))
		status = lp_fail_errno(err, errno, "cannot make %s", run->work);
	return status;
}

int lab_trial_run(const struct lab_bench *bench, const struct lab_trial *trial,
		  const char *dir, struct lab_outcome *outcome,
		  struct lp_error *err)
{
	struct running run = { .bench = bench, .trial = trial, .dir = dir };
	struct lab_workload_spec spec = workload_of(&run);
	struct lp_error late;
	int status = make_dirs(&run, err), stopped, logged;

	tell(bench, "preparing", 0);
	if (status == 0)
		status = lab_make_ready(bench, &spec, err);
	if (status == 0)
		status = start_all(&run, outcome, err);
	if (status == 0)
		status = phases(&run, outcome, err);
	lab_strain_read("", &outcome->busy);
	stopped = stop_all(&run, &late);
	if (status == 0 && stopped < 0) {
		*err = late;
		status = stopped;
	}
	if (status == 0)
		status = check_servers(bench, err);
	/* What is finished is kept, though somebody wants to end. */
	if (status < 0 && *bench->stop)
		return status;
	/* Of a run that failed, too: the logs say why. */
	logged = check_logs(&run, outcome, status < 0 ? &late : err);
	if (status == 0)
		status = logged;
	return status < 0 ? status : keep(&run, outcome, err);
}
