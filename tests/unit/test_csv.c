/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/builder.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of the given text, as a stream. */
struct input {
	char directory[32], path[64];
	struct lp_error err;
	struct lp_stream *stream;
	int result; /* of open */
};

static void write_file(struct input *in, const char *text)
{
	FILE *file;

	snprintf(in->directory, sizeof(in->directory),
		 "/tmp/limpid-csv-XXXXXX");
	assert_non_null(mkdtemp(in->directory));
	snprintf(in->path, sizeof(in->path), "%s/f.csv", in->directory);
	file = fopen(in->path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void open_with(struct input *in, const char *text,
		      const struct lp_source_options *options)
{
	struct lp_query query;

	*in = (struct input){ 0 };
	write_file(in, text);
	lp_query_init(&query);
	in->result = lp_source_csv.open(in->path, options, &query, &in->stream,
					&in->err);
}

static void open_text(struct input *in, const char *text)
{
	open_with(in, text, &(struct lp_source_options){ 0 });
}

static void close_input(struct input *in)
{
	lp_stream_close(in->stream);
	unlink(in->path);
	rmdir(in->directory);
}

/* All chunks of one host, joined. */
static struct lp_builder *gather(struct input *in, const char *host)
{
	struct lp_builder *b = lp_builder_new(host);
	struct lp_item item;
	int r;

	assert_int_equal(in->result, 0);
	while ((r = lp_stream_next(in->stream, &item, &in->err)) > 0)
		if (strcmp(item.chunk->host, host) == 0)
			lp_builder_append(b, item.chunk, 0,
					  item.chunk->n_samples);
	assert_int_equal(r, 0);
	return b;
}

static struct lp_builder *read_all(const char *text, const char *host)
{
	struct input in;
	struct lp_builder *b;

	open_text(&in, text);
	b = gather(&in, host);
	close_input(&in);
	return b;
}

/* The first error there is, whether at open or on the way. */
static void expect_error(const char *text, const char *map, const char *words)
{
	struct input in;
	struct lp_item item;
	int r;

	open_with(&in, text, &(struct lp_source_options){ .map = map });
	r = in.result;
	while (r == 0 && (r = lp_stream_next(in.stream, &item, &in.err)) > 0)
		r = 0;
	assert_true(r < 0);
	if (!strstr(in.err.text, words))
		fail_msg("'%s' does not say '%s'", in.err.text, words);
	close_input(&in);
}

static double value(struct lp_builder *b, const char *class_name,
		    const char *instance, const char *column, size_t sample)
{
	const struct lp_panel *panel =
		lp_chunk_panel(lp_builder_chunk(b), class_name);
	int c;

	assert_non_null(panel);
	c = lp_panel_column(panel, column);
	assert_true(c >= 0);
	for (size_t s = 0; s < panel->n_series; s++)
		if (strcmp(panel->series[s].name, instance) == 0)
			return lp_values_number(&panel->series[s].values[c],
						panel->columns[c].type, sample);
	fail_msg("no instance %s", instance);
	return 0;
}

static void expect_equal(const char *a, const char *b, const char *host)
{
	struct lp_builder *x = read_all(a, host), *y = read_all(b, host);

	assert_true(lp_builder_samples(x) > 0);
	assert_true(lp_chunk_equal(lp_builder_chunk(x), lp_builder_chunk(y)));
	lp_builder_free(x);
	lp_builder_free(y);
}

#define BY_TIME                                                                \
	"time,host,device,rd_ios,rd_ms\n"                                      \
	"10,h,sda,1,2\n10,h,sdb,3,4\n"                                         \
	"11,h,sda,5,6\n11,h,sdb,7,\n"

static void lines_of_one_time_are_one_tick(void **state)
{
	struct lp_builder *b = read_all(BY_TIME, "h");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 2);
	assert_int_equal(lp_builder_chunk(b)->time_ns[1], 11 * LP_NS_PER_S);
	assert_true(value(b, "disk", "sdb", "rd_ios", 1) == 7);
	lp_builder_free(b);
}

static void an_empty_field_is_missing(void **state)
{
	struct lp_builder *b = read_all(BY_TIME, "h");
	double v = value(b, "disk", "sdb", "rd_ms", 1);

	(void)state;
	assert_true(v != v);
	assert_true(value(b, "disk", "sdb", "rd_ms", 0) == 4);
	lp_builder_free(b);
}

static void what_other_programs_write_for_missing_is_missing(void **state)
{
	(void)state;
	expect_equal("time,device,ios,await\n1,a,NA,1\n2,b,2,NaN\n3,a,null,\n",
		     "time,device,ios,await\n1,a,,1\n2,b,2,\n3,a,,\n", "f");
}

static void a_file_sorted_by_device_reads_the_same(void **state)
{
	(void)state;
	expect_equal(BY_TIME,
		     "time,host,device,rd_ios,rd_ms\n"
		     "10,h,sda,1,2\n11,h,sda,5,6\n"
		     "10,h,sdb,3,4\n11,h,sdb,7,\n",
		     "h");
}

static void a_file_with_the_newest_first_reads_the_same(void **state)
{
	const char *up = "time,device,ios\n1,a,1\n2,a,2\n3,a,3\n4,a,4\n";
	const char *down = "time,device,ios\n4,a,4\n3,a,3\n2,a,2\n1,a,1\n";

	(void)state;
	expect_equal(up, down, "f");
}

static void columns_may_stand_in_any_order(void **state)
{
	(void)state;
	expect_equal(BY_TIME,
		     "rd_ms,device,host,rd_ios,time\n"
		     "2,sda,h,1,10\n4,sdb,h,3,10\n6,sda,h,5,11\n,sdb,h,7,11\n",
		     "h");
}

static void a_clock_that_went_back_keeps_the_order_of_the_lines(void **state)
{
	struct lp_builder *b =
		read_all("time,device,ios\n10,a,1\n10,b,1\n11,a,2\n11,b,2\n"
			 "5,a,3\n5,b,3\n6,a,4\n6,b,4\n",
			 "f");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 4);
	assert_int_equal(lp_builder_chunk(b)->time_ns[2], 5 * LP_NS_PER_S);
	assert_true(value(b, "disk", "b", "ios", 3) == 4);
	lp_builder_free(b);
}

