/* SPDX-License-Identifier: Apache-2.0 */
#include "report/members.h"

#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- where it is, and what is wrong ---- */

int lp_member_bad(struct lp_member_reader *r, const char *key, const char *text)
{
	const char *dot = key && *r->where ? "." : "";

	return lp_fail(r->err, EINVAL, "%s: %s%s%s%s%s", r->name, r->where, dot,
		       key ? key : "", key || *r->where ? ": " : "", text);
}

static size_t enter(struct lp_member_reader *r, const char *text)
{
	size_t n = strlen(r->where);

	snprintf(r->where + n, LP_WHERE_TEXT - n, "%s", text);
	return n;
}

size_t lp_member_enter(struct lp_member_reader *r, const char *key)
{
	size_t n = *r->where ? enter(r, ".") : 0;

	enter(r, key);
	return n;
}

size_t lp_member_enter_item(struct lp_member_reader *r, size_t i)
{
	char text[32];

	snprintf(text, sizeof(text), "[%zu]", i);
	return enter(r, text);
}

void lp_member_leave(struct lp_member_reader *r, size_t before)
{
	r->where[before] = '\0';
}

void *lp_member_room(struct lp_member_reader *r, size_t n, size_t size)
{
	void *room = NULL;

	if (n <= SIZE_MAX / size - 1)
		room = lp_arena_alloc(&r->into->arena, n * size);
	if (!room)
		lp_fail_memory(r->err);
	return room;
}

/* ---- values ---- */

static const char *keep(struct lp_member_reader *r, const json_t *value)
{
	const char *text = lp_findings_text(r->into, json_string_value(value));

	if (!text)
		lp_fail_memory(r->err);
	return text;
}

const char *lp_member_text(struct lp_member_reader *r, const json_t *object,
			   const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_string(value))
		return keep(r, value);
	lp_member_bad(r, key, "must be a text");
	return NULL;
}

static int read_text(struct lp_member_reader *r, const json_t *value,
		     const char *key, bool may_be_null, const char **text)
{
	const char *kept = NULL;

	if (may_be_null && (!value || json_is_null(value))) {
		*text = NULL;
		return 0;
	}
	if (!json_is_string(value))
		return lp_member_bad(r, key,
				     may_be_null ? "must be a text or null"
						 : "must be a text");
	kept = keep(r, value);
	if (!kept)
		return -ENOMEM;
	*text = kept;
	return 0;
}

static int read_number(struct lp_member_reader *r, const json_t *value,
		       const char *key, double *number)
{
	const char *text = json_string_value(value);

	if (!value || json_is_null(value))
		*number = NAN;
	else if (json_is_number(value))
		*number = json_number_value(value);
	else if (text && strcmp(text, "inf") == 0)
		*number = INFINITY;
	else if (text && strcmp(text, "-inf") == 0)
		*number = -INFINITY;
	else
		return lp_member_bad(r, key,
				     "must be a number, \"inf\", \"-inf\" or "
				     "null");
	return 0;
}

static int read_count(struct lp_member_reader *r, const json_t *value,
		      const char *key, size_t *count)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	if (n < 0 || n > LP_COUNT_MOST)
		return lp_member_bad(r, key,
				     "must be a whole number, 0 to 2147483647");
	*count = (size_t)n;
	return 0;
}

static int read_ns(struct lp_member_reader *r, const json_t *value,
		   const char *key, int64_t *ns)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	if (n < 0 || n > LP_READ_TIME_MOST)
		return lp_member_bad(r, key,
				     "must be a whole number of nanoseconds");
	*ns = n;
	return 0;
}

static int read_time(struct lp_member_reader *r, const json_t *value,
		     const char *key, int64_t *time_ns)
{
	const char *text = json_string_value(value);
	int64_t t;

	if (!text || lp_time_parse(text, strlen(text), &t) < 0 ||
	    t > LP_READ_TIME_MOST || t < -LP_READ_TIME_MOST)
		return lp_member_bad(r, key,
				     "must be a time, such as "
				     "2026-11-15T20:45:14Z");
	*time_ns = t;
	return 0;
}

static int read_flag(struct lp_member_reader *r, const json_t *value,
		     const char *key, bool *flag)
{
	if (!json_is_boolean(value))
		return lp_member_bad(r, key, "must be true or false");
	*flag = json_is_true(value);
	return 0;
}

