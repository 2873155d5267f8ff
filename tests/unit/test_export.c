/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "export/export.h"
#include "model/builder.h"
#include "source/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct lp_selection everything = { .since_ns = LP_TIME_MIN,
						.until_ns = LP_TIME_MAX };

/* xorshift: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double random_double(uint64_t *state)
{
	double v;

	do {
		v = lp_bits_double(next_random(state));
	} while (!isfinite(v));
	return v;
}

static void set_random(const struct lp_row *row, size_t c,
		       const struct lp_column *column, uint64_t *state)
{
	static const char *const words[] = { "cubic", "a,b", " x ", "q\"q",
					     "two\nlines" };
	uint64_t v = next_random(state);

	if (column->type == LP_TEXT)
		lp_row_text(row, c, words[v % lp_array_size(words)]);
	else if (column->type == LP_F64)
		lp_row_f64(row, c, random_double(state));
	else
		lp_row_u64(row, c, v % 5 ? v >> (v % 64) : UINT64_MAX);
}

/* One instance in one tick: each value is there in three of four cases. */
static void random_row(struct lp_builder *b, size_t panel,
		       const struct lp_class *class, const char *name,
		       uint64_t *state)
{
	struct lp_row row;

	if (next_random(state) % 4 == 0)
		return;
	lp_builder_row(b, panel, name, strlen(name), &row);
	for (size_t c = 0; c < class->n_columns; c++)
		if (next_random(state) % 4)
			set_random(&row, c, &class->columns[c], state);
}

static const char *instance(const struct lp_class *class, size_t i)
{
	static const char *const names[] = { "sda", "a b,c", "\"q\"",
					     "e\xc3\xa4" };
	static const char *const tcp[] = { "22>10.0.0.1", "->::1",
					   "3493>10.0.0.2", "->10.0.0.3" };

	if (class == &lp_class_host)
		return LP_HOST_INSTANCE;
	return class == &lp_class_tcp ? tcp[i] : names[i];
}

/* Repeated times, one step back, nanoseconds. */
static struct lp_builder *random_recording(const struct lp_class *class,
					   uint64_t seed)
{
	struct lp_builder *b = lp_builder_new("ho,st");
	size_t panel = lp_builder_panel(b, class);
	size_t n_instances = class == &lp_class_host ? 1 : 4;
	int64_t time = 1794775514123456789;

	for (size_t i = 0; i < 40; i++) {
		if (i == 25)
			time -= 3 * LP_NS_PER_S;
		else if (next_random(&seed) % 8)
			time += (int64_t)(next_random(&seed) % 2000000000);
		lp_builder_tick(b, time);
		for (size_t k = 0; k < n_instances; k++)
			random_row(b, panel, class, instance(class, k), &seed);
	}
	return b;
}

static void write_csv(const struct lp_chunk *chunk, const char *class_name,
		      FILE *out)
{
	struct lp_seen seen = { 0 };
	struct lp_export_csv *csv;

	assert_int_equal(lp_seen_add(&seen, &everything, chunk), 0);
	lp_seen_finish(&seen);
	csv = lp_export_csv_new(lp_seen_find(&seen, class_name));
	assert_non_null(csv);
	lp_export_csv_header(csv, out);
	assert_int_equal(lp_export_csv_chunk(csv, &everything, chunk, out), 0);
	lp_export_csv_free(csv);
	lp_seen_done(&seen);
}

static struct lp_builder *read_csv(const char *path, const char *host)
{
	struct lp_source_options options = { 0 };
	struct lp_builder *b = lp_builder_new(host);
	struct lp_error err = { "" };
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	int r;

	lp_query_init(&query);
	r = lp_source_csv.open(path, &options, &query, &stream, &err);
	if (r == 0) {
		while ((r = lp_stream_next(stream, &item, &err)) > 0)
			lp_builder_append(b, item.chunk, 0,
					  item.chunk->n_samples);
		lp_stream_close(stream);
	}
	if (r < 0)
		fail_msg("%s", err.text);
	return b;
}

static void check_round_trip(const struct lp_class *class, uint64_t seed)
{
	struct lp_builder *a = random_recording(class, seed), *b;
	char path[] = "/tmp/limpid-export-XXXXXX";
	FILE *out = fdopen(mkstemp(path), "w");

	assert_non_null(out);
	write_csv(lp_builder_chunk(a), class->name, out);
	fclose(out);
	b = read_csv(path, "ho,st");
	if (!lp_chunk_equal(lp_builder_chunk(a), lp_builder_chunk(b)))
		fail_msg("class %s, seed %llu: not the same, see %s",
			 class->name, (unsigned long long)seed, path);
	unlink(path);
	lp_builder_free(a);
	lp_builder_free(b);
}

static void csv_reads_back_as_the_same_samples(void **state)
{
	(void)state;
	for (size_t c = 0; lp_classes[c]; c++)
		for (uint64_t seed = 1; seed <= 40; seed++)
			check_round_trip(lp_classes[c], seed * 7919);
}

/* One tick of a counter, a gauge that clashes with a counter, and a text. */
static struct lp_builder *tcp_sample(void)
{
	struct lp_column gauge = lp_metric_column(
		lp_class_metric(&lp_class_tcp, "retrans"), NULL);
	struct lp_builder *b = lp_builder_new("h\"1");
	size_t panel = lp_builder_bare_panel(b, "tcp");
	int congestion = lp_class_column(&lp_class_tcp, "congestion");
	int sent = lp_class_column(&lp_class_tcp, "bytes_sent");
	size_t columns[] = {
		lp_builder_column(b, panel, &gauge),
		lp_builder_column(b, panel, &lp_class_tcp.columns[congestion]),
		lp_builder_column(b, panel, &lp_class_tcp.columns[sent]),
	};
	struct lp_row row;

