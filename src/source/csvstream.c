/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvstream.h"

#include "base/number.h"
#include "base/textfile.h"
#include "model/builder.h"
#include "source/csvorder.h"
#include "source/csvvalue.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A host's chunk ends with each slot of the clock, so that files of the same
 * host (disks here, networks there) come in chunks of the same spans; and
 * before, when all hosts together hold this many values (128 MiB).
 */
#define SLOT_NS (600 * LP_NS_PER_S)
#define MOST_VALUES ((size_t)16 << 20)

/* Where a value of the layout goes in a host's builder. */
struct place {
	bool known;
	size_t panel, column;
};

struct host {
	struct lp_builder *builder;
	int64_t time_ns; /* of the last tick */
	struct place *places;
	size_t n_places;
	size_t n_values; /* set since the last chunk */
};

struct csv_stream {
	struct lp_stream stream;
	struct lp_text_file file;
	char *path, *content, *map, *default_host;
	struct lp_query query;
	struct lp_csv_reader reader;
	struct lp_csv_order order;
	size_t next_position;
	struct host *hosts;
	size_t n_hosts, hosts_capacity;
	size_t n_values;
	size_t given;      /* the host whose chunk was given; hosts: none */
	bool has_row, end; /* a line is waiting; no lines are left */
	size_t next_flush; /* at the end */
	uint64_t negative; /* values that cannot be */
	char lost[LP_LOST_TEXT];
	struct lp_csv_row row;
};

static struct csv_stream *csv_of(struct lp_stream *stream)
{
	return (struct csv_stream *)stream;
}

static void csv_close(struct lp_stream *stream)
{
	struct csv_stream *s = csv_of(stream);

	for (size_t i = 0; i < s->n_hosts; i++) {
		lp_builder_free(s->hosts[i].builder);
		free(s->hosts[i].places);
	}
	free(s->hosts);
	lp_csv_order_done(&s->order);
	lp_csv_reader_done(&s->reader);
	lp_text_file_close(&s->file);
	free(s->path);
	free(s->content);
	free(s->map);
	free(s->default_host);
	free(s);
}

static double csv_progress(const struct lp_stream *stream)
{
	const struct csv_stream *s = (const struct csv_stream *)stream;
	const struct lp_csv_lexer *lexer = &s->reader.lexer;

	if (s->order.positions)
		return (double)s->next_position / (double)s->order.n;
	if (s->file.size == 0)
		return 1;
	return (double)lp_csv_lexer_offset(lexer, lexer->at) /
	       (double)s->file.size;
}

/* The host of a row; made if it is new. NULL: out of memory. */
static struct host *host_of(struct csv_stream *s, const struct lp_csv_row *row)
{
	while (s->n_hosts <= row->host) {
		struct lp_builder *builder;

		if (lp_grow(&s->hosts, &s->hosts_capacity, s->n_hosts + 1,
			    sizeof(*s->hosts)) < 0)
			return NULL;
		builder = lp_builder_new(s->reader.hosts.text[s->n_hosts]);
		if (!builder)
			return NULL;
		s->hosts[s->n_hosts++] = (struct host){ .builder = builder };
	}
	return &s->hosts[row->host];
}

/* The column of one of the layout's values; NULL: out of memory. */
static struct place *place_of(struct csv_stream *s, struct host *host,
			      size_t value)
{
	const struct lp_csv_value *v = &s->reader.layout.values[value];
	size_t old = host->n_places;
	struct place *place;

	if (value >= old) {
		if (lp_grow(&host->places, &host->n_places, value + 1,
			    sizeof(*host->places)) < 0)
			return NULL;
		memset(host->places + old, 0,
		       (host->n_places - old) * sizeof(*host->places));
	}
	place = &host->places[value];
	if (place->known)
		return place;
	place->panel = lp_builder_bare_panel(host->builder, v->class->name);
	if (place->panel == LP_BUILDER_NONE)
		return NULL;
	place->column =
		lp_builder_column(host->builder, place->panel, &v->column);
	if (place->column == LP_BUILDER_NONE)
		return NULL;
	place->known = true;
	return place;
}

static const struct lp_csv_field *field_of(const struct csv_stream *s,
					   size_t value)
{
	return &s->reader.lexer.fields[s->reader.layout.values[value].field];
}

static enum lp_type type_of(const struct csv_stream *s, size_t value)
{
	return s->reader.layout.values[value].column.type;
}

static bool wants_value(const struct csv_stream *s, size_t value)
{
	const struct lp_csv_value *v = &s->reader.layout.values[value];

	return lp_query_wants_class(&s->query, v->class->name);
}

