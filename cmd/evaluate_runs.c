/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of limpid evaluate: finding them, reading them, judging them.
 */
#include "evaluate.h"

#include "archive/archive.h"
#include "base/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

/* "a.limpid", "a.csv", and both compressed */
static bool is_recording(const char *path)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)lp_packing_stem(path), path);
	return ends_with(name, LP_ARCHIVE_SUFFIX) || ends_with(name, ".csv");
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static char *joined(struct lp_arena *arena, const char *dir, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return lp_arena_string(arena, path);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Called for each entry of a directory, in the order of names. */
typedef int take_entry(void *user, const char *path, struct lp_error *err);

static int each_entry(struct lp_arena *arena, const char *dir, take_entry *take,
		      void *user, struct lp_error *err)
{
	struct dirent **list;
	int n = scandir(dir, &list, visible, alphasort), status = 0;

	if (n < 0)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	for (int i = 0; i < n; i++) {
		const char *path = status == 0
					   ? joined(arena, dir, list[i]->d_name)
					   : NULL;

		if (status == 0)
			status = path ? take(user, path, err)
				      : lp_fail_memory(err);
		free(list[i]);
	}
	free(list);
	return status;
}

/* ---- recordings of a run ---- */

struct gather {
	struct lp_eval_runs *runs;
	struct lp_eval_run *run;
	bool deeper;
};

static int take_recording(void *user, const char *path, struct lp_error *err)
{
	struct gather *g = user;
	struct lp_eval_run *run = g->run;
	struct gather below = { g->runs, run, false };

	if (g->deeper && is_directory(path))
		return each_entry(&g->runs->arena, path, take_recording, &below,
				  err);
	if (!is_recording(path))
		return 0;
	if (lp_grow(&run->paths, &run->paths_capacity, run->n_paths + 2,
		    sizeof(char *)) < 0)
		return lp_fail_memory(err);
	run->paths[run->n_paths++] = (char *)path;
	run->paths[run->n_paths] = NULL;
	return 0;
}

static const char *find_cluster(struct lp_arena *arena, const char *dir)
{
	const char *path = joined(arena, dir, "cluster.conf");

	if (path && access(path, R_OK) == 0)
		return path;
	path = joined(arena, dir, "../cluster.conf");
	return path && access(path, R_OK) == 0 ? path : NULL;
}

static int add_run(struct lp_eval_runs *runs, const char *dir, bool need_truth,
		   struct lp_error *err)
{
	struct lp_eval_run run = { .dir = lp_arena_string(&runs->arena, dir),
				   .cluster = find_cluster(&runs->arena, dir) };
	struct gather g = { runs, &run, true };
	const char *truth = joined(&runs->arena, dir, "truth.json");
	int status = 0;

	if (!run.dir || !truth ||
	    lp_grow(&runs->items, &runs->capacity, runs->n + 1, sizeof(run)) <
		    0)
		return lp_fail_memory(err);
	if (need_truth)
		status = lp_truth_read(truth, &run.truth, err);
	if (status == 0)
		status = each_entry(&runs->arena, dir, take_recording, &g, err);
	if (status == 0 && run.n_paths == 0)
		status = lp_fail(
			err, ENODATA,
			"%s holds no recordings: no *.limpid, no *.csv", dir);
	if (status == 0) {
		runs->items[runs->n++] = run;
		return 0;
	}
	lp_truth_done(&run.truth);
	free(run.paths);
	return status;
}

/* ---- directories of runs ---- */

struct collect {
	struct lp_eval_runs *runs;
	bool need_truth;
};

static bool is_run(struct lp_arena *arena, const char *dir)
{
	const char *truth = joined(arena, dir, "truth.json");

	return truth && access(truth, F_OK) == 0;
}

static int take_run(void *user, const char *path, struct lp_error *err)
{
	struct collect *c = user;

	if (!is_directory(path) || !is_run(&c->runs->arena, path))
		return 0;
	return add_run(c->runs, path, c->need_truth, err);
}

int lp_eval_runs_add(struct lp_eval_runs *runs, const char *dir,
		     bool need_truth, struct lp_error *err)
{
	struct collect collect = { runs, need_truth };
	size_t before = runs->n;
	int status;

	if (is_run(&runs->arena, dir))
		return add_run(runs, dir, need_truth, err);
	status = each_entry(&runs->arena, dir, take_run, &collect, err);
	if (status < 0 || runs->n > before)
		return status;
	if (!need_truth)
		return add_run(runs, dir, false, err);
	return lp_fail(err, ENOENT,
		       "%s: there is no truth.json in this directory or in "
		       "those in it",
		       dir);
}

void lp_eval_runs_done(struct lp_eval_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		lp_truth_done(&runs->items[i].truth);
		free(runs->items[i].paths);
	}
	free(runs->items);
	lp_arena_done(&runs->arena);
	*runs = (struct lp_eval_runs){ 0 };
}

/* ---- judging ---- */

int lp_eval_load(const struct lp_eval_run *run,
		 const struct lp_case_options *options, struct lp_case_files *c,
		 struct lp_error *err)
{
	struct lp_case_options own = *options;
	struct lp_error why;
	bool wrong = false;
	int status;

	if (!own.cluster && !own.no_cluster)
		own.cluster = run->cluster;
	status = lp_case_load(c, &own, run->paths, &wrong, &why);
	if (status < 0)
		status = lp_fail(err, wrong ? LP_EVAL_USAGE : -status, "%s: %s",
				 run->dir, why.text);
	return status;
}

