/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a program's I/O a trace holds, by the kernel's counts. */
#include "unit.h"

#include "io/model/coverage.h"
#include "io/model/judge.h"
#include "io/model/trace.h"
#include "io/model/trace_write.h"
#include "io/report/io_reports.h"
#include "iotoy.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MB 1000000

static struct lp_io_coverage cover(const struct toy *toy)
{
	struct lp_io_coverage c;

	assert_int_equal(lp_io_cover(&c, &toy->trace), 0);
	return c;
}

static void a_program_whose_calls_are_all_timed_is_seen(void **unused)
{
	struct lp_io_coverage c;
	struct toy toy;

	(void)unused;
	toy_begin(&toy, 10, 1);
	toy_add(&toy, LP_IO_READ, 5 * MB, 1e6);
	toy_add(&toy, LP_IO_BUFFERED_WRITE, 2 * MB, 1e6);
	toy_add(&toy, LP_IO_COPY, 3 * MB, 1e6);
	/* Some more to a pipe, and what stdio and the linker read. */
	toy.trace.account = (struct lp_io_account){ .known = true,
						    .rchar = 12 * MB + 5000,
						    .wchar = 9 * MB,
						    .write_bytes = 5 * MB,
						    .passed_read = 3 * MB,
						    .passed_written = 4 * MB,
						    .refill = 1 * MB };
	c = cover(&toy);
	assert_int_equal(c.timed, 13 * MB);
	assert_int_equal(lp_io_untimed(&c), 0);
	assert_false(lp_io_is_unseen(&c));
	toy_end(&toy);
}

static void bytes_that_no_operation_moved_are_not_timed(void **unused)
{
	struct lp_io_coverage c;
	struct toy toy;

	(void)unused;
	toy_begin(&toy, 10, 1);
	toy_add(&toy, LP_IO_READ, MB, 1e6);
	toy.trace.account = (struct lp_io_account){ .known = true,
						    .rchar = 33 * MB,
						    .wchar = 32 * MB,
						    .write_bytes = 32 * MB };
	c = cover(&toy);
	assert_int_equal(c.unseen, 64 * MB);
	assert_int_equal(c.stored, 0);
	assert_true(lp_io_is_unseen(&c));
	toy_end(&toy);
}

/* Neither io_uring nor mapped memory is in rchar and wchar. */
static void what_only_reaches_the_storage_is_not_timed(void **unused)
{
	struct lp_io_coverage c;
	struct toy toy;

	(void)unused;
	toy_begin(&toy, 10, 1);
	for (int i = 0; i < 5; i++)
		toy_add(&toy, LP_IO_WRITE, 100, 1e6)->offset = i * 8192 + 4090;
	toy.trace.account = (struct lp_io_account){ .known = true,
						    .wchar = 500,
						    .write_bytes = 5 * 8192 };
	c = cover(&toy);
	assert_int_equal(lp_io_untimed(&c), 0);
	toy.trace.account.write_bytes += 10 * MB;
	c = cover(&toy);
	assert_int_equal(c.stored, 10 * MB);
	/* The trace itself, if that is on the disk. */
	toy.trace.account.trace_bytes = 10 * MB;
	c = cover(&toy);
	assert_int_equal(c.stored, 0);
	toy_end(&toy);
}

static void a_file_that_is_mapped_twice_counts_once(void **unused)
{
	struct lp_io_coverage c;
	struct toy toy;

	(void)unused;
	toy_begin(&toy, 10, 1);
	toy_add(&toy, LP_IO_MAP, 3 * MB, 1e3);
	toy_add(&toy, LP_IO_MAP, 2 * MB, 1e3)->offset = 2 * MB;
	toy_add(&toy, LP_IO_READ, MB, 1e3);
	c = cover(&toy);
	assert_false(c.known);
	assert_int_equal(c.mapped, 4 * MB);
	assert_true(lp_io_is_unseen(&c));
	toy_end(&toy);
}

