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

#include "base/nearest.h"
#include "base/textfile.h"

#include <errno.h>
#include <libconfig.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* More would be a mistake, and makes a plan that is never done. */
#define MOST_TIMES 1000
#define LONGEST_S 86400.0
#define MOST_MBPS 1e6
/* Of a client, if the file does not say. */
#define PROCESSES 2

struct reading {
	struct lab_campaign *campaign;
	struct lab_campaign_entry
		*entry; /* of the list `runs`, while one is read */
	struct lp_error *err;
};

struct key {
	const char *name;
	int (*read)(struct reading *r, const config_setting_t *setting);
};

/* "one.conf:12: ..." */
static int bad(struct reading *r, const config_setting_t *setting,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));
static int bad(struct reading *r, const config_setting_t *setting,
	       const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return lp_fail(r->err, EINVAL, "%s:%u: %s", r->campaign->path,
		       config_setting_source_line(setting), text);
}

/* ---- values ---- */

static const char *label(const config_setting_t *s)
{
	const char *name = config_setting_name(s);

	/* Elements of lists have none, but their lists do. */
	return name ? name : config_setting_name(config_setting_parent(s));
}

static int read_number(struct reading *r, const config_setting_t *s, double low,
		       double high, double *value)
{
	int type = config_setting_type(s);
	double v = low - 1;

	if (type == CONFIG_TYPE_FLOAT)
		v = config_setting_get_float(s);
	else if (type == CONFIG_TYPE_INT)
		v = config_setting_get_int(s);
	if (!(v >= low && v <= high))
		return bad(r, s, "%s needs a number from %g to %g", label(s),
			   low, high);
	*value = v;
	return 0;
}

static int read_count(struct reading *r, const config_setting_t *s, int most,
		      unsigned *value)
{
	int v = config_setting_get_int(s);

	if (config_setting_type(s) != CONFIG_TYPE_INT || v < 1 || v > most)
		return bad(r, s, "%s needs a whole number from 1 to %d",
			   label(s), most);
	*value = (unsigned)v;
	return 0;
}

/* Called for each element of an array or list, or for a single value. */
static int each(struct reading *r, const config_setting_t *s,
		int (*take)(struct reading *, const config_setting_t *))
{
	int n = config_setting_length(s), status = 0;

	if (!config_setting_is_aggregate(s))
		return take(r, s);
	if (config_setting_is_group(s) || n == 0)
		return bad(r, s, "%s needs a value or a list of values",
			   label(s));
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = take(r, config_setting_get_elem(s, i));
	return status;
}

/* "no fault 'disk-bsy'; did you mean disk-busy?" */
static int no_such(struct reading *r, const config_setting_t *s,
		   const char *what, const char *const *names)
{
	struct lp_nearest nearest =
		lp_nearest_begin(config_setting_type(s) == CONFIG_TYPE_STRING
					 ? config_setting_get_string(s)
					 : config_setting_name(s));
	char all[300] = "";
	size_t used = 0;

	for (; *names; names++) {
		lp_nearest_offer(&nearest, *names);
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 " %s", *names);
	}
	if (nearest.best)
		return bad(r, s, "no %s '%s'; did you mean %s?", what,
			   nearest.wrong, nearest.best);
	return bad(r, s, "no %s '%s'; there are%s", what, nearest.wrong, all);
}

/* ---- an entry of runs ---- */

#define MOST_NAMES 32

static int take_workload(struct reading *r, const config_setting_t *s)
{
	const char *text = config_setting_get_string(s);
	struct lab_campaign_entry *e = r->entry;
	const char *names[MOST_NAMES + 1] = { NULL };

	if (!text)
		return bad(r, s, "workloads needs names in quotes");
	for (size_t i = 0; lab_workloads[i] && i < MOST_NAMES; i++)
		names[i] = lab_workloads[i]->name;
	if (!lab_workload_find(text))
		return no_such(r, s, "workload", names);
	e->workloads[e->n_workloads++] = lab_workload_find(text);
	return 0;
}

