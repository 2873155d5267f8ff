/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workload goes on all the time and only the recorders come and go: a
 * workload that begins anew each time would begin a little different each
 * time, and that is larger than what is measured.
 */
#include "campaign/overhead.h"

#include "base/timestamp.h"
#include "campaign/recorder.h"
#include "campaign/runs.h"
#include "site/machine.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

/* Until the workload has its pace, and after each change. */
#define RAMP_S 10.0
#define CHANGE_S 2.0

struct measuring {
	const struct lab_bench *bench;
	struct lab_workload_run *run;
	double seconds;
	char work[PATH_MAX], archives[PATH_MAX];
};

static double busy(const struct lab_strain *a, const struct lab_strain *b)
{
	return 1 - (b->idle_s - a->idle_s) / (b->total_s - a->total_s);
}

/* One span: bytes a second, and the CPUs' share. */
static int span(struct measuring *m, bool with, double *rate, double *cpu,
		struct lp_error *err)
{
	struct lab_recorders *recorders = NULL;
	struct lab_strain before, after;
	int64_t since;
	int status = 0, stopped;

	if (with)
		status = lab_recorders_start(m->bench->lab, m->archives, false,
					     &recorders, err);
	if (status == 0)
		status = lab_bench_wait(m->bench, CHANGE_S, err);
	since = lp_time_now();
	lab_strain_read("", &before);
	if (status == 0)
		status = lab_bench_wait(m->bench, m->seconds, err);
	lab_strain_read("", &after);
	if (status == 0)
		status = lab_workload_alive(m->run, err);
	*rate = lab_workload_rate(m->work, since, lp_time_now());
	*cpu += busy(&before, &after);
	stopped = lab_recorders_stop(recorders, status == 0 ? err : NULL);
	return status < 0 ? status : stopped;
}

static int pairs(struct measuring *m, struct lab_overhead *o,
		 struct lp_error *err)
{
	size_t wanted = o->pairs;
	int status = lab_bench_wait(m->bench, RAMP_S, err);

	for (size_t i = 0; status == 0 && i < wanted; i++)
		for (int turn = 0; status == 0 && turn < 2; turn++) {
			bool with = (i % 2 == 0) == (turn == 0);

			if (m->bench->phase)
				m->bench->phase(m->bench->context,
						with ? "with recorders"
						     : "without",
						m->seconds);
			status = span(
				m, with, with ? &o->with[i] : &o->without[i],
				with ? &o->cpu_with : &o->cpu_without, err);
		}
	o->cpu_with /= (double)wanted;
	o->cpu_without /= (double)wanted;
	return status;
}

int lab_overhead_measure(const struct lab_bench *bench,
			 const struct lab_workload *workload,
			 unsigned processes, size_t n, double seconds,
			 const char *dir, struct lab_overhead *overhead,
			 struct lp_error *err)
{
	struct measuring m = { .bench = bench, .seconds = seconds };
	struct lab_workload_spec spec = { .workload = workload,
					  .processes = processes,
					  .seed = 1,
					  .log_dir = m.work };
	int status = lab_path(m.work, err, "%s/%s-work", dir, workload->name);

	*overhead = (struct lab_overhead){ .pairs = n };
	if (status == 0)
		status =
			lab_path(m.archives, err, "%s/%s", dir, workload->name);
	if (status == 0 &&
	    (mkdir(m.work, 0700) < 0 || mkdir(m.archives, 0700) < 0))
		status = lp_fail_errno(err, errno, "cannot make %s", m.work);
	if (status == 0)
		status = lab_make_ready(bench, &spec, err);
	if (status == 0)
		status = lab_workload_start(bench->lab, &spec, &m.run, err);
	if (status == 0) {
		struct lp_error late;
		int stopped;

		status = pairs(&m, overhead, err);
		stopped = lab_workload_stop(m.run, &late);
		if (status == 0 && stopped < 0) {
			*err = late;
			status = stopped;
		}
	}
	return status;
}

void lab_overhead_increase(const struct lab_overhead *overhead, double *mean,
			   double *error)
{
	double sum = 0, squares = 0, n = (double)overhead->pairs;

	for (size_t i = 0; i < overhead->pairs; i++)
		sum += 100 * (overhead->without[i] / overhead->with[i] - 1);
	*mean = sum / n;
	for (size_t i = 0; i < overhead->pairs; i++) {
		double one =
			100 * (overhead->without[i] / overhead->with[i] - 1);

		squares += (one - *mean) * (one - *mean);
	}
	*error = n > 1 ? sqrt(squares / (n - 1) / n) : NAN;
}
