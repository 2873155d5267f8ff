/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of a recording gives what the recording gives. With arguments:
 * of these files, instead of those that the tests make.
 */
#include "unit.h"

#include "table/input.h"
#include "table/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 3000

static void assert_same_text(const char *a, const char *b)
{
	assert_string_equal(a ? a : "(nothing)", b ? b : "(nothing)");
}

static void assert_same_item(const struct lp_item *a, const struct lp_item *b)
{
	assert_int_equal(a->kind, b->kind);
	switch (a->kind) {
	case LP_ITEM_CHUNK:
		assert_true(lp_chunk_equal(a->chunk, b->chunk));
		break;
	case LP_ITEM_INVENTORY:
		assert_same_text(a->inventory->host, b->inventory->host);
		assert_true(a->inventory->time_ns == b->inventory->time_ns);
		assert_int_equal(lp_inventory_same(a->inventory, b->inventory),
				 1);
		break;
	case LP_ITEM_EVENT:
		assert_true(lp_event_equal(a->event, b->event));
		break;
	case LP_ITEM_COUNTS:
		assert_true(lp_counts_equal(a->counts, b->counts));
		break;
	}
}

/* The number of items; *code is how both end. */
static size_t compare(struct lp_stream *a, struct lp_stream *b, int *code)
{
	struct lp_item x, y;
	struct lp_error why, again;
	size_t n = 0;

	while ((*code = lp_stream_next(a, &x, &why)) > 0) {
		assert_int_equal(lp_stream_next(b, &y, &again), 1);
		assert_same_item(&x, &y);
		n++;
	}
	assert_int_equal(lp_stream_next(b, &y, &again), *code);
	if (*code < 0)
		assert_string_equal(why.text, again.text);
	assert_same_text(lp_stream_lost(a), lp_stream_lost(b));
	return n;
}

static size_t check(const char *path, const char *format, bool in_memory,
		    int *code)
{
	struct lp_source_options options = { 0 };
	struct lp_kept_order order = { .path = path,
				       .format = format,
				       .options = &options,
				       .tolerant = true,
				       .in_memory = in_memory };
	struct lp_kept kept = { 0 };
	struct lp_stream *plain, *read;
	struct lp_error why, again;
	struct lp_query query;
	size_t n = 0;

	lp_query_init(&query);
	query.tolerant = true;
	assert_true(lp_kept_suits(path, format, &options, &query));
	assert_int_equal(lp_kept_make(&kept, &order, NULL), 0);
	*code = lp_input_open(path, format, &options, &query, &plain, &why);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			lp_kept_open(&kept, path, &query, &read, &again),
			*code);
		if (*code < 0) {
			assert_string_equal(why.text, again.text);
			break;
		}
		n = compare(plain, read, code);
		lp_stream_close(plain);
		lp_stream_close(read);
		if (i == 0)
			*code = lp_input_open(path, format, &options, &query,
					      &plain, &why);
	}
	lp_kept_done(&kept);
	return n;
}

/* ---- CSV by chance ---- */

static char path[] = "/tmp/limpid-kept-XXXXXX";

static void put_value(FILE *file)
{
	switch (rand() % 5) {
	case 0:
		fputs(",", file);
		break;
	case 1:
		fprintf(file, ",%.17g", rand() / 7.0);
		break;
	default:
		fprintf(file, ",%d", rand() % 1000);
	}
}

static void make_csv(const char *last)
{
	int fd;
	FILE *file;

	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	file = fdopen(fd, "w");
	assert_non_null(file);
	fputs("time,host,device,await,tps,rd_sec\n", file);
	for (int i = 0; i < ROWS; i++) {
		fprintf(file, "%d,h%d,sd%c", 1700000000 + i / 6, i % 2,
			'a' + i / 2 % 3);
		for (int c = 0; c < 3; c++)
			put_value(file);
		fputc('\n', file);
	}
	fputs(last, file);
	fclose(file);
}

static void csv_is_kept_value_by_value(void **state)
{
	int code;

	(void)state;
	for (unsigned seed = 1; seed <= 20; seed++) {
		srand(seed);
		make_csv("");
		assert_true(check(path, "csv", seed % 2, &code) > 0);
		assert_int_equal(code, 0);
		unlink(path);
	}
}

static void the_error_that_a_recording_ends_with_is_kept(void **state)
{
	int code;

	(void)state;
	make_csv("1700009999,h0,sda,no number,1,1\n");
	assert_true(check(path, "csv", true, &code) > 0);
	assert_int_equal(code, -EINVAL);
	unlink(path);
}

static void what_cannot_be_opened_is_kept_as_that(void **state)
{
	FILE *file;
	int code;

	(void)state;
	make_csv("");
	file = fopen(path, "w");
	fputs("a,b\n1,2\n", file);
	fclose(file);
	assert_int_equal(check(path, "csv", true, &code), 0);
	assert_true(code < 0);
	unlink(path);
}

static void a_part_of_the_time_is_read_from_the_recording(void **state)
{
	struct lp_source_options options = { 0 };
	struct lp_query query;

	(void)state;
	make_csv("");
	lp_query_init(&query);
	assert_true(lp_kept_suits(path, NULL, &options, &query));
	query.since_ns = 0;
	assert_false(lp_kept_suits(path, NULL, &options, &query));
	unlink(path);
}

static int check_files(int n, char **paths)
{
	for (int i = 0; i < n; i++) {
		int code;
		size_t items = check(paths[i], NULL, i % 2, &code);

		printf("%s: %zu items, ends with %d\n", paths[i], items, code);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_kept_value_by_value),
		cmocka_unit_test(the_error_that_a_recording_ends_with_is_kept),
		cmocka_unit_test(what_cannot_be_opened_is_kept_as_that),
		cmocka_unit_test(a_part_of_the_time_is_read_from_the_recording),
	};

	if (argc > 1)
		return check_files(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