/* The values of the current line: one in the long form, else all. */
static size_t first_value(const struct csv_stream *s)
{
	return s->reader.layout.is_long ? s->row.value : 0;
}

static size_t end_value(const struct csv_stream *s)
{
	return s->reader.layout.is_long ? s->row.value + 1
					: s->reader.layout.n_values;
}

static int bad_value(const struct csv_stream *s, size_t value, int why,
		     struct lp_error *err)
{
	const struct lp_column *c = &s->reader.layout.values[value].column;
	const struct lp_csv_field *f = field_of(s, value);
	const char *expected =
		c->type == LP_U64 ? "a whole number" : "a number";

	return lp_csv_reader_fail(
		&s->reader, err, "%s: '%.*s' is %s%s", c->name,
		(int)(f->n < 40 ? f->n : 40), f->text,
		why == -ERANGE ? "out of range for " : "not ", expected);
}

/* Whether the line has a value that the current tick already has. */
static bool repeats(struct csv_stream *s, struct host *host)
{
	struct lp_row row;

	for (size_t v = first_value(s); v < end_value(s); v++) {
		const struct place *place;

		if (v >= host->n_places ||
		    lp_csv_is_missing(field_of(s, v), type_of(s, v)))
			continue;
		place = &host->places[v];
		if (place->known &&
		    lp_builder_row(host->builder, place->panel, s->row.instance,
				   s->row.instance_length, &row) &&
		    lp_row_has(&row, place->column))
			return true;
	}
	return false;
}

/* A line about nothing: it stands for a sample, whatever its time. */
static bool is_blank(const struct csv_stream *s)
{
	const struct lp_csv_layout *layout = &s->reader.layout;

	if (layout->is_long ||
	    (s->row.instance_length > 0 && !lp_class_is_host(layout->class)))
		return false;
	for (size_t v = 0; v < layout->n_values; v++)
		if (!lp_csv_is_missing(field_of(s, v), type_of(s, v)))
			return false;
	return true;
}

static bool begins_tick(struct csv_stream *s, struct host *host)
{
	return lp_builder_samples(host->builder) == 0 ||
	       s->row.time_ns != host->time_ns || is_blank(s) ||
	       repeats(s, host);
}

static int64_t slot_of(int64_t time_ns)
{
	return time_ns / SLOT_NS - (time_ns % SLOT_NS < 0);
}

/* Whether the host's chunk is to be given before the line begins a tick. */
static bool is_full(const struct csv_stream *s, const struct host *host)
{
	return lp_builder_samples(host->builder) > 0 &&
	       (slot_of(s->row.time_ns) != slot_of(host->time_ns) ||
		s->n_values > MOST_VALUES);
}

static int set_values(struct csv_stream *s, struct host *host,
		      struct lp_error *err)
{
	struct lp_row row;

	for (size_t v = first_value(s); v < end_value(s); v++) {
		const struct lp_csv_field *f = field_of(s, v);
		struct place *place;
		int status;

		if (lp_csv_is_missing(f, type_of(s, v)) || !wants_value(s, v))
			continue;
		if (s->row.instance_length == 0)
			return lp_csv_reader_fail(
				&s->reader, err, "%s: empty, but %s is not",
				s->reader.layout.class->noun,
				s->reader.layout.values[v].column.name);
		place = place_of(s, host, v);
		if (!place || !lp_builder_row(host->builder, place->panel,
					      s->row.instance,
					      s->row.instance_length, &row))
			return lp_fail_memory(err);
		status = lp_csv_set_value(&row, place->column,
					  &s->reader.layout.values[v], f);
		if (status == -EDOM) {
			s->negative++;
			continue;
		}
		if (status < 0 && lp_csv_reader_cut(&s->reader))
			return 0;
		if (status < 0)
			return bad_value(s, v, status, err);
		host->n_values++;
		s->n_values++;
	}
	return 0;
}

static int give(struct csv_stream *s, size_t h, struct lp_item *item)
{
	s->given = h;
	item->kind = LP_ITEM_CHUNK;
	item->chunk = lp_builder_chunk(s->hosts[h].builder);
	return 1;
}

static void take_back(struct csv_stream *s)
{
	struct host *host;

	if (s->given == LP_CSV_NONE)
		return;
	host = &s->hosts[s->given];
	lp_builder_clear(host->builder);
	s->n_values -= host->n_values;
	host->n_values = 0;
	s->given = LP_CSV_NONE;
}

