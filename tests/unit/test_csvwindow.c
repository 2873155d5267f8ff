/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV files that are larger than the window they are read through.
 */
#include "unit.h"

#include "source/csvlexer.h"
#include "source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICKS 40000 /* 2 x 40000 lines are more than 1 MiB */

static void write_text(char path[64], const char *text, size_t n)
{
	int fd;

	snprintf(path, 64, "/tmp/limpid-csvwindow-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

/* One disk after the other, so that the lines must be sorted by time. */
static size_t two_disks(char path[64])
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	fputs("time,host,device,rd_ios\n", out);
	for (int disk = 0; disk < 2; disk++)
		for (int i = 0; i < TICKS; i++)
			fprintf(out, "%d,h,sd%c,%d\n", 1000000 + i, 'a' + disk,
				10 * i + disk);
	fclose(out);
	write_text(path, text, n);
	free(text);
	return n;
}

static struct lp_stream *open_stream(const char *path)
{
	const struct lp_source_options options = { 0 };
	struct lp_stream *stream = NULL;
	struct lp_query query;
	struct lp_error err;

	lp_query_init(&query);
	assert_int_equal(
		lp_source_csv.open(path, &options, &query, &stream, &err), 0);
	return stream;
}

static void expect_same_record(const struct lp_csv_lexer *a,
			       const struct lp_csv_lexer *b)
{
	assert_int_equal(a->n_fields, b->n_fields);
	assert_int_equal(a->start_line, b->start_line);
	assert_int_equal(lp_csv_lexer_offset(a, a->start),
			 lp_csv_lexer_offset(b, b->start));
	for (size_t i = 0; i < a->n_fields; i++) {
		assert_int_equal(a->fields[i].n, b->fields[i].n);
		assert_memory_equal(a->fields[i].text, b->fields[i].text,
				    a->fields[i].n);
	}
}

/* The window is small again for every record. Returns the last result. */
static int compare(const char *text, size_t n, struct lp_text_file *file,
		   size_t window)
{
	struct lp_csv_lexer whole, windowed;
	const char *what = "", *other = "";
	int r, s;

	lp_csv_lexer_init(&whole, text, n);
	lp_csv_lexer_init_file(&windowed, file);
	do {
		windowed.window = window;
		r = lp_csv_lexer_next(&whole, &what);
		s = lp_csv_lexer_next(&windowed, &other);
		assert_int_equal(r, s);
		if (r < 0)
			assert_string_equal(what, other);
		if (r > 0)
			expect_same_record(&whole, &windowed);
	} while (r > 0);
	lp_csv_lexer_done(&whole);
	lp_csv_lexer_done(&windowed);
	return r;
}

static void compare_all(const char *text, int expected)
{
	struct lp_text_file file;
	struct lp_error err;
	char path[64];

	write_text(path, text, strlen(text));
	for (size_t window = 4; window < strlen(text) + 2; window++) {
		assert_int_equal(lp_text_file_open_window(&file, path, &err),
				 0);
		assert_int_equal(compare(text, strlen(text), &file, window),
				 expected);
		lp_text_file_close(&file);
	}
	unlink(path);
}

static void any_window_gives_the_same_records(void **state)
{
	(void)state;
	compare_all("\xef\xbb\xbftime,host\r\n1, \"a\"\"b\" \r\n\r\n\n\n"
		    "2,\"two\nlines, one field\"\n3,\n,,,\nlast,without end",
		    0);
	compare_all("time\n1\n\n\n\n", 0);
	compare_all("time,a\n1,\"open\n2,3\n", -EINVAL);
	compare_all("time,a\n1,\"closed\"more\n2,3\n", -EINVAL);
}

static void lines_of_a_large_file_are_sorted_by_time(void **state)
{
	char path[64];
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;
	uint64_t ticks = 0;

	(void)state;
	two_disks(path);
	stream = open_stream(path);
	while (lp_stream_next(stream, &item, &err) > 0) {
		const struct lp_panel *panel = &item.chunk->panels[0];

		assert_int_equal(panel->n_series, 2);
		for (size_t i = 0; i < item.chunk->n_samples; i++, ticks++)
			for (size_t s = 0; s < 2; s++)
				assert_int_equal(
					panel->series[s].values[0].bits[i],
					10 * ticks + s);
	}
	assert_int_equal(ticks, TICKS);
	lp_stream_close(stream);
	unlink(path);
}

static void a_file_that_becomes_shorter_is_an_error(void **state)
{
	char path[64];
	struct lp_stream *stream;
	struct lp_item item;
	struct lp_error err;
	size_t n;
	int r;

	(void)state;
	n = two_disks(path);
	stream = open_stream(path);
	assert_true(lp_stream_next(stream, &item, &err) > 0);
	assert_int_equal(truncate(path, (off_t)(n / 2)), 0);
	while ((r = lp_stream_next(stream, &item, &err)) > 0)
		;
	assert_int_equal(r, -EINVAL);
	assert_non_null(strstr(err.text, "became shorter while it was read"));
	lp_stream_close(stream);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_window_gives_the_same_records),
		cmocka_unit_test(lines_of_a_large_file_are_sorted_by_time),
		cmocka_unit_test(a_file_that_becomes_shorter_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
