/* SPDX-License-Identifier: Apache-2.0 */
#include "base/conf.h"

#include "base/nearest.h"
#include "base/textfile.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lp_conf_bad(const struct lp_conf *conf, const config_setting_t *setting,
		const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return lp_fail(conf->err, EINVAL, "%s:%u: %s", conf->name,
		       config_setting_source_line(setting), text);
}

int lp_conf_unknown(const struct lp_conf *conf, const config_setting_t *setting,
		    const char *words, const char *wrong,
		    const char *const *names)
{
	struct lp_nearest nearest = lp_nearest_begin(wrong);
	char all[300] = "";
	size_t used = 0;

	for (; *names; names++) {
		lp_nearest_offer(&nearest, *names);
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 " %s", *names);
	}
	if (nearest.best)
		return lp_conf_bad(conf, setting, "%s '%s'; did you mean %s?",
				   words, wrong, nearest.best);
	return lp_conf_bad(conf, setting, "%s '%s'; expected one of:%s", words,
			   wrong, all);
}

const char *lp_conf_label(const config_setting_t *setting)
{
	while (!config_setting_name(setting) &&
	       !config_setting_is_root(setting))
		setting = config_setting_parent(setting);
	return config_setting_is_root(setting) ? "the file"
					       : config_setting_name(setting);
}

/* ---- keys ---- */

int lp_conf_read(struct lp_conf *conf, const struct lp_conf_key *keys,
		 const config_setting_t *setting, void *into)
{
	const char *names[LP_CONF_MOST_KEYS + 1] = { NULL };

	for (size_t i = 0; keys[i].name; i++) {
		assert(i < LP_CONF_MOST_KEYS);
		names[i] = keys[i].name;
		if (strcmp(keys[i].name, config_setting_name(setting)) == 0)
			return keys[i].read(conf, &keys[i], setting,
					    (char *)into + keys[i].offset);
	}
	return lp_conf_unknown(conf, setting, "unknown key",
			       config_setting_name(setting), names);
}

int lp_conf_read_group(struct lp_conf *conf, const struct lp_conf_key *keys,
		       const config_setting_t *group, void *into)
{
	int n = config_setting_length(group), status = 0;

	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = lp_conf_read(conf, keys,
				      config_setting_get_elem(group, i), into);
	return status;
}

int lp_conf_each(struct lp_conf *conf, const struct lp_conf_key *key,
		 const config_setting_t *setting, void *field,
		 lp_conf_read_fn *read)
{
	int n = config_setting_length(setting), status = 0;

	if (!config_setting_is_aggregate(setting))
		return read(conf, key, setting, field);
	if (config_setting_is_group(setting) || n == 0)
		return lp_conf_bad(conf, setting,
				   "%s needs a value or a list of values",
				   lp_conf_label(setting));
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++)
		status = read(conf, key, config_setting_get_elem(setting, i),
			      field);
	return status;
}

/* ---- values ---- */

int lp_conf_bool(struct lp_conf *conf, const struct lp_conf_key *key,
		 const config_setting_t *setting, void *field)
{
	(void)key;
	if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
		return lp_conf_bad(conf, setting, "%s needs true or false",
				   lp_conf_label(setting));
	*(bool *)field = config_setting_get_bool(setting) != 0;
	return 0;
}

int lp_conf_number(struct lp_conf *conf, const struct lp_conf_key *key,
		   const config_setting_t *setting, void *field)
{
	int type = config_setting_type(setting);
	double v = key->low - 1;

	if (type == CONFIG_TYPE_FLOAT)
		v = config_setting_get_float(setting);
	else if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64)
		v = (double)config_setting_get_int64(setting);
	if (!(v >= key->low && v <= key->high))
		return lp_conf_bad(conf, setting,
				   "%s needs a number from %g to %.10g",
				   lp_conf_label(setting), key->low, key->high);
	*(double *)field = v;
	return 0;
}

int lp_conf_count(struct lp_conf *conf, const struct lp_conf_key *key,
		  const config_setting_t *setting, void *field)
{
	int v = config_setting_get_int(setting);

	if (config_setting_type(setting) != CONFIG_TYPE_INT || v < key->low ||
	    v > key->high)
		return lp_conf_bad(conf, setting,
				   "%s needs a whole number from %.0f to %.0f",
				   lp_conf_label(setting), key->low, key->high);
	*(unsigned *)field = (unsigned)v;
	return 0;
}

int lp_conf_text(struct lp_conf *conf, const struct lp_conf_key *key,
		 const config_setting_t *setting, void *field)
{
	const char *text = config_setting_get_string(setting);

	(void)key;
	if (!text)
		return lp_conf_bad(conf, setting, "%s needs a text in quotes",
				   lp_conf_label(setting));
	text = lp_arena_string(conf->arena, text);
	if (!text)
		return lp_fail_memory(conf->err);
	*(const char **)field = text;
	return 0;
}

/* ---- the file ---- */

int lp_conf_parse(struct lp_conf *conf, const char *name, const char *text,
		  struct lp_error *err)
{
	int status;

	if (strstr(text, "@include"))
		return lp_fail(err, EINVAL,
			       "%s: @include is not supported: write one file",
			       name);
	*conf = (struct lp_conf){ .name = name, .err = err };
	config_init(&conf->config);
	if (config_read_string(&conf->config, text) == CONFIG_TRUE)
		return 0;
	status = lp_fail(err, EINVAL, "%s:%d: %s", name,
			 config_error_line(&conf->config),
			 config_error_text(&conf->config));
	config_destroy(&conf->config);
	return status;
}

int lp_conf_open(struct lp_conf *conf, const char *path, struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	int status = lp_text_file_copy(path, &text, err);

	return status < 0 ? status : lp_conf_parse(conf, path, text, err);
}

void lp_conf_close(struct lp_conf *conf)
{
	config_destroy(&conf->config);
}
