/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/serve_settings.h"

#include "base/conf.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#define DAY_NS (86400 * LP_NS_PER_S)

/* ---- the file ---- */

static int read_path(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *setting, void *field)
{
	struct lp_settings *s = conf->whole;

	(void)field;
	if (s->n_paths == LP_SERVE_PATHS)
		return lp_conf_bad(conf, setting, "at most %d directories",
				   LP_SERVE_PATHS);
	return lp_conf_text(conf, key, setting, &s->paths[s->n_paths++]);
}

static int read_paths(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *setting, void *field)
{
	return lp_conf_each(conf, key, setting, field, read_path);
}

#define TEXT(key)                                                              \
	{                                                                      \
#key, lp_conf_text, offsetof(struct lp_settings, key), 0, 0    \
	}

static const struct lp_conf_key keys[] = {
	{ "directories", read_paths, 0, 0, 0 },
	TEXT(listen),
	TEXT(state),
	TEXT(period),
	TEXT(step),
	TEXT(keep),
	TEXT(false_alarms),
	TEXT(calibration),
	TEXT(cluster),
	TEXT(quiet),
	TEXT(method),
	TEXT(url),
	TEXT(alert_after),
	TEXT(alertmanager),
	TEXT(webhook),
	TEXT(command),
	{ NULL, NULL, 0, 0, 0 },
};

/* The command line counts more than the file. */
static void keep_given(struct lp_settings *settings,
		       const struct lp_settings *file)
{
	for (const struct lp_conf_key *k = keys; k->name; k++) {
		const char **to = (const char **)((char *)settings + k->offset);
		const char *const *from =
			(const char *const *)((const char *)file + k->offset);

		if (k->read == lp_conf_text && !*to)
			*to = *from;
	}
	if (settings->n_paths)
		return;
	memcpy(settings->paths, file->paths, sizeof(file->paths));
	settings->n_paths = file->n_paths;
}

/* Takes the conf. */
static int take(struct lp_settings *settings, struct lp_conf *conf)
{
	struct lp_settings file = { 0 };
	int status;

	conf->whole = &file;
	conf->arena = &settings->arena;
	status = lp_conf_read_group(conf, keys,
				    config_root_setting(&conf->config), &file);
	lp_conf_close(conf);
	if (status == 0)
		keep_given(settings, &file);
	return status;
}

int lp_settings_read(struct lp_settings *settings, const char *path,
		     struct lp_error *err)
{
	struct lp_conf conf = { 0 };
	int status = lp_conf_open(&conf, path, err);

	return status ? status : take(settings, &conf);
}

int lp_settings_parse(struct lp_settings *settings, const char *name,
		      const char *text, struct lp_error *err)
{
	struct lp_conf conf = { 0 };
	int status = lp_conf_parse(&conf, name, text, err);

	return status ? status : take(settings, &conf);
}

void lp_settings_done(struct lp_settings *settings)
{
	lp_arena_done(&settings->arena);
	*settings = (struct lp_settings){ 0 };
}

/* ---- what it means ---- */

static int read_duration(const char *what, const char *text, int64_t low_ns,
			 int64_t high_ns, int64_t *ns, struct lp_error *err)
{
	char low[LP_TIME_TEXT], high[LP_TIME_TEXT];
	int64_t v;

	if (!text)
		return 0;
	if (lp_duration_parse(text, &v) < 0 || v < low_ns || v > high_ns)
		return lp_fail(err, EINVAL,
			       "%s: '%s': expected a time from %s to %s, for "
			       "example 10s, 5m, 1h",
			       what, text, lp_duration_format(low_ns, low),
			       lp_duration_format(high_ns, high));
	*ns = v;
	return 0;
}

