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

#include "base/conf.h"

#include <errno.h>
#include <stdio.h>

static int set_one(struct lp_sweep *sweep, const struct lp_conf *conf,
		   const config_setting_t *s, const char *key)
{
	struct lp_error inner = { "expected a text or a whole number" };
	char number[32];
	int status = -EINVAL;

	if (config_setting_type(s) == CONFIG_TYPE_STRING) {
		status = lp_sweep_set(sweep, key, config_setting_get_string(s),
				      &inner);
	} else if (config_setting_type(s) == CONFIG_TYPE_INT ||
		   config_setting_type(s) == CONFIG_TYPE_INT64) {
		snprintf(number, sizeof(number), "%lld",
			 config_setting_get_int64(s));
		status = lp_sweep_set(sweep, key, number, &inner);
	}
	if (status < 0)
		lp_conf_bad(conf, s, "%s", inner.text);
	return status;
}

static int set_all(struct lp_sweep *sweep, const struct lp_conf *conf)
{
	const config_setting_t *root = config_root_setting(&conf->config);

	for (int i = 0; i < config_setting_length(root); i++) {
		const config_setting_t *s =
			config_setting_get_elem(root, (unsigned)i);
		const char *key = config_setting_name(s);
		bool many = config_setting_is_aggregate(s);
		int n = many ? config_setting_length(s) : 1, status = 0;

		for (int k = 0; k < n && status == 0; k++)
			status = set_one(
				sweep, conf,
				many ? config_setting_get_elem(s, (unsigned)k)
				     : s,
				key);
		if (status < 0)
			return status;
	}
	return 0;
}

/* And closes it. */
static int set_and_close(struct lp_sweep *sweep, struct lp_conf *conf)
{
	int status = set_all(sweep, conf);

	lp_conf_close(conf);
	return status;
}

int lp_sweep_parse(struct lp_sweep *sweep, const char *name, const char *text,
		   struct lp_error *err)
{
	struct lp_conf conf;
	int status = lp_conf_parse(&conf, name, text, err);

	return status < 0 ? status : set_and_close(sweep, &conf);
}

int lp_sweep_read(struct lp_sweep *sweep, const char *path,
		  struct lp_error *err)
{
	struct lp_conf conf;
	int status = lp_conf_open(&conf, path, err);

	return status < 0 ? status : set_and_close(sweep, &conf);
}
