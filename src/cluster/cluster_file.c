/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-cluster(5), read by libconfig:
 *
 *     hosts = ( { name = "oss*"; role = "server"; rack = "r1"; } );
 *     devices = ( { name = "/c([0-9]+)l([0-9]+)/"; controller = "c$1"; } );
 *
 * To add a key: one line in a table below, and one in the page.
 */
#include "cluster/cluster_file.h"

#include "base/conf.h"
#include "base/number.h"
#include "cluster/planner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct list {
	const char *name;
	const struct lp_conf_key *keys;
	const char *required; /* or NULL */
};

/* ---- values ---- */

/* A text that is not empty. */
static int read_word(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	const char *text = config_setting_get_string(s);

	if (text && !*text)
		return lp_conf_bad(conf, s, "%s is empty", lp_conf_label(s));
	return lp_conf_text(conf, key, s, field);
}

static int add_pattern(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *s, void *field)
{
	char why[LP_PATTERN_WHY];
	const char *text = "";
	int status = read_word(conf, key, s, &text);

	if (status < 0)
		return status;
	status = lp_patterns_add(field, text, why);
	if (status == -EINVAL)
		return lp_conf_bad(conf, s, "\"%s\": %s", text, why);
	return status < 0 ? lp_fail_memory(conf->err) : 0;
}

/* A text, or a list or array of texts. */
static int read_patterns(struct lp_conf *conf, const struct lp_conf_key *key,
			 const config_setting_t *s, void *field)
{
	if (config_setting_is_aggregate(s) && !config_setting_is_group(s) &&
	    config_setting_length(s) == 0)
		return lp_conf_bad(conf, s, "%s is empty", lp_conf_label(s));
	return lp_conf_each(conf, key, s, field, add_pattern);
}

/* ---- keys ---- */

static int read_use(struct lp_conf *conf, const struct lp_conf_key *key,
		    const config_setting_t *s, void *field)
{
	bool use = true, *leave_out = field;
	int status = lp_conf_bool(conf, key, s, &use);

	*leave_out = !use;
	return status;
}

static int read_role(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	struct lp_entry *entry = field;
	const char *text = "";
	int status = read_word(conf, key, s, &text);

	if (status < 0)
		return status;
	for (int role = LP_ROLE_SERVER; role < LP_ROLES; role++)
		if (strcmp(text, lp_role_name((enum lp_role)role)) == 0) {
			entry->role = (enum lp_role)role;
			entry->has_role = true;
			return 0;
		}
	return lp_conf_bad(
		conf, s,
		"unknown role '%s'; expected server, client or metadata", text);
}

static int read_label(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	struct lp_labels *labels = field;
	struct lp_label label = { key->name, NULL };
	int status = read_word(conf, key, s, &label.value);

	if (status < 0)
		return status;
	if (lp_grow(&labels->items, &labels->capacity, labels->count + 1,
		    sizeof(label)) < 0)
		return lp_fail_memory(conf->err);
	labels->items[labels->count++] = label;
	return 0;
}

/* match = { model = "ST12*"; layer = "disk"; } */
static int read_match(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	struct lp_entry *entry = field;
	int n = config_setting_length(s), status = 0;

	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s,
				   "match needs labels in braces, as "
				   "{ model = \"ST12*\"; }");
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		const config_setting_t *one = config_setting_get_elem(s, i);
		struct lp_entry_match match = {
			.key = lp_arena_string(conf->arena,
					       config_setting_name(one))
		};

		if (!match.key ||
		    lp_grow(&entry->matches, &entry->matches_capacity,
			    entry->n_matches + 1, sizeof(match)) < 0)
			return lp_fail_memory(conf->err);
		entry->matches[entry->n_matches] = match;
		status = read_patterns(
			conf, key, one,
			&entry->matches[entry->n_matches++].value);
	}
	return status;
}

