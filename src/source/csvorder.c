/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Steps back in time are the clock's as long as they are few: at most two, or
 * one in five steps. A list with the newest first has nothing else.
 */
#define FEW_STEPS 2
#define RARE 4
/* Until here the positions are kept on the first reading. */
#define EAGER_LINES ((size_t)1 << 20)

struct key {
	uint32_t host, value;
	uint32_t successor;   /* the key that followed last time */
	uint32_t stamp, rank; /* see spread_repeats */
};

struct survey {
	struct lp_names names; /* number = key; "HOST VALUE INSTANCE" */
	struct key *keys;
	size_t keys_capacity;
	uint32_t last_key;
	int64_t *last_time; /* by host */
	bool *seen_host;
	size_t times_capacity, seen_capacity;
	size_t forward, back_known, back_new;
	struct lp_buffer scratch;
};

static void survey_done(struct survey *s)
{
	lp_names_done(&s->names);
	free(s->keys);
	free(s->last_time);
	free(s->seen_host);
	lp_buffer_done(&s->scratch);
}

/* The part of a key's name in front of the instance has a fixed length. */
#define PREFIX 8

static bool is_key(const struct survey *s, uint32_t k,
		   const struct lp_csv_row *row)
{
	const char *name;

	if (k >= s->names.count || s->keys[k].host != row->host ||
	    s->keys[k].value != row->value)
		return false;
	name = s->names.text[k] + PREFIX;
	return strncmp(name, row->instance, row->instance_length) == 0 &&
	       name[row->instance_length] == '\0';
}

/* Seven bits a byte and one more, so that no byte is 0 and ends the string. */
static void put_number(struct lp_buffer *buffer, uint32_t v)
{
	uint8_t bytes[PREFIX / 2];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(1 + ((v >> (7 * i)) & 0x7f));
	lp_buffer_put(buffer, bytes, sizeof(bytes));
}

static uint32_t look_up(struct survey *s, const struct lp_csv_row *row,
			bool *is_new)
{
	uint32_t count = s->names.count, k;

	s->scratch.size = 0;
	put_number(&s->scratch, row->host);
	put_number(&s->scratch, (uint32_t)row->value);
	lp_buffer_put(&s->scratch, row->instance, row->instance_length);
	if (s->scratch.failed ||
	    lp_grow(&s->keys, &s->keys_capacity, (size_t)count + 1,
		    sizeof(*s->keys)) < 0)
		return LP_NAME_NONE;
	k = lp_names_add_n(&s->names, (const char *)s->scratch.data,
			   s->scratch.size);
	*is_new = k == count;
	if (*is_new)
		s->keys[k] = (struct key){ .host = row->host,
					   .value = (uint32_t)row->value,
					   .successor = LP_NAME_NONE };
	return k;
}

/*
 * Lines repeat their order, tick by tick, or their component: guess first,
 * look up only when that fails.
 */
static uint32_t find_key(struct survey *s, const struct lp_csv_row *row,
			 bool *is_new)
{
	uint32_t guess =
		s->names.count ? s->keys[s->last_key].successor : LP_NAME_NONE;
	uint32_t k;

	*is_new = false;
	if (is_key(s, guess, row)) {
		s->last_key = guess;
		return guess;
	}
	k = look_up(s, row, is_new);
	if (k == LP_NAME_NONE)
		return k;
	if (s->names.count > 1 || !*is_new)
		s->keys[s->last_key].successor = k;
	s->last_key = k;
	return k;
}

static int note_time(struct survey *s, const struct lp_csv_row *row,
		     bool is_new)
{
	size_t need = (size_t)row->host + 1, old = s->seen_capacity;

	if (lp_grow(&s->last_time, &s->times_capacity, need,
		    sizeof(*s->last_time)) < 0 ||
	    lp_grow(&s->seen_host, &s->seen_capacity, need, 1) < 0)
		return -ENOMEM;
	memset(s->seen_host + old, 0, s->seen_capacity - old);
	if (s->seen_host[row->host]) {
		int64_t last = s->last_time[row->host];

		s->forward += row->time_ns > last;
		s->back_new += row->time_ns < last && is_new;
		s->back_known += row->time_ns < last && !is_new;
	}
	s->seen_host[row->host] = true;
	s->last_time[row->host] = row->time_ns;
	return 0;
}