static void a_repeated_time_is_a_tick_of_its_own(void **state)
{
	struct lp_builder *b = read_all(
		"time,device,ios\n10,a,1\n10,b,1\n10,a,2\n10,b,2\n", "f");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 2);
	assert_true(value(b, "disk", "b", "ios", 1) == 2);
	lp_builder_free(b);
}

static void repeats_in_a_file_by_device_come_in_their_order(void **state)
{
	struct lp_builder *b = read_all("time,device,ios\n"
					"10,a,1\n11,a,2\n11,a,3\n12,a,4\n"
					"10,b,5\n11,b,6\n11,b,7\n12,b,8\n",
					"f");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 4);
	assert_true(value(b, "disk", "a", "ios", 2) == 3);
	assert_true(value(b, "disk", "b", "ios", 2) == 7);
	lp_builder_free(b);
}

static void hosts_may_alternate(void **state)
{
	const char *text = "time,host,device,ios\n"
			   "1,x,a,1\n1,y,a,2\n2,x,a,3\n2,y,a,4\n";
	struct lp_builder *x = read_all(text, "x"), *y = read_all(text, "y");

	(void)state;
	assert_true(value(x, "disk", "a", "ios", 1) == 3);
	assert_true(value(y, "disk", "a", "ios", 1) == 4);
	lp_builder_free(x);
	lp_builder_free(y);
}

static void quotes_line_ends_and_marks_are_understood(void **state)
{
	struct lp_builder *b =
		read_all("\xef\xbb\xbf\"time\",host , device,ios\r\n"
			 "\"1\",h, \"a,\"\"b\"\"\" ,7\r\n\r\n",
			 "h");

	(void)state;
	assert_true(value(b, "disk", "a,\"b\"", "ios", 0) == 7);
	lp_builder_free(b);
}

static void counters_are_exact_to_64_bits(void **state)
{
	struct lp_builder *b = read_all(
		"time,device,ios\n0.000000001,a,18446744073709551615\n", "f");
	const struct lp_chunk *chunk = lp_builder_chunk(b);

	(void)state;
	assert_int_equal(chunk->time_ns[0], 1);
	assert_true(chunk->panels[0].series[0].values[0].bits[0] == UINT64_MAX);
	lp_builder_free(b);
}

