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

#include "base/nearest.h"
#include "base/number.h"
#include "base/textfile.h"
#include "cluster/planner.h"

#include <errno.h>
#include <libconfig.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	struct lp_cluster *cluster;
	struct lp_error *err;
};

/* A key of an entry, and what becomes of its value. */
struct key {
	const char *name;
	int (*read)(struct reading *r, const config_setting_t *setting,
		    struct lp_entry *entry);
};

struct list {
	const char *name;
	const struct key *keys; /* ended by NULL */
	const char *required;   /* or NULL */
};

/* "cluster.conf:12: ..." */
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
	return lp_fail(r->err, EINVAL, "%s:%u: %s", r->cluster->path,
		       config_setting_source_line(setting), text);
}

static const char *keep(struct reading *r, const char *text)
{
	return lp_arena_string(&r->cluster->arena, text);
}

/* ---- values ---- */

static int read_string(struct reading *r, const config_setting_t *setting,
		       const char **text)
{
	const char *name = config_setting_name(setting);
	const char *value = config_setting_get_string(setting);

	if (!value)
		return bad(r, setting, "%s needs a text in quotes",
			   name ? name : "an element of the list");
	if (!*value)
		return bad(r, setting, "%s is empty",
			   name ? name : "an element of the list");
	value = keep(r, value);
	if (!value)
		return lp_fail_memory(r->err);
	*text = value;
	return 0;
}

static int read_bool(struct reading *r, const config_setting_t *setting,
		     bool *value)
{
	if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
		return bad(r, setting, "%s needs true or false",
			   config_setting_name(setting));
	*value = config_setting_get_bool(setting);
	return 0;
}

static int add_pattern(struct reading *r, const config_setting_t *setting,
		       struct lp_patterns *patterns)
{
	char why[LP_PATTERN_WHY];
	const char *text = "";
	int status = read_string(r, setting, &text);

	if (status < 0)
		return status;
	status = lp_patterns_add(patterns, text, why);
	if (status == -EINVAL)
		return bad(r, setting, "\"%s\": %s", text, why);
	return status < 0 ? lp_fail_memory(r->err) : 0;
}

/* A text, or a list or array of texts. */
static int read_patterns(struct reading *r, const config_setting_t *setting,
			 struct lp_patterns *patterns)
{
	int n = config_setting_length(setting), status = 0;

	if (!config_setting_is_list(setting) &&
	    !config_setting_is_array(setting))
		return add_pattern(r, setting, patterns);
	if (n == 0)
		return bad(r, setting, "%s is empty",
			   config_setting_name(setting));
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = add_pattern(r, config_setting_get_elem(setting, i),
				     patterns);
	return status;
}

/* ---- keys ---- */

static int read_name(struct reading *r, const config_setting_t *s,
		     struct lp_entry *entry)
{
	return read_patterns(r, s, &entry->name);
}

static int read_host(struct reading *r, const config_setting_t *s,
		     struct lp_entry *entry)
{
	return read_patterns(r, s, &entry->host);
}

static int read_optional(struct reading *r, const config_setting_t *s,
			 struct lp_entry *entry)
{
	return read_bool(r, s, &entry->optional);
}

static int read_use(struct reading *r, const config_setting_t *s,
		    struct lp_entry *entry)
{
	bool use = true;
	int status = read_bool(r, s, &use);

	entry->leave_out = !use;
	return status;
}

static int read_role(struct reading *r, const config_setting_t *s,
		     struct lp_entry *entry)
{
	const char *text = "";
	int status = read_string(r, s, &text);

	if (status < 0)
		return status;
	for (int role = LP_ROLE_SERVER; role < LP_ROLES; role++)
		if (strcmp(text, lp_role_name((enum lp_role)role)) == 0) {
			entry->role = (enum lp_role)role;
			entry->has_role = true;
			return 0;
		}
	return bad(r, s,
		   "unknown role '%s'; expected server, client or metadata",
		   text);
}

static int read_label(struct reading *r, const config_setting_t *s,
		      struct lp_entry *entry)
{
	struct lp_label label = { keep(r, config_setting_name(s)), NULL };
	int status = read_string(r, s, &label.value);

	if (status < 0)
		return status;
	if (!label.key || lp_grow(&entry->labels.items, &entry->labels.capacity,
				  entry->labels.count + 1, sizeof(label)) < 0)
		return lp_fail_memory(r->err);
	entry->labels.items[entry->labels.count++] = label;
	return 0;
}

/* match = { model = "ST12*"; layer = "disk"; } */
static int read_match(struct reading *r, const config_setting_t *s,
		      struct lp_entry *entry)
{
	int n = config_setting_length(s), status = 0;

	if (!config_setting_is_group(s))
		return bad(r, s,
			   "match needs labels in braces, as "
			   "{ model = \"ST12*\"; }");
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		const config_setting_t *one = config_setting_get_elem(s, i);
		struct lp_entry_match match = {
			.key = keep(r, config_setting_name(one))
		};

