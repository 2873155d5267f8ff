/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts, in libconfig's syntax:
 *
 *     arrays = 4; servers = 8; luns = 24; old_luns = 16; attachments = 8;
 *     load = { reads = 4.0; writes = 6.0; };
 *     events = ( { kind = "slow-disk"; array = 9; lun = 3;
 *                  at = 8.5; hours = 6.0; strength = 4.0; } );
 *
 * A key that is not known is an error: a misspelt one must not pass silently.
 */
#include "base/conf.h"
#include "base/textfile.h"
#include "base/timestamp.h"
#include "simulate/scenario.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum type { NUMBER, COUNT, FLAG, TEXT, TIME };

struct key {
	const char *name;
	enum type type;
	size_t offset;
	double factor; /* of numbers, 0: 1 */
};

#define SCENARIO(field) offsetof(struct lp_scenario, field)
#define EVENT(field) offsetof(struct lp_sim_event, field)

static const struct key scenario_keys[] = {
	{ "arrays", COUNT, SCENARIO(arrays), 0 },
	{ "servers", COUNT, SCENARIO(servers), 0 },
	{ "luns", COUNT, SCENARIO(luns), 0 },
	{ "old_luns", COUNT, SCENARIO(old_luns), 0 },
	{ "attachments", COUNT, SCENARIO(attachments), 0 },
	{ "clients", COUNT, SCENARIO(clients), 0 },
	{ "first_array", COUNT, SCENARIO(first_array), 0 },
	{ "local", FLAG, SCENARIO(local), 0 },
	{ "server_prefix", TEXT, SCENARIO(server_prefix), 0 },
	{ "interval", NUMBER, SCENARIO(interval_s), 0 },
	{ "hours", NUMBER, SCENARIO(hours), 0 },
	{ "start", TIME, SCENARIO(start_ns), 0 },
};

static const struct key load_keys[] = {
	{ "reads", NUMBER, SCENARIO(reads_per_s), 0 },
	{ "writes", NUMBER, SCENARIO(writes_per_s), 0 },
	{ "bursts_per_hour", NUMBER, SCENARIO(bursts_per_hour), 0 },
	{ "idle_share", NUMBER, SCENARIO(idle_share), 0 },
};

static const struct key disturbance_keys[] = {
	{ "transients", NUMBER, SCENARIO(transients), 0 },
	{ "server_workloads", NUMBER, SCENARIO(server_workloads), 0 },
	{ "clock_steps", NUMBER, SCENARIO(clock_steps), 0 },
};

/* kind and controller are words, and seen to apart. */
static const struct key event_keys[] = {
	{ "at", NUMBER, EVENT(at_s), 3600 },
	{ "at_s", NUMBER, EVENT(at_s), 0 },
	{ "hours", NUMBER, EVENT(seconds), 3600 },
	{ "seconds", NUMBER, EVENT(seconds), 0 },
	{ "array", COUNT, EVENT(array), 0 },
	{ "server", COUNT, EVENT(server), 0 },
	{ "lun", COUNT, EVENT(lun), 0 },
	{ "luns", COUNT, EVENT(luns), 0 },
	{ "strength", NUMBER, EVENT(strength), 0 },
};

struct script {
	struct lp_conf conf;
	struct lp_scenario *scenario;
};

static int bad(const struct script *script, const config_setting_t *at,
	       const char *wanted)
{
	const char *key = config_setting_name(at);

	return lp_conf_bad(&script->conf, at, "%s%s%s", key ? key : "",
			   key ? ": " : "", wanted);
}

static int take_number(const struct script *script, const struct key *key,
		       const config_setting_t *s, double *field)
{
	int type = config_setting_type(s);
	double v = 0;

	if (type == CONFIG_TYPE_FLOAT)
		v = config_setting_get_float(s);
	else if (type == CONFIG_TYPE_INT)
		v = config_setting_get_int(s);
	else
		return bad(script, s, "expected a number");
	if (!(v >= 0) || v > 1e9)
		return bad(script, s, "expected a number from 0 to 1e9");
	*field = key->factor > 0 ? v * key->factor : v;
	return 0;
}

static int take_count(const struct script *script, const config_setting_t *s,
		      unsigned *field)
{
	int v = config_setting_get_int(s);

	if (config_setting_type(s) != CONFIG_TYPE_INT || v < 0 || v > 100000)
		return bad(script, s, "expected a whole number up to 100000");
	*field = (unsigned)v;
	return 0;
}

