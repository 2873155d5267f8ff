/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a script:
 *
 *     { kind = "controller-failed"; controllers = [ "12a", "20a" ];
 *       at = 3.0; hours = 5.0; }
 *
 * An event of several controllers is stored as several, one of each, with one
 * number.
 */
#include "base/number.h"
#include "simulate/script.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define EVENT(field) offsetof(struct lp_sim_event, field)

/* kind, controller(s) and servers are seen to apart. */
static const struct lp_script_key event_keys[] = {
	{ "at", LP_SCRIPT_NUMBER, EVENT(at_s), 3600 },
	{ "at_s", LP_SCRIPT_NUMBER, EVENT(at_s), 0 },
	{ "hours", LP_SCRIPT_NUMBER, EVENT(seconds), 3600 },
	{ "seconds", LP_SCRIPT_NUMBER, EVENT(seconds), 0 },
	{ "array", LP_SCRIPT_COUNT, EVENT(array), 0 },
	{ "server", LP_SCRIPT_COUNT, EVENT(server), 0 },
	{ "lun", LP_SCRIPT_COUNT, EVENT(lun), 0 },
	{ "luns", LP_SCRIPT_COUNT, EVENT(luns), 0 },
	{ "strength", LP_SCRIPT_NUMBER, EVENT(strength), 0 },
};

static int take_kind(const struct lp_script *script, const config_setting_t *s,
		     struct lp_sim_event *event)
{
	const char *text = config_setting_get_string(s);

	for (int k = 0; text && k < LP_SIM_KINDS; k++)
		if (strcmp(lp_sim_traits[k].name, text) == 0) {
			event->kind = (enum lp_sim_kind)k;
			return 0;
		}
	return lp_script_bad(script, s,
			     "no such kind of event; see limpid-simulate(1)");
}

static int take_controller(const struct lp_script *script,
			   const config_setting_t *s,
			   struct lp_sim_event *event)
{
	const char *text = config_setting_get_string(s);

	if (!text || (strcmp(text, "a") != 0 && strcmp(text, "b") != 0))
		return lp_script_bad(script, s, "expected \"a\" or \"b\"");
	event->controller = text[0] == 'b';
	return 0;
}

/* [ 49, 50 ]: numbers as in names, until the array is known. */
static int take_servers(const struct lp_script *script,
			const config_setting_t *s, struct lp_sim_event *event)
{
	int n = config_setting_length(s), status = 0;
	unsigned *servers;

	if (!config_setting_is_aggregate(s) || config_setting_is_group(s) ||
	    n < 1)
		return lp_script_bad(script, s,
				     "expected numbers as [ 49, 50 ]");
	servers = lp_arena_alloc(&script->scenario->arena,
				 (size_t)n * sizeof(*servers));
	if (!servers)
		return lp_fail_memory(script->conf.err);
	for (int i = 0; i < n && status == 0; i++)
		status = lp_script_count(
			script, config_setting_get_elem(s, (unsigned)i),
			&servers[i]);
	event->servers = servers;
	event->n_servers = (size_t)n;
	return status;
}

static int take_event_key(const struct lp_script *script,
			  const config_setting_t *s, struct lp_sim_event *event)
{
	const char *name = config_setting_name(s);
	int status;

	if (strcmp(name, "kind") == 0)
		return take_kind(script, s, event);
	if (strcmp(name, "controller") == 0)
		return take_controller(script, s, event);
	if (strcmp(name, "servers") == 0)
		return take_servers(script, s, event);
	if (strcmp(name, "controllers") == 0)
		return 0; /* last, when the rest is known */
	status = lp_script_one_of(script, event_keys, lp_array_size(event_keys),
				  s, event);
	return status > 0 ? lp_script_bad(script, s, "no such key") : status;
}

/* Which kinds are about LUNs of some servers, and which must say of whom. */
static bool names_servers(enum lp_sim_kind kind)
{
	return kind == LP_SIM_LUNS_MISSING || kind == LP_SIM_LUNS_ZERO ||
	       kind == LP_SIM_LUN_RESETS;
}

/* From the numbers of names (fs49) to those within the array. */
static int place_servers(const struct lp_script *script,
			 const config_setting_t *s, struct lp_sim_event *e)
{
	unsigned per_array = script->scenario->servers;
	unsigned first = e->array * per_array;
	unsigned *placed;

	if (!e->servers && e->kind == LP_SIM_LUN_RESETS)
		return lp_script_bad(script, s, "this kind needs servers");
	if (!e->servers)
		return 0;
	if (!names_servers(e->kind))
		return lp_script_bad(script, s, "this kind has no servers");
	placed = lp_arena_alloc(&script->scenario->arena,
				e->n_servers * sizeof(*placed));
	if (!placed)
		return lp_fail_memory(script->conf.err);
	for (size_t i = 0; i < e->n_servers; i++) {
		if (e->servers[i] <= first || e->servers[i] > first + per_array)
			return lp_script_bad(script, s,
					     "the servers must be of the "
					     "array");
		placed[i] = e->servers[i] - 1 - first;
	}
	e->servers = placed;
	return 0;
}