/* A component or metric that begins when others were already past it. */
static bool must_sort(const struct survey *s)
{
	return s->back_new > 0 ||
	       (s->back_known > FEW_STEPS && s->back_known * RARE > s->forward);
}

static int add_position(struct lp_csv_order *order,
			const struct lp_csv_reader *reader,
			const struct lp_csv_row *row, uint32_t key)
{
	const struct lp_csv_lexer *lexer = &reader->lexer;

	if (lp_grow(&order->positions, &order->capacity, order->n + 1,
		    sizeof(*order->positions)) < 0)
		return -ENOMEM;
	order->positions[order->n++] = (struct lp_csv_position){
		.time_ns = row->time_ns,
		.offset = lp_csv_lexer_offset(lexer, lexer->start),
		.line = (uint32_t)lexer->start_line,
		.key = key,
	};
	return 0;
}

/* One reading of all lines, keeping the positions of the first `most`. */
static int read_all(struct survey *s, struct lp_csv_order *order,
		    struct lp_csv_reader *reader, size_t most, size_t *lines,
		    struct lp_error *err)
{
	struct lp_csv_row row = { 0 };
	bool is_new;
	uint32_t key;
	int status;

	*lines = order->n = 0;
	lp_csv_reader_rewind(reader);
	while ((status = lp_csv_reader_next(reader, &row, err)) > 0) {
		key = find_key(s, &row, &is_new);
		is_new &= row.instance_length > 0; /* no component begins */
		if (key == LP_NAME_NONE || note_time(s, &row, is_new) < 0)
			return lp_fail_memory(err);
		if (++*lines <= most &&
		    add_position(order, reader, &row, key) < 0)
			return lp_fail_memory(err);
	}
	return status;
}

static int by_time(const void *a, const void *b)
{
	const struct lp_csv_position *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Within one time: every component's first line before any second one. */
static int by_rank(const void *a, const void *b)
{
	const struct lp_csv_position *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Lines of one time: the key gives way to its rank among the same keys. */
static void spread_repeats(struct survey *s, struct lp_csv_position *p,
			   size_t n, uint32_t stamp)
{
	bool repeats = false;

	for (size_t i = 0; i < n; i++) {
		struct key *key = &s->keys[p[i].key];

		if (key->stamp != stamp)
			key->rank = 0;
		key->stamp = stamp;
		p[i].key = key->rank++;
		repeats |= p[i].key > 0;
	}
	if (repeats)
		qsort(p, n, sizeof(*p), by_rank);
}

static void sort_positions(struct survey *s, struct lp_csv_order *order)
{
	struct lp_csv_position *p = order->positions;
	uint32_t stamp = 0;
	size_t from = 0, to;

	qsort(p, order->n, sizeof(*p), by_time);
	for (; from < order->n; from = to) {
		for (to = from;
		     to < order->n && p[to].time_ns == p[from].time_ns; to++)
			;
		spread_repeats(s, p + from, to - from, ++stamp);
	}
}

static int decide(struct survey *s, struct lp_csv_order *order,
		  struct lp_csv_reader *reader, struct lp_error *err)
{
	size_t lines;
	int status = read_all(s, order, reader, EAGER_LINES, &lines, err);

	if (status < 0 || !must_sort(s))
		return status;
	if (lines > LP_CSV_MOST_SORTED)
		return lp_fail(err, EFBIG,
			       "%s: its %zu lines are not in the order of time "
			       "and too many to be sorted here (%zu); sort or "
			       "split the file first",
			       reader->path, lines, LP_CSV_MOST_SORTED);
	if (lines > order->n)
		status = read_all(s, order, reader, lines, &lines, err);
	if (status == 0)
		sort_positions(s, order);
	return status;
}

int lp_csv_order_init(struct lp_csv_order *order, struct lp_csv_reader *reader,
		      struct lp_error *err)
{
	struct survey survey = { 0 };
	int status;

	*order = (struct lp_csv_order){ 0 };
	status = decide(&survey, order, reader, err);
	if (status == 0 && !must_sort(&survey))
		lp_csv_order_done(order);
	survey_done(&survey);
	lp_csv_reader_rewind(reader);
	return status;
}

void lp_csv_order_done(struct lp_csv_order *order)
{
	free(order->positions);
	*order = (struct lp_csv_order){ 0 };
}
