/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-campaign(5), read by libconfig:
 *
 *     seed = 1;
 *     phases = { healthy = 80; fault = 180; after = 40; jitter = 16; };
 *     runs = ( { workloads = ["ddw", "ddr"]; faults = ["none", "disk-busy"];
 *                strengths = [1.5, 2.0]; repeats = 2; } );
 *
 * To add a key: one line in a table below, and one in the page.
 */
#include "campaign/campaign.h"

#include "base/conf.h"
#include "base/textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* More would be a mistake, and makes a plan that is never done. */
#define MOST_TIMES 1000
#define LONGEST_S 86400.0
#define MOST_MBPS 1e6
/* Of a client, if the file does not say. */
#define PROCESSES 2

/* ---- an entry of runs ---- */

#define MOST_NAMES 32

static int take_workload(struct lp_conf *conf, const struct lp_conf_key *key,
			 const config_setting_t *s, void *field)
{
	const char *text = config_setting_get_string(s);
	struct lab_campaign_entry *e = field;
	const char *names[MOST_NAMES + 1] = { NULL };

	if (!text)
		return lp_conf_bad(conf, s, "%s needs names in quotes",
				   key->name);
	for (size_t i = 0; lab_workloads[i] && i < MOST_NAMES; i++)
		names[i] = lab_workloads[i]->name;
	if (!lab_workload_find(text))
		return lp_conf_unknown(conf, s, "no workload", text, names);
	e->workloads[e->n_workloads++] = lab_workload_find(text);
	return 0;
}

static int take_fault(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	const char *text = config_setting_get_string(s);
	struct lab_campaign_entry *e = field;
	const char *names[MOST_NAMES + 2] = { "none" };

	if (!text)
		return lp_conf_bad(conf, s, "%s needs names in quotes",
				   key->name);
	for (size_t i = 0; lab_faults[i] && i < MOST_NAMES; i++)
		names[i + 1] = lab_faults[i]->name;
	if (strcmp(text, "none") != 0 && !lab_fault_find(text))
		return lp_conf_unknown(conf, s, "no fault", text, names);
	e->faults[e->n_faults++] = lab_fault_find(text);
	return 0;
}

static int take_strength(struct lp_conf *conf, const struct lp_conf_key *key,
			 const config_setting_t *s, void *field)
{
	struct lab_campaign_entry *e = field;
	int status =
		lp_conf_number(conf, key, s, &e->strengths[e->n_strengths]);

	if (status == 0)
		e->n_strengths++;
	return status;
}

/* Room for one element, or for all of an array. */
static void *room(struct lp_conf *conf, const config_setting_t *s, size_t size)
{
	int n = config_setting_is_aggregate(s) ? config_setting_length(s) : 1;

	return lp_arena_alloc(conf->arena, (size_t)(n > 0 ? n : 1) * size);
}

static int read_workloads(struct lp_conf *conf, const struct lp_conf_key *key,
			  const config_setting_t *s, void *field)
{
	struct lab_campaign_entry *e = field;

	e->workloads = room(conf, s, sizeof(*e->workloads));
	return e->workloads ? lp_conf_each(conf, key, s, e, take_workload)
			    : lp_fail_memory(conf->err);
}

static int read_faults(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *s, void *field)
{
	struct lab_campaign_entry *e = field;

	e->faults = room(conf, s, sizeof(*e->faults));
	return e->faults ? lp_conf_each(conf, key, s, e, take_fault)
			 : lp_fail_memory(conf->err);
}

static int read_strengths(struct lp_conf *conf, const struct lp_conf_key *key,
			  const config_setting_t *s, void *field)
{
	struct lab_campaign_entry *e = field;

	e->strengths = room(conf, s, sizeof(*e->strengths));
	return e->strengths ? lp_conf_each(conf, key, s, e, take_strength)
			    : lp_fail_memory(conf->err);
}

/* Megabytes a second. */
static int read_pace(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	double mbps = 0, *pace = field;
	int status = lp_conf_number(conf, key, s, &mbps);

	if (status == 0)
		*pace = mbps * 1e6;
	return status;
}

static const char *const happenings[LAB_HAPPENINGS + 1] = {
	[LAB_NOTHING] = "nothing",
	[LAB_RECORDER_RESTART] = "recorder-restart",
	[LAB_CLIENT_ADDED] = "client-added",
};

const char *lab_happening_name(enum lab_happening happening)
{
	return happenings[happening];
}

static int read_event(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	const char *text = config_setting_get_string(s);
	enum lab_happening *happening = field;

	if (!text)
		return lp_conf_bad(conf, s, "%s needs a name in quotes",
				   key->name);
	for (int i = 0; i < LAB_HAPPENINGS; i++)
		if (strcmp(text, happenings[i]) == 0) {
			*happening = (enum lab_happening)i;
			return 0;
		}
	return lp_conf_unknown(conf, s, "no event", text, happenings);
}

#define LENGTH(field) offsetof(struct lab_stage_lengths, field)