static int take_fault(struct reading *r, const config_setting_t *s)
{
	const char *text = config_setting_get_string(s);
	struct lab_campaign_entry *e = r->entry;
	const char *names[MOST_NAMES + 2] = { "none" };

	if (!text)
		return bad(r, s, "faults needs names in quotes");
	for (size_t i = 0; lab_faults[i] && i < MOST_NAMES; i++)
		names[i + 1] = lab_faults[i]->name;
	if (strcmp(text, "none") != 0 && !lab_fault_find(text))
		return no_such(r, s, "fault", names);
	e->faults[e->n_faults++] = lab_fault_find(text);
	return 0;
}

static int take_strength(struct reading *r, const config_setting_t *s)
{
	struct lab_campaign_entry *e = r->entry;
	int status =
		read_number(r, s, 1e-3, 1e6, &e->strengths[e->n_strengths]);

	if (status == 0)
		e->n_strengths++;
	return status;
}

/* Room for one element, or for all of an array. */
static void *room(struct reading *r, const config_setting_t *s, size_t size)
{
	int n = config_setting_is_aggregate(s) ? config_setting_length(s) : 1;

	return lp_arena_alloc(&r->campaign->arena,
			      (size_t)(n > 0 ? n : 1) * size);
}

static int read_workloads(struct reading *r, const config_setting_t *s)
{
	r->entry->workloads = room(r, s, sizeof(*r->entry->workloads));
	return r->entry->workloads ? each(r, s, take_workload)
				   : lp_fail_memory(r->err);
}

static int read_faults(struct reading *r, const config_setting_t *s)
{
	r->entry->faults = room(r, s, sizeof(*r->entry->faults));
	return r->entry->faults ? each(r, s, take_fault)
				: lp_fail_memory(r->err);
}

static int read_strengths(struct reading *r, const config_setting_t *s)
{
	r->entry->strengths = room(r, s, sizeof(*r->entry->strengths));
	return r->entry->strengths ? each(r, s, take_strength)
				   : lp_fail_memory(r->err);
}

static int read_repeats(struct reading *r, const config_setting_t *s)
{
	return read_count(r, s, MOST_TIMES, &r->entry->repeats);
}

static int read_processes(struct reading *r, const config_setting_t *s)
{
	return read_count(r, s, LAB_MAX_PROCESSES, &r->entry->processes);
}