static void the_column_tells_the_class(void **state)
{
	static const struct {
		const char *text, *class_name, *instance, *column;
	} cases[] = {
		{ "time,interface,rx_bytes\n1,eth0,5\n", "net", "eth0",
		  "rx_bytes" },
		{ "time,local,peer,cwnd\n1,3493,10.0.0.7,5\n", "tcp",
		  "3493>10.0.0.7", "cwnd" },
		{ "time,peer,cwnd\n1,10.0.0.7,5\n", "tcp", "->10.0.0.7",
		  "cwnd" },
		{ "time,port,rcv_data\n1,mlx5_0:1,5\n", "ib", "mlx5_0:1",
		  "rcv_data" },
		{ "time,dirty\n1,5\n", "host", "-", "dirty" },
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(cases); i++) {
		struct lp_builder *b = read_all(cases[i].text, "f");

		assert_true(value(b, cases[i].class_name, cases[i].instance,
				  cases[i].column, 0) == 5);
		lp_builder_free(b);
	}
}

static void the_long_form_holds_metrics_as_gauges(void **state)
{
	struct lp_builder *b =
		read_all("time,host,class,component,metric,value\n"
			 "1,h,disk,h/sda,await,0.1\n1,h,tcp,h:->p,retrans,2.5\n"
			 "1,h,host,h,dirty,3\n2,h,disk,sda,await,\n",
			 "h");
	const struct lp_panel *tcp = lp_chunk_panel(lp_builder_chunk(b), "tcp");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 2);
	assert_true(value(b, "disk", "sda", "await", 0) == 0.1);
	assert_true(value(b, "tcp", "->p", "retrans", 0) == 2.5);
	assert_int_equal(tcp->columns[0].kind, LP_GAUGE);
	assert_true(value(b, "host", "-", "dirty", 0) == 3);
	lp_builder_free(b);
}

static void the_long_form_may_be_sorted_by_metric(void **state)
{
	(void)state;
	expect_equal("time,class,component,metric,value\n"
		     "1,disk,a,await,1\n1,disk,a,tps,2\n1,disk,b,await,3\n"
		     "2,disk,a,await,4\n2,disk,a,tps,5\n2,disk,b,await,6\n",
		     "time,class,component,metric,value\n"
		     "1,disk,a,await,1\n1,disk,b,await,3\n2,disk,a,await,4\n"
		     "2,disk,b,await,6\n1,disk,a,tps,2\n2,disk,a,tps,5\n",
		     "f");
}

static void map_renames_columns_and_leaves_out_others(void **state)
{
	struct input in;
	struct lp_builder *b;

	(void)state;
	open_with(&in,
		  "ts,disk_id,latency,throughput,ios,note\n1,d,2.5,7,8,x\n",
		  &(struct lp_source_options){
			  .host = "h",
			  .map = "time=ts,device=disk_id,await=latency,ios=-",
		  });
	b = gather(&in, "h");
	assert_true(value(b, "disk", "d", "await", 0) == 2.5);
	assert_true(value(b, "disk", "d", "throughput", 0) == 7);
	assert_int_equal(lp_builder_chunk(b)->panels[0].n_columns, 2);
	lp_builder_free(b);
	close_input(&in);
}

static void the_host_may_be_the_directory(void **state)
{
	struct input in;
	struct lp_item item;

	(void)state;
	open_with(&in, "time,device,ios\n1,a,1\n",
		  &(struct lp_source_options){ .host_from_path = true });
	assert_int_equal(lp_stream_next(in.stream, &item, &in.err), 1);
	assert_string_equal(item.chunk->host, strrchr(in.directory, '/') + 1);
	close_input(&in);
}

static void a_tick_without_values_stays_a_tick(void **state)
{
	struct lp_builder *b =
		read_all("time,device,ios\n1,a,1\n2,,\n3,a,3\n", "f");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 3);
	lp_builder_free(b);
}