static int read_texts(struct lp_member_reader *r, const json_t *object,
		      const char *key, const char *const **list, size_t *n)
{
	const json_t *array = lp_member_array(r, object, key);
	size_t size = json_array_size(array);
	const char **texts =
		array ? lp_member_room(r, size, sizeof(*texts)) : NULL;
	size_t before = lp_member_enter(r, key);
	int status = texts ? 0 : -EINVAL;

	for (size_t i = 0; i < size && status == 0; i++) {
		size_t item = lp_member_enter_item(r, i);

		status = read_text(r, json_array_get(array, i), NULL, false,
				   &texts[i]);
		lp_member_leave(r, item);
	}
	lp_member_leave(r, before);
	if (status < 0)
		return status;
	*list = texts;
	*n = size;
	return 0;
}

/* ---- objects and arrays ---- */

static int read_member(struct lp_member_reader *r, const json_t *object,
		       const struct lp_member *m, char *fields)
{
	const json_t *value = json_object_get(object, m->key);
	void *at = fields + m->offset;

	switch (m->type) {
	case LP_MEMBER_TEXT:
		return read_text(r, value, m->key, false, at);
	case LP_MEMBER_TEXT_OR:
		return read_text(r, value, m->key, true, at);
	case LP_MEMBER_NUMBER:
		return read_number(r, value, m->key, at);
	case LP_MEMBER_COUNT:
		return read_count(r, value, m->key, at);
	case LP_MEMBER_FLAG:
		return read_flag(r, value, m->key, at);
	case LP_MEMBER_TIME:
		return read_time(r, value, m->key, at);
	case LP_MEMBER_NS:
		return read_ns(r, value, m->key, at);
	case LP_MEMBER_TEXTS:
		break;
	}
	return read_texts(r, object, m->key, at, (size_t *)(fields + m->count));
}

int lp_members_read(struct lp_member_reader *r, const json_t *object,
		    const struct lp_member *members, size_t n, void *fields)
{
	int status = 0;

	if (!json_is_object(object))
		return lp_member_bad(r, NULL, "must be an object");
	for (size_t i = 0; i < n && status == 0; i++)
		status = read_member(r, object, &members[i], fields);
	return status;
}

const json_t *lp_member_array(struct lp_member_reader *r, const json_t *object,
			      const char *key)
{
	const json_t *array = json_object_get(object, key);

	if (json_is_array(array))
		return array;
	lp_member_bad(r, key, "must be an array");
	return NULL;
}

int lp_members_each(struct lp_member_reader *r, const json_t *object,
		    const char *key, lp_member_each *each, void *user)
{
	const json_t *array = lp_member_array(r, object, key);
	size_t n = json_array_size(array), before = lp_member_enter(r, key);
	int status = array ? 0 : -EINVAL;

	for (size_t i = 0; i < n && status == 0; i++) {
		size_t item = lp_member_enter_item(r, i);

		status = each(r, json_array_get(array, i), i, user);
		lp_member_leave(r, item);
	}
	lp_member_leave(r, before);
	return status;
}

/* ---- what is kept as it is ---- */

static bool put(struct lp_json *json, const json_t *value);

/* Its items, or its members with their keys. */
static bool put_all(struct lp_json *json, const json_t *value)
{
	const char *key;
	json_t *item;
	size_t i;
	bool whole = true;

	json_array_foreach(value, i, item) whole = whole && put(json, item);
	json_object_foreach((json_t *)value, key, item)
	{
		lp_json_key(json, key);
		whole = whole && put(json, item);
	}
	lp_json_end(json);
	return whole;
}

/* False: it is nested too deeply. */
static bool put(struct lp_json *json, const json_t *value)
{
	if ((json_is_object(value) || json_is_array(value)) &&
	    json->depth == LP_JSON_DEPTH)
		return false;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		lp_json_object(json);
		return put_all(json, value);
	case JSON_ARRAY:
		lp_json_array(json);
		return put_all(json, value);
	case JSON_STRING:
		lp_json_string(json, json_string_value(value));
		break;
	case JSON_INTEGER:
		lp_json_i64(json, json_integer_value(value));
		break;
	case JSON_REAL:
		lp_json_exact(json, json_real_value(value));
		break;
	case JSON_NULL:
		lp_json_null(json);
		break;
	default:
		lp_json_bool(json, json_is_true(value));
	}
	return true;
}

const char *lp_member_raw(struct lp_member_reader *r, const json_t *value)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *kept = NULL;
	struct lp_json json;
	bool whole = false;

	if (out) {
		lp_json_init(&json, out);
		whole = put(&json, value);
		if (fclose(out) == 0 && whole)
			kept = lp_findings_text(r->into, text);
	}
	free(text);
	if (out && !whole)
		lp_member_bad(r, NULL, "is nested too deeply");
	else if (!kept)
		lp_fail_memory(r->err);
	return kept;
}
