/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/truth.h"

#include "base/json.h"
#include "simulate/effect.h"

#include <math.h>

struct truth {
	struct lp_json json;
	const struct lp_scenario *scenario;
	const struct lp_sim_event *event; /* its first part */
	size_t n_parts;
};

/* In which list of the event an attachment stands. */
enum list { NOWHERE, COMPONENTS, AFFECTED };

/* Where the load of a LUN goes whose attachments before were all taken. */
static bool inherits(const struct lp_scenario *s, const struct lp_sim_event *e,
		     struct lp_sim_place p)
{
	unsigned own = lp_sim_priority(s, p.lun, p.server);

	for (unsigned q = 0; q < own; q++) {
		struct lp_sim_place other = p;

		other.server = lp_sim_server(s, p.lun, q);
		if (!lp_sim_event_takes(s, e, other))
			return false;
	}
	return own > 0 && !lp_sim_event_takes(s, e, p);
}

static bool is_neighbour(const struct lp_scenario *s,
			 const struct lp_sim_event *e, unsigned lun)
{
	return e->kind == LP_SIM_REBUILD &&
	       lp_sim_controller(s, lp_sim_server(s, lun, 0)) ==
		       lp_sim_controller(s, lp_sim_server(s, e->lun, 0));
}

/* LUNs that are reset stall for all servers, and not only those that give up.
 */
static enum list list_if_taken(const struct lp_scenario *s,
			       const struct lp_sim_event *e,
			       struct lp_sim_place p, unsigned priority)
{
	bool stalls = e->kind == LP_SIM_LUN_RESETS && priority == 0 &&
		      lp_sim_event_has_lun(s, e, p.lun);

	if (lp_sim_event_takes(s, e, p))
		return priority == 0 ? COMPONENTS : AFFECTED;
	return stalls || inherits(s, e, p) ? AFFECTED : NOWHERE;
}

static enum list list_of_part(const struct lp_scenario *s,
			      const struct lp_sim_event *e,
			      struct lp_sim_place p)
{
	unsigned priority = lp_sim_priority(s, p.lun, p.server);
	unsigned shown = e->kind == LP_SIM_IDLE_LATENCY ? 1 : 0;

	if (e->array != p.array || priority >= s->attachments)
		return NOWHERE;
	if (lp_sim_traits[e->kind].takes)
		return list_if_taken(s, e, p, priority);
	if (priority != shown)
		return NOWHERE;
	if (lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER)
		return p.server == e->server ? COMPONENTS : NOWHERE;
	if (lp_sim_event_has_lun(s, e, p.lun))
		return COMPONENTS;
	return is_neighbour(s, e, p.lun) ? AFFECTED : NOWHERE;
}

/* A scenario that was scaled may have several parts in one array. */
static enum list list_of(const struct truth *t, struct lp_sim_place p)
{
	enum list list = NOWHERE;

	for (size_t i = 0; i < t->n_parts; i++) {
		enum list one = list_of_part(t->scenario, &t->event[i], p);

		if (list != COMPONENTS && one != NOWHERE)
			list = one;
	}
	return list;
}

static bool has_array(const struct truth *t, unsigned array)
{
	for (size_t i = 0; i < t->n_parts; i++)
		if (t->event[i].array == array)
			return true;
	return false;
}

typedef const char *name_of(const struct lp_scenario *s, unsigned array,
			    unsigned server, unsigned lun,
			    char text[LP_SIM_NAME]);

static void put_array_list(struct truth *t, unsigned array, enum list list,
			   name_of *name)
{
	const struct lp_scenario *s = t->scenario;
	char text[LP_SIM_NAME];

	for (unsigned server = 0; server < s->servers; server++)
		for (unsigned lun = 0; lun < s->luns; lun++) {
			struct lp_sim_place p = { array, server, lun };

			if (list_of(t, p) == list)
				lp_json_string(&t->json, name(s, array, server,
							      lun, text));
		}
}

static void put_list(struct truth *t, const char *key, enum list list,
		     name_of *name)
{
	lp_json_key(&t->json, key);
	lp_json_array(&t->json);
	for (unsigned array = 0; array < t->scenario->arrays; array++)
		if (has_array(t, array))
			put_array_list(t, array, list, name);
	lp_json_end(&t->json);
}

static bool on_server(const struct truth *t, unsigned array, unsigned server)
{
	for (unsigned lun = 0; lun < t->scenario->luns; lun++)
		if (list_of(t, (struct lp_sim_place){ array, server, lun }) ==
		    COMPONENTS)
			return true;
	return false;
}

static void put_servers(struct truth *t, const char *key)
{
	const struct lp_scenario *s = t->scenario;
	char text[LP_SIM_NAME];

	lp_json_key(&t->json, key);
	lp_json_array(&t->json);
	for (unsigned array = 0; array < s->arrays; array++)
		for (unsigned server = 0;
		     has_array(t, array) && server < s->servers; server++)
			if (on_server(t, array, server))
				lp_json_string(&t->json,
					       lp_sim_host_name(s, array,
								server, text));
	lp_json_end(&t->json);
}