static void chunks_end_with_the_slots_of_the_clock(void **state)
{
	struct input in;
	struct lp_item item;

	(void)state;
	open_text(&in, "time,device,ios\n599,a,1\n599.5,a,2\n600,a,3\n");
	assert_int_equal(lp_stream_next(in.stream, &item, &in.err), 1);
	assert_int_equal(item.chunk->n_samples, 2);
	assert_int_equal(lp_stream_next(in.stream, &item, &in.err), 1);
	assert_int_equal(item.chunk->n_samples, 1);
	assert_int_equal(lp_stream_next(in.stream, &item, &in.err), 0);
	close_input(&in);
}

static void errors_name_line_and_column(void **state)
{
	static const struct {
		const char *text, *map, *words;
	} cases[] = {
		{ "", NULL, "empty" },
		{ "time|device|ios\n", NULL, "no column 'time'" },
		{ "device,ios\na,1\n", NULL, "no column 'time'" },
		{ "time,device,rd_io\n", NULL, "did you mean 'rd_ios'?" },
		{ "time,device,zebra_stripes\n", NULL, "'zebra_stripes';" },
		{ "time,foo\n", NULL, "none of device" },
		{ "time,device,interface,ios\n", NULL, "different classes" },
		{ "time,device\n", NULL, "no column of values" },
		{ "time,device,ios,ios\n", NULL, "two columns are 'ios'" },
		{ "time,device,ios\n\nx,a,1\n", NULL,
		  ":3: time: 'x' is not epoch seconds" },
		{ "time,device,ios\n1658149215000,a,1\n", NULL,
		  "milliseconds?" },
		{ "time,device,ios\n1,a,-1\n", NULL,
		  ":2: ios: '-1' is not a whole number" },
		{ "time,device,ios\n1,a,18446744073709551616\n", NULL,
		  "out of range" },
		{ "time,device,ios\n1,,5\n", NULL, ":2: device: empty" },
		{ "time,device,await\n1,a,fast\n", NULL, "'fast' is not" },
		{ "time,device,ios\n1,a\n", NULL,
		  ":2: 2 fields where the header has 3" },
		{ "time,device,ios\n1,\"a,1\n", NULL, "no closing quote" },
		{ "time,device,ios\n1,\"a\"b,1\n", NULL, "more text" },
		{ "time,device,ios\n1,a,1\n", "await", "NAME=COLUMN" },
		{ "time,device,ios\n1,a,1\n", "await=lat",
		  "no column 'lat', which --map names" },
		{ "time,device,ios,x\n", "awiat=x", "did you mean 'await'?" },
		{ "time,class,component,metric,value\n1,disk,a,foo,1\n", NULL,
		  ":2: unknown metric 'foo' of class disk" },
		{ "time,class,component,metric,value\n1,dick,a,tps,1\n", NULL,
		  ":2: unknown class 'dick'" },
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(cases); i++)
		expect_error(cases[i].text, cases[i].map, cases[i].words);
}

/* What is left of the text, and what is said of the rest. */
static struct lp_builder *read_in_part(const char *text, const char *words)
{
	struct input in;
	struct lp_builder *b;

	open_text(&in, text);
	b = gather(&in, "f");
	assert_non_null(lp_stream_lost(in.stream));
	if (!strstr(lp_stream_lost(in.stream), words))
		fail_msg("'%s' does not say '%s'", lp_stream_lost(in.stream),
			 words);
	close_input(&in);
	return b;
}

#define TWO_LINES "time,device,ios\n1,a,1\n2,a,2\n"

static void a_line_that_is_cut_off_at_the_end_is_left_out(void **state)
{
	static const char *const ends[] = { "3", "3,", "3,a", "2026-11-15T1" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < lp_array_size(ends); i++) {
		struct lp_builder *b;

		snprintf(text, sizeof(text), TWO_LINES "%s", ends[i]);
		b = read_in_part(text, "last line, 4, is cut off");
		assert_int_equal(lp_builder_samples(b), 2);
		lp_builder_free(b);
		/* With its end it is no line that is being written. */
		snprintf(text, sizeof(text), TWO_LINES "%s\n", ends[i]);
		expect_error(text, NULL, ":4: ");
	}
}

static void a_last_line_without_its_end_is_taken_if_it_is_whole(void **state)
{
	struct lp_builder *b = read_all("time,device,ios\n1,a,1\n2,a,2", "f");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 2);
	lp_builder_free(b);
}

