/* SPDX-License-Identifier: Apache-2.0 */
#include "source/promjson.h"

#include "source/jsontext.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 24
/* Bytes of all labels of a series. */
#define MOST_LABELS ((size_t)64 << 10)

/* What a container is in an answer. */
enum role {
	OUTSIDE,
	ROOT,
	DATA,
	TEXTS,  /* a list of them */
	RESULT, /* a list of series */
	SERIES,
	METRIC, /* its labels */
	VALUES, /* a list of pairs */
	PAIR,   /* time and value */
	OTHER,
};

/* What comes next. */
enum state {
	VALUE,       /* a value */
	FIRST_VALUE, /* or the end of the array */
	KEY,         /* a key */
	FIRST_KEY,   /* or the end of the object */
	COLON,
	AFTER, /* a comma, or the end of the container */
	END,
	TEXT, /* within a text */
	BARE, /* within a number, true, false, null */
};

enum key {
	KEY_OTHER,
	KEY_STATUS,
	KEY_ERROR,
	KEY_DATA,
	KEY_RESULT,
	KEY_METRIC,
	KEY_VALUES,
	KEY_VALUE,
	KEY_HISTOGRAM,
};

static const struct {
	const char *text;
	enum role of;
	enum key key;
} known_keys[] = {
	{ "status", ROOT, KEY_STATUS },
	{ "error", ROOT, KEY_ERROR },
	{ "data", ROOT, KEY_DATA },
	{ "result", DATA, KEY_RESULT },
	{ "metric", SERIES, KEY_METRIC },
	{ "values", SERIES, KEY_VALUES },
	{ "value", SERIES, KEY_VALUE },
	{ "histogram", SERIES, KEY_HISTOGRAM },
	{ "histograms", SERIES, KEY_HISTOGRAM },
};

struct level {
	enum role role;
	enum key key; /* the last one of an object */
	bool array;
	unsigned index; /* of the element of an array, up to 2 */
};

struct lp_prom_json {
	struct lp_prom_taker taker;
	enum state state;
	bool is_key;                         /* the text is one */
	struct level levels[MOST_DEPTH + 1]; /* the first is outside */
	size_t depth;
	struct lp_json_text text;
	/* The series. */
	char labels[MOST_LABELS];
	size_t labels_used;
	struct lp_metric_series series;
	bool has_series;
	/* The pair. */
	bool timed, valued;
	int64_t time_ns;
	double value;
	bool success;
	char error[200];
	uint64_t histograms;
};

struct lp_prom_json *lp_prom_json_new(const struct lp_prom_taker *taker)
{
	struct lp_prom_json *json = calloc(1, sizeof(*json));

	if (json)
		json->taker = *taker;
	return json;
}

void lp_prom_json_free(struct lp_prom_json *json)
{
	free(json);
}

const char *lp_prom_json_error(const struct lp_prom_json *json)
{
	return json->error;
}

uint64_t lp_prom_json_histograms(const struct lp_prom_json *json)
{
	return json->histograms;
}

static int no_answer(struct lp_error *err, const char *what)
{
	return lp_fail(err, EINVAL,
		       "the answer is not as Prometheus writes: "
		       "%s",
		       what);
}

static struct level *top(struct lp_prom_json *json)
{
	return &json->levels[json->depth];
}

/* ---- containers ---- */

static enum role role_of(const struct level *parent, bool array)
{
	switch (parent->role) {
	case ROOT:
		if (parent->key != KEY_DATA)
			return OTHER;
		return array ? TEXTS : DATA;
	case DATA:
		return array && parent->key == KEY_RESULT ? RESULT : OTHER;
	case RESULT:
		return array ? OTHER : SERIES;
	case SERIES:
		if (parent->key == KEY_METRIC && !array)
			return METRIC;
		if (parent->key == KEY_VALUES && array)
			return VALUES;
		return parent->key == KEY_VALUE && array ? PAIR : OTHER;
	case VALUES:
		return array ? PAIR : OTHER;
	default:
		return OTHER;
	}
}

static int open_level(struct lp_prom_json *json, bool array,
		      struct lp_error *err)
{
	enum role role = json->depth ? role_of(top(json), array) : ROOT;