	lp_builder_tick(b, 1500000000);
	lp_builder_row(b, panel, "22>p", 4, &row);
	lp_row_f64(&row, columns[0], 0.1);
	lp_row_text(&row, columns[1], "cubic");
	lp_row_u64(&row, columns[2], UINT64_MAX);
	return b;
}

struct text {
	char *text;
	size_t n;
	FILE *out;
};

static void expect(struct text *t, const char *wanted)
{
	fclose(t->out);
	assert_string_equal(t->text, wanted);
	free(t->text);
}

static void csv_marks_a_metric_under_the_name_of_a_column(void **state)
{
	struct lp_builder *b = tcp_sample();
	struct text t;

	(void)state;
	t.out = open_memstream(&t.text, &t.n);
	write_csv(lp_builder_chunk(b), "tcp", t.out);
	expect(&t, "time,host,local,peer,retrans:gauge,bytes_sent,congestion\n"
		   "1970-01-01T00:00:01.500Z,\"h\"\"1\",22,p,0.1,"
		   "18446744073709551615,cubic\n");
	lp_builder_free(b);
}

static void json_lines_hold_one_component_each(void **state)
{
	struct lp_builder *b = tcp_sample();
	struct text t;

	(void)state;
	lp_builder_tick(b, 2000000000);
	t.out = open_memstream(&t.text, &t.n);
	lp_export_json(t.out, &everything, lp_builder_chunk(b));
	expect(&t, "{\"time\":\"1970-01-01T00:00:01.500Z\",\"host\":\"h\\\"1\","
		   "\"class\":\"tcp\",\"local\":\"22\",\"peer\":\"p\","
		   "\"retrans:gauge\":0.1,\"congestion\":\"cubic\","
		   "\"bytes_sent\":18446744073709551615}\n");
	lp_builder_free(b);
}

static void write_openmetrics(struct lp_builder *b, size_t column, FILE *out)
{
	const struct lp_panel *panel = &lp_builder_chunk(b)->panels[0];
	struct lp_seen_class class = { .name = panel->class_name,
				       .class = panel->class };
	struct lp_openmetrics *m =
		lp_openmetrics_new(&class, &panel->columns[column]);

	assert_int_equal(
		lp_openmetrics_add(m, &everything, lp_builder_chunk(b)), 0);
	lp_openmetrics_write(m, out);
	lp_openmetrics_free(m);
}

static void openmetrics_states_type_unit_and_help(void **state)
{
	struct lp_builder *b = tcp_sample();
	struct text t;

	(void)state;
	t.out = open_memstream(&t.text, &t.n);
	for (size_t c = 0; c < 3; c++)
		write_openmetrics(b, c, t.out);
	expect(&t,
	       "# TYPE limpid_tcp_retrans_metric gauge\n"
	       "# HELP limpid_tcp_retrans_metric segments retransmitted per "
	       "second (packets/s)\n"
	       "limpid_tcp_retrans_metric{instance=\"h\\\"1\",local=\"22\","
	       "peer=\"p\"} 0.1 1.5\n"
	       "# TYPE limpid_tcp_congestion info\n"
	       "# HELP limpid_tcp_congestion congestion control; "
	       "\\\"mixed\\\" when the sockets differ\n"
	       "limpid_tcp_congestion_info{instance=\"h\\\"1\",local=\"22\","
	       "peer=\"p\",congestion=\"cubic\"} 1 1.5\n"
	       "# TYPE limpid_tcp_sent_bytes counter\n"
	       "# UNIT limpid_tcp_sent_bytes bytes\n"
	       "# HELP limpid_tcp_sent_bytes bytes sent, including "
	       "retransmitted ones\n"
	       "limpid_tcp_sent_bytes_total{instance=\"h\\\"1\",local=\"22\","
	       "peer=\"p\"} 18446744073709551615 1.5\n");
	lp_builder_free(b);
}

static void openmetrics_keeps_the_last_of_a_repeated_time(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, &lp_class_disk);
	static const int64_t times[] = { 5, 6, 5 };
	struct lp_row row;
	struct text t;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		lp_builder_tick(b, times[i] * LP_NS_PER_S);
		lp_builder_row(b, panel, "sda", 3, &row);
		lp_row_u64(&row, 2, i);
	}
	t.out = open_memstream(&t.text, &t.n);
	write_openmetrics(b, 2, t.out);
	expect(&t, "# TYPE limpid_disk_rd_bytes counter\n"
		   "# UNIT limpid_disk_rd_bytes bytes\n"
		   "# HELP limpid_disk_rd_bytes 512-byte sectors read\n"
		   "limpid_disk_rd_bytes_total{instance=\"h\",device=\"sda\"} "
		   "1024 5\n"
		   "limpid_disk_rd_bytes_total{instance=\"h\",device=\"sda\"} "
		   "512 6\n");
	lp_builder_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_reads_back_as_the_same_samples),
		cmocka_unit_test(csv_marks_a_metric_under_the_name_of_a_column),
		cmocka_unit_test(json_lines_hold_one_component_each),
		cmocka_unit_test(openmetrics_states_type_unit_and_help),
		cmocka_unit_test(openmetrics_keeps_the_last_of_a_repeated_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