/* "ddn6a", "fs16", "ddn9_lun005": what one would repair. */
static void name_part(const struct lp_scenario *s, const struct lp_sim_event *e,
		      char text[LP_SIM_NAME])
{
	unsigned array = s->first_array + e->array;

	if (lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER)
		lp_sim_host_name(s, e->array, e->server, text);
	else if (s->local)
		lp_sim_component(s, e->array, lp_sim_server(s, e->lun, 0),
				 e->lun, text);
	else if (e->kind == LP_SIM_CONTROLLER_FAILED ||
		 e->kind == LP_SIM_LUNS_MISSING || e->kind == LP_SIM_LUNS_ZERO)
		snprintf(text, LP_SIM_NAME, "ddn%u%c", array,
			 e->controller ? 'b' : 'a');
	else if (e->kind == LP_SIM_DRAWER_ERRORS)
		snprintf(text, LP_SIM_NAME, "ddn%u", array);
	else
		snprintf(text, LP_SIM_NAME, "ddn%u_lun%03u", array, e->lun);
}

/* Several in one text: "ddn12a,ddn20a". Servers that refuse LUNs are booted. */
static void put_device(struct truth *t)
{
	const struct lp_scenario *s = t->scenario;
	const struct lp_sim_event *e = t->event;
	bool refused = e->kind == LP_SIM_LUN_RESETS;
	char text[4096] = "", one[LP_SIM_NAME];
	size_t n = refused ? e->n_servers : t->n_parts, used = 0;

	for (size_t i = 0; i < n && used < sizeof(text); i++) {
		if (refused)
			lp_sim_host_name(s, e->array, e->servers[i], one);
		else
			name_part(s, &e[i], one);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", i ? "," : "", one);
	}
	lp_json_key(&t->json, "device");
	lp_json_string(&t->json, text);
}

static void put_times(struct truth *t)
{
	const struct lp_scenario *s = t->scenario;
	double end = t->event->at_s + t->event->seconds;
	double total = s->hours * 3600;

	lp_json_key(&t->json, "start");
	lp_json_time(&t->json, s->start_ns + llround(t->event->at_s * 1e9));
	lp_json_key(&t->json, "end");
	lp_json_time(&t->json,
		     s->start_ns + llround((end < total ? end : total) * 1e9));
}

static void put_cause(struct truth *t)
{
	lp_json_key(&t->json, "cause");
	lp_json_string(&t->json, lp_sim_traits[t->event->kind].cause);
}

static void put_event(struct truth *t)
{
	const struct lp_sim_trait *trait = &lp_sim_traits[t->event->kind];

	lp_json_object(&t->json);
	lp_json_key(&t->json, "kind");
	lp_json_string(&t->json, trait->name);
	put_device(t);
	put_cause(t);
	put_times(t);
	lp_json_key(&t->json, "strength");
	lp_json_double(&t->json, t->event->strength);
	put_servers(t, "servers");
	put_list(t, "components", COMPONENTS, lp_sim_component);
	put_list(t, "devices", COMPONENTS, lp_sim_device);
	put_list(t, "affected", AFFECTED, lp_sim_component);
	lp_json_end(&t->json);
}

bool lp_sim_event_shows(const struct lp_scenario *scenario,
			const struct lp_sim_event *event)
{
	return event->at_s < scenario->hours * 3600;
}

/* The one event as limpid-evaluate(1) wants it; several do not fit there. */
static void put_run(struct truth *t, size_t shown)
{
	lp_json_key(&t->json, "workload");
	lp_json_string(&t->json, t->scenario->name);
	if (shown > 1)
		return;
	lp_json_key(&t->json, "fault");
	if (shown == 0) {
		lp_json_string(&t->json, "none");
		lp_json_key(&t->json, "server");
		lp_json_null(&t->json);
		return;
	}
	lp_json_string(&t->json, lp_sim_traits[t->event->kind].name);
	put_cause(t);
	put_servers(t, "server");
	put_times(t);
}

/*
 * The topology is in the inventories, as labels; what they cannot say is who
 * serves.
 */
void lp_sim_cluster_write(const struct lp_scenario *scenario, FILE *out)
{
	fprintf(out,
		"# Simulated: %s. Arrays, controllers, LUNs, priorities and "
		"cohorts are labels\n# of the recordings' inventories.\n"
		"hosts = ( { name = \"%s*\"; role = \"server\"; }%s );\n",
		scenario->name, scenario->server_prefix,
		scenario->clients > 0 ? ",\n          { name = \"client*\"; "
					"role = \"client\"; }"
				      : "");
}

void lp_sim_truth_write(const struct lp_scenario *scenario, FILE *out)
{
	struct truth t = { .scenario = scenario };
	const struct lp_sim_event *events = scenario->events;
	size_t shown = 0, parts;

	for (size_t i = 0; i < scenario->n_events; i += parts) {
		parts = lp_scenario_parts(scenario, i);
		if (!lp_sim_event_shows(scenario, &events[i]))
			continue;
		t.event = &events[i];
		t.n_parts = parts;
		shown++;
	}
	lp_json_init(&t.json, out);
	lp_json_object(&t.json);
	put_run(&t, shown);
	lp_json_key(&t.json, "simulated");
	lp_json_bool(&t.json, true);
	lp_json_key(&t.json, "seed");
	lp_json_u64(&t.json, scenario->seed);
	lp_json_key(&t.json, "events");
	lp_json_array(&t.json);
	for (size_t i = 0; i < scenario->n_events; i += t.n_parts) {
		t.event = &events[i];
		t.n_parts = lp_scenario_parts(scenario, i);
		if (lp_sim_event_shows(scenario, t.event))
			put_event(&t);
	}
	lp_json_end(&t.json);
	lp_json_end(&t.json);
	fputc('\n', out);
}