static int read_durations(struct lp_settings *s, struct lp_error *err)
{
	int status;

	s->period_ns = 10 * LP_NS_PER_S;
	s->keep_ns = 365 * DAY_NS;
	s->quiet_ns = 300 * LP_NS_PER_S;
	s->alert_after_ns = 300 * LP_NS_PER_S;
	status = read_duration("period", s->period, LP_NS_PER_S / 10, DAY_NS,
			       &s->period_ns, err);
	if (status == 0)
		status = read_duration("step", s->step, LP_NS_PER_S / 10,
				       3600 * LP_NS_PER_S, &s->step_ns, err);
	if (status == 0)
		status = read_duration("keep", s->keep, DAY_NS, 36500 * DAY_NS,
				       &s->keep_ns, err);
	if (status == 0)
		status = read_duration("quiet", s->quiet, LP_NS_PER_S, DAY_NS,
				       &s->quiet_ns, err);
	return status ? status
		      : read_duration("alert_after", s->alert_after, 0, DAY_NS,
				      &s->alert_after_ns, err);
}

/* Until there are certificates and roles, nobody else may come in. */
static bool is_loopback(const char *host)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

/* "127.0.0.1:8765", "[::1]:8765", "8765". */
static int read_listen(struct lp_settings *s, struct lp_error *err)
{
	const char *text = s->listen ? s->listen : "127.0.0.1:8765";
	const char *colon = strrchr(text, ':');
	const char *host = colon ? text : "127.0.0.1";
	size_t n = colon ? (size_t)(colon - text) : strlen(host);
	const char *digits = colon ? colon + 1 : text;
	uint64_t port;

	if (n >= 2 && host[0] == '[' && host[n - 1] == ']') {
		host++;
		n -= 2;
	}
	if (n >= sizeof(s->host) ||
	    lp_parse_u64(digits, strlen(digits), &port) < 0 || port > 65535)
		return lp_fail(err, EINVAL,
			       "listen: '%s': expected ADDRESS:PORT, for "
			       "example 127.0.0.1:%d",
			       text, LP_SERVE_PORT);
	memcpy(s->host, host, n);
	s->host[n] = '\0';
	if (strcmp(s->host, "localhost") == 0)
		memcpy(s->host, "127.0.0.1", sizeof("127.0.0.1"));
	s->port = (uint16_t)port;
	if (!is_loopback(s->host))
		return lp_fail(err, EINVAL,
			       "listen: '%s' can be reached from other "
			       "machines, and nothing is encrypted or asks who "
			       "they are: use 127.0.0.1 and an SSH tunnel",
			       text);
	return 0;
}

static int check_url(const char *what, const char *url, struct lp_error *err)
{
	if (!url || strncmp(url, "http://", 7) == 0)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s: '%s': expected an address that begins with "
		       "http://; for others use a command",
		       what, url);
}

static int find_method(struct lp_settings *s, struct lp_error *err)
{
	char names[LP_DETECTORS_TEXT];

	s->methods[0] = s->method ? lp_detector_find(s->method) : NULL;
	if (!s->method || s->methods[0])
		return 0;
	return lp_fail(err, EINVAL,
		       "method: unknown method '%.60s'; expected one of %s",
		       s->method, lp_detector_names(names));
}

int lp_settings_check(struct lp_settings *s, struct lp_error *err)
{
	struct lp_error why;
	int status = read_durations(s, err);

	if (status == 0)
		status = read_listen(s, err);
	if (status == 0)
		status = check_url("alertmanager", s->alertmanager, err);
	if (status == 0)
		status = check_url("webhook", s->webhook, err);
	if (status == 0)
		status = find_method(s, err);
	if (status < 0)
		return status;
	if (lp_budget_parse(s->false_alarms ? s->false_alarms : "1/month",
			    &s->budget, &why) < 0)
		return lp_fail(err, EINVAL, "false_alarms: %s", why.text);
	if (s->n_paths == 0)
		return lp_fail(err, EINVAL,
			       "nothing to follow: name a directory with "
			       "archives");
	if (!s->state)
		s->state = "/var/lib/limpid";
	return 0;
}
