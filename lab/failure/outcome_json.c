/* SPDX-License-Identifier: Apache-2.0 */
/*
 * truth.json says what was done, outcome.json what became of it. What tools
 * printed is in tools.txt.
 */
#include "failure/ordeal.h"

#include "base/json.h"
#include "base/outfile.h"
#include "base/timestamp.h"
#include "site/machine.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>

static void put_bool(struct lp_json *json, const char *key, bool v)
{
	lp_json_key(json, key);
	lp_json_bool(json, v);
}

static void put_time(struct lp_json *json, const char *key, int64_t ns)
{
	lp_json_key(json, key);
	if (ns)
		lp_json_time(json, ns / LP_NS_PER_MS * LP_NS_PER_MS);
	else
		lp_json_null(json);
}

static void put_seconds(struct lp_json *json, const char *key, double s)
{
	lp_json_put_double(json, key, round(100 * s) / 100);
}

static void put_nodes(struct lp_json *json, const struct lab_members *members)
{
	lp_json_key(json, "nodes");
	lp_json_array(json);
	for (size_t i = 0; i < members->n; i++)
		lp_json_string(json, members->node[i]);
	lp_json_end(json);
}

static const char *failure_of(const struct lab_matrix_run *run)
{
	return run->failure ? run->failure->name : "none";
}

/* What both begin with. */
static void put_what(struct lp_json *json, const struct lab_matrix_run *run)
{
	lp_json_put_string(json, "run", run->name);
	lp_json_put_string(json, "set", *run->set ? run->set : "-");
	lp_json_put_string(json, "failure", failure_of(run));
	put_nodes(json, &run->members);
	lp_json_put_u64(json, "repeat", run->repeat);
	if (run->of->then)
		lp_json_put_string(json, "then", run->of->then->name);
	if (run->of->limping) {
		lp_json_put_string(json, "limping", run->of->limping->name);
		lp_json_put_string(json, "limping_node", run->limping);
	}
	if (run->of->idle)
		put_bool(json, "idle", true);
}

/* ---- truth.json ---- */

static void put_setting(void *context, const char *key, const char *value)
{
	lp_json_put_string(context, key, value);
}

static void put_versions(struct lp_json *json, const struct lab_matrix *m)
{
	const struct lab_driver *driver = lab_driver_find(m->cluster.driver);
	char version[128] = "unknown";
	struct utsname kernel;

	driver->version(version, sizeof(version), NULL);
	lp_json_key(json, "versions");
	lp_json_object(json);
	lp_json_put_string(json, "limpid", LIMPID_VERSION);
	lp_json_put_string(json, "file_system", version);
	lp_json_put_string(json, "kernel",
			   uname(&kernel) == 0 ? kernel.release : NULL);
	lp_json_end(json);
}

static void put_truth(struct lp_json *json, const struct lab_matrix *m,
		      const struct lab_matrix_run *run,
		      const struct lab_ordeal *o)
{
	double strength = run->of->strength;

	lp_json_object(json);
	put_what(json, run);
	if (run->failure && run->failure->strength_unit)
		lp_json_put_double(json, "strength",
				   strength > 0 ? strength
						: run->failure->usual);
	lp_json_put_string(json, "seen", o->seen);
	put_bool(json, "bites", o->bites);
	put_time(json, "begin", o->begin_ns);
	put_time(json, "start", o->failed_ns);
	put_time(json, "end", o->undone_ns);
	put_time(json, "last", o->end_ns);
	lp_json_put_string(json, "campaign", m->title);
	lp_json_put_u64(json, "campaign_seed", m->seed);
	lp_json_put_u64(json, "seed", run->seed);
	lp_json_key(json, "cluster");
	lp_json_object(json);
	lab_spec_each(&m->cluster, put_setting, json);
	lp_json_end(json);
	put_versions(json, m);
	lp_json_end(json);
}

/* ---- outcome.json ---- */