static const struct lp_conf_key stage_keys[] = {
	{ "shortest", lp_conf_number, LENGTH(shortest_s), 1, LONGEST_S },
	{ "longest", lp_conf_number, LENGTH(longest_s), 1, LONGEST_S },
	{ .name = NULL },
};

static int read_stages(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *s, void *field)
{
	const struct lab_stage_lengths *lengths = field;
	int status;

	(void)key;
	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s, "stages needs seconds in braces");
	status = lp_conf_read_group(conf, stage_keys, s, field);
	if (status == 0 && lengths->longest_s < lengths->shortest_s)
		return lp_conf_bad(conf, s,
				   "longest must not be below shortest");
	return status;
}

/* ---- clusters ---- */

/* The settings of a lab file, over those of the file as a whole. */
static int read_spec(struct lp_conf *conf, const config_setting_t *s,
		     struct lab_spec *spec)
{
	struct lab_campaign *c = conf->whole;
	struct lp_error why;

	*spec = c->clusters[0];
	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s, "cluster needs settings in braces");
	if (lab_spec_take(conf, s, spec) < 0)
		return -EINVAL;
	if (lab_spec_check(spec, &why) < 0)
		return lp_conf_bad(conf, s, "%s", why.text);
	return 0;
}

static int read_own_cluster(struct lp_conf *conf, const struct lp_conf_key *key,
			    const config_setting_t *s, void *field)
{
	struct lab_campaign *c = conf->whole;
	struct lab_spec spec;
	unsigned *number = field;
	int status = read_spec(conf, s, &spec);

	(void)key;
	if (status < 0)
		return status;
	if (lp_grow(&c->clusters, &c->clusters_capacity, c->n_clusters + 1,
		    sizeof(c->clusters[0])) < 0)
		return lp_fail_memory(conf->err);
	c->clusters[c->n_clusters] = spec;
	*number = (unsigned)c->n_clusters++;
	return 0;
}

static int read_cluster(struct lp_conf *conf, const struct lp_conf_key *key,
			const config_setting_t *s, void *field)
{
	struct lab_campaign *c = field;
	struct lab_spec spec;
	int status = read_spec(conf, s, &spec);

	(void)key;
	if (status == 0)
		c->clusters[0] = spec;
	return status;
}

/* ---- runs ---- */

/* 0: what becomes of the key is more than one field. */
#define FIELD(field) offsetof(struct lab_campaign_entry, field)

static const struct lp_conf_key entry_keys[] = {
	{ "workloads", read_workloads, .offset = 0 },
	{ "faults", read_faults, .offset = 0 },
	{ "strengths", read_strengths, 0, 1e-3, 1e6 },
	{ "repeats", lp_conf_count, FIELD(repeats), 1, MOST_TIMES },
	{ "processes", lp_conf_count, FIELD(processes), 1, LAB_MAX_PROCESSES },
	{ "pace", read_pace, FIELD(pace), 0, MOST_MBPS },
	{ "event", read_event, .offset = FIELD(happening) },
	{ "announced", lp_conf_bool, .offset = FIELD(announced) },
	{ "stages", read_stages, .offset = FIELD(stages) },
	{ "cluster", read_own_cluster, .offset = FIELD(cluster) },
	{ .name = NULL },
};

#undef FIELD

/* Found out now, and not in the middle of the night. */
static int check_strengths(struct lp_conf *conf, const config_setting_t *s,
			   const struct lab_campaign_entry *e,
			   const struct lab_fault *fault)
{
	struct lp_error why;

	for (size_t i = 0; i < e->n_strengths; i++)
		if (lab_fault_check(fault, e->strengths[i], &why) < 0)
			return lp_conf_bad(conf, s, "%s", why.text);
	return 0;
}

static int check_entry(struct lp_conf *conf, const config_setting_t *s,
		       const struct lab_campaign_entry *e)
{
	const struct lab_campaign *c = conf->whole;
	int status = 0;

	if (e->n_workloads == 0)
		return lp_conf_bad(conf, s, "an entry of runs needs workloads");
	if (e->happening == LAB_CLIENT_ADDED &&
	    c->clusters[e->cluster].clients < 2)
		return lp_conf_bad(conf, s,
				   "client-added needs at least two clients");
	for (size_t i = 0; i < e->n_faults && status == 0; i++) {
		if (!e->faults[i])
			continue;
		if (e->happening != LAB_NOTHING)
			return lp_conf_bad(
				conf, s,
				"an entry has faults or an event, not both");
		status = check_strengths(conf, s, e, e->faults[i]);
	}
	return status;
}

static int take_entry(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	static const struct lab_fault *no_fault[] = { NULL };
	struct lab_campaign *c = field;
	struct lab_campaign_entry *e;
	int status;

	(void)key;
	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s,
				   "runs needs entries in braces: ( { ... } )");
	if (lp_grow(&c->entries, &c->entries_capacity, c->n_entries + 1,
		    sizeof(c->entries[0])) < 0)
		return lp_fail_memory(conf->err);
	e = &c->entries[c->n_entries++];
	*e = (struct lab_campaign_entry){
		.repeats = 1,
		.processes = PROCESSES,
		.pace = -1,
		.stages = LAB_STAGE_LENGTHS,
		.line = config_setting_source_line(s),
	};
	status = lp_conf_read_group(conf, entry_keys, s, e);
	if (status == 0)
		status = check_entry(conf, s, e);
	if (status == 0 && e->n_faults == 0) {
		e->faults = no_fault;
		e->n_faults = 1;
	}
	return status;
}

