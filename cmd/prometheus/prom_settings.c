/* SPDX-License-Identifier: Apache-2.0 */
#include "prom_settings.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/textfile.h"
#include "base/timestamp.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AT_ONCE 64

enum kind {
	TEXT,   /* char * */
	SECRET, /* the same, the first line of a file */
	NUMBER, /* uint64_t */
	BYTES,  /* uint64_t */
	TIME,   /* int64_t */
	YES,    /* bool */
	LINE,   /* of a header */
	LINES,  /* the same, those of a file */
};

#define FIELD(name) offsetof(struct lp_prom_settings, name)

static const struct {
	const char *name;
	enum kind kind;
	size_t offset;
} rows[] = {
	{ "host", TEXT, FIELD(host) },
	{ "match", TEXT, FIELD(match) },
	{ "max-queries", NUMBER, FIELD(max_queries) },
	{ "max-bytes", BYTES, FIELD(max_bytes) },
	{ "timeout", TIME, FIELD(timeout_ns) },
	{ "token-file", SECRET, FIELD(token) },
	{ "user", TEXT, FIELD(user) },
	{ "password-file", SECRET, FIELD(password) },
	{ "cert", TEXT, FIELD(cert) },
	{ "key", TEXT, FIELD(key) },
	{ "ca", TEXT, FIELD(ca) },
	{ "insecure", YES, FIELD(insecure) },
	{ "redirects", YES, FIELD(redirects) },
	{ "header", LINE, 0 },
	{ "header-file", LINES, 0 },
};

static int set_text(char **field, const char *value, size_t n,
		    struct lp_error *err)
{
	char *copy = strndup(value, n);

	if (!copy)
		return lp_fail_memory(err);
	free(*field);
	*field = copy;
	return 0;
}

static int add_header(struct lp_prom_settings *settings, const char *line,
		      size_t n, struct lp_error *err)
{
	if (n == 0)
		return 0;
	if (!memchr(line, ':', n) || *line == ':')
		return lp_fail(err, EINVAL,
			       "setting header: expected 'NAME: VALUE'");
	if (lp_grow(&settings->headers, &settings->headers_capacity,
		    settings->n_headers + 1, sizeof(*settings->headers)) < 0)
		return lp_fail_memory(err);
	settings->headers[settings->n_headers] = strndup(line, n);
	if (!settings->headers[settings->n_headers])
		return lp_fail_memory(err);
	settings->n_headers++;
	return 0;
}

static int add_headers(struct lp_prom_settings *settings, const char *path,
		       struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	int status = lp_text_file_copy(path, &text, err);

	for (const char *at = text; status == 0 && at && *at;) {
		size_t n = strcspn(at, "\r\n");

		status = add_header(settings, at, n, err);
		at += n;
		at += strspn(at, "\r\n");
	}
	return status;
}

static int set_secret(char **field, const char *path, struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	int status = lp_text_file_copy(path, &text, err);

	if (status < 0)
		return status;
	return set_text(field, text, strcspn(text, "\r\n"), err);
}

static int wrong(const char *name, const char *expected, struct lp_error *err)
{
	return lp_fail(err, EINVAL, "setting %s: expected %s", name, expected);
}

static int set_yes(bool *field, const char *name, const char *value,
		   struct lp_error *err)
{
	*field = strcmp(value, "yes") == 0;
	return *field || strcmp(value, "no") == 0
		       ? 0
		       : wrong(name, "yes or no", err);
}

static int set_row(struct lp_prom_settings *settings, size_t row,
		   const char *value, struct lp_error *err)
{
	void *field = (char *)settings + rows[row].offset;
	const char *name = rows[row].name;

	switch (rows[row].kind) {
	case TEXT:
		return set_text(field, value, strlen(value), err);
	case SECRET:
		return set_secret(field, value, err);
	case NUMBER:
		return lp_parse_u64(value, strlen(value), field) < 0 ||
				       settings->max_queries == 0 ||
				       settings->max_queries > MOST_AT_ONCE
			       ? wrong(name, "a number from 1 to 64", err)
			       : 0;
	case BYTES:
		return lp_parse_bytes(value, strlen(value), field) < 0
			       ? wrong(name, "bytes, as 512M", err)
			       : 0;
	case TIME:
		return lp_duration_parse(value, field) < 0 ||
				       settings->timeout_ns < LP_NS_PER_MS
			       ? wrong(name, "a duration, as 30s", err)
			       : 0;
	case YES:
		return set_yes(field, name, value, err);
	case LINE:
		return add_header(settings, value, strlen(value), err);
	default:
		return add_headers(settings, value, err);
	}
}

static int set(struct lp_prom_settings *settings, const char *text,
	       struct lp_error *err)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : strlen(text);

	for (size_t i = 0; i < lp_array_size(rows); i++)
		if (strlen(rows[i].name) == n &&
		    strncmp(rows[i].name, text, n) == 0)
			return equals ? set_row(settings, i, equals + 1, err)
				      : lp_fail(err, EINVAL,
						"setting %s: has no value",
						text);
	if (strncmp(text, "token", n) == 0 || strncmp(text, "password", n) == 0)
		return lp_fail(err, EINVAL,
			       "there is no setting %.*s, since all users can "
			       "read command lines; use %.*s-file",
			       (int)n, text, (int)n, text);
	return lp_fail(err, EINVAL,
		       "unknown setting '%.*s'; see limpid-prometheus(7)",
		       (int)n, text);
}

static int set_environment(char **field, const char *variable,
			   struct lp_error *err)
{
	const char *value = getenv(variable);

	return value && *value ? set_text(field, value, strlen(value), err) : 0;
}

static int check(const struct lp_prom_settings *settings, struct lp_error *err)
{
	if (!settings->cert != !settings->key)
		return lp_fail(err, EINVAL,
			       "settings cert and key need each other");
	if (settings->token && settings->user)
		return lp_fail(err, EINVAL,
			       "a token and a user were given; only one of "
			       "them can be used");
	return 0;
}

int lp_prom_settings_init(struct lp_prom_settings *settings,
			  const struct lp_option_list *list,
			  struct lp_error *err)
{
	int status;

	*settings = (struct lp_prom_settings){
		.max_queries = 4,
		.max_bytes = UINT64_C(1) << 30,
		.timeout_ns = 120 * LP_NS_PER_S,
	};
	status = set_text(&settings->host, "instance", 8, err);
	if (status == 0)
		status = set_text(&settings->match, "", 0, err);
	if (status == 0)
		status = set_environment(&settings->token,
					 "LIMPID_PROMETHEUS_TOKEN", err);
	if (status == 0)
		status = set_environment(&settings->password,
					 "LIMPID_PROMETHEUS_PASSWORD", err);
	for (size_t i = 0; status == 0 && i < list->count; i++)
		status = set(settings, list->text[i], err);
	return status == 0 ? check(settings, err) : status;
}

void lp_prom_settings_done(struct lp_prom_settings *settings)
{
	for (size_t i = 0; i < lp_array_size(rows); i++)
		if (rows[i].kind == TEXT || rows[i].kind == SECRET)
			free(*(char **)((char *)settings + rows[i].offset));
	for (size_t i = 0; i < settings->n_headers; i++)
		free(settings->headers[i]);
	free(settings->headers);
}
