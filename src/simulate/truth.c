/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/truth.h"

#include "base/json.h"
#include "simulate/effect.h"

#include <math.h>

struct truth {
	struct lp_json json;
	const struct lp_scenario *scenario;
	const struct lp_sim_event *event;
};

/* In which list of the event an attachment stands. */
enum list { NOWHERE, COMPONENTS, AFFECTED };

static bool takes(enum lp_sim_kind kind)
{
	return kind <= LP_SIM_LOST_ZERO;
}

/* Where the load of a LUN goes whose attachments before were all taken. */
static bool inherits(const struct truth *t, struct lp_sim_place p)
{
	const struct lp_scenario *s = t->scenario;
	unsigned own = lp_sim_priority(s, p.lun, p.server);

	for (unsigned q = 0; q < own; q++) {
		struct lp_sim_place other = p;

		other.server = lp_sim_server(s, p.lun, q);
		if (!lp_sim_event_takes(s, t->event, other))
			return false;
	}
	return own > 0 && !lp_sim_event_takes(s, t->event, p);
}

static bool is_neighbour(const struct truth *t, unsigned lun)
{
	const struct lp_scenario *s = t->scenario;

	return t->event->kind == LP_SIM_REBUILD &&
	       lp_sim_controller(s, lp_sim_server(s, lun, 0)) ==
		       lp_sim_controller(s, lp_sim_server(s, t->event->lun, 0));
}

static enum list list_of(const struct truth *t, struct lp_sim_place p)
{
	const struct lp_sim_event *e = t->event;
	unsigned priority = lp_sim_priority(t->scenario, p.lun, p.server);
	unsigned shown = e->kind == LP_SIM_IDLE_LATENCY ? 1 : 0;

	if (takes(e->kind)) {
		if (lp_sim_event_takes(t->scenario, e, p))
			return priority == 0 ? COMPONENTS : AFFECTED;
		return inherits(t, p) ? AFFECTED : NOWHERE;
	}
	if (priority != shown)
		return NOWHERE;
	if (lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER)
		return p.server == e->server ? COMPONENTS : NOWHERE;
	if (lp_sim_event_has_lun(t->scenario, e, p.lun))
		return COMPONENTS;
	return is_neighbour(t, p.lun) ? AFFECTED : NOWHERE;
}

typedef const char *name_of(const struct lp_scenario *s, unsigned array,
			    unsigned server, unsigned lun,
			    char text[LP_SIM_NAME]);

static void put_list(struct truth *t, const char *key, enum list list,
		     name_of *name)
{
	const struct lp_scenario *s = t->scenario;
	char text[LP_SIM_NAME];

	lp_json_key(&t->json, key);
	lp_json_array(&t->json);
	for (unsigned server = 0; server < s->servers; server++)
		for (unsigned lun = 0; lun < s->luns; lun++) {
			struct lp_sim_place p = { t->event->array, server,
						  lun };

			if (lp_sim_priority(s, lun, server) < s->attachments &&
			    list_of(t, p) == list)
				lp_json_string(
					&t->json,
					name(s, p.array, server, lun, text));
		}
	lp_json_end(&t->json);
}

static bool on_server(const struct truth *t, unsigned server)
{
	const struct lp_scenario *s = t->scenario;

	for (unsigned lun = 0; lun < s->luns; lun++) {
		struct lp_sim_place p = { t->event->array, server, lun };

		if (lp_sim_priority(s, lun, server) < s->attachments &&
		    list_of(t, p) == COMPONENTS)
			return true;
	}
	return false;
}

static void put_servers(struct truth *t, const char *key)
{
	char text[LP_SIM_NAME];

	lp_json_key(&t->json, key);
	lp_json_array(&t->json);
	for (unsigned server = 0; server < t->scenario->servers; server++)
		if (on_server(t, server))
			lp_json_string(&t->json,
				       lp_sim_host_name(t->scenario,
							t->event->array, server,
							text));
	lp_json_end(&t->json);
}

/* "ddn6a", "fs16", "ddn9_lun005": what one would repair. */
static void put_device(struct truth *t)
{
	const struct lp_scenario *s = t->scenario;
	const struct lp_sim_event *e = t->event;
	unsigned array = s->first_array + e->array;
	char text[LP_SIM_NAME];

	if (lp_sim_traits[e->kind].target == LP_SIM_AT_SERVER)
		lp_sim_host_name(s, e->array, e->server, text);
	else if (s->local)
		lp_sim_component(s, e->array, lp_sim_server(s, e->lun, 0),
				 e->lun, text);
	else if (e->kind == LP_SIM_CONTROLLER_FAILED)
		snprintf(text, sizeof(text), "ddn%u%c", array,
			 e->controller ? 'b' : 'a');
	else if (e->kind == LP_SIM_DRAWER_ERRORS)
		snprintf(text, sizeof(text), "ddn%u", array);
	else
		snprintf(text, sizeof(text), "ddn%u_lun%03u", array, e->lun);
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
	size_t shown = 0;

	for (size_t i = 0; i < scenario->n_events; i++)
		if (lp_sim_event_shows(scenario, &scenario->events[i])) {
			t.event = &scenario->events[i];
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
	for (size_t i = 0; i < scenario->n_events; i++) {
		t.event = &scenario->events[i];
		if (lp_sim_event_shows(scenario, t.event))
			put_event(&t);
	}
	lp_json_end(&t.json);
	lp_json_end(&t.json);
	fputc('\n', out);
}
