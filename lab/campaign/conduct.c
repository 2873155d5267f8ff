/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/conduct.h"

#include "base/timestamp.h"
#include "campaign/runs.h"
#include "campaign/trial.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

/* A run is tried so often in one sitting. */
#define MOST_ATTEMPTS 3
/* The cluster is taken down so often until that works. */
#define MOST_DOWNS 3
/* What a run takes beside its phases, until one was measured. */
#define BESIDE_S 25.0

/* A campaign while it is conducted. */
struct sitting {
	const struct lab_conduct *c;
	struct lab_tallied *tallied;
	int64_t begun_ns;
	double run_s; /* what a run takes, about */
	/* The cluster that is up: */
	struct lab *lab;
	int64_t made_ns;
	unsigned block, cluster;
};

static bool is_wanted(const struct lab_conduct *c, const struct lab_trial *t)
{
	return (c->block == 0 || t->block == c->block) &&
	       (!c->only || fnmatch(c->only, t->name, 0) == 0);
}

static double usual_s(const struct lab_campaign *campaign)
{
	return lab_phases_total(&campaign->phases) + BESIDE_S;
}

/* ---- what is shown ---- */

/* One line that is overwritten, on a terminal. */
static void show(const struct lab_conduct *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void show(const struct lab_conduct *c, const char *format, ...)
{
	va_list args;

	if (!c->status)
		return;
	fputs("\r\033[K", c->status);
	va_start(args, format);
	vfprintf(c->status, format, args);
	va_end(args);
	fflush(c->status);
}

static void show_step(void *context, const char *step)
{
	const struct sitting *s = context;

	show(s->c, "making the cluster: %s", step);
}

static void show_phase(void *context, const char *phase, double seconds)
{
	const struct sitting *s = context;

	if (seconds > 0)
		show(s->c, "run %zu of %zu: %s, %.0f s", s->tallied->done + 1,
		     s->tallied->wanted, phase, seconds);
	else
		show(s->c, "run %zu of %zu: %s", s->tallied->done + 1,
		     s->tallied->wanted, phase);
}

static const char *left(const struct sitting *s, char text[LP_TIME_TEXT])
{
	double runs = (double)(s->tallied->wanted - s->tallied->done);

	return lp_duration_format((int64_t)(runs * s->run_s) * LP_NS_PER_S,
				  text);
}

static void report(const struct sitting *s, const struct lab_trial *t,
		   const struct lab_outcome *o)
{
	double pressure = lab_strain_cpu_pressure(&o->idle, &o->busy);
	double slower = lab_outcome_slowdown(o);
	char text[LP_TIME_TEXT];

	show(s->c, "%s", "");
	fprintf(s->c->out, "%zu/%zu  %-36s", s->tallied->done,
		s->tallied->wanted, t->name);
	/* Short phases have no throughput. */
	if (!isnan(slower))
		fprintf(s->c->out, " %5.1f -> %5.1f MB/s (%+.0f %%)",
			o->before / 1e6, o->during / 1e6, -100 * slower);
	if (!isnan(pressure))
		fprintf(s->c->out, "  CPU short %2.0f %%", 100 * pressure);
	fprintf(s->c->out, "  %s left\n", left(s, text));
	fflush(s->c->out);
}

static void report_failure(const struct sitting *s, const struct lab_trial *t,
			   const char *why)
{
	show(s->c, "%s", "");
	fprintf(s->c->out, "%zu/%zu  %-36s failed: %s\n", s->tallied->done,
		s->tallied->wanted, t->name, why);
	fflush(s->c->out);
}

/* ---- the cluster ---- */

/*
 * Children that have ended and that nobody waited for. One that is left keeps
 * its node's namespace of processes, and so the node, from ending.
 */
static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static int take_down(struct sitting *s, struct lp_error *err)
{
	int status = -EAGAIN;

	if (!s->lab)
		return 0;
	show(s->c, "taking the cluster down");
	lab_close(s->lab);
	s->lab = NULL;
	/* A process may wait for a disk that goes only now. */
	for (int i = 0; status < 0 && status != -ENOENT && i < MOST_DOWNS;
	     i++) {
		reap();
		status = lab_down(s->c->lab_dir, NULL, NULL, err);
	}
	return status == -ENOENT ? 0 : status;
}

/* A block has a cluster of its own, and so has each that is made otherwise. */
static int have_cluster(struct sitting *s, const struct lab_trial *t,
			struct lp_error *err)
{
	const struct lab_conduct *c = s->c;
	unsigned cluster = t->entry->cluster;
	int status;

	if (s->lab && s->block == t->block && s->cluster == cluster)
		return 0;
	status = take_down(s, err);
	if (status == 0)
		status = lab_up(c->lab_dir, &c->campaign->clusters[cluster],
				c->stop, show_step, s, err);
	if (status == 0) {
		status = lab_open(c->lab_dir, false, &s->lab, err);
		if (status < 0)
			lab_down(c->lab_dir, NULL, NULL, NULL);
	}
	if (status < 0)
		return *c->stop ? -EINTR : status;
	s->lab->stop = c->stop;
	s->made_ns = lp_time_now();
	s->block = t->block;
	s->cluster = cluster;
	return 0;
}

/* ---- a run ---- */

/* It failed: whatever of the cluster is to blame, the next gets a new one. */
static int put_aside(struct sitting *s, const struct lab_trial *t,
		     const char *why, struct lp_error *err)
{
	struct lp_error late;
	int status = lab_runs_put_aside(s->c->dir, t->name, why, &late);

	s->tallied->failures++;
	report_failure(s, t, why);
	if (status == 0)
		return take_down(s, err);
	/* The disk is full: what is half made would only keep it so. */
	lab_runs_drop(s->c->dir, t->name);
	return lp_fail(err, -status,
		       "%s failed: %.200s; and cannot be kept: %.200s", t->name,
		       why, late.text);
}

static int make_run(struct sitting *s, const struct lab_trial *t,
		    struct lp_error *err)
{
	const struct lab_conduct *c = s->c;
	const struct lab_bench bench = { s->lab,  c->campaign, s->made_ns,
					 c->stop, show_phase,  s };
	struct lab_outcome o = { .attempt = lab_runs_failures(c->dir, t->name) +
					    1 };
	int64_t begun = lp_monotonic_now();
	struct lp_error why;
	char dir[PATH_MAX];
	int status = lab_runs_begin(c->dir, t->name, dir, err);

	if (status < 0)
		return status;
	status = lab_trial_run(&bench, t, dir, &o, &why);
	reap();
	if (*c->stop) {
		lab_runs_drop(c->dir, t->name);
		return -EINTR;
	}
	if (status < 0)
		return put_aside(s, t, why.text, err);
	status = lab_runs_commit(c->dir, t->name, err);
	if (status < 0)
		return status;
	s->run_s = (double)(lp_monotonic_now() - begun) / 1e9;
	s->tallied->done++;
	s->tallied->made++;
	report(s, t, &o);
	return 0;
}

/* ---- all runs ---- */

static bool is_enough(const struct sitting *s)
{
	const struct lab_conduct *c = s->c;
	int64_t spent = lp_monotonic_now() - s->begun_ns;

	if (c->limit && s->tallied->made + s->tallied->failures >= c->limit)
		return true;
	return c->for_ns && spent + (int64_t)(s->run_s * 1e9) > c->for_ns;
}

static bool is_due(const struct sitting *s, const struct lab_trial *t)
{
	return is_wanted(s->c, t) && !lab_runs_has(s->c->dir, t->name);
}

/* Once over the plan; those that fail wait for the next time. */
static int pass(struct sitting *s, struct lp_error *err)
{
	const struct lab_plan *plan = s->c->plan;
	int status = 0;

	for (size_t i = 0; status == 0 && i < plan->n && !is_enough(s); i++) {
		const struct lab_trial *t = &plan->trials[i];

		if (!is_due(s, t))
			continue;
		status = have_cluster(s, t, err);
		if (status == 0)
			status = make_run(s, t, err);
	}
	return status;
}

static void count(struct sitting *s)
{
	*s->tallied = (struct lab_tallied){ 0 };
	for (size_t i = 0; i < s->c->plan->n; i++)
		if (is_wanted(s->c, &s->c->plan->trials[i])) {
			s->tallied->wanted++;
			if (!is_due(s, &s->c->plan->trials[i]))
				s->tallied->done++;
		}
}

/* An interruption needs no words, but a lab that stays does. */
static int say_left(int status, int down, const struct lp_error *late,
		    struct lp_error *err)
{
	struct lp_error why = *err;

	if (status == 0 || status == -EINTR)
		return lp_fail(err, -down,
			       "the lab is still there, take it down (limpid "
			       "lab down): %.300s",
			       late->text);
	return lp_fail(err, -status,
		       "%.200s; and the lab is still there, take it down "
		       "(limpid lab down): %.200s",
		       why.text, late->text);
}

int lab_campaign_conduct(const struct lab_conduct *conduct,
			 struct lab_tallied *tallied, struct lp_error *err)
{
	struct sitting s = { .c = conduct,
			     .tallied = tallied,
			     .begun_ns = lp_monotonic_now(),
			     .run_s = usual_s(conduct->campaign) };
	struct lp_error late;
	int status = 0, down;

	count(&s);
	for (int i = 0; status == 0 && i < MOST_ATTEMPTS; i++)
		if (tallied->done < tallied->wanted && !is_enough(&s))
			status = pass(&s, err);
	down = take_down(&s, &late);
	show(conduct, "%s", "");
	return down < 0 ? say_left(status, down, &late, err) : status;
}

void lab_campaign_print(const struct lab_conduct *c)
{
	size_t n = 0, done = 0;
	char text[LP_TIME_TEXT];

	for (size_t i = 0; i < c->plan->n; i++) {
		const struct lab_trial *t = &c->plan->trials[i];
		bool has = c->dir && lab_runs_has(c->dir, t->name);

		if (!is_wanted(c, t))
			continue;
		n++;
		done += has;
		fprintf(c->out, "%-40s onset %5.1f s%s\n", t->name, t->onset_s,
			has ? "  done" : "");
	}
	fprintf(c->out, "%zu runs, %zu done, about %s\n", n, done,
		lp_duration_format(
			(int64_t)((double)(n - done) * usual_s(c->campaign)) *
				LP_NS_PER_S,
			text));
}
