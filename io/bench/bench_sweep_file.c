/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sweep in libconfig's syntax:
 *
 *     operation = [ "read", "write" ];
 *     size = [ "1", "4K", "16M" ];
 *     threads = [ 1, 20 ];
 *     file_size = "10G";
 */
#include "io/bench/bench_sweep.h"

#include "base/textfile.h"

#include <errno.h>
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

static int set_one(struct lp_sweep *sweep, const char *name,
		   const config_setting_t *s, const char *key,
		   struct lp_error *err)
{
	struct lp_error inner = { "expected a text or a whole number" };
	unsigned line = config_setting_source_line(s);
	char number[32];
	int r = -EINVAL;

	if (config_setting_type(s) == CONFIG_TYPE_STRING) {
		r = lp_sweep_set(sweep, key, config_setting_get_string(s),
				 &inner);
	} else if (config_setting_type(s) == CONFIG_TYPE_INT ||
		   config_setting_type(s) == CONFIG_TYPE_INT64) {
		snprintf(number, sizeof(number), "%lld",
			 config_setting_get_int64(s));
		r = lp_sweep_set(sweep, key, number, &inner);
	}
	if (r < 0)
		lp_fail(err, -r, "%s:%u: %s", name, line, inner.text);
	return r;
}

static int set_all(struct lp_sweep *sweep, const char *name,
		   const config_setting_t *root, struct lp_error *err)
{
	for (int i = 0; i < config_setting_length(root); i++) {
		config_setting_t *s =
			config_setting_get_elem(root, (unsigned)i);
		const char *key = config_setting_name(s);
		bool many = config_setting_is_aggregate(s);
		int n = many ? config_setting_length(s) : 1, r = 0;

		for (int k = 0; k < n && r == 0; k++)
			r = set_one(
				sweep, name,
				many ? config_setting_get_elem(s, (unsigned)k)
				     : s,
				key, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int lp_sweep_parse(struct lp_sweep *sweep, const char *name, const char *text,
		   struct lp_error *err)
{
	config_t config;
	int r;

	/* libconfig would read other files, and end the program if it
	 * cannot. */
	if (strstr(text, "@include"))
		return lp_fail(err, EINVAL, "%s: @include is not supported",
			       name);
	config_init(&config);
	if (config_read_string(&config, text))
		r = set_all(sweep, name, config_root_setting(&config), err);
	else
		r = lp_fail(err, EINVAL, "%s:%d: %s", name,
			    config_error_line(&config),
			    config_error_text(&config));
	config_destroy(&config);
	return r;
}

int lp_sweep_read(struct lp_sweep *sweep, const char *path,
		  struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	lp_auto_free char *text = NULL;
	int r = lp_text_file_open(&file, path, err);

	if (r < 0)
		return r;
	text = strndup(file.n ? file.text : "", file.n);
	lp_text_file_close(&file);
	if (!text)
		return lp_fail_memory(err);
	return lp_sweep_parse(sweep, path, text, err);
}