static bool has_server(const struct lp_plan *plan)
{
	for (size_t i = 0; i < plan->n_hosts; i++)
		if (plan->hosts[i].role == LP_ROLE_SERVER)
			return true;
	return false;
}

/* Of which nothing is known it is one, unless others are known to be some. */
static bool is_server(const struct lp_plan *plan, const char *host)
{
	enum lp_role role = lp_plan_role(plan, host);

	return role == LP_ROLE_UNKNOWN ? !has_server(plan)
				       : role != LP_ROLE_CLIENT;
}

/* The longest window of any method. */
static int64_t window_ns(const struct lp_diagnosis *d)
{
	int64_t longest = 0;

	for (size_t i = 0; i < d->n_units; i++) {
		int64_t w = (int64_t)d->units[i].params.window * d->step_ns;

		if (w > longest)
			longest = w;
	}
	return longest;
}

/* How long servers were recorded, and how much of it they were healthy. */
static void count_hours(const struct lp_case_files *c,
			const struct lp_truth *truth, int64_t window,
			struct lp_score *score)
{
	const struct lp_roster *roster = &c->reading.recording.roster;

	for (size_t i = 0; i < roster->n_hosts; i++) {
		const char *name = roster->hosts[i].name;
		int64_t first = roster->hosts[i].first_ns;
		int64_t last = roster->hosts[i].last_ns;

		if (!is_server(c->input.plan, name))
			continue;
		score->server_hours += (double)(last - first) / 3600e9;
		score->healthy_hours += lp_truth_healthy_hours(
			truth, name, first, last, window);
	}
}

static bool accused_in(const struct lp_unit *unit, size_t window,
		       const char *host)
{
	for (size_t i = 0; i < unit->group->n; i++)
		if (unit->track[window * unit->group->n + i] &
			    (LP_TRACK_ANOMALOUS | LP_TRACK_GONE) &&
		    strcmp(unit->group->peers[i].host, host) == 0)
			return true;
	return false;
}

/* The end of the first window after which the host could be accused. */
static int64_t known_ns(const struct lp_diagnosis *d,
			const struct lp_finding *f)
{
	int64_t first = f->until_ns;

	for (size_t u = 0; u < d->n_units; u++) {
		const struct lp_unit *unit = &d->units[u];

		if (!unit->detector->joint && !unit->metric->indicts)
			continue;
		for (size_t w = 0; w < unit->windows; w++)
			if (unit->end_ns[w] > f->since_ns &&
			    unit->end_ns[w] < first &&
			    accused_in(unit, w, f->host))
				first = unit->end_ns[w];
	}
	return first;
}

/* A part of several servers, such as a controller, indicts them all. */
static int keep_finding(const struct lp_diagnosis *d,
			const struct lp_finding *f, struct lp_arena *arena,
			struct lp_eval_result *result)
{
	const char *component = lp_arena_string(arena, f->component);
	int64_t known = known_ns(d, f);

	for (size_t i = 0; i < f->n_hosts; i++) {
		struct lp_indictment x = {
			.host = lp_arena_string(arena, f->hosts[i]),
			.component = component,
			.cause = f->cause,
			.since_ns = f->since_ns,
			.until_ns = f->until_ns,
			.lasting = f->lasting,
			.dated = f->dated,
			.since_low_ns = f->since_low_ns,
			.since_high_ns = f->since_high_ns,
			.until_low_ns = f->until_low_ns,
			.until_high_ns = f->until_high_ns,
			.known_ns = known,
			.score = f->score,
		};

		if (!x.host || !x.component)
			return -ENOMEM;
		result->indicted[result->n_indicted++] = x;
	}
	return 0;
}

static int keep_findings(const struct lp_diagnosis *d, struct lp_arena *arena,
			 struct lp_eval_result *result)
{
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < d->n_findings; i++)
		n += d->findings[i].n_hosts;
	result->indicted =
		lp_arena_alloc(arena, n * sizeof(struct lp_indictment));
	if (!result->indicted)
		return -ENOMEM;
	for (size_t i = 0; i < d->n_findings && status == 0; i++)
		status = keep_finding(d, &d->findings[i], arena, result);
	result->outcome = d->outcome;
	result->reason = lp_arena_string(arena, d->reason);
	return result->reason ? status : -ENOMEM;
}

void lp_eval_score(const struct lp_eval_run *run, const struct lp_case_files *c,
		   int64_t window, struct lp_eval_result *result)
{
	lp_score_run(&run->truth, result->indicted, result->n_indicted, window,
		     &result->score);
	count_hours(c, &run->truth, window, &result->score);
}

int lp_eval_judge(const struct lp_eval_run *run, struct lp_case_files *c,
		  const struct lp_diagnose_options *options,
		  struct lp_arena *arena, struct lp_eval_result *result,
		  struct lp_error *err)
{
	struct lp_diagnosis d;
	struct lp_error why;
	int status = lp_case_judge(c, options, &d, &why);

	if (status < 0)
		return lp_fail(err, -status, "%s: %s", run->dir, why.text);
	*result = (struct lp_eval_result){ 0 };
	if (keep_findings(&d, arena, result) < 0)
		status = lp_fail_memory(err);
	else
		lp_eval_score(run, c, window_ns(&d), result);
	lp_diagnosis_done(&d);
	return status;
}