static int take_text(const struct script *script, const config_setting_t *s,
		     const char **field)
{
	const char *text = config_setting_get_string(s);

	if (!text || !*text || strlen(text) > 32 ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.") !=
		    strlen(text))
		return bad(script, s,
			   "expected a word of lower-case letters, digits, "
			   "- _ and .");
	*field = lp_arena_string(&script->scenario->arena, text);
	return *field ? 0 : lp_fail_memory(script->conf.err);
}

static int take_time(const struct script *script, const config_setting_t *s,
		     int64_t *field)
{
	const char *text = config_setting_get_string(s);

	if (!text || lp_time_parse(text, strlen(text), field) < 0)
		return bad(script, s, "expected a time as \"2026-06-01\"");
	return 0;
}

static int take(const struct script *script, const struct key *key,
		const config_setting_t *s, void *into)
{
	void *field = (char *)into + key->offset;

	switch (key->type) {
	case NUMBER:
		return take_number(script, key, s, field);
	case COUNT:
		return take_count(script, s, field);
	case TEXT:
		return take_text(script, s, field);
	case TIME:
		return take_time(script, s, field);
	case FLAG:
		break;
	}
	if (config_setting_type(s) != CONFIG_TYPE_BOOL)
		return bad(script, s, "expected true or false");
	*(bool *)field = config_setting_get_bool(s) != 0;
	return 0;
}

/* 1: the setting is none of these keys. */
static int take_one_of(const struct script *script, const struct key *keys,
		       size_t n, const config_setting_t *s, void *into)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(keys[i].name, config_setting_name(s)) == 0)
			return take(script, &keys[i], s, into);
	return 1;
}

static int take_group(const struct script *script, const struct key *keys,
		      size_t n, const config_setting_t *group)
{
	int count = config_setting_length(group);

	if (!config_setting_is_group(group))
		return bad(script, group, "expected { key = value; ... }");
	for (int i = 0; i < count; i++) {
		const config_setting_t *s =
			config_setting_get_elem(group, (unsigned)i);
		int status = take_one_of(script, keys, n, s, script->scenario);

		if (status != 0)
			return status < 0 ? status
					  : bad(script, s, "no such key");
	}
	return 0;
}

static int take_kind(const struct script *script, const config_setting_t *s,
		     struct lp_sim_event *event)
{
	const char *text = config_setting_get_string(s);

	for (int k = 0; text && k < LP_SIM_KINDS; k++)
		if (strcmp(lp_sim_traits[k].name, text) == 0) {
			event->kind = (enum lp_sim_kind)k;
			return 0;
		}
	return bad(script, s, "no such kind of event; see limpid-simulate(1)");
}

static int take_controller(const struct script *script,
			   const config_setting_t *s,
			   struct lp_sim_event *event)
{
	const char *text = config_setting_get_string(s);

	if (!text || (strcmp(text, "a") != 0 && strcmp(text, "b") != 0))
		return bad(script, s, "expected \"a\" or \"b\"");
	event->controller = text[0] == 'b';
	return 0;
}

static int take_event_key(const struct script *script,
			  const config_setting_t *s, struct lp_sim_event *event)
{
	int status;

	if (strcmp(config_setting_name(s), "kind") == 0)
		return take_kind(script, s, event);
	if (strcmp(config_setting_name(s), "controller") == 0)
		return take_controller(script, s, event);
	status = take_one_of(script, event_keys, lp_array_size(event_keys), s,
			     event);
	return status > 0 ? bad(script, s, "no such key") : status;
}

/* From the numbers of names (ddn6, fs1) to those from 0 on. */
static int place_event(const struct script *script, const config_setting_t *s,
		       struct lp_sim_event *e)
{
	const struct lp_scenario *c = script->scenario;
	bool at_server;

	if (e->kind == LP_SIM_KINDS)
		return bad(script, s, "an event needs a kind");
	at_server = lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER;
	if (!(e->seconds > 0))
		return bad(script, s, "an event needs hours or seconds");
	if (at_server && (e->server < 1 || e->server > lp_scenario_hosts(c)))
		return bad(script, s, "there is no server of that number");
	if (!at_server && (e->array < c->first_array ||
			   e->array - c->first_array >= c->arrays))
		return bad(script, s, "there is no array of that number");
	if (c->clients == 0 && (e->kind == LP_SIM_RECEIVE_PKTLOSS ||
				e->kind == LP_SIM_SEND_PKTLOSS))
		return bad(script, s,
			   "lost packets are recorded with connections: set "
			   "clients");
	if (e->lun >= c->luns || e->luns < 1 || e->luns > c->luns)
		return bad(script, s, "there are fewer LUNs");
	e->array = at_server ? (e->server - 1) / c->servers
			     : e->array - c->first_array;
	e->server = at_server ? (e->server - 1) % c->servers : 0;
	if (e->strength == 0)
		e->strength = lp_sim_traits[e->kind].strength;
	return 0;
}

