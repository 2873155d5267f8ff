/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/log_rules.h"

#include "base/conf.h"
#include "base/helper.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file while it is read. */
struct rules_file {
	struct lp_log_rules *rules;
	const char *format;
};

/* A rule as it stands there. */
struct entry {
	struct lp_log_rule rule;
	const char *kind, *pattern, *level;
};

static const struct lp_conf_key rule_keys[] = {
	{ "name", lp_conf_text, offsetof(struct entry, rule.name), 0, 0 },
	{ "kind", lp_conf_text, offsetof(struct entry, kind), 0, 0 },
	{ "function", lp_conf_text, offsetof(struct entry, rule.function), 0,
	  0 },
	{ "text", lp_conf_text, offsetof(struct entry, rule.text), 0, 0 },
	{ "pattern", lp_conf_text, offsetof(struct entry, pattern), 0, 0 },
	{ "peer", lp_conf_text, offsetof(struct entry, rule.peer), 0, 0 },
	{ "same", lp_conf_text, offsetof(struct entry, rule.same), 0, 0 },
	{ "level", lp_conf_text, offsetof(struct entry, level), 0, 0 },
	{ "means", lp_conf_text, offsetof(struct entry, rule.meaning), 0, 0 },
	{ 0 },
};

static int find_kind(struct lp_conf *conf, const config_setting_t *setting,
		     struct entry *e)
{
	const char *names[LP_LOG_KINDS] = { NULL };
	int kind = LP_LOG_UNKNOWN + 1;

	if (!e->kind)
		return lp_conf_bad(conf, setting, "a rule without its kind");
	while (kind < LP_LOG_KINDS &&
	       strcmp(lp_log_kinds[kind].name, e->kind) != 0)
		kind++;
	e->rule.kind = (enum lp_log_kind)kind;
	if (kind < LP_LOG_KINDS)
		return 0;
	for (int i = 1; i < LP_LOG_KINDS; i++)
		names[i - 1] = lp_log_kinds[i].name;
	return lp_conf_unknown(conf, setting, "no kind", e->kind, names);
}

static int compile(struct lp_conf *conf, const config_setting_t *setting,
		   struct entry *e)
{
	struct lp_error err;

	if (!e->pattern)
		return 0;
	e->rule.pattern = lp_log_pattern_new(e->pattern, &err);
	return e->rule.pattern
		       ? 0
		       : lp_conf_bad(conf, setting, "pattern: %s", err.text);
}

/* What can be told only of the whole rule. */
static int check(struct lp_conf *conf, const config_setting_t *setting,
		 const struct entry *e)
{
	if (!e->rule.function && !e->rule.text)
		return lp_conf_bad(conf, setting,
				   "a rule needs a function or a text: they "
				   "keep other lines from its pattern");
	if (lp_log_kinds[e->rule.kind].is_naming && !e->rule.peer)
		return lp_conf_bad(conf, setting,
				   "a rule that names a node needs 'peer'");
	if ((e->rule.kind == LP_LOG_ALIAS) != (e->rule.same != NULL))
		return lp_conf_bad(conf, setting,
				   "'same' goes with the kind alias");
	if (e->rule.level == LP_LOG_LEVELS)
		return lp_conf_bad(conf, setting,
				   "no level '%s'; expected debug, info, "
				   "notice, warning, error or critical",
				   e->level);
	return 0;
}

static int read_rule(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *setting, void *field)
{
	struct rules_file *file = field;
	struct lp_log_rules *rules = file->rules;
	struct entry e = { .level = "debug" };
	int status;

	(void)key;
	if (!config_setting_is_group(setting))
		return lp_conf_bad(conf, setting, "a rule is a group: { }");
	status = lp_conf_read_group(conf, rule_keys, setting, &e);
	if (status < 0)
		return status;
	e.rule.level = lp_log_level_find(e.level, strlen(e.level));
	e.rule.format = lp_log_format_find(file->format);
	if (!e.rule.name)
		e.rule.name = e.rule.text ? e.rule.text : e.rule.function;
	if ((status = find_kind(conf, setting, &e)) < 0 ||
	    (status = check(conf, setting, &e)) < 0 ||
	    (status = compile(conf, setting, &e)) < 0)
		return status;
	if (rules->n == LP_LOG_MOST_RULES ||
	    lp_grow(&rules->all, &rules->capacity, rules->n + 1,
		    sizeof(*rules->all)) < 0) {
		lp_log_pattern_free(e.rule.pattern);
		return lp_conf_bad(conf, setting, "more than %d rules",
				   LP_LOG_MOST_RULES);
	}
	rules->all[rules->n++] = e.rule;
	return 0;
}

static int read_format(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *setting, void *field)
{
	struct rules_file *file = field;
	const char *names[32] = { NULL };
	int status = lp_conf_text(conf, key, setting, &file->format);

	if (status < 0 || lp_log_format_find(file->format))
		return status;
	for (size_t i = 0; lp_log_formats[i]; i++)
		names[i] = lp_log_formats[i]->name;
	return lp_conf_unknown(conf, setting, "no format", file->format, names);
}

