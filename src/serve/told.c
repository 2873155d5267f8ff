/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/told.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <errno.h>
#include <string.h>

typedef int read_fn(const char *key, const json_t *value, void *field,
		    struct lp_error *err);

static const char *text_of(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : NULL;
}

static int read_text(const char *key, const json_t *value, void *field,
		     struct lp_error *err)
{
	const char *text = text_of(value);

	if (!text)
		return lp_fail(err, EINVAL, "%s: expected a text", key);
	if (strlen(text) > LP_WHY_MOST)
		return lp_fail(err, EINVAL, "%s: longer than %d bytes", key,
			       LP_WHY_MOST);
	*(const char **)field = text;
	return 0;
}

static int read_time(const char *key, const json_t *value, void *field,
		     struct lp_error *err)
{
	const char *text = text_of(value);

	if (text && lp_time_parse(text, strlen(text), field) == 0)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s: expected a time such as \"2026-11-14T12:00:00Z\"",
		       key);
}

static int read_span(const char *key, const json_t *value, void *field,
		     struct lp_error *err)
{
	const char *text = text_of(value);
	int64_t *ns = field;

	if (text && lp_duration_parse(text, ns) == 0 && *ns > 0)
		return 0;
	return lp_fail(err, EINVAL, "%s: expected a time such as \"2h\"", key);
}

static const struct {
	const char *key;
	read_fn *read;
	size_t offset;
} members[] = {
	{ "who", read_text, offsetof(struct lp_told, who) },
	{ "why", read_text, offsetof(struct lp_told, why) },
	{ "component", read_text, offsetof(struct lp_told, component) },
	{ "target", read_text, offsetof(struct lp_told, target) },
	{ "from", read_time, offsetof(struct lp_told, from_ns) },
	{ "to", read_time, offsetof(struct lp_told, to_ns) },
	{ "until", read_time, offsetof(struct lp_told, until_ns) },
	{ "time", read_time, offsetof(struct lp_told, time_ns) },
	{ "for", read_span, offsetof(struct lp_told, for_ns) },
	{ "every", read_span, offsetof(struct lp_told, every_ns) },
};

static int read_member(struct lp_told *told, const char *key,
		       const json_t *value, struct lp_error *err)
{
	for (size_t i = 0; i < lp_array_size(members); i++)
		if (strcmp(members[i].key, key) == 0)
			return members[i].read(key, value,
					       (char *)told + members[i].offset,
					       err);
	return lp_fail(err, EINVAL, "unknown member '%.60s'", key);
}

int lp_told_read(struct lp_told *told, const char *body, size_t size,
		 struct lp_error *err)
{
	json_error_t why;
	const char *key;
	json_t *value;
	int status = 0;

	*told = (struct lp_told){ .from_ns = LP_TIME_MIN,
				  .to_ns = LP_TIME_MIN,
				  .until_ns = LP_TIME_MIN,
				  .time_ns = LP_TIME_MIN };
	told->object = json_loadb(body ? body : "", size,
				  JSON_REJECT_DUPLICATES, &why);
	if (!told->object)
		return lp_fail(err, EINVAL, "the body is no JSON: %s",
			       why.text);
	if (!json_is_object(told->object))
		return lp_fail(err, EINVAL, "the body is no object of JSON");
	json_object_foreach(told->object, key, value)
	{
		status = read_member(told, key, value, err);
		if (status < 0)
			break;
	}
	return status;
}

void lp_told_done(struct lp_told *told)
{
	json_decref(told->object);
	told->object = NULL;
}

int lp_told_who(const struct lp_told *told, struct lp_error *err)
{
	if (!told->who || !told->who[0] || strlen(told->who) > LP_WHO_MOST)
		return lp_fail(err, EINVAL,
			       "who: expected your name, of at most %d bytes",
			       LP_WHO_MOST);
	if (!told->why || !told->why[0])
		return lp_fail(err, EINVAL, "why: expected a reason");
	return 0;
}
