/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The truth about a run. What limpid evaluate reads (workload, fault, server,
 * start, end, cause) comes first; the rest is for people and for later
 * questions. What befalls no server is a control for a diagnosis: its fault is
 * none, and what happened is called the event.
 */
#include "campaign/trial.h"

#include "base/outfile.h"
#include "base/timestamp.h"
#include "driver/driver.h"
#include "site/machine.h"
#include "workload/stages.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>

static bool accuses(const struct lab_trial *t)
{
	return t->fault && t->fault->role == LAB_SERVER && *t->fault->cause;
}

static void text(struct lp_json *json, const char *key, const char *value)
{
	lp_json_key(json, key);
	lp_json_string(json, value);
}

static void number(struct lp_json *json, const char *key, double value)
{
	lp_json_key(json, key);
	lp_json_double(json, value);
}

static void when(struct lp_json *json, const char *key, int64_t time_ns)
{
	lp_json_key(json, key);
	lp_json_time(json, time_ns / LP_NS_PER_MS * LP_NS_PER_MS);
}

static void put_event(struct lp_json *json, const struct lab_trial *t)
{
	if (t->fault)
		text(json, "event", t->fault->name);
	else if (t->entry->happening != LAB_NOTHING)
		text(json, "event", lab_happening_name(t->entry->happening));
	if (*t->victim)
		text(json, "victim", t->victim);
	if (t->entry->announced) {
		lp_json_key(json, "announced");
		lp_json_bool(json, true);
	}
}

static void put_servers(struct lp_json *json, const struct lab_trial *t,
			const struct lab_outcome *o)
{
	if (!*o->also) {
		text(json, "server", t->victim);
		return;
	}
	lp_json_key(json, "server");
	lp_json_array(json);
	lp_json_string(json, t->victim);
	lp_json_string(json, o->also);
	lp_json_end(json);
}

static void put_fault(struct lp_json *json, const struct lab_trial *t,
		      const struct lab_outcome *o)
{
	text(json, "workload", t->workload->name);
	text(json, "fault", accuses(t) ? t->fault->name : "none");
	if (accuses(t)) {
		put_servers(json, t, o);
		text(json, "cause", t->fault->cause);
	} else {
		put_event(json, t);
	}
	when(json, "start", o->start_ns);
	when(json, "end", o->end_ns);
	if (t->fault && t->fault->strength_unit) {
		number(json, "strength", t->strength);
		text(json, "strength_unit", t->fault->strength_unit);
	}
	if (*o->seen)
		text(json, "seen", o->seen);
}

/* To the byte is noise. */
static void put_harm(struct lp_json *json, const struct lab_outcome *o)
{
	lp_json_key(json, "throughput");
	lp_json_object(json);
	number(json, "before", round(o->before));
	number(json, "during", round(o->during));
	number(json, "after", round(o->after));
	lp_json_end(json);
	number(json, "slowdown", round(1e4 * lab_outcome_slowdown(o)) / 1e4);
}

static void put_setting(void *context, const char *key, const char *value)
{
	text(context, key, value);
}

/* As `limpid lab up` would be told. */
static void put_cluster(struct lp_json *json, const struct lab_bench *b)
{
	lp_json_key(json, "cluster");
	lp_json_object(json);
	when(json, "made", b->made_ns);
	lab_spec_each(&b->lab->spec, put_setting, json);
	lp_json_end(json);
}

static void put_versions(struct lp_json *json, const struct lab_bench *b)
{
	const struct lab_driver *driver = lab_driver_find(b->lab->spec.driver);
	char version[128] = "unknown";
	struct utsname kernel;

	if (driver && driver->version)
		driver->version(version, sizeof(version), NULL);
	lp_json_key(json, "versions");
	lp_json_object(json);
	text(json, "limpid", LIMPID_VERSION);
	text(json, "file_system", version);
	text(json, "kernel", uname(&kernel) == 0 ? kernel.release : NULL);
	lp_json_end(json);
}

static double pace_of(const struct lab_trial *t)
{
	return t->entry->pace < 0 ? (double)t->workload->pace : t->entry->pace;
}

static void put_plan(struct lp_json *json, const struct lab_bench *b,
		     const struct lab_trial *t, const struct lab_outcome *o)
{
	char seed[32];

	text(json, "run", t->name);
	text(json, "campaign", b->campaign->title);
	number(json, "block", t->block);
	number(json, "attempt", o->attempt);
	number(json, "campaign_seed", (double)b->campaign->seed);
	/* 64 bits: more than a number of JSON can hold. */
	snprintf(seed, sizeof(seed), "%016llx", (unsigned long long)t->seed);
	text(json, "seed", seed);
	number(json, "onset_s", round(1e3 * t->onset_s) / 1e3);
	number(json, "pace", pace_of(t));
	number(json, "processes", t->entry->processes);
	when(json, "first", o->first_ns);
	when(json, "last", o->last_ns);
}

static void put_stage(struct lp_json *json, const struct lab_stage *stage,
		      double pace, const struct lab_outcome *o)
{
	int64_t start_ns = o->load_ns + (int64_t)(stage->start_s * 1e9);
	int64_t end_ns = o->load_ns + (int64_t)(stage->end_s * 1e9);

	lp_json_object(json);
	text(json, "workload",
	     stage->workload ? stage->workload->name : "none");
	number(json, "pace", round(lab_stage_pace(stage, pace)));
	when(json, "start", start_ns);
	when(json, "end", end_ns < o->last_ns ? end_ns : o->last_ns);
	lp_json_end(json);
}

/* What `varied` did, and when. */
static void put_load(struct lp_json *json, const struct lab_trial *t,
		     const struct lab_outcome *o)
{
	double s = (double)(o->last_ns - o->load_ns) / 1e9;
	struct lab_stages stages;

	if (t->workload != &lab_workload_varied)
		return;
	lp_json_key(json, "load");
	lp_json_array(json);
	lab_stages_init(&stages, t->seed, &t->entry->stages);
	for (lab_stages_next(&stages); stages.now.start_s < s;
	     lab_stages_next(&stages))
		put_stage(json, &stages.now, pace_of(t), o);
	lp_json_end(json);
}

int lab_truth_write(const struct lab_bench *bench,
		    const struct lab_trial *trial,
		    const struct lab_outcome *outcome, const char *dir,
		    struct lp_error *err)
{
	struct lp_outfile file;
	struct lp_json json;
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/truth.json", dir);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	lp_json_init(&json, file.out);
	lp_json_object(&json);
	put_fault(&json, trial, outcome);
	put_harm(&json, outcome);
	put_plan(&json, bench, trial, outcome);
	put_load(&json, trial, outcome);
	put_cluster(&json, bench);
	put_versions(&json, bench);
	lp_json_key(&json, "machine");
	lab_strain_json(&json, &outcome->idle, &outcome->busy);
	lp_json_end(&json);
	fputc('\n', file.out);
	return lp_outfile_commit(&file, err);
}
