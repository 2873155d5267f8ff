/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "archive/archive.h"
#include "model/builder.h"
#include "table/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_file(char path[32], const char *text)
{
	int fd;

	snprintf(path, 32, "/tmp/limpid-input-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int open_any(const char *path, const char *format,
		    struct lp_stream **stream, struct lp_error *err)
{
	struct lp_source_options options = { 0 };
	struct lp_query query;

	lp_query_init(&query);
	return lp_input_open(path, format, &options, &query, stream, err);
}

static void expect_refusal(const char *path, const char *format,
			   const char *words)
{
	struct lp_error err = { "" };
	struct lp_stream *stream;

	assert_true(open_any(path, format, &stream, &err) < 0);
	if (!strstr(err.text, words))
		fail_msg("'%s' does not say '%s'", err.text, words);
}

static void a_source_is_found_by_the_first_bytes(void **state)
{
	struct lp_stream *stream;
	struct lp_error err;
	char path[32];

	(void)state;
	make_file(path, "time,device,ios\n1,a,1\n");
	assert_int_equal(lp_input_recognise(path, NULL, &err), 1);
	assert_int_equal(open_any(path, NULL, &stream, &err), 0);
	lp_stream_close(stream);
	unlink(path);
}

static void an_archive_is_found_by_the_first_bytes(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_archive_writer *writer;
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;
	char path[32];

	(void)state;
	make_file(path, "");
	unlink(path);
	assert_int_equal(
		lp_archive_create(path, LP_ARCHIVE_ATOMIC, &writer, &err), 0);
	lp_builder_tick(b, 5);
	assert_int_equal(
		lp_archive_put_chunk(writer, lp_builder_chunk(b), &err), 0);
	assert_int_equal(lp_archive_finish(writer, &err), 0);
	assert_int_equal(open_any(path, NULL, &stream, &err), 0);
	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_string_equal(item.chunk->host, "h");
	lp_stream_close(stream);
	lp_builder_free(b);
	unlink(path);
}

static void what_nobody_knows_is_refused_with_advice(void **state)
{
	struct lp_error err;
	char path[32];

	(void)state;
	make_file(path, "hello\n");
	assert_int_equal(lp_input_recognise(path, NULL, &err), 0);
	expect_refusal(path, NULL, "use -f csv");
	expect_refusal(path, "xml", "unknown format 'xml'; there are limpid, ");
	unlink(path);
	expect_refusal(path, NULL, "cannot open");
	expect_refusal("/dev/null", NULL, "the file is empty");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_source_is_found_by_the_first_bytes),
		cmocka_unit_test(an_archive_is_found_by_the_first_bytes),
		cmocka_unit_test(what_nobody_knows_is_refused_with_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
