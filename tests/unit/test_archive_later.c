/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a newer limpid wrote, and this one does not know.
 */
#include "archive_file.h"

#include "archive/format.h"
#include "archive/maintain.h"

#include <errno.h>

static void expect_later(const char *path)
{
	const char *good = in_directory("good.limpid");
	struct lp_archive_state verdict;
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_info info;
	struct lp_error err;

	lp_query_init(&query);
	assert_int_equal(lp_archive_open(path, &query, &stream, &err),
			 -ENOTSUP);
	assert_non_null(strstr(err.text, "written by a newer limpid"));
	assert_int_equal(lp_archive_verify(path, NULL, &verdict, &err),
			 -ENOTSUP);
	assert_int_equal(lp_archive_info(path, &info, &err), -ENOTSUP);
	assert_int_equal(lp_archive_repair(path, good, NULL, &verdict, &err),
			 -ENOTSUP);
	assert_int_equal(lp_archive_compact(&path, 1, good, NULL, NULL, &err),
			 -ENOTSUP);
	assert_non_null(strstr(err.text, "written by a newer limpid"));
	assert_int_equal(access(good, F_OK), -1);
}

static void a_file_of_a_later_version_is_left_alone(void **state)
{
	const char *path = in_directory("later.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	uint8_t *bytes;
	size_t n;

	(void)state;
	assert_int_equal(lp_archive_finish(w, NULL), 0);
	bytes = read_file(path, &n);
	for (int version = FILE_VERSION + 1; version <= MOST_VERSION;
	     version += 252) {
		bytes[HEAD_VERSION_AT] = (uint8_t)version;
		write_file(path, bytes, n);
		expect_later(path);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_file_of_a_later_version_is_left_alone,
			empty_directory),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
