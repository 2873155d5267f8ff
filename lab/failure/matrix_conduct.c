/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/matrix_conduct.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "base/textfile.h"
#include "base/timestamp.h"
#include "campaign/runs.h"
#include "failure/ordeal.h"
#include "site/machine.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define UPS 2
#define DOWNS 4
/* DIR/.lab: where this sitting's lab is, while there is one. */
#define MARK ".lab"

struct sitting {
	const struct lab_matrix_sitting *s;
	struct lab_matrix_tally *tally;
	int64_t begun_ns;
	double run_s;
	struct lab *lab;
	const struct lab_matrix_run *now;
};

static bool is_wanted(const struct lab_matrix_sitting *s,
		      const struct lab_matrix_run *run)
{
	return !s->only || fnmatch(s->only, run->name, 0) == 0;
}

/* ---- what is shown ---- */

static void show(void *context, const char *step, double limit_s)
{
	const struct sitting *st = context;

	if (!st->s->status)
		return;
	fprintf(st->s->status, "\r\033[K%zu/%zu  %s: %s", st->tally->done + 1,
		st->tally->wanted, st->now->name, step);
	if (limit_s > 0)
		fprintf(st->s->status, ", at most %.0f s", limit_s);
	fflush(st->s->status);
}

static void show_up(void *context, const char *step)
{
	show(context, step, 0);
}

static const char *word_of(const struct lab_ordeal *o, enum lab_work work)
{
	return o->has_work[work]
		       ? lab_verdict_word(lab_verify_verdict(&o->work[work]))
		       : "-";
}

static const char *tool_of(const struct lab_ordeal *o,
			   enum lab_tool_phase phase)
{
	enum lab_tool_end worst = LAB_TOOL_NORMAL;

	for (size_t i = 0; i < LAB_TOOLS_MOST; i++)
		if (o->tool[phase][i].end > worst)
			worst = o->tool[phase][i].end;
	return o->has_tools[phase] ? lab_tool_word(worst) : "-";
}

/* 3/96  1-server-cut-off s4: tool incomplete; cold ok, async ok ... */
static void report(const struct sitting *st, const struct lab_ordeal *o)
{
	FILE *out = st->s->out;

	if (st->s->status)
		fputs("\r\033[K", st->s->status);
	fprintf(out, "%zu/%zu  %-34s", st->tally->done, st->tally->wanted,
		st->now->name);
	if (*o->no_lab)
		fprintf(out, " no lab: %s\n", o->no_lab);
	else
		fprintf(out,
			" tool %s; warm %s, cold %s, async %s, sync %s; "
			"undone: "
			"tool %s, cold %s; %.0f s\n",
			tool_of(o, LAB_TOOLS_FAILED), word_of(o, LAB_WORK_WARM),
			word_of(o, LAB_WORK_COLD), word_of(o, LAB_WORK_ASYNC),
			word_of(o, LAB_WORK_SYNC), tool_of(o, LAB_TOOLS_UNDONE),
			word_of(o, LAB_WORK_UNDONE),
			(double)(o->end_ns - o->begin_ns) / 1e9);
	fflush(out);
}

/* ---- the lab ---- */

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static int down(const char *lab_dir, struct lp_error *err)
{
	int status = -EAGAIN;

	/* A process may wait for a disk that goes only now. */
	for (int i = 0; status < 0 && status != -ENOENT && i < DOWNS; i++) {
		reap();
		status = lab_down(lab_dir, NULL, NULL, err);
	}
	return status == -ENOENT ? 0 : status;
}

static int mark_path(const struct sitting *st, char path[PATH_MAX],
		     struct lp_error *err)
{
	return lab_path(path, err, "%s/" MARK, st->s->dir);
}

static int take_down(struct sitting *st, struct lp_error *err)
{
	char path[PATH_MAX];
	int status = mark_path(st, path, err);

	if (status == 0 && st->lab) {
		lab_close(st->lab);
		st->lab = NULL;
		status = down(st->s->lab_dir, err);
	}
	if (status == 0)
		unlink(path);
	return status;
}

/* What a sitting that was killed has left: only a lab that is marked ours. */
static int take_down_rest(struct sitting *st, struct lp_error *err)
{
	lp_auto_free char *kept = NULL;
	char path[PATH_MAX];
	int status = mark_path(st, path, err);

	if (status < 0 || access(path, F_OK) < 0)
		return status;
	status = lp_text_file_copy(path, &kept, err);
	if (status < 0)
		return status;
	kept[strcspn(kept, "\n")] = '\0';
	status = down(kept, err);
	if (status == 0)
		unlink(path);
	return status;
}

static int mark(struct sitting *st, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	char path[PATH_MAX];
	int status = mark_path(st, path, err);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	fprintf(file.out, "%s\n", st->s->lab_dir);
	return lp_outfile_commit(&file, err);
}

static int try_up(struct sitting *st, struct lp_error *err)
{
	const struct lab_matrix_sitting *s = st->s;
	int status = lab_up(s->lab_dir, &s->matrix->cluster, s->stop, show_up,
			    st, err);

	if (status == 0)
		status = lab_open(s->lab_dir, false, &st->lab, err);
	if (status == 0)
		st->lab->stop = s->stop;
	return status;
}