static void negative_metrics_are_missing(void **state)
{
	struct lp_builder *b =
		read_in_part("time,device,await,tps\n1,a,-5,1\n2,a,4,-0.5\n",
			     "2 negative values were left out");
	const struct lp_panel *panel = &lp_builder_chunk(b)->panels[0];

	(void)state;
	assert_int_equal(lp_builder_samples(b), 2);
	assert_false(lp_values_has(&panel->series[0].values[0], 0));
	assert_true(lp_values_has(&panel->series[0].values[0], 1));
	assert_false(lp_values_has(&panel->series[0].values[1], 1));
	lp_builder_free(b);
}

static void semicolons_and_tabs_are_found_out(void **state)
{
	static const char *const texts[] = {
		"time;device;ios\n1;a;1\n2;\"a\";2\n",
		"time\tdevice\tios\n1\ta\t1\n2\ta\t2\n",
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(texts); i++) {
		struct lp_builder *b = read_all(texts[i], "f");

		assert_int_equal(lp_builder_samples(b), 2);
		lp_builder_free(b);
	}
}

static void the_text_of_sadf_is_read(void **state)
{
	struct lp_builder *b = read_all(
		"# hostname;interval;timestamp;DEV;tps;await\n"
		"oss1;-1;2020-05-31 09:13:47 UTC;LINUX-RESTART\t(8 CPU)\n"
		"oss1;5;2020-05-31 09:13:52 UTC;sda;4.40;6.45\n",
		"oss1");

	(void)state;
	assert_int_equal(lp_builder_samples(b), 1);
	assert_true(lp_builder_chunk(b)->time_ns[0] ==
		    INT64_C(1590916432) * LP_NS_PER_S);
	lp_builder_free(b);
}

static bool guessed_csv(const char *path, const char *head)
{
	return lp_source_guess(path, (const uint8_t *)head, strlen(head)) ==
	       &lp_source_csv;
}

static void csv_is_recognised_by_name_or_header(void **state)
{
	(void)state;
	assert_true(guessed_csv("a.csv", "ts,x\n"));
	assert_true(guessed_csv("a", "time,device,ios\n"));
	assert_true(guessed_csv("a", "\"host\",\"time\"\n"));
	assert_false(guessed_csv("a", "the time is now\n"));
	assert_ptr_equal(lp_source_find("csv"), &lp_source_csv);
	assert_null(lp_source_find("no"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_one_time_are_one_tick),
		cmocka_unit_test(an_empty_field_is_missing),
		cmocka_unit_test(
			what_other_programs_write_for_missing_is_missing),
		cmocka_unit_test(a_file_sorted_by_device_reads_the_same),
		cmocka_unit_test(a_file_with_the_newest_first_reads_the_same),
		cmocka_unit_test(columns_may_stand_in_any_order),
		cmocka_unit_test(
			a_clock_that_went_back_keeps_the_order_of_the_lines),
		cmocka_unit_test(a_repeated_time_is_a_tick_of_its_own),
		cmocka_unit_test(
			repeats_in_a_file_by_device_come_in_their_order),
		cmocka_unit_test(hosts_may_alternate),
		cmocka_unit_test(quotes_line_ends_and_marks_are_understood),
		cmocka_unit_test(counters_are_exact_to_64_bits),
		cmocka_unit_test(the_column_tells_the_class),
		cmocka_unit_test(the_long_form_holds_metrics_as_gauges),
		cmocka_unit_test(the_long_form_may_be_sorted_by_metric),
		cmocka_unit_test(map_renames_columns_and_leaves_out_others),
		cmocka_unit_test(the_host_may_be_the_directory),
		cmocka_unit_test(a_tick_without_values_stays_a_tick),
		cmocka_unit_test(chunks_end_with_the_slots_of_the_clock),
		cmocka_unit_test(errors_name_line_and_column),
		cmocka_unit_test(a_line_that_is_cut_off_at_the_end_is_left_out),
		cmocka_unit_test(
			a_last_line_without_its_end_is_taken_if_it_is_whole),
		cmocka_unit_test(negative_metrics_are_missing),
		cmocka_unit_test(semicolons_and_tabs_are_found_out),
		cmocka_unit_test(the_text_of_sadf_is_read),
		cmocka_unit_test(csv_is_recognised_by_name_or_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
