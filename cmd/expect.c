/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of work that can be announced. */
static const char *const kinds[] = { "rebuild", NULL };

/* "oss3/sdc=rebuild@10:00..12:00", taken apart; times without one are all. */
struct parts {
	char component[256], what[32];
	bool timed;
	struct lp_when from, to;
};

static bool parse_times(const char *text, struct parts *parts)
{
	const char *dots = strstr(text, "..");
	char from[64];

	if (!dots || (size_t)(dots - text) >= sizeof(from))
		return false;
	snprintf(from, sizeof(from), "%.*s", (int)(dots - text), text);
	parts->timed = true;
	return lp_when_parse(from, &parts->from) == 0 &&
	       lp_when_parse(dots + 2, &parts->to) == 0;
}

static bool parse(const char *text, struct parts *parts)
{
	const char *equals = strrchr(text, '=');
	const char *at = equals ? strchr(equals, '@') : NULL;
	size_t n = equals ? (size_t)(equals - text) : 0;
	size_t k = equals ? strcspn(equals + 1, "@") : 0;

	*parts = (struct parts){ .timed = false };
	if (!n || n >= sizeof(parts->component) || k >= sizeof(parts->what))
		return false;
	memcpy(parts->component, text, n);
	memcpy(parts->what, equals + 1, k);
	for (size_t i = 0; kinds[i]; i++)
		if (strcmp(kinds[i], parts->what) == 0)
			return !at || parse_times(at + 1, parts);
	return false;
}

int lp_expect_check(const struct lp_option_list *list, struct lp_error *err)
{
	struct parts parts;

	for (size_t i = 0; i < list->count; i++)
		if (!parse(list->text[i], &parts))
			return lp_fail(err, EINVAL,
				       "--expect: '%s': expected "
				       "COMPONENT=rebuild or "
				       "COMPONENT=rebuild@FROM..TO, for "
				       "example oss3/sdc=rebuild@10:00..12:00",
				       list->text[i]);
	return 0;
}

static int read_one(struct lp_case_files *c, const char *text, bool *wrong,
		    struct lp_expected *expected, struct lp_error *err)
{
	struct parts parts;
	int status = 0;

	parse(text, &parts);
	expected->component = strdup(parts.component);
	expected->what = strdup(parts.what);
	if (!expected->component || !expected->what)
		return lp_fail_memory(err);
	expected->from_ns = LP_TIME_MIN;
	expected->to_ns = LP_TIME_MAX;
	if (parts.timed)
		status = lp_period_time(&c->period, "--expect", &parts.from,
					&c->inputs, wrong, &expected->from_ns,
					err);
	if (parts.timed && status == 0)
		status = lp_period_time(&c->period, "--expect", &parts.to,
					&c->inputs, wrong, &expected->to_ns,
					err);
	if (status < 0)
		return status;
	*wrong = true;
	if (expected->to_ns < expected->from_ns)
		return lp_fail(err, EINVAL,
			       "--expect: '%s' ends before it begins", text);
	return lp_case_check_name(c, "--expect", expected->component, false,
				  err);
}

int lp_expect_read(struct lp_case_files *c, const struct lp_option_list *list,
		   bool *wrong, struct lp_error *err)
{
	struct lp_expected *all = calloc(list->count + 1, sizeof(*all));
	int status = 0;

	if (!all)
		return lp_fail_memory(err);
	c->options.expected = all;
	c->options.n_expected = list->count;
	for (size_t i = 0; i < list->count && status == 0; i++)
		status = read_one(c, list->text[i], wrong, &all[i], err);
	return status;
}

void lp_expect_done(struct lp_case_files *c)
{
	struct lp_expected *all = (struct lp_expected *)c->options.expected;

	for (size_t i = 0; i < c->options.n_expected; i++) {
		free((char *)all[i].component);
		free((char *)all[i].what);
	}
	free(all);
	c->options.expected = NULL;
	c->options.n_expected = 0;
}