	if (json->depth == MOST_DEPTH)
		return no_answer(err, "too many brackets");
	if (json->depth == 0 && array)
		return no_answer(err, "it begins with '['");
	if (top(json)->role == SERIES && top(json)->key == KEY_HISTOGRAM)
		json->histograms++;
	json->levels[++json->depth] =
		(struct level){ .role = role, .array = array };
	if (role == SERIES)
		json->has_series = false;
	if (role == METRIC) {
		json->labels_used = 0;
		json->series.n_labels = 0;
		json->series.metric = "";
	}
	if (role == PAIR)
		json->timed = json->valued = false;
	json->state = array ? FIRST_VALUE : FIRST_KEY;
	return 0;
}

static int end_pair(struct lp_prom_json *json, struct lp_error *err)
{
	if (!json->timed || !json->valued)
		return no_answer(err, "a sample is not [TIME, \"VALUE\"]");
	if (!json->has_series)
		return no_answer(err, "samples come before their series");
	return json->taker.value(json->taker.context, json->time_ns,
				 json->value, err);
}

static int close_level(struct lp_prom_json *json, struct lp_error *err)
{
	enum role role = top(json)->role;

	json->depth--;
	json->state = json->depth ? AFTER : END;
	if (role == PAIR)
		return end_pair(json, err);
	if (role != METRIC)
		return 0;
	json->has_series = true;
	return json->taker.series(json->taker.context, &json->series, err);
}

/* ---- texts and numbers ---- */

/* Keep the text with the labels; NULL: there is no room. */
static const char *keep(struct lp_prom_json *json)
{
	char *kept = json->labels + json->labels_used;

	if (json->text.n + 1 > MOST_LABELS - json->labels_used)
		return NULL;
	memcpy(kept, json->text.bytes, json->text.n + 1);
	json->labels_used += json->text.n + 1;
	return kept;
}

static int take_label_name(struct lp_prom_json *json, struct lp_error *err)
{
	struct lp_metric_series *series = &json->series;
	const char *name = keep(json);

	if (!name || series->n_labels == LP_METRIC_LABELS)
		return no_answer(err,
				 "a series has more than 64 labels, or very "
				 "long ones");
	series->labels[series->n_labels] = (struct lp_label){ name, "" };
	return 0;
}

static int take_label(struct lp_prom_json *json, struct lp_error *err)
{
	struct lp_metric_series *series = &json->series;
	struct lp_label *label = &series->labels[series->n_labels];

	label->value = keep(json);
	if (!label->value)
		return no_answer(err, "a series has very long labels");
	if (strcmp(label->key, "__name__") == 0)
		series->metric = label->value;
	else
		series->n_labels++;
	return 0;
}

static int take_key(struct lp_prom_json *json, struct lp_error *err)
{
	struct level *level = top(json);

	json->state = COLON;
	level->key = KEY_OTHER;
	if (level->role == METRIC)
		return take_label_name(json, err);
	for (size_t i = 0; i < sizeof(known_keys) / sizeof(known_keys[0]); i++)
		if (known_keys[i].of == level->role &&
		    strcmp(known_keys[i].text, json->text.bytes) == 0)
			level->key = known_keys[i].key;
	return 0;
}

/* The second of a pair; the first is bare. */
static int take_value(struct lp_prom_json *json, struct lp_error *err)
{
	json->valued =
		top(json)->index == 1 &&
		lp_metric_number(json->text.bytes, json->text.n, &json->value);
	return json->valued ? 0 : no_answer(err, "a value is no number");
}

static int take_text(struct lp_prom_json *json, struct lp_error *err)
{
	const struct level *level = top(json);

	json->state = AFTER;
	if (level->role == METRIC)
		return take_label(json, err);
	if (level->role == PAIR)
		return take_value(json, err);
	if (level->role == TEXTS && json->taker.text)
		return json->taker.text(json->taker.context, json->text.bytes,
					err);
	if (level->role == ROOT && level->key == KEY_STATUS)
		json->success = strcmp(json->text.bytes, "success") == 0;
	if (level->role == ROOT && level->key == KEY_ERROR)
		snprintf(json->error, sizeof(json->error), "%.199s",
			 json->text.bytes);
	return 0;
}