/* Megabytes a second. */
static int read_pace(struct reading *r, const config_setting_t *s)
{
	double mbps = 0;
	int status = read_number(r, s, 0, MOST_MBPS, &mbps);

	if (status == 0)
		r->entry->pace = mbps * 1e6;
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

static int read_event(struct reading *r, const config_setting_t *s)
{
	const char *text = config_setting_get_string(s);

	if (!text)
		return bad(r, s, "event needs a name in quotes");
	for (int i = 0; i < LAB_HAPPENINGS; i++)
		if (strcmp(text, happenings[i]) == 0) {
			r->entry->happening = (enum lab_happening)i;
			return 0;
		}
	return no_such(r, s, "event", happenings);
}

/* ---- clusters ---- */

/* The settings of a lab file, over those of the file as a whole. */
static int add_cluster(struct reading *r, const config_setting_t *s,
		       unsigned *number)
{
	struct lab_campaign *c = r->campaign;
	struct lab_spec spec = c->clusters[0];
	struct lp_error why;

	if (!config_setting_is_group(s))
		return bad(r, s, "cluster needs settings in braces");
	if (lab_spec_take(s, c->path, &spec, r->err) < 0)
		return -EINVAL;
	if (lab_spec_check(&spec, &why) < 0)
		return bad(r, s, "%s", why.text);
	if (lp_grow(&c->clusters, &c->clusters_capacity, c->n_clusters + 1,
		    sizeof(c->clusters[0])) < 0)
		return lp_fail_memory(r->err);
	c->clusters[c->n_clusters] = spec;
	*number = (unsigned)c->n_clusters++;
	return 0;
}

static int read_own_cluster(struct reading *r, const config_setting_t *s)
{
	return add_cluster(r, s, &r->entry->cluster);
}

/* ---- the file ---- */

static const struct key entry_keys[] = {
	{ "workloads", read_workloads },
	{ "faults", read_faults },
	{ "strengths", read_strengths },
	{ "repeats", read_repeats },
	{ "processes", read_processes },
	{ "pace", read_pace },
	{ "event", read_event },
	{ "cluster", read_own_cluster },
	{ NULL, NULL },
};

static int read_key(struct reading *r, const config_setting_t *s,
		    const struct key *keys)
{
	const char *names[MOST_NAMES + 1] = { NULL };

	for (size_t i = 0; keys[i].name; i++) {
		names[i] = keys[i].name;
		if (strcmp(keys[i].name, config_setting_name(s)) == 0)
			return keys[i].read(r, s);
	}
	return no_such(r, s, "key", names);
}

static int read_group(struct reading *r, const config_setting_t *s,
		      const struct key *keys)
{
	int n = config_setting_length(s), status = 0;

	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = read_key(r, config_setting_get_elem(s, i), keys);
	return status;
}

/* Found out now, and not in the middle of the night. */
static int check_strengths(struct reading *r, const config_setting_t *s,
			   const struct lab_fault *fault)
{
	const struct lab_campaign_entry *e = r->entry;
	struct lp_error why;

	for (size_t i = 0; i < e->n_strengths; i++)
		if (lab_fault_check(fault, e->strengths[i], &why) < 0)
			return bad(r, s, "%s", why.text);
	return 0;
}

static int check_entry(struct reading *r, const config_setting_t *s)
{
	const struct lab_campaign_entry *e = r->entry;
	unsigned long clients = r->campaign->clusters[e->cluster].clients;
	int status = 0;

	if (e->n_workloads == 0)
		return bad(r, s, "an entry of runs needs workloads");
	if (e->happening == LAB_CLIENT_ADDED && clients < 2)
		return bad(r, s, "client-added needs at least two clients");
	for (size_t i = 0; i < e->n_faults && status == 0; i++) {
		if (!e->faults[i])
			continue;
		if (e->happening != LAB_NOTHING)
			return bad(r, s,
				   "an entry has faults or an event, not both");
		status = check_strengths(r, s, e->faults[i]);
	}
	return status;
}

static int take_entry(struct reading *r, const config_setting_t *s)
{
	struct lab_campaign *c = r->campaign;
	static const struct lab_fault *no_fault[] = { NULL };
	int status;

	if (!config_setting_is_group(s))
		return bad(r, s, "runs needs entries in braces: ( { ... } )");
	if (lp_grow(&c->entries, &c->entries_capacity, c->n_entries + 1,
		    sizeof(c->entries[0])) < 0)
		return lp_fail_memory(r->err);
	r->entry = &c->entries[c->n_entries++];
	*r->entry = (struct lab_campaign_entry){
		.repeats = 1,
		.processes = PROCESSES,
		.pace = -1,
		.line = config_setting_source_line(s),
	};
	status = read_group(r, s, entry_keys);
	if (status == 0)
		status = check_entry(r, s);
	if (status == 0 && r->entry->n_faults == 0) {
		r->entry->faults = no_fault;
		r->entry->n_faults = 1;
	}
	return status;
}

static int read_runs(struct reading *r, const config_setting_t *s)
{
	if (!config_setting_is_list(s))
		return bad(r, s,
			   "runs needs a list of entries: ( { ... }, ... )");
	return each(r, s, take_entry);
}

static int read_title(struct reading *r, const config_setting_t *s)
{
	const char *text = config_setting_get_string(s);

	if (!text)
		return bad(r, s, "title needs a text in quotes");
	r->campaign->title = lp_arena_string(&r->campaign->arena, text);
	return r->campaign->title ? 0 : lp_fail_memory(r->err);
}

static int read_seed(struct reading *r, const config_setting_t *s)
{
	double seed = 0;
	int status = read_number(r, s, 0, INT_MAX, &seed);

	r->campaign->seed = (uint64_t)seed;
	return status;
}

static int read_blocks(struct reading *r, const config_setting_t *s)
{
	return read_count(r, s, MOST_TIMES, &r->campaign->blocks);
}

static int read_healthy(struct reading *r, const config_setting_t *s)
{
	return read_number(r, s, 1, LONGEST_S, &r->campaign->phases.healthy_s);
}

static int read_fault_phase(struct reading *r, const config_setting_t *s)
{
	return read_number(r, s, 1, LONGEST_S, &r->campaign->phases.fault_s);
}

static int read_after(struct reading *r, const config_setting_t *s)
{
	return read_number(r, s, 0, LONGEST_S, &r->campaign->phases.after_s);
}

static int read_jitter(struct reading *r, const config_setting_t *s)
{
	return read_number(r, s, 0, LONGEST_S, &r->campaign->phases.jitter_s);
}

static const struct key phase_keys[] = {
	{ "healthy", read_healthy },
	{ "fault", read_fault_phase },
	{ "after", read_after },
	{ "jitter", read_jitter },
	{ NULL, NULL },
};

static int read_phases(struct reading *r, const config_setting_t *s)
{
	const struct lab_phases *p = &r->campaign->phases;
	int status;

	if (!config_setting_is_group(s))
		return bad(r, s, "phases needs seconds in braces");
	status = read_group(r, s, phase_keys);
	if (status == 0 &&
	    (p->jitter_s > p->after_s || p->jitter_s >= p->healthy_s))
		return bad(r, s,
			   "jitter must be below healthy and not above after");
	return status;
}

static int read_cluster(struct reading *r, const config_setting_t *s)
{
	unsigned number = 0;
	int status = add_cluster(r, s, &number);

	if (status == 0) {
		r->campaign->clusters[0] = r->campaign->clusters[number];
		r->campaign->n_clusters--;
	}
	return status;
}

/* runs last: its entries begin with what the others say. */
static const struct key file_keys[] = {
	{ "title", read_title },
	{ "seed", read_seed },
	{ "blocks", read_blocks },
	{ "phases", read_phases },
	{ "cluster", read_cluster },
	{ "runs", read_runs },
	{ NULL, NULL },
};

static int read_file(struct reading *r, const config_t *config)
{
	const config_setting_t *root = config_root_setting(config);
	const config_setting_t *runs = config_setting_get_member(root, "runs");
	int n = config_setting_length(root), status = 0;

	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		const config_setting_t *s = config_setting_get_elem(root, i);

		if (s != runs)
			status = read_key(r, s, file_keys);
	}
	if (status == 0 && !runs)
		return lp_fail(r->err, EINVAL, "%s: the list runs is missing",
			       r->campaign->path);
	return status < 0 ? status : read_key(r, runs, file_keys);
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
	struct reading r = { campaign, NULL, err };
	config_t config;
	int status = begin(campaign, name, text, err);

	/* libconfig would read the other file, and end the program. */
	if (status == 0 && strstr(text, "@include"))
		status = lp_fail(
			err, EINVAL,
			"%s: @include is not supported: write one file", name);
	if (status < 0)
		return status;
	config_init(&config);
	if (config_read_string(&config, text) == CONFIG_TRUE)
		status = read_file(&r, &config);
	else
		status = lp_fail(err, EINVAL, "%s:%d: %s", campaign->path,
				 config_error_line(&config),
				 config_error_text(&config));
	config_destroy(&config);
	return status;
}

int lab_campaign_read(const char *path, struct lab_campaign *campaign,
		      struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	lp_auto_free char *text = NULL;
	int status;

	*campaign = (struct lab_campaign){ 0 };
	status = lp_text_file_open(&file, path, err);
	if (status == 0 && file.n && memchr(file.text, '\0', file.n))
		status = lp_fail(err, EINVAL,
				 "%s: not a text file: it contains a zero byte",
				 path);
	if (status < 0) {
		lp_text_file_close(&file);
		return status;
	}
	text = strndup(file.text ? file.text : "", file.n);
	lp_text_file_close(&file);
	return text ? lab_campaign_parse(path, text, campaign, err)
		    : lp_fail_memory(err);
}

void lab_campaign_done(struct lab_campaign *campaign)
{
	free(campaign->clusters);
	free(campaign->entries);
	lp_arena_done(&campaign->arena);
	*campaign = (struct lab_campaign){ 0 };
}