/* From the numbers of names (ddn6, fs1) to those from 0 on. */
static int place(const struct lp_script *script, const config_setting_t *s,
		 struct lp_sim_event *e)
{
	const struct lp_scenario *c = script->scenario;

	if (lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER) {
		if (e->server < 1 || e->server > lp_scenario_hosts(c))
			return lp_script_bad(
				script, s, "there is no server of that number");
		e->array = (e->server - 1) / c->servers;
		e->server = (e->server - 1) % c->servers;
	} else {
		if (e->array < c->first_array ||
		    e->array - c->first_array >= c->arrays)
			return lp_script_bad(
				script, s, "there is no array of that number");
		e->array -= c->first_array;
		e->server = 0;
	}
	return place_servers(script, s, e);
}

static int check_event(const struct lp_script *script,
		       const config_setting_t *s, struct lp_sim_event *e)
{
	const struct lp_scenario *c = script->scenario;

	if (e->kind == LP_SIM_KINDS)
		return lp_script_bad(script, s, "an event needs a kind");
	if (!(e->seconds > 0))
		return lp_script_bad(script, s,
				     "an event needs hours or seconds");
	if (c->clients == 0 && (e->kind == LP_SIM_RECEIVE_PKTLOSS ||
				e->kind == LP_SIM_SEND_PKTLOSS))
		return lp_script_bad(script, s,
				     "lost packets are recorded with "
				     "connections: set clients");
	if (e->lun >= c->luns || e->luns < 1 || e->luns > c->luns)
		return lp_script_bad(script, s, "there are fewer LUNs");
	if (e->strength == 0)
		e->strength = lp_sim_traits[e->kind].strength;
	return 0;
}

static int add_part(const struct lp_script *script, const config_setting_t *s,
		    const struct lp_sim_event *event)
{
	struct lp_scenario *c = script->scenario;
	struct lp_sim_event part = *event;
	int status = place(script, s, &part);

	if (status < 0)
		return status;
	if (lp_grow(&c->events, &c->events_capacity, c->n_events + 1,
		    sizeof(c->events[0])) < 0)
		return lp_fail_memory(script->conf.err);
	c->events[c->n_events++] = part;
	return 0;
}

/* "12a": one of several controllers. */
static int add_controller(const struct lp_script *script,
			  const config_setting_t *s, struct lp_sim_event *event)
{
	const char *text = config_setting_get_string(s);
	size_t n = text ? strspn(text, "0123456789") : 0;
	uint64_t array;

	if (!n || (strcmp(text + n, "a") != 0 && strcmp(text + n, "b") != 0) ||
	    lp_parse_u64(text, n, &array) < 0 || array > UINT_MAX)
		return lp_script_bad(script, s,
				     "expected the number of an array with a "
				     "or b, as \"12a\"");
	event->array = (unsigned)array;
	event->controller = text[n] == 'b';
	return add_part(script, s, event);
}

static int add_controllers(const struct lp_script *script,
			   const config_setting_t *s,
			   struct lp_sim_event *event)
{
	int status = 0, n = config_setting_length(s);

	if (event->kind != LP_SIM_CONTROLLER_FAILED &&
	    event->kind != LP_SIM_LUNS_MISSING &&
	    event->kind != LP_SIM_LUNS_ZERO)
		return lp_script_bad(script, s, "this kind has none");
	if (!config_setting_is_aggregate(s) || n < 1)
		return lp_script_bad(script, s,
				     "expected [ \"12a\", \"20a\" ]");
	for (int i = 0; i < n && status == 0; i++)
		status = add_controller(
			script, config_setting_get_elem(s, (unsigned)i), event);
	return status;
}

static int take_event(const struct lp_script *script, const config_setting_t *s,
		      size_t number)
{
	struct lp_sim_event event = { .kind = LP_SIM_KINDS,
				      .number = number,
				      .luns = 1 };
	const config_setting_t *controllers;
	int status = 0, n = config_setting_length(s);

	if (!config_setting_is_group(s))
		return lp_script_bad(script, s, "expected { kind = ...; }");
	event.array = script->scenario->first_array;
	for (int i = 0; status == 0 && i < n; i++)
		status = take_event_key(script,
					config_setting_get_elem(s, (unsigned)i),
					&event);
	if (status == 0)
		status = check_event(script, s, &event);
	if (status < 0)
		return status;
	controllers = config_setting_get_member(s, "controllers");
	return controllers ? add_controllers(script, controllers, &event)
			   : add_part(script, s, &event);
}

int lp_script_events(const struct lp_script *script, const config_setting_t *s)
{
	int status = 0, n = config_setting_length(s);

	if (!config_setting_is_list(s))
		return lp_script_bad(script, s, "expected ( { ... }, ... )");
	for (int i = 0; status == 0 && i < n; i++)
		status = take_event(script,
				    config_setting_get_elem(s, (unsigned)i),
				    (size_t)i);
	return status;
}
