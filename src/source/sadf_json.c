/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf -j FILE -- -d -n DEV,EDEV: what is left where sadf is too old to print
 * raw counters. Rates, rounded to two digits, become gauges. Disks have no
 * identity: a sadf that shows their WWN (sar's -j SID) prints raw counters.
 *
 *   {"sysstat": {
 *     "hosts": [
 *       { "nodename": "oss1", ...,
 *         "statistics": [
 *           { "timestamp": {"date": "2026-11-15", "time": "21:06:30", ...},
 *             "disk": [
 *               {"disk-device": "dev8-0", "tps": 11.00, "rd_sec": 32.00, ...}
 *             ],
 *             "network": {
 *               "net-dev": [
 *                 {"iface": "lo", "rxpck": 0.00, "rxkB": 0.00, ...}
 *               ], ...
 *           }, ...
 *
 * A day of it is gigabytes: each element of "statistics" is cut out by its
 * braces and read on its own.
 */
#include "source/sadf.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SAMPLES 512
/* Of the elements of "statistics" and of "restarts": { { [ { [ { */
#define ELEMENT_DEPTH 6
#define MAX_DEPTH 64
#define MAX_ELEMENT (64u << 20)

struct value {
	const char *key, *metric;
	double scale;
	bool per_request; /* a mean, whose weight is tps */
};

static const struct value disk_values[] = {
	{ "tps", "tps", 1, false },
	{ "rd_sec", "rd_sec", 1, false },
	{ "wr_sec", "wr_sec", 1, false },
	{ "avgrq-sz", "avgrq-sz", 1, true },
	{ "avgqu-sz", "avgqu-sz", 1, false },
	{ "await", "await", 1, true },
	{ "svctm", "svctm", 1, true },
	{ "util-percent", "%util", 1, false },
};

static const struct value net_values[] = {
	{ "rxpck", "rxpck", 1, false },
	{ "txpck", "txpck", 1, false },
	{ "rxkB", "rxbyt", 1024, false },
	{ "txkB", "txbyt", 1024, false },
};

static const struct value net_error_values[] = {
	{ "rxerr", "rxerr", 1, false },
	{ "txerr", "txerr", 1, false },
	{ "rxdrop", "rxdrop", 1, false },
	{ "txdrop", "txdrop", 1, false },
};

#define MAX_VALUES lp_array_size(disk_values)

static const struct list {
	const char *outer, *inner; /* outer may be NULL */
	const char *item;
	const struct lp_class *class;
	const struct value *values;
	size_t n_values;
} lists[] = {
	{ NULL, "disk", "disk-device", &lp_class_disk, disk_values,
	  lp_array_size(disk_values) },
	{ "network", "net-dev", "iface", &lp_class_net, net_values,
	  lp_array_size(net_values) },
	{ "network", "net-edev", "iface", &lp_class_net, net_error_values,
	  lp_array_size(net_error_values) },
};

struct json_stream {
	struct lp_stream stream;
	struct lp_sadf_json_input input;
	struct lp_builder *builder;
	size_t panels[lp_array_size(lists)];
	size_t columns[lp_array_size(lists)][MAX_VALUES];
	/* Cutting out elements. */
	const char *at, *end; /* of the line */
	uint64_t line_number;
	unsigned depth;
	bool in_string, escaped;
	struct lp_buffer element;
	bool started, ended, chunk_given;
	struct lp_event start;
};

/* --- elements ------------------------------------------------------------ */

/* Take in one byte; true: it is one of an element's. */
static bool follow(struct json_stream *s, char c)
{
	bool inside = s->depth >= ELEMENT_DEPTH;

	if (s->in_string) {
		if (s->escaped)
			s->escaped = false;
		else if (c == '\\')
			s->escaped = true;
		else if (c == '"')
			s->in_string = false;
		return inside;
	}
	if (c == '"')
		s->in_string = true;
	else if ((c == '{' || c == '[') && s->depth < MAX_DEPTH)
		s->depth++;
	else if ((c == '}' || c == ']') && s->depth > 0)
		s->depth--;
	return inside || s->depth >= ELEMENT_DEPTH;
}

/* To the end of an element in this line, or of the line. True: an element. */
static bool follow_line(struct json_stream *s)
{
	const char *from = s->at;
	bool inside = s->depth >= ELEMENT_DEPTH, part = inside;

	while (s->at < s->end) {
		part = follow(s, *s->at++);
		if (!inside && part)
			from = s->at - 1;
		if (part && s->depth < ELEMENT_DEPTH)
			break;
		inside = part;
	}
	if (part)
		lp_buffer_put(&s->element, from, (size_t)(s->at - from));
	return part && s->depth < ELEMENT_DEPTH;
}

/* 1: an element in s->element; 0: the end. */
static int next_element(struct json_stream *s, struct lp_error *err)
{
	char *line;
	size_t n;
	int status;

	s->element.size = 0;
	while (!follow_line(s)) {
		if (s->element.failed)
			return lp_fail_memory(err);
		if (s->element.size > MAX_ELEMENT)
			return lp_fail(err, EOVERFLOW,
				       "%s: sadf -j printed a record of over "
				       "%u MiB",
				       s->input.path, MAX_ELEMENT >> 20);
		status = s->input.lines.next(s->input.lines.state, &line, &n,
					     err);
		if (status <= 0)
			return status;
		s->line_number++;
		s->at = line;
		s->end = line + n;
	}
	return s->element.failed ? lp_fail_memory(err) : 1;
}

/* --- samples ------------------------------------------------------------- */

/* "dev8-16" is named by what the number means; the rest as sadf says. */
static void item_name(const struct list *list, const char *shown,
		      char name[LP_SADF_NAME])
{
	unsigned major, minor;
	char rest;

	if (list->class->kin == LP_KIN_DISKS &&
	    sscanf(shown, "dev%9u-%9u%c", &major, &minor, &rest) == 2)
		lp_sadf_device_name(NULL, major, minor, name);
	else
		snprintf(name, LP_SADF_NAME, "%s", shown);
}

static int put_item(struct json_stream *s, size_t which, const json_t *item)
{
	const struct list *list = &lists[which];
	const char *shown =
		json_string_value(json_object_get(item, list->item));
	char name[LP_SADF_NAME];
	struct lp_row row;

	if (!shown || !shown[0])
		return 0;
	item_name(list, shown, name);
	if (!lp_builder_row(s->builder, s->panels[which], name, strlen(name),
			    &row))
		return -ENOMEM;
	for (size_t i = 0; i < list->n_values; i++) {
		const json_t *v = json_object_get(item, list->values[i].key);

		if (json_is_number(v))
			lp_row_f64(&row, s->columns[which][i],
				   json_number_value(v) *
					   list->values[i].scale);
	}
	return 0;
}

static int put_lists(struct json_stream *s, const json_t *element)
{
	const json_t *item;
	size_t i;

	for (size_t which = 0; which < lp_array_size(lists); which++) {
		const struct list *list = &lists[which];
		const json_t *items =
			list->outer ? json_object_get(element, list->outer)
				    : element;

		items = json_object_get(items, list->inner);
		json_array_foreach(items, i, item)
		{
			if (put_item(s, which, item) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* {"date": "2026-11-15", "time": "21:06:30", "utc": 1, "interval": 1} */
static bool element_time(const json_t *stamp, int64_t *time_ns)
{
	const char *date = json_string_value(json_object_get(stamp, "date"));
	const char *time = json_string_value(json_object_get(stamp, "time"));
	char text[64];

	if (!date || !time)
		return false;
	snprintf(text, sizeof(text), "%.20sT%.20s", date, time);
	return lp_time_parse(text, strlen(text), time_ns) == 0;
}

static int put_element(struct json_stream *s, struct lp_error *err)
{
	json_error_t why;
	json_t *element = json_loadb((const char *)s->element.data,
				     s->element.size, 0, &why);
	const json_t *stamp = json_object_get(element, "timestamp");
	int64_t time_ns = 0;
	int status = 0;

	if (!element)
		return lp_fail(err, EINVAL,
			       "%s: what sadf -j printed before line %llu is "
			       "not JSON: %s",
			       s->input.path,
			       (unsigned long long)s->line_number, why.text);
	/* Restarts and comments have none. */
	if (stamp && !element_time(stamp, &time_ns))
		status = lp_fail(
			err, EINVAL,
			"%s: the record before line %llu of sadf -j has "
			"no date and time",
			s->input.path, (unsigned long long)s->line_number);
	else if (stamp && (lp_builder_tick(s->builder, time_ns) < 0 ||
			   put_lists(s, element) < 0))
		status = lp_fail_memory(err);
	json_decref(element);
	return status;
}

/* --- the stream ---------------------------------------------------------- */

static int give_chunk(struct json_stream *s, struct lp_item *item)
{
	static const struct lp_label pairs[] = { { "text", "rounded rates" } };
	const struct lp_chunk *chunk = lp_builder_chunk(s->builder);

	if (!s->started) {
		s->started = true;
		s->start = (struct lp_event){
			.host = s->input.host,
			.time_ns = chunk->time_ns[0],
			.kind = LP_EVENT_START,
			.source = "sysstat",
			.pairs = pairs,
			.n_pairs = lp_array_size(pairs),
		};
		item->kind = LP_ITEM_EVENT;
		item->event = &s->start;
		return 1;
	}
	item->kind = LP_ITEM_CHUNK;
	item->chunk = chunk;
	s->chunk_given = true;
	return 1;
}

static int json_next(struct lp_stream *stream, struct lp_item *item,
		     struct lp_error *err)
{
	struct json_stream *s = (struct json_stream *)stream;
	size_t samples;
	int status;

	memset(item, 0, sizeof(*item));
	if (s->chunk_given)
		lp_builder_clear(s->builder);
	s->chunk_given = false;
	for (;;) {
		samples = lp_builder_samples(s->builder);
		if (samples >= CHUNK_SAMPLES || (s->ended && samples > 0))
			return give_chunk(s, item);
		if (s->ended)
			return 0;
		status = next_element(s, err);
		if (status > 0)
			status = put_element(s, err);
		else if (status == 0)
			s->ended = true;
		if (status < 0)
			return status;
	}
}

static void json_close(struct lp_stream *stream)
{
	struct json_stream *s = (struct json_stream *)stream;

	if (s->input.close)
		s->input.close(s->input.state);
	free(s->input.path);
	free(s->input.host);
	lp_buffer_done(&s->element);
	lp_builder_free(s->builder);
	free(s);
}

static const struct lp_stream_ops json_ops = {
	.next = json_next,
	.close = json_close,
};

static int prepare_list(struct json_stream *s, size_t which)
{
	const struct list *list = &lists[which];

	s->panels[which] = lp_builder_bare_panel(s->builder, list->class->name);
	if (s->panels[which] == LP_BUILDER_NONE)
		return -ENOMEM;
	for (size_t i = 0; i < list->n_values; i++) {
		struct lp_column column = lp_metric_column(
			lp_class_metric(list->class, list->values[i].metric),
			list->values[i].per_request ? "tps" : NULL);

		s->columns[which][i] = lp_builder_column(
			s->builder, s->panels[which], &column);
		if (s->columns[which][i] == LP_BUILDER_NONE)
			return -ENOMEM;
	}
	return 0;
}

int lp_sadf_json_open(struct lp_sadf_json_input *input,
		      struct lp_stream **stream, struct lp_error *err)
{
	struct json_stream *s = calloc(1, sizeof(*s));
	int status = 0;

	if (!s) {
		if (input->close)
			input->close(input->state);
		free(input->path);
		free(input->host);
		return lp_fail_memory(err);
	}
	s->stream.ops = &json_ops;
	s->input = *input;
	s->builder = lp_builder_new(s->input.host);
	if (!s->builder)
		status = -ENOMEM;
	for (size_t i = 0; status == 0 && i < lp_array_size(lists); i++)
		status = prepare_list(s, i);
	if (status < 0) {
		json_close(&s->stream);
		return lp_fail_memory(err);
	}
	*stream = &s->stream;
	return 0;
}
