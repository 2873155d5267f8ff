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
#include "simulate/script.h"

#include "base/textfile.h"
#include "base/timestamp.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define SCENARIO(field) offsetof(struct lp_scenario, field)

static const struct lp_script_key scenario_keys[] = {
	{ "arrays", LP_SCRIPT_COUNT, SCENARIO(arrays), 0 },
	{ "servers", LP_SCRIPT_COUNT, SCENARIO(servers), 0 },
	{ "luns", LP_SCRIPT_COUNT, SCENARIO(luns), 0 },
	{ "old_luns", LP_SCRIPT_COUNT, SCENARIO(old_luns), 0 },
	{ "attachments", LP_SCRIPT_COUNT, SCENARIO(attachments), 0 },
	{ "clients", LP_SCRIPT_COUNT, SCENARIO(clients), 0 },
	{ "first_array", LP_SCRIPT_COUNT, SCENARIO(first_array), 0 },
	{ "local", LP_SCRIPT_FLAG, SCENARIO(local), 0 },
	{ "server_prefix", LP_SCRIPT_TEXT, SCENARIO(server_prefix), 0 },
	{ "interval", LP_SCRIPT_NUMBER, SCENARIO(interval_s), 0 },
	{ "hours", LP_SCRIPT_NUMBER, SCENARIO(hours), 0 },
	{ "start", LP_SCRIPT_TIME, SCENARIO(start_ns), 0 },
};

static const struct lp_script_key load_keys[] = {
	{ "reads", LP_SCRIPT_NUMBER, SCENARIO(reads_per_s), 0 },
	{ "writes", LP_SCRIPT_NUMBER, SCENARIO(writes_per_s), 0 },
	{ "bursts_per_hour", LP_SCRIPT_NUMBER, SCENARIO(bursts_per_hour), 0 },
	{ "idle_share", LP_SCRIPT_NUMBER, SCENARIO(idle_share), 0 },
};

static const struct lp_script_key disturbance_keys[] = {
	{ "transients", LP_SCRIPT_NUMBER, SCENARIO(transients), 0 },
	{ "server_workloads", LP_SCRIPT_NUMBER, SCENARIO(server_workloads), 0 },
	{ "clock_steps", LP_SCRIPT_NUMBER, SCENARIO(clock_steps), 0 },
};

int lp_script_bad(const struct lp_script *script, const config_setting_t *at,
		  const char *wanted)
{
	const char *key = config_setting_name(at);

	return lp_conf_bad(&script->conf, at, "%s%s%s", key ? key : "",
			   key ? ": " : "", wanted);
}

static int take_number(const struct lp_script *script,
		       const struct lp_script_key *key,
		       const config_setting_t *s, double *field)
{
	int type = config_setting_type(s);
	double v = 0;

	if (type == CONFIG_TYPE_FLOAT)
		v = config_setting_get_float(s);
	else if (type == CONFIG_TYPE_INT)
		v = config_setting_get_int(s);
	else
		return lp_script_bad(script, s, "expected a number");
	if (!(v >= 0) || v > 1e9)
		return lp_script_bad(script, s,
				     "expected a number from 0 to 1e9");
	*field = key->factor > 0 ? v * key->factor : v;
	return 0;
}

int lp_script_count(const struct lp_script *script, const config_setting_t *s,
		    unsigned *field)
{
	int v = config_setting_get_int(s);

	if (config_setting_type(s) != CONFIG_TYPE_INT || v < 0 || v > 100000)
		return lp_script_bad(script, s,
				     "expected a whole number up to 100000");
	*field = (unsigned)v;
	return 0;
}

static int take_text(const struct lp_script *script, const config_setting_t *s,
		     const char **field)
{
	const char *text = config_setting_get_string(s);

	if (!text || !*text || strlen(text) > 32 ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.") !=
		    strlen(text))
		return lp_script_bad(
			script, s,
			"expected a word of lower-case letters, digits, "
			"- _ and .");
	*field = lp_arena_string(&script->scenario->arena, text);
	return *field ? 0 : lp_fail_memory(script->conf.err);
}

static int take_time(const struct lp_script *script, const config_setting_t *s,
		     int64_t *field)
{
	const char *text = config_setting_get_string(s);

	if (!text || lp_time_parse(text, strlen(text), field) < 0)
		return lp_script_bad(script, s,
				     "expected a time as \"2026-06-01\"");
	return 0;
}

static int take(const struct lp_script *script, const struct lp_script_key *key,
		const config_setting_t *s, void *into)
{
	void *field = (char *)into + key->offset;

	switch (key->type) {
	case LP_SCRIPT_NUMBER:
		return take_number(script, key, s, field);
	case LP_SCRIPT_COUNT:
		return lp_script_count(script, s, field);
	case LP_SCRIPT_TEXT:
		return take_text(script, s, field);
	case LP_SCRIPT_TIME:
		return take_time(script, s, field);
	case LP_SCRIPT_FLAG:
		break;
	}
	if (config_setting_type(s) != CONFIG_TYPE_BOOL)
		return lp_script_bad(script, s, "expected true or false");
	*(bool *)field = config_setting_get_bool(s) != 0;
	return 0;
}

int lp_script_one_of(const struct lp_script *script,
		     const struct lp_script_key *keys, size_t n,
		     const config_setting_t *s, void *into)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(keys[i].name, config_setting_name(s)) == 0)
			return take(script, &keys[i], s, into);
	return 1;
}

static int take_group(const struct lp_script *script,
		      const struct lp_script_key *keys, size_t n,
		      const config_setting_t *group)
{
	int count = config_setting_length(group);

	if (!config_setting_is_group(group))
		return lp_script_bad(script, group,
				     "expected { key = value; ... }");
	for (int i = 0; i < count; i++) {
		const config_setting_t *s =
			config_setting_get_elem(group, (unsigned)i);
		int status =
			lp_script_one_of(script, keys, n, s, script->scenario);

		if (status != 0)
			return status < 0 ? status
					  : lp_script_bad(script, s,
							  "no such key");
	}
	return 0;
}

static int take_top(const struct lp_script *script, const config_setting_t *s)
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
	status = lp_script_one_of(script, scenario_keys,
				  lp_array_size(scenario_keys), s,
				  script->scenario);
	return status > 0 ? lp_script_bad(script, s, "no such key") : status;
}

static int take_all(const struct lp_script *script)
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
		status = lp_script_events(script, events);
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
	struct lp_script script = { .scenario = &made };
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