		if (!match.key ||
		    lp_grow(&entry->matches, &entry->matches_capacity,
			    entry->n_matches + 1, sizeof(match)) < 0)
			return lp_fail_memory(r->err);
		entry->matches[entry->n_matches] = match;
		status = read_patterns(
			r, one, &entry->matches[entry->n_matches++].value);
	}
	return status;
}

static int read_title(struct reading *r, const config_setting_t *s,
		      struct lp_entry *entry)
{
	return read_string(r, s, &entry->title);
}

static int read_class(struct reading *r, const config_setting_t *s,
		      struct lp_entry *entry)
{
	const char *text = "";
	int status = read_string(r, s, &text);

	if (status < 0)
		return status;
	entry->class = lp_class_find(text);
	if (!lp_class_is_compared(entry->class) || entry->class->pooled)
		return bad(r, s,
			   "the class of a group is disk, net or ib, not %s",
			   text);
	return 0;
}

static const struct key host_keys[] = {
	{ "name", read_name },         { "role", read_role },
	{ "optional", read_optional }, { "rack", read_label },
	{ "switch", read_label },      { NULL, NULL },
};

static const struct key device_keys[] = {
	{ "host", read_host },
	{ "name", read_name },
	{ "match", read_match },
	{ "use", read_use },
	{ "optional", read_optional },
	{ "controller", read_label },
	{ "lun", read_label },
	{ "array", read_label },
	{ "priority", read_label },
	{ "cohort", read_label },
	{ "rack", read_label },
	{ "switch", read_label },
	{ NULL, NULL },
};

static const struct key interface_keys[] = {
	{ "host", read_host },         { "name", read_name },
	{ "match", read_match },       { "use", read_use },
	{ "optional", read_optional }, { "rack", read_label },
	{ "switch", read_label },      { NULL, NULL },
};

static const struct key group_keys[] = {
	{ "name", read_title },
	{ "class", read_class },
	{ "members", read_name },
	{ NULL, NULL },
};

static const struct list lists[LP_ENTRY_LISTS] = {
	[LP_ENTRY_HOSTS] = { "hosts", host_keys, "name" },
	[LP_ENTRY_DEVICES] = { "devices", device_keys, NULL },
	[LP_ENTRY_INTERFACES] = { "interfaces", interface_keys, NULL },
	[LP_ENTRY_GROUPS] = { "groups", group_keys, "members" },
};

/* ---- entries ---- */

static int unknown_key(struct reading *r, const config_setting_t *s,
		       const struct key *keys)
{
	struct lp_nearest nearest = lp_nearest_begin(config_setting_name(s));
	char all[256];
	size_t used = 0;

	for (; keys->name; keys++) {
		lp_nearest_offer(&nearest, keys->name);
		used += (size_t)snprintf(all + used, sizeof(all) - used, " %s",
					 keys->name);
	}
	if (nearest.best)
		return bad(r, s, "unknown key '%s'; did you mean %s?",
			   nearest.wrong, nearest.best);
	return bad(r, s, "unknown key '%s'; expected one of:%s", nearest.wrong,
		   all);
}

static int read_key(struct reading *r, const config_setting_t *s,
		    const struct key *keys, struct lp_entry *entry)
{
	for (const struct key *key = keys; key->name; key++)
		if (strcmp(key->name, config_setting_name(s)) == 0)
			return key->read(r, s, entry);
	return unknown_key(r, s, keys);
}

/* $2 needs a second group in the patterns. */
static int check_references(struct reading *r, const config_setting_t *s,
			    const struct lp_entry *entry)
{
	size_t groups = lp_patterns_groups(&entry->host) +
			lp_patterns_groups(&entry->name);

	for (size_t i = 0; i < entry->labels.count; i++) {
		const struct lp_label *label = &entry->labels.items[i];

		if (lp_captures_highest(label->value) > groups)
			return bad(r, s,
				   "%s = \"%s\", but the patterns have %zu "
				   "%s in parentheses",
				   label->key, label->value, groups,
				   lp_plural(groups, "group", "groups"));
	}
	return 0;
}

static int read_entry(struct reading *r, const config_setting_t *s,
		      const struct list *list, struct lp_entry *entry)
{
	int n, status = 0;

	if (!config_setting_is_group(s))
		return bad(r, s, "%s needs entries in braces: ( { ... }, ... )",
			   list->name);
	entry->line = config_setting_source_line(s);
	n = config_setting_length(s);
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = read_key(r, config_setting_get_elem(s, i), list->keys,
				  entry);
	if (status == 0 && list->required &&
	    !config_setting_get_member(s, list->required))
		return bad(r, s, "an entry of %s needs %s", list->name,
			   list->required);
	return status < 0 ? status : check_references(r, s, entry);
}