static void put_tools(struct lp_json *json, const struct lab_matrix *m,
		      const struct lab_ordeal *o)
{
	const struct lab_tool *tool = lab_driver_find(m->cluster.driver)->tools;

	lp_json_key(json, "tools");
	lp_json_object(json);
	for (int p = 0; p < LAB_TOOL_PHASES; p++) {
		if (!o->has_tools[p])
			continue;
		lp_json_key(json, lab_tool_phase_name((enum lab_tool_phase)p));
		lp_json_array(json);
		for (size_t i = 0; tool[i].name && i < LAB_TOOLS_MOST; i++) {
			const struct lab_tool_result *r = &o->tool[p][i];

			lp_json_object(json);
			lp_json_put_string(json, "tool", tool[i].name);
			lp_json_put_string(json, "word", lab_tool_word(r->end));
			lp_json_put_string(json, "why", r->why);
			put_seconds(json, "seconds", r->seconds);
			lp_json_end(json);
		}
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_result(struct lp_json *json, const struct lab_verify_result *r)
{
	lp_json_object(json);
	lp_json_put_string(json, "word",
			   lab_verdict_word(lab_verify_verdict(r)));
	lp_json_put_u64(json, "done", r->done);
	lp_json_put_u64(json, "wanted", r->wanted);
	lp_json_key(json, "files");
	lp_json_object(json);
	for (int v = 0; v < LAB_VERDICTS; v++)
		if (r->count[v])
			lp_json_put_u64(json,
					lab_verdict_word((enum lab_verdict)v),
					r->count[v]);
	lp_json_end(json);
	if (r->legal)
		lp_json_put_u64(json, "unsynced_gone", r->legal);
	lp_json_key(json, "bad_of_pass");
	lp_json_array(json);
	for (int i = 0; i < LAB_PASSES; i++)
		lp_json_u64(json, r->bad_of_pass[i]);
	lp_json_end(json);
	put_seconds(json, "seconds", r->seconds);
	put_seconds(json, "slowest", r->slowest_s);
	lp_json_put_string(json, "first", r->first);
	put_bool(json, "freed", r->freed);
	lp_json_end(json);
}

static void put_work(struct lp_json *json, const struct lab_ordeal *o)
{
	lp_json_key(json, "work");
	lp_json_object(json);
	for (int w = 0; w < LAB_WORKS; w++)
		if (o->has_work[w]) {
			lp_json_key(json, lab_work_name((enum lab_work)w));
			put_result(json, &o->work[w]);
		}
	lp_json_end(json);
}

static void put_timeline(struct lp_json *json, const struct lab_ordeal *o)
{
	lp_json_key(json, "timeline");
	lp_json_array(json);
	for (size_t i = 0; i < o->n_moments; i++) {
		const struct lab_moment *m = &o->timeline[i];

		lp_json_object(json);
		lp_json_put_string(json, "step", m->step);
		put_time(json, "begin", m->begin_ns);
		put_seconds(json, "seconds",
			    (double)(m->end_ns - m->begin_ns) / 1e9);
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_outcome(struct lp_json *json, const struct lab_matrix *m,
			const struct lab_matrix_run *run,
			const struct lab_ordeal *o)
{
	lp_json_object(json);
	put_what(json, run);
	if (*o->no_lab) {
		lp_json_put_string(json, "no_lab", o->no_lab);
	} else {
		put_bool(json, "bites", o->bites);
		put_bool(json, "undone", o->undone);
		lp_json_put_string(json, "undo_error", o->undo_error);
		put_tools(json, m, o);
		put_work(json, o);
		lp_json_put_string(json, "died", o->died);
		lp_json_put_u64(json, "failed_mounts", o->remounts);
		put_seconds(json, "seconds",
			    (double)(o->end_ns - o->begin_ns) / 1e9);
		put_timeline(json, o);
	}
	lp_json_end(json);
}

/* ---- files ---- */

typedef void put_fn(struct lp_json *json, const struct lab_matrix *m,
		    const struct lab_matrix_run *run,
		    const struct lab_ordeal *o);

static int write_json(const struct lab_matrix *m,
		      const struct lab_matrix_run *run,
		      const struct lab_ordeal *o, const char *dir,
		      const char *name, put_fn *put, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	struct lp_json json;
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/%s", dir, name);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	lp_json_init(&json, file.out);
	put(&json, m, run, o);
	fputc('\n', file.out);
	return lp_outfile_commit(&file, err);
}

static int write_tools(const struct lab_matrix *m, const struct lab_ordeal *o,
		       const char *dir, struct lp_error *err)
{
	const struct lab_tool *tool = lab_driver_find(m->cluster.driver)->tools;
	struct lp_outfile file = { 0 };
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/tools.txt", dir);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	for (int p = 0; p < LAB_TOOL_PHASES; p++)
		for (size_t i = 0; tool[i].name && i < LAB_TOOLS_MOST; i++)
			if (o->has_tools[p] && o->tool[p][i].output)
				fprintf(file.out, "==== %s, %s\n%s",
					lab_tool_phase_name(
						(enum lab_tool_phase)p),
					tool[i].name, o->tool[p][i].output);
	return lp_outfile_commit(&file, err);
}

int lab_ordeal_write(const struct lab_matrix *matrix,
		     const struct lab_matrix_run *run,
		     const struct lab_ordeal *ordeal, const char *dir,
		     struct lp_error *err)
{
	int status = write_json(matrix, run, ordeal, dir, "outcome.json",
				put_outcome, err);

	if (status == 0)
		status = write_tools(matrix, ordeal, dir, err);
	return status < 0 ? status
			  : write_json(matrix, run, ordeal, dir, "truth.json",
				       put_truth, err);
}