static int read_class(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	const struct lp_class **class = field;
	const char *text = "";
	int status = read_word(conf, key, s, &text);

	if (status < 0)
		return status;
	*class = lp_class_find(text);
	if (!lp_class_is_compared(*class) || (*class)->pooled)
		return lp_conf_bad(
			conf, s,
			"the class of a group is disk, net or ib, not %s",
			text);
	return 0;
}

/* 0: what becomes of the key is more than one field. */
#define FIELD(field) .offset = offsetof(struct lp_entry, field)

static const struct lp_conf_key host_keys[] = {
	{ "name", read_patterns, FIELD(name) },
	{ "role", read_role, .offset = 0 },
	{ "optional", lp_conf_bool, FIELD(optional) },
	{ "rack", read_label, FIELD(labels) },
	{ "switch", read_label, FIELD(labels) },
	{ .name = NULL },
};

static const struct lp_conf_key device_keys[] = {
	{ "host", read_patterns, FIELD(host) },
	{ "name", read_patterns, FIELD(name) },
	{ "match", read_match, .offset = 0 },
	{ "use", read_use, FIELD(leave_out) },
	{ "optional", lp_conf_bool, FIELD(optional) },
	{ "controller", read_label, FIELD(labels) },
	{ "lun", read_label, FIELD(labels) },
	{ "array", read_label, FIELD(labels) },
	{ "priority", read_label, FIELD(labels) },
	{ "cohort", read_label, FIELD(labels) },
	{ "rack", read_label, FIELD(labels) },
	{ "switch", read_label, FIELD(labels) },
	{ .name = NULL },
};

static const struct lp_conf_key interface_keys[] = {
	{ "host", read_patterns, FIELD(host) },
	{ "name", read_patterns, FIELD(name) },
	{ "match", read_match, .offset = 0 },
	{ "use", read_use, FIELD(leave_out) },
	{ "optional", lp_conf_bool, FIELD(optional) },
	{ "rack", read_label, FIELD(labels) },
	{ "switch", read_label, FIELD(labels) },
	{ .name = NULL },
};

static const struct lp_conf_key group_keys[] = {
	{ "name", read_word, FIELD(title) },
	{ "class", read_class, FIELD(class) },
	{ "members", read_patterns, FIELD(name) },
	{ .name = NULL },
};

static const struct list lists[LP_ENTRY_LISTS] = {
	[LP_ENTRY_HOSTS] = { "hosts", host_keys, "name" },
	[LP_ENTRY_DEVICES] = { "devices", device_keys, NULL },
	[LP_ENTRY_INTERFACES] = { "interfaces", interface_keys, NULL },
	[LP_ENTRY_GROUPS] = { "groups", group_keys, "members" },
};

/* ---- entries ---- */

/* $2 needs a second group in the patterns. */
static int check_references(struct lp_conf *conf, const config_setting_t *s,
			    const struct lp_entry *entry)
{
	size_t groups = lp_patterns_groups(&entry->host) +
			lp_patterns_groups(&entry->name);

	for (size_t i = 0; i < entry->labels.count; i++) {
		const struct lp_label *label = &entry->labels.items[i];

		if (lp_captures_highest(label->value) > groups)
			return lp_conf_bad(
				conf, s,
				"%s = \"%s\", but the patterns have %zu %s in "
				"parentheses",
				label->key, label->value, groups,
				lp_plural(groups, "group", "groups"));
	}
	return 0;
}

static int read_entry(struct lp_conf *conf, const config_setting_t *s,
		      const struct list *list, struct lp_entry *entry)
{
	int status;

	if (!config_setting_is_group(s))
		return lp_conf_bad(
			conf, s, "%s needs entries in braces: ( { ... }, ... )",
			list->name);
	entry->line = config_setting_source_line(s);
	status = lp_conf_read_group(conf, list->keys, s, entry);
	if (status == 0 && list->required &&
	    !config_setting_get_member(s, list->required))
		return lp_conf_bad(conf, s, "an entry of %s needs %s",
				   list->name, list->required);
	return status < 0 ? status : check_references(conf, s, entry);
}