static void nothing_is_called_fast_where_most_was_not_seen(void **unused)
{
	struct lp_io_judgement j;
	struct toy toy;
	char text[512];

	(void)unused;
	toy_begin(&toy, 200, 2);
	toy_fill(&toy, LP_IO_READ, 1000, 100, 1000, 0);
	for (size_t i = 0; i < 100; i++)
		toy.trace.operation[i].duration_ns = 1000 + (int64_t)i;
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_string_equal(lp_io_slow_text(&j, text, sizeof(text)),
			    "No operation was unexpectedly slow");
	lp_io_judgement_done(&j);
	toy.trace.account =
		(struct lp_io_account){ .known = true, .rchar = 32 * MB };
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_non_null(strstr(lp_io_slow_text(&j, text, sizeof(text)),
			       "31.9 MB of 32 MB were moved without"));
	assert_non_null(strstr(lp_io_headline(&j, text, sizeof(text)),
			       "31.9 MB of 32 MB"));
	lp_io_judgement_done(&j);
	toy.trace.account = (struct lp_io_account){ .known = true, .rings = 1 };
	assert_int_equal(lp_io_judge(&j, &toy.trace, NULL), 0);
	assert_non_null(
		strstr(lp_io_slow_text(&j, text, sizeof(text)), "io_uring"));
	lp_io_judgement_done(&j);
	toy_end(&toy);
}

static void the_kernels_counts_are_read(void **unused)
{
	char root[] = "/tmp/limpid-account-XXXXXX", path[64];
	struct lp_io_account a;
	FILE *file;

	(void)unused;
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/7", root);
	mkdir(path, 0700);
	lp_io_account_read(lp_io_account_open(root, 7), &a);
	assert_false(a.known);
	snprintf(path, sizeof(path), "%s/7/io", root);
	file = fopen(path, "w");
	fputs("rchar: 3207\nwchar: 12\nsyscr: 5\nsyscw: 1\nread_bytes: 4096\n"
	      "write_bytes: 8192\ncancelled_write_bytes: 99\n",
	      file);
	fclose(file);
	lp_io_account_read(lp_io_account_open(root, 7), &a);
	assert_true(a.known);
	assert_int_equal(a.rchar, 3207);
	assert_int_equal(a.wchar, 12);
	assert_int_equal(a.read_bytes, 4096);
	assert_int_equal(a.write_bytes, 8192);
	unlink(path);
	snprintf(path, sizeof(path), "%s/7", root);
	rmdir(path);
	rmdir(root);
}

static void counts_stay_in_the_trace(void **unused)
{
	struct lp_io_account a = { .known = true,
				   .rchar = 1,
				   .wchar = 2,
				   .read_bytes = 3,
				   .write_bytes = UINT64_MAX };
	struct lp_io_trace *trace;
	struct lp_error err;
	char path[64];

	(void)unused;
	snprintf(path, sizeof(path), "/tmp/limpid-counts-%d", getpid());
	assert_int_equal(lp_io_trace_create(path, "app", 1 << 20, &err), 0);
	assert_int_equal(lp_io_trace_finish(path, &a, &err), 0);
	assert_int_equal(lp_io_trace_read(path, &trace, &err), 0);
	assert_true(trace->account.known);
	assert_int_equal(trace->account.rchar, 1);
	assert_int_equal(trace->account.wchar, 2);
	assert_int_equal(trace->account.read_bytes, 3);
	assert_true(trace->account.write_bytes == UINT64_MAX);
	lp_io_trace_free(trace);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_whose_calls_are_all_timed_is_seen),
		cmocka_unit_test(bytes_that_no_operation_moved_are_not_timed),
		cmocka_unit_test(what_only_reaches_the_storage_is_not_timed),
		cmocka_unit_test(a_file_that_is_mapped_twice_counts_once),
		cmocka_unit_test(
			nothing_is_called_fast_where_most_was_not_seen),
		cmocka_unit_test(the_kernels_counts_are_read),
		cmocka_unit_test(counts_stay_in_the_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
