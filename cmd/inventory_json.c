/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"

#include "base/json.h"
#include "detect/reach.h"

#include <stdio.h>

static void put_time(struct lp_json *json, const char *key, bool known,
		     int64_t time_ns)
{
	lp_json_key(json, key);
	if (known)
		lp_json_time(json, time_ns);
	else
		lp_json_null(json);
}

static void put_seconds(struct lp_json *json, const char *key, int64_t ns)
{
	lp_json_key(json, key);
	if (ns > 0)
		lp_json_double(json, (double)ns / (double)LP_NS_PER_S);
	else
		lp_json_null(json);
}

static void put_count(struct lp_json *json, const char *key, size_t count)
{
	lp_json_key(json, key);
	lp_json_u64(json, count);
}

static void put_labels(struct lp_json *json, const struct lp_labels *labels)
{
	lp_json_key(json, "labels");
	lp_json_object(json);
	for (size_t i = 0; i < labels->count; i++)
		lp_json_put_string(json, labels->items[i].key,
				   labels->items[i].value);
	lp_json_end(json);
}

static void put_host(struct lp_json *json, const struct lp_roster_host *host,
		     enum lp_role role)
{
	lp_json_object(json);
	lp_json_put_string(json, "host", host->name);
	lp_json_put_string(json, "role", lp_role_name(role));
	put_count(json, "samples", host->n_samples);
	put_time(json, "first", host->n_samples > 0, host->first_ns);
	put_time(json, "last", host->n_samples > 0, host->last_ns);
	put_seconds(json, "interval_s", host->interval_ns);
	put_labels(json, &host->labels);
	lp_json_end(json);
}

static size_t group_of(const struct lp_plan *plan, size_t item)
{
	size_t number = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		if (group->kind != LP_PEERS)
			continue;
		number++;
		for (size_t i = 0; i < group->n; i++)
			for (size_t k = 0; k < group->peers[i].n_items; k++)
				if (group->peers[i].items[k] == item)
					return number;
	}
	return 0;
}

static const char *reason_of(const struct lp_plan *plan, size_t item)
{
	for (size_t i = 0; i < plan->n_left_out; i++)
		if (plan->left_out[i].item == item)
			return plan->left_out[i].reason;
	return NULL;
}

static void put_item(struct lp_json *json, const struct lp_roster *roster,
		     const struct lp_plan *plan, size_t i)
{
	const struct lp_roster_item *item = &roster->items[i];
	char text[LP_COMPONENT_TEXT];
	size_t group = group_of(plan, i);

	lp_json_object(json);
	lp_json_put_string(json, "component",
			   lp_component_format(roster, item, text));
	lp_json_put_string(json, "host", roster->hosts[item->host].name);
	lp_json_put_string(json, "class", item->class_name);
	lp_json_put_string(json, "name", item->name);
	lp_json_put_string(json, "id", item->id);
	lp_json_put_string(json, "layer", item->layer);
	lp_json_key(json, "layer_guessed");
	lp_json_bool(json, item->layer_guessed);
	put_count(json, "samples", item->n_samples);
	put_time(json, "first", item->n_samples > 0, item->first_ns);
	put_time(json, "last", item->n_samples > 0, item->last_ns);
	lp_json_key(json, "group");
	if (group == 0)
		lp_json_null(json);
	else
		lp_json_u64(json, group);
	lp_json_put_string(json, "left_out", group ? NULL : reason_of(plan, i));
	put_labels(json, &item->labels);
	lp_json_end(json);
}

static void put_group(struct lp_json *json, const struct lp_peer_group *group,
		      size_t number)
{
	lp_json_object(json);
	put_count(json, "group", number);
	lp_json_put_string(json, "name", group->name);
	lp_json_put_string(json, "class", group->class->name);
	lp_json_put_string(json, "role", lp_role_name(group->role));
	lp_json_put_string(json, "priority",
			   *group->priority ? group->priority : NULL);
	lp_json_put_string(json, "cohort",
			   *group->cohort ? group->cohort : NULL);
	lp_json_put_string(json, "ground",
			   *group->ground ? group->ground : NULL);
	lp_json_key(json, "members");
	lp_json_array(json);
	for (size_t i = 0; i < group->n; i++)
		lp_json_string(json, group->labels[i]);
	lp_json_end(json);
	lp_json_end(json);
}

static void put_groups(struct lp_json *json, const struct lp_plan *plan)
{
	size_t number = 0;

	lp_json_key(json, "groups");
	lp_json_array(json);
	for (size_t i = 0; i < plan->n_groups; i++)
		if (plan->groups[i].kind == LP_PEERS)
			put_group(json, &plan->groups[i], ++number);
	lp_json_end(json);
	lp_json_put_string(
		json, "refusal",
		plan->refusal == LP_REFUSAL_NONE ? NULL : plan->refusal_text);
}

static void put_notes(struct lp_json *json, const struct lp_plan *plan,
		      const struct lp_inputs *inputs)
{
	lp_json_key(json, "notes");
	lp_json_array(json);
	for (size_t i = 0; i < plan->n_notes; i++)
		lp_json_string(json, plan->notes[i]);
	for (size_t i = 0; i < inputs->n_faults; i++)
		lp_json_string(json, inputs->faults[i].text);
	lp_json_end(json);
	lp_json_key(json, "unseen");
	lp_json_array(json);
	for (size_t i = 0; i < plan->n_unseen; i++) {
		lp_json_object(json);
		lp_json_put_string(json, "component", plan->unseen[i].label);
		lp_json_put_string(json, "host", plan->unseen[i].host);
		lp_json_put_string(json, "known_by", plan->unseen[i].known_by);
		lp_json_end(json);
	}
	lp_json_end(json);
}

static void put_reach(struct lp_json *json, const struct lp_survey *recording)
{
	int64_t interval_ns = lp_survey_interval(recording);
	struct lp_reach reach = { 0 };

	if (interval_ns > 0)
		reach = lp_reach_of(interval_ns,
				    lp_roster_recorded_ns(&recording->roster));
	put_seconds(json, "interval_s", interval_ns);
	put_seconds(json, "step_s", reach.step_ns);
	put_seconds(json, "shortest_fault_s", reach.least_ns);
	put_seconds(json, "sure_fault_s", reach.sure_ns);
	put_seconds(json, "needed_s", reach.needed_ns);
	lp_json_key(json, "long_enough");
	lp_json_bool(json, reach.enough);
}

void lp_inventory_print_json(const struct lp_survey *recording,
			     const struct lp_plan *plan,
			     const struct lp_inputs *inputs)
{
	const struct lp_roster *roster = &recording->roster;
	bool any = roster->first_ns <= roster->last_ns;
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	put_time(&json, "first", any, roster->first_ns);
	put_time(&json, "last", any, roster->last_ns);
	put_reach(&json, recording);
	lp_json_key(&json, "hosts");
	lp_json_array(&json);
	for (size_t i = 0; i < roster->n_hosts; i++)
		put_host(&json, &roster->hosts[i], plan->hosts[i].role);
	lp_json_end(&json);
	lp_json_key(&json, "components");
	lp_json_array(&json);
	for (size_t i = 0; i < roster->n_items; i++)
		put_item(&json, roster, plan, i);
	lp_json_end(&json);
	put_groups(&json, plan);
	put_notes(&json, plan, inputs);
	lp_json_end(&json);
	putchar('\n');
}