/* The key's name says which of the lists. */
static int read_list(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	struct lp_entries *entries = field;
	const struct list *list = lists;
	int n = config_setting_length(s), status = 0;

	while (strcmp(list->name, key->name) != 0)
		list++;
	if (!config_setting_is_list(s) || n == 0)
		return lp_conf_bad(
			conf, s, "%s needs a list of entries: ( { ... }, ... )",
			list->name);
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		if (lp_grow(&entries->items, &entries->capacity,
			    entries->count + 1, sizeof(*entries->items)) < 0)
			return lp_fail_memory(conf->err);
		entries->items[entries->count] = (struct lp_entry){
			.class = lp_class_of_kin(LP_KIN_DISKS)
		};
		status = read_entry(conf, config_setting_get_elem(s, i), list,
				    &entries->items[entries->count++]);
	}
	return status;
}

/* ---- the file ---- */

static int read_ports(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	struct lp_cluster *c = field;
	int n = config_setting_length(s);

	(void)key;
	if (!config_setting_is_array(s) && !config_setting_is_list(s))
		return lp_conf_bad(conf, s,
				   "ports needs numbers in brackets: [ 988 ]");
	for (unsigned i = 0; i < (unsigned)n; i++) {
		const config_setting_t *one = config_setting_get_elem(s, i);
		int port = config_setting_get_int(one);

		if (config_setting_type(one) != CONFIG_TYPE_INT || port < 1 ||
		    port > 65535)
			return lp_conf_bad(conf, s,
					   "ports are numbers from 1 to 65535");
		if (lp_grow(&c->ports, &c->ports_capacity, c->n_ports + 1,
			    sizeof(*c->ports)) < 0)
			return lp_fail_memory(conf->err);
		c->ports[c->n_ports++] = port;
	}
	return 0;
}

static int read_peers(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	bool *per_host = field;
	const char *text = "";
	int status = read_word(conf, key, s, &text);

	if (status < 0)
		return status;
	if (strcmp(text, "host") != 0 && strcmp(text, "cluster") != 0)
		return lp_conf_bad(
			conf, s,
			"peers must be \"host\" or \"cluster\", not \"%s\"",
			text);
	*per_host = strcmp(text, "host") == 0;
	return 0;
}

#undef FIELD
#define FIELD(field) .offset = offsetof(struct lp_cluster, field)

static const struct lp_conf_key file_keys[] = {
	{ "hosts", read_list, FIELD(lists[LP_ENTRY_HOSTS]) },
	{ "devices", read_list, FIELD(lists[LP_ENTRY_DEVICES]) },
	{ "interfaces", read_list, FIELD(lists[LP_ENTRY_INTERFACES]) },
	{ "groups", read_list, FIELD(lists[LP_ENTRY_GROUPS]) },
	{ "ports", read_ports, .offset = 0 },
	{ "peers", read_peers, FIELD(per_host) },
	{ .name = NULL },
};

static int read_file(struct lp_conf *conf, struct lp_cluster *cluster)
{
	conf->arena = &cluster->arena;
	cluster->path = lp_arena_string(conf->arena, conf->name);
	if (!cluster->path)
		return lp_fail_memory(conf->err);
	return lp_conf_read_group(conf, file_keys,
				  config_root_setting(&conf->config), cluster);
}

int lp_cluster_read(const char *path, struct lp_cluster **cluster,
		    struct lp_error *err)
{
	struct lp_cluster *made;
	struct lp_conf conf;
	int status = lp_conf_open(&conf, path, err);

	if (status < 0)
		return status;
	made = calloc(1, sizeof(*made));
	status = made ? read_file(&conf, made) : lp_fail_memory(err);
	lp_conf_close(&conf);
	if (status < 0)
		lp_cluster_free(made);
	else
		*cluster = made;
	return status;
}