static int read_runs(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	if (!config_setting_is_list(s))
		return lp_conf_bad(
			conf, s,
			"runs needs a list of entries: ( { ... }, ... )");
	return lp_conf_each(conf, key, s, field, take_entry);
}

/* ---- the file ---- */

int lab_conf_seed(struct lp_conf *conf, const struct lp_conf_key *key,
		  const config_setting_t *s, void *field)
{
	double number = 0;
	uint64_t *seed = field;
	int status = lp_conf_number(conf, key, s, &number);

	*seed = (uint64_t)number;
	return status;
}

#define PHASE(field) offsetof(struct lab_phases, field)

static const struct lp_conf_key phase_keys[] = {
	{ "healthy", lp_conf_number, PHASE(healthy_s), 1, LONGEST_S },
	{ "fault", lp_conf_number, PHASE(fault_s), 1, LONGEST_S },
	{ "after", lp_conf_number, PHASE(after_s), 0, LONGEST_S },
	{ "jitter", lp_conf_number, PHASE(jitter_s), 0, LONGEST_S },
	{ .name = NULL },
};

static int read_phases(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *s, void *field)
{
	const struct lab_phases *p = field;
	int status;

	(void)key;
	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s, "phases needs seconds in braces");
	status = lp_conf_read_group(conf, phase_keys, s, field);
	if (status == 0 &&
	    (p->jitter_s > p->after_s || p->jitter_s >= p->healthy_s))
		return lp_conf_bad(
			conf, s,
			"jitter must be below healthy and not above after");
	return status;
}

#define FIELD(field) offsetof(struct lab_campaign, field)

static const struct lp_conf_key file_keys[] = {
	{ "title", lp_conf_text, .offset = FIELD(title) },
	{ "seed", lab_conf_seed, FIELD(seed), 0, UINT32_MAX },
	{ "blocks", lp_conf_count, FIELD(blocks), 1, MOST_TIMES },
	{ "phases", read_phases, .offset = FIELD(phases) },
	{ "machine", lp_conf_bool, .offset = FIELD(machine) },
	{ "cluster", read_cluster, .offset = 0 },
	{ "runs", read_runs, .offset = 0 },
	{ .name = NULL },
};

/* runs last: its entries begin with what the others say. */
static int read_file(struct lp_conf *conf, struct lab_campaign *campaign)
{
	const config_setting_t *root = config_root_setting(&conf->config);
	const config_setting_t *runs = config_setting_get_member(root, "runs");
	int n = config_setting_length(root), status = 0;

	conf->whole = campaign;
	conf->arena = &campaign->arena;
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		const config_setting_t *s = config_setting_get_elem(root, i);

		if (s != runs)
			status = lp_conf_read(conf, file_keys, s, campaign);
	}
	if (status == 0 && !runs)
		return lp_fail(conf->err, EINVAL,
			       "%s: the list runs is missing", conf->name);
	return status < 0 ? status
			  : lp_conf_read(conf, file_keys, runs, campaign);
}

static int begin(struct lab_campaign *c, const char *name, const char *text,
		 struct lp_error *err)
{
	*c = (struct lab_campaign){
		.title = "",
		.blocks = 1,
		.phases = { 80, 180, 40, 16 },
	};
	c->path = lp_arena_string(&c->arena, name);
	c->text = lp_arena_string(&c->arena, text);
	if (!c->path || !c->text ||
	    lp_grow(&c->clusters, &c->clusters_capacity, 1,
		    sizeof(c->clusters[0])) < 0)
		return lp_fail_memory(err);
	lab_spec_default(&c->clusters[0]);
	c->n_clusters = 1;
	return 0;
}

int lab_campaign_parse(const char *name, const char *text,
		       struct lab_campaign *campaign, struct lp_error *err)
{
	struct lp_conf conf;
	int status = begin(campaign, name, text, err);

	if (status == 0)
		status = lp_conf_parse(&conf, name, text, err);
	if (status < 0)
		return status;
	status = read_file(&conf, campaign);
	lp_conf_close(&conf);
	return status;
}

int lab_campaign_read(const char *path, struct lab_campaign *campaign,
		      struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	int status;

	*campaign = (struct lab_campaign){ 0 };
	status = lp_text_file_copy(path, &text, err);
	return status < 0 ? status
			  : lab_campaign_parse(path, text, campaign, err);
}

void lab_campaign_done(struct lab_campaign *campaign)
{
	free(campaign->clusters);
	free(campaign->entries);
	lp_arena_done(&campaign->arena);
	*campaign = (struct lab_campaign){ 0 };
}