static int read_rules(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *setting, void *field)
{
	const struct rules_file *file = field;

	if (!file->format)
		return lp_conf_bad(conf, setting,
				   "the file's format must stand above its "
				   "rules: format = \"lustre\";");
	return lp_conf_each(conf, key, setting, field, read_rule);
}

static const struct lp_conf_key file_keys[] = {
	{ "format", read_format, 0, 0, 0 },
	{ "rules", read_rules, 0, 0, 0 },
	{ 0 },
};

static int read_conf(struct lp_log_rules *rules, struct lp_conf *conf)
{
	struct rules_file file = { .rules = rules };
	int status;

	conf->arena = &rules->arena;
	status = lp_conf_read_group(conf, file_keys,
				    config_root_setting(&conf->config), &file);
	lp_conf_close(conf);
	return status;
}

int lp_log_rules_parse(struct lp_log_rules *rules, const char *name,
		       const char *text, struct lp_error *err)
{
	struct lp_conf conf = { 0 };
	int status = lp_conf_parse(&conf, name, text, err);

	return status < 0 ? status : read_conf(rules, &conf);
}

static int is_conf(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return entry->d_name[0] != '.' && n > 5 &&
	       strcmp(entry->d_name + n - 5, ".conf") == 0;
}

static int read_file(struct lp_log_rules *rules, const char *path,
		     struct lp_error *err)
{
	struct lp_conf conf = { 0 };
	int status = lp_conf_open(&conf, path, err);

	return status < 0 ? status : read_conf(rules, &conf);
}

int lp_log_rules_read(struct lp_log_rules *rules, const char *path,
		      struct lp_error *err)
{
	struct dirent **entries;
	struct stat found;
	char name[PATH_MAX];
	int n, status = 0;

	if (stat(path, &found) < 0)
		return lp_fail_errno(err, errno, "%s", path);
	if (!S_ISDIR(found.st_mode))
		return read_file(rules, path, err);
	n = scandir(path, &entries, is_conf, alphasort);
	if (n < 0)
		return lp_fail_errno(err, errno, "%s", path);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		if (status == 0)
			status = read_file(rules, name, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

int lp_log_rules_shipped(struct lp_log_rules *rules, struct lp_error *err)
{
	static const char *const beside[] = { "../logs/rules",
					      "../../share/limpid/rules" };
	char own[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (n > 0) {
		own[n] = '\0';
		slash = strrchr(own, '/');
		if (slash)
			*slash = '\0';
		for (size_t i = 0; i < lp_array_size(beside); i++) {
			snprintf(path, sizeof(path), "%s/%s", own, beside[i]);
			if (access(path, F_OK) == 0)
				return lp_log_rules_read(rules, path, err);
		}
	}
	return lp_log_rules_read(rules, LIMPID_LOG_RULES, err);
}

void lp_log_rules_done(struct lp_log_rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		lp_log_pattern_free(rules->all[i].pattern);
	free(rules->all);
	lp_arena_done(&rules->arena);
	*rules = (struct lp_log_rules){ 0 };
}

/* "ping_evictor_main: MGS: ...": whether it begins with the function. */
static bool says(const char *template, const char *function)
{
	size_t n = strlen(function);

	return strncmp(template, function, n) == 0 && template[n] == ':';
}

bool lp_log_rule_may(const struct lp_log_rule *rule,
		     const struct lp_log_template *template, const char *text)
{
	return rule->format == template->format &&
	       template->level >= rule->level &&
	       (!rule->function || says(text, rule->function)) &&
	       (!rule->text || strstr(text, rule->text));
}

bool lp_log_rule_matches(const struct lp_log_rule *rule,
			 const struct lp_log_line *line,
			 struct lp_log_text groups[LP_LOG_GROUPS],
			 bool *too_long)
{
	*too_long = false;
	for (int i = 0; i < LP_LOG_GROUPS; i++)
		groups[i] = (struct lp_log_text){ "", 0 };
	return !rule->pattern ||
	       lp_log_pattern_find(rule->pattern, line->message, groups,
				   too_long);
}

bool lp_log_rule_name(const char *form,
		      const struct lp_log_text groups[LP_LOG_GROUPS],
		      char text[LP_LOG_PEER_TEXT])
{
	size_t n = 0;

	for (const char *at = form; *at && n < LP_LOG_PEER_TEXT - 1; at++) {
		unsigned group = (unsigned)(at[0] == '%' ? at[1] - '0' : 9);
		size_t room = LP_LOG_PEER_TEXT - 1 - n;

		if (group >= LP_LOG_GROUPS) {
			text[n++] = *at;
			continue;
		}
		if (groups[group].n == 0)
			return false;
		if (room > groups[group].n)
			room = groups[group].n;
		memcpy(text + n, groups[group].at, room);
		n += room;
		at++;
	}
	text[n] = '\0';
	return n > 0;
}