static int read_list(struct reading *r, const config_setting_t *s,
		     enum lp_entry_list which)
{
	struct lp_entries *entries = &r->cluster->lists[which];
	int n = config_setting_length(s), status = 0;

	if (!config_setting_is_list(s) || n == 0)
		return bad(r, s, "%s needs a list of entries: ( { ... }, ... )",
			   lists[which].name);
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		if (lp_grow(&entries->items, &entries->capacity,
			    entries->count + 1, sizeof(*entries->items)) < 0)
			return lp_fail_memory(r->err);
		entries->items[entries->count] =
			(struct lp_entry){ .class = &lp_class_disk };
		status = read_entry(r, config_setting_get_elem(s, i),
				    &lists[which],
				    &entries->items[entries->count++]);
	}
	return status;
}

static int read_ports(struct reading *r, const config_setting_t *s)
{
	struct lp_cluster *c = r->cluster;
	int n = config_setting_length(s);

	if (!config_setting_is_array(s) && !config_setting_is_list(s))
		return bad(r, s, "ports needs numbers in brackets: [ 988 ]");
	for (unsigned i = 0; i < (unsigned)n; i++) {
		const config_setting_t *one = config_setting_get_elem(s, i);
		int port = config_setting_get_int(one);

		if (config_setting_type(one) != CONFIG_TYPE_INT || port < 1 ||
		    port > 65535)
			return bad(r, s, "ports are numbers from 1 to 65535");
		if (lp_grow(&c->ports, &c->ports_capacity, c->n_ports + 1,
			    sizeof(*c->ports)) < 0)
			return lp_fail_memory(r->err);
		c->ports[c->n_ports++] = port;
	}
	return 0;
}

static int read_peers(struct reading *r, const config_setting_t *s)
{
	const char *text = "";
	int status = read_string(r, s, &text);

	if (status < 0)
		return status;
	if (strcmp(text, "host") != 0 && strcmp(text, "cluster") != 0)
		return bad(r, s,
			   "peers must be \"host\" or \"cluster\", not \"%s\"",
			   text);
	r->cluster->per_host = strcmp(text, "host") == 0;
	return 0;
}

static int read_setting(struct reading *r, const config_setting_t *s)
{
	static const struct key top[] = {
		{ "hosts", NULL },  { "devices", NULL }, { "interfaces", NULL },
		{ "groups", NULL }, { "ports", NULL },   { "peers", NULL },
		{ NULL, NULL },
	};
	const char *name = config_setting_name(s);

	for (int i = 0; i < LP_ENTRY_LISTS; i++)
		if (strcmp(lists[i].name, name) == 0)
			return read_list(r, s, (enum lp_entry_list)i);
	if (strcmp(name, "ports") == 0)
		return read_ports(r, s);
	return strcmp(name, "peers") == 0 ? read_peers(r, s)
					  : unknown_key(r, s, top);
}

/* ---- the file ---- */

/*
 * libconfig ends the program when it cannot read (a directory, for example),
 * so the file is read here. Included files would be read by it.
 */
static int check_text(const char *path, const char *text, size_t size,
		      struct lp_error *err)
{
	if (!text || size == 0)
		return 0;
	if (memchr(text, '\0', size))
		return lp_fail(err, EINVAL,
			       "%s: not a text file: it contains a zero byte",
			       path);
	if (memmem(text, size, "@include", strlen("@include")))
		return lp_fail(err, EINVAL,
			       "%s: @include is not supported: write one file",
			       path);
	return 0;
}

static int read_text(const char *path, char **text, struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	status = check_text(path, file.text, file.size, err);
	if (status == 0) {
		*text = strndup(file.size ? file.text : "", file.size);
		status = *text ? 0 : lp_fail_memory(err);
	}
	lp_text_file_close(&file);
	return status;
}

static int read_settings(struct reading *r, const char *text)
{
	config_t config;
	const config_setting_t *root;
	int status = 0;

	config_init(&config);
	if (!config_read_string(&config, text))
		status = lp_fail(r->err, EINVAL, "%s:%d: %s", r->cluster->path,
				 config_error_line(&config),
				 config_error_text(&config));
	root = config_root_setting(&config);
	for (unsigned i = 0;
	     status == 0 && i < (unsigned)config_setting_length(root); i++)
		status = read_setting(r, config_setting_get_elem(root, i));
	config_destroy(&config);
	return status;
}

int lp_cluster_read(const char *path, struct lp_cluster **cluster,
		    struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	struct reading r = { .err = err };
	int status = read_text(path, &text, err);

	if (status < 0)
		return status;
	r.cluster = calloc(1, sizeof(*r.cluster));
	if (r.cluster)
		r.cluster->path = keep(&r, path);
	if (!r.cluster || !r.cluster->path)
		status = lp_fail_memory(err);
	else
		status = read_settings(&r, text);
	if (status < 0) {
		lp_cluster_free(r.cluster);
		return status;
	}
	*cluster = r.cluster;
	return 0;
}