static int next_row(struct csv_stream *s, struct lp_error *err)
{
	if (s->order.positions) {
		const struct lp_csv_position *p =
			&s->order.positions[s->next_position];

		if (s->next_position == s->order.n)
			return 0;
		s->next_position++;
		lp_csv_lexer_seek(&s->reader.lexer, p->offset, p->line);
	}
	return lp_csv_reader_next(&s->reader, &s->row, err);
}

/* The waiting line: 1 a chunk must go first, 0 it was put, or -errno. */
static int put_row(struct csv_stream *s, struct lp_item *item,
		   struct lp_error *err)
{
	struct host *host = host_of(s, &s->row);
	int status;

	if (!host)
		return lp_fail_memory(err);
	if (s->row.time_ns < s->query.since_ns ||
	    s->row.time_ns > s->query.until_ns) {
		s->has_row = false;
		return 0;
	}
	if (begins_tick(s, host)) {
		if (is_full(s, host))
			return give(s, s->row.host, item);
		if (lp_builder_tick(host->builder, s->row.time_ns) < 0)
			return lp_fail_memory(err);
		host->time_ns = s->row.time_ns;
	}
	status = set_values(s, host, err);
	s->has_row = false;
	return status;
}

static int give_rest(struct csv_stream *s, struct lp_item *item)
{
	while (s->next_flush < s->n_hosts) {
		size_t h = s->next_flush++;

		if (lp_builder_samples(s->hosts[h].builder) > 0)
			return give(s, h, item);
	}
	return 0;
}

static const char *csv_lost(const struct lp_stream *stream)
{
	const struct csv_stream *s = (const struct csv_stream *)stream;

	return s->lost[0] ? s->lost : NULL;
}

/* At the end: what was not taken. */
static void sum_up(struct csv_stream *s)
{
	int used = 0;

	if (s->reader.cut_line)
		used = snprintf(s->lost, sizeof(s->lost),
				"its last line, %llu, is cut off and was left "
				"out",
				(unsigned long long)s->reader.cut_line);
	if (s->negative)
		snprintf(s->lost + used, sizeof(s->lost) - (size_t)used,
			 "%s%llu negative value%s left out", used ? "; " : "",
			 (unsigned long long)s->negative,
			 s->negative == 1 ? " was" : "s were");
}

static int csv_next(struct lp_stream *stream, struct lp_item *item,
		    struct lp_error *err)
{
	struct csv_stream *s = csv_of(stream);
	int status;

	take_back(s);
	while (!s->end) {
		if (!s->has_row) {
			status = next_row(s, err);
			if (status <= 0)
				s->end = true;
			if (status < 0) {
				s->next_flush = s->n_hosts;
				return status;
			}
			if (status == 0) {
				sum_up(s);
				break;
			}
			s->has_row = true;
		}
		status = put_row(s, item, err);
		if (status > 0)
			return status;
		if (status < 0) {
			s->end = true;
			s->next_flush = s->n_hosts;
			return status;
		}
	}
	return give_rest(s, item);
}

static const struct lp_stream_ops ops = {
	.next = csv_next,
	.close = csv_close,
	.progress = csv_progress,
	.lost = csv_lost,
};

static int start(struct csv_stream *s, struct lp_error *err)
{
	const struct lp_source_options options = { .host = s->default_host,
						   .map = s->map };
	int status = lp_text_file_open_window(
		&s->file, s->content ? s->content : s->path, err);

	if (status == 0)
		status = lp_csv_reader_init(&s->reader, s->path, &s->file,
					    &options, err);
	if (status == 0)
		status = lp_csv_order_init(&s->order, &s->reader, err);
	return status;
}

static int keep_names(struct csv_stream *s, const char *path, const char *host,
		      const struct lp_source_options *options)
{
	s->path = strdup(path);
	s->default_host = strdup(host);
	s->map = options->map ? strdup(options->map) : NULL;
	s->content = options->content ? strdup(options->content) : NULL;
	if (!s->path || !s->default_host || (options->map && !s->map) ||
	    (options->content && !s->content))
		return -ENOMEM;
	return 0;
}

int lp_csv_stream_open(const char *path, const char *host,
		       const struct lp_source_options *options,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err)
{
	struct csv_stream *s = calloc(1, sizeof(*s));
	int status;

	if (!s)
		return lp_fail_memory(err);
	s->stream.ops = &ops;
	s->query = *query;
	s->given = LP_CSV_NONE;
	status = keep_names(s, path, host, options);
	status = status < 0 ? lp_fail_memory(err) : start(s, err);
	if (status < 0) {
		csv_close(&s->stream);
		return status;
	}
	*stream = &s->stream;
	return 0;
}
