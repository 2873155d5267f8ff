/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"

#include "base/json.h"
#include "table/reach.h"

#include <stdio.h>

static void put_text(struct lp_json *json, const char *key, const char *text)
{
	lp_json_key(json, key);
	lp_json_string(json, text);
}

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
		put_text(json, labels->items[i].key, labels->items[i].value);
	lp_json_end(json);
}

static void put_host(struct lp_json *json, const struct lp_roster_host *host)
{
	lp_json_object(json);
	put_text(json, "host", host->name);
	put_count(json, "samples", host->n_samples);
	put_time(json, "first", host->n_samples > 0, host->first_ns);
	put_time(json, "last", host->n_samples > 0, host->last_ns);
	put_seconds(json, "interval_s", host->interval_ns);
	put_labels(json, &host->labels);
	lp_json_end(json);
}

static void put_item(struct lp_json *json, const struct lp_roster *roster,
		     const struct lp_grouping *grouping, size_t i)
{
	const struct lp_roster_item *item = &roster->items[i];
	char text[LP_COMPONENT_TEXT];

	lp_json_object(json);
	put_text(json, "component", lp_component_format(roster, item, text));
	put_text(json, "host", roster->hosts[item->host].name);
	put_text(json, "class", item->class_name);
	put_text(json, "name", item->name);
	put_text(json, "id", item->id);
	put_text(json, "layer", item->layer);
	lp_json_key(json, "layer_guessed");
	lp_json_bool(json, item->layer_guessed);
	put_count(json, "samples", item->n_samples);
	put_time(json, "first", item->n_samples > 0, item->first_ns);
	put_time(json, "last", item->n_samples > 0, item->last_ns);
	lp_json_key(json, "group");
	if (grouping->group_of[i] == LP_GROUP_NONE)
		lp_json_null(json);
	else
		lp_json_u64(json, grouping->group_of[i] + 1);
	put_text(json, "left_out",
		 grouping->left_out[i] == LP_LEFT_NOT
			 ? NULL
			 : lp_left_out_text(grouping->left_out[i]));
	put_labels(json, &item->labels);
	lp_json_end(json);
}

static void put_group(struct lp_json *json, const struct lp_roster *roster,
		      const struct lp_grouping *grouping, size_t g)
{
	const struct lp_group *group = &grouping->groups[g];
	char text[LP_COMPONENT_TEXT];

	lp_json_object(json);
	put_count(json, "group", g + 1);
	put_text(json, "class", group->class_name);
	put_text(json, "layer", group->layer);
	put_text(json, "what", group->what);
	put_count(json, "hosts", group->n_hosts);
	lp_json_key(json, "compared");
	lp_json_bool(json, group->compared);
	lp_json_key(json, "members");
	lp_json_array(json);
	for (size_t i = 0; i < roster->n_items; i++)
		if (grouping->group_of[i] == g)
			lp_json_string(
				json, lp_component_format(
					      roster, &roster->items[i], text));
	lp_json_end(json);
	lp_json_end(json);
}

static void put_reach(struct lp_json *json, const struct lp_roster *roster)
{
	int64_t interval_ns = lp_inventory_interval(roster);
	struct lp_reach reach = { 0 };

	if (interval_ns > 0)
		reach = lp_reach_of(interval_ns,
				    roster->last_ns - roster->first_ns);
	put_seconds(json, "interval_s", interval_ns);
	put_seconds(json, "step_s", reach.step_ns);
	put_seconds(json, "shortest_fault_s", reach.least_ns);
	put_seconds(json, "sure_fault_s", reach.sure_ns);
	put_seconds(json, "needed_s", reach.needed_ns);
	lp_json_key(json, "long_enough");
	lp_json_bool(json, reach.enough);
}

void lp_inventory_print_json(const struct lp_roster *roster,
			     const struct lp_grouping *grouping)
{
	bool any = roster->first_ns <= roster->last_ns;
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	put_time(&json, "first", any, roster->first_ns);
	put_time(&json, "last", any, roster->last_ns);
	put_reach(&json, roster);
	lp_json_key(&json, "hosts");
	lp_json_array(&json);
	for (size_t i = 0; i < roster->n_hosts; i++)
		put_host(&json, &roster->hosts[i]);
	lp_json_end(&json);
	lp_json_key(&json, "components");
	lp_json_array(&json);
	for (size_t i = 0; i < roster->n_items; i++)
		put_item(&json, roster, grouping, i);
	lp_json_end(&json);
	lp_json_key(&json, "groups");
	lp_json_array(&json);
	for (size_t i = 0; i < grouping->n_groups; i++)
		put_group(&json, roster, grouping, i);
	lp_json_end(&json);
	lp_json_end(&json);
	putchar('\n');
}