/* A lab that is there already is somebody else's: it is not taken down. */
static int have_lab(struct sitting *st, struct lp_error *err)
{
	int status = 0;

	if (st->lab && !st->s->matrix->fresh)
		return 0;
	status = take_down(st, err);
	if (status < 0 || access(st->s->lab_dir, F_OK) == 0)
		return status < 0 ? status
				  : lp_fail(err, EEXIST,
					    "there is already something in "
					    "%s: choose another --dir",
					    st->s->lab_dir);
	status = mark(st, err);
	for (int i = 0; status == 0 && i < UPS; i++) {
		status = try_up(st, err);
		if (status == 0 || *st->s->stop)
			break;
		if (i + 1 < UPS)
			status = 0;
	}
	return status;
}

/* ---- a run ---- */

static int keep(struct sitting *st, const struct lab_ordeal *o, const char *dir,
		struct lp_error *err)
{
	int status = lab_ordeal_write(st->s->matrix, st->now, o, dir, err);

	if (status == 0)
		status = lab_runs_commit(st->s->dir, st->now->name, err);
	if (status < 0) {
		lab_runs_drop(st->s->dir, st->now->name);
		return status;
	}
	st->tally->done++;
	st->tally->made++;
	report(st, o);
	return 0;
}

static int make_in(struct sitting *st, const char *dir, struct lab_ordeal *o,
		   struct lp_error *err)
{
	const struct lab_ordeal_bench bench = {
		.matrix = st->s->matrix,
		.stop = st->s->stop,
		.step = show,
		.context = st,
	};
	struct lab_ordeal_bench on = bench;
	struct lp_error why;
	int status = have_lab(st, &why);

	if (status == -EEXIST || *st->s->stop) {
		*err = why;
		return *st->s->stop ? -EINTR : status;
	}
	if (status == 0) {
		on.lab = st->lab;
		status = lab_ordeal_run(&on, st->now, dir, o, &why);
	}
	reap();
	if (*st->s->stop)
		return lp_fail(err, EINTR, "interrupted");
	/* The lab's failure is the cell's word, too. */
	if (status < 0)
		snprintf(o->no_lab, sizeof(o->no_lab), "%.190s", why.text);
	return keep(st, o, dir, err);
}

static int make_run(struct sitting *st, const struct lab_matrix_run *run,
		    struct lp_error *err)
{
	struct lab_ordeal ordeal = { 0 };
	int64_t begun = lp_monotonic_now();
	char dir[PATH_MAX];
	int status = lab_runs_begin(st->s->dir, run->name, dir, err);

	if (status < 0)
		return status;
	st->now = run;
	status = make_in(st, dir, &ordeal, err);
	if (status < 0)
		lab_runs_drop(st->s->dir, run->name);
	lab_ordeal_done(&ordeal);
	st->run_s = (double)(lp_monotonic_now() - begun) / 1e9;
	return status;
}

/* ---- all ---- */

static bool is_enough(const struct sitting *st)
{
	int64_t spent = lp_monotonic_now() - st->begun_ns;

	if (st->s->limit && st->tally->made >= st->s->limit)
		return true;
	return st->s->for_ns &&
	       spent + (int64_t)(st->run_s * 1e9) > st->s->for_ns;
}

static void count(struct sitting *st)
{
	*st->tally = (struct lab_matrix_tally){ 0 };
	for (size_t i = 0; i < st->s->plan->n; i++) {
		const struct lab_matrix_run *run = &st->s->plan->run[i];

		if (!is_wanted(st->s, run))
			continue;
		st->tally->wanted++;
		st->tally->done += lab_runs_has(st->s->dir, run->name);
	}
}

int lab_matrix_conduct(const struct lab_matrix_sitting *s,
		       struct lab_matrix_tally *tally, struct lp_error *err)
{
	struct sitting st = {
		.s = s,
		.tally = tally,
		.begun_ns = lp_monotonic_now(),
		.run_s = lab_matrix_usual_s(s->matrix),
	};
	struct lp_error late;
	int status = take_down_rest(&st, err), ended;

	count(&st);
	for (size_t i = 0; status == 0 && i < s->plan->n && !is_enough(&st);
	     i++) {
		const struct lab_matrix_run *run = &s->plan->run[i];

		if (is_wanted(s, run) && !lab_runs_has(s->dir, run->name))
			status = make_run(&st, run, err);
	}
	ended = take_down(&st, &late);
	if (s->status)
		fputs("\r\033[K", s->status);
	if (ended < 0)
		return lp_fail(err, -ended,
			       "the lab is still there, take it down (limpid "
			       "lab down --dir %s): %.200s",
			       s->lab_dir, late.text);
	return status;
}

void lab_matrix_print(const struct lab_matrix_sitting *s)
{
	char text[LP_TIME_TEXT];
	size_t n = 0, done = 0;

	for (size_t i = 0; i < s->plan->n; i++) {
		const struct lab_matrix_run *run = &s->plan->run[i];
		bool has = s->dir && lab_runs_has(s->dir, run->name);

		if (!is_wanted(s, run))
			continue;
		n++;
		done += has;
		fprintf(s->out, "%-40s", run->name);
		for (size_t k = 0; k < run->members.n; k++)
			fprintf(s->out, "%s%s", k ? "+" : " ",
				run->members.node[k]);
		fprintf(s->out, "%s\n", has ? "  done" : "");
	}
	fprintf(s->out, "%zu runs, %zu done, at most about %s\n", n, done,
		lp_duration_format((int64_t)((double)(n - done) *
					     lab_matrix_usual_s(s->matrix)) *
					   LP_NS_PER_S,
				   text));
}