static int take_bare(struct lp_prom_json *json, struct lp_error *err)
{
	const struct level *level = top(json);

	json->state = AFTER;
	json->text.bytes[json->text.n] = '\0';
	if (level->role == METRIC)
		return no_answer(err, "a label is no text");
	if (level->role == PAIR) {
		json->timed = level->index == 0 &&
			      lp_metric_seconds(json->text.bytes, json->text.n,
						&json->time_ns);
		return json->timed ? 0 : no_answer(err, "a time is no number");
	}
	/* A number or true, where limpid looks at neither. */
	return 0;
}

/* ---- bytes ---- */

static int in_text(struct lp_prom_json *json, unsigned char c,
		   struct lp_error *err)
{
	const char *what;
	int status = lp_json_text_feed(&json->text, c, &what);

	if (status < 0)
		return no_answer(err, what);
	if (status == 0)
		return 0;
	return json->is_key ? take_key(json, err) : take_text(json, err);
}

/* Of a number. */
static int put(struct lp_prom_json *json, unsigned char c, struct lp_error *err)
{
	const char *what;

	return lp_json_text_put(&json->text, c, &what) < 0
		       ? no_answer(err, what)
		       : 0;
}

/* The beginning of a value. */
static int begin_value(struct lp_prom_json *json, unsigned char c,
		       struct lp_error *err)
{
	json->text.n = 0;
	json->is_key = false;
	if (json->state == FIRST_VALUE && c == ']')
		return close_level(json, err);
	if (c == '{' || c == '[')
		return open_level(json, c == '[', err);
	if (json->depth == 0)
		return no_answer(err, "it is no JSON object");
	if (c == '"') {
		json->state = TEXT;
		return 0;
	}
	if (!isalnum(c) && c != '-')
		return no_answer(err, "no JSON");
	json->state = BARE;
	return put(json, c, err);
}

static int begin_key(struct lp_prom_json *json, unsigned char c,
		     struct lp_error *err)
{
	json->text.n = 0;
	json->is_key = true;
	if (json->state == FIRST_KEY && c == '}')
		return close_level(json, err);
	if (c != '"')
		return no_answer(err, "no JSON");
	json->state = TEXT;
	return 0;
}

static int after_value(struct lp_prom_json *json, unsigned char c,
		       struct lp_error *err)
{
	struct level *level = top(json);

	if (c == (level->array ? ']' : '}'))
		return close_level(json, err);
	if (c != ',')
		return no_answer(err, "no JSON");
	level->index += level->index < 2;
	json->state = level->array ? VALUE : KEY;
	return 0;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Between texts and numbers. */
static int outside(struct lp_prom_json *json, unsigned char c,
		   struct lp_error *err)
{
	if (is_blank(c))
		return 0;
	switch (json->state) {
	case VALUE:
	case FIRST_VALUE:
		return begin_value(json, c, err);
	case KEY:
	case FIRST_KEY:
		return begin_key(json, c, err);
	case COLON:
		json->state = VALUE;
		return c == ':' ? 0 : no_answer(err, "no JSON");
	case AFTER:
		return after_value(json, c, err);
	default:
		return no_answer(err, "something follows its end");
	}
}

static int take_byte(struct lp_prom_json *json, unsigned char c,
		     struct lp_error *err)
{
	int status;

	switch (json->state) {
	case TEXT:
		return in_text(json, c, err);
	case BARE:
		if (isalnum(c) || c == '.' || c == '-' || c == '+')
			return put(json, c, err);
		status = take_bare(json, err);
		return status < 0 ? status : outside(json, c, err);
	default:
		return outside(json, c, err);
	}
}

int lp_prom_json_feed(struct lp_prom_json *json, const char *bytes, size_t n,
		      struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = take_byte(json, (unsigned char)bytes[i], err);
	return status;
}

int lp_prom_json_finish(const struct lp_prom_json *json, struct lp_error *err)
{
	if (json->state != END)
		return lp_fail(err, EINVAL, "the answer is cut off");
	if (json->error[0])
		return lp_fail(err, EINVAL, "Prometheus says: %s", json->error);
	return json->success
		       ? 0
		       : lp_fail(err, EINVAL,
				 "the answer does not say that it is one of "
				 "Prometheus");
}