static int take_event(const struct script *script, const config_setting_t *s)
{
	struct lp_scenario *c = script->scenario;
	struct lp_sim_event event = { .kind = LP_SIM_KINDS, .luns = 1 };
	int status = 0, n = config_setting_length(s);

	if (!config_setting_is_group(s))
		return bad(script, s, "expected { kind = ...; }");
	event.array = c->first_array;
	for (int i = 0; status == 0 && i < n; i++)
		status = take_event_key(script,
					config_setting_get_elem(s, (unsigned)i),
					&event);
	if (status == 0)
		status = place_event(script, s, &event);
	if (status < 0)
		return status;
	if (lp_grow(&c->events, &c->events_capacity, c->n_events + 1,
		    sizeof(c->events[0])) < 0)
		return lp_fail_memory(script->conf.err);
	c->events[c->n_events++] = event;
	return 0;
}

static int take_events(const struct script *script, const config_setting_t *s)
{
	int status = 0, n = config_setting_length(s);

	if (!config_setting_is_list(s))
		return bad(script, s, "expected ( { ... }, ... )");
	for (int i = 0; status == 0 && i < n; i++)
		status = take_event(script,
				    config_setting_get_elem(s, (unsigned)i));
	return status;
}

static int take_top(const struct script *script, const config_setting_t *s)
{
	const char *name = config_setting_name(s);
	int status;

	if (strcmp(name, "load") == 0)
		return take_group(script, load_keys, lp_array_size(load_keys),
				  s);
	if (strcmp(name, "disturbances") == 0)
		return take_group(script, disturbance_keys,
				  lp_array_size(disturbance_keys), s);
	if (strcmp(name, "events") == 0)
		return 0; /* last, when the topology is known */
	status = take_one_of(script, scenario_keys,
			     lp_array_size(scenario_keys), s, script->scenario);
	return status > 0 ? bad(script, s, "no such key") : status;
}

static int take_all(const struct script *script)
{
	const config_setting_t *root =
		config_root_setting(&script->conf.config);
	const config_setting_t *events =
		config_setting_get_member(root, "events");
	int status = 0, n = config_setting_length(root);

	for (int i = 0; status == 0 && i < n; i++)
		status = take_top(script,
				  config_setting_get_elem(root, (unsigned)i));
	if (status == 0)
		status = lp_scenario_check(script->scenario, script->conf.err);
	if (status == 0 && events)
		status = take_events(script, events);
	return status;
}

static int begin(struct lp_scenario *scenario, const char *name)
{
	*scenario = (struct lp_scenario){ .attachments = 1,
					  .first_array = 1,
					  .server_prefix = "s",
					  .interval_s = 1,
					  .hours = 1,
					  .seed = 1,
					  .reads_per_s = 10,
					  .writes_per_s = 10,
					  .bursts_per_hour = 10 };
	scenario->name = lp_arena_string(&scenario->arena, name);
	return scenario->name ? 0 : -ENOMEM;
}

int lp_scenario_parse(const char *text, const char *name,
		      struct lp_scenario *scenario, struct lp_error *err)
{
	struct lp_scenario made;
	struct script script = { .scenario = &made };
	int status;

	if (begin(&made, name) < 0)
		return lp_fail_memory(err);
	status = lp_conf_parse(&script.conf, name, text, err);
	if (status == 0) {
		status = take_all(&script);
		lp_conf_close(&script.conf);
	}
	if (status < 0)
		lp_scenario_done(&made);
	else
		*scenario = made;
	return status;
}

int lp_scenario_open(const char *name_or_path, struct lp_scenario *scenario,
		     struct lp_error *err)
{
	const char *builtin = lp_scenario_builtin(name_or_path);
	lp_auto_free char *text = NULL;
	char known[LP_SCENARIO_LIST];
	int status;

	if (builtin)
		return lp_scenario_parse(builtin, name_or_path, scenario, err);
	status = lp_text_file_copy(name_or_path, &text, err);
	if (status == -ENOENT)
		return lp_fail(err, ENOENT,
			       "there is no file %s, and no scenario of this "
			       "name is built in; there are %s",
			       name_or_path, lp_scenario_list(known));
	return status < 0
		       ? status
		       : lp_scenario_parse(text, name_or_path, scenario, err);
}
