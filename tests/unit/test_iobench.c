/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/number.h"
#include "io/bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct lp_layout layout(const char *text)
{
	struct lp_layout l = { 0 };

	assert_int_equal(lp_layout_parse(text, &l), 0);
	return l;
}

static void layouts_read_back_as_they_are_named(void **unused)
{
	static const char *const good[] = { "off0",        "seq",   "stride8M",
					    "reverse",     "rnd",   "rnd8M",
					    "stride8M,1K", "rnd100" };
	static const char *const bad[] = { "",         "off1",      "stride",
					   "rnd8M,8M", "stride8M,", "seq1",
					   "rndx" };
	char text[LP_LAYOUT_TEXT];
	struct lp_layout l;

	(void)unused;
	for (size_t i = 0; i < lp_array_size(good); i++) {
		l = layout(good[i]);
		assert_string_equal(lp_layout_name(&l, text), good[i]);
	}
	for (size_t i = 0; i < lp_array_size(bad); i++)
		assert_int_equal(lp_layout_parse(bad[i], &l), -EINVAL);
}

static void expect_walk(const char *name, uint64_t space, uint64_t size,
			const uint64_t *offsets, size_t n)
{
	struct lp_layout l = layout(name);
	struct lp_walk walk;

	lp_walk_init(&walk, &l, space, size, 1);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(lp_walk_next(&walk), offsets[i]);
}

static void fixed_layouts_go_where_their_names_say(void **unused)
{
	(void)unused;
	expect_walk("off0", 100, 10, (uint64_t[]){ 0, 0, 0 }, 3);
	expect_walk("seq", 35, 10, (uint64_t[]){ 0, 10, 20, 0, 10 }, 5);
	expect_walk("stride20", 100, 10, (uint64_t[]){ 0, 30, 60, 90, 20 }, 5);
	expect_walk("reverse", 35, 10, (uint64_t[]){ 20, 10, 0, 20 }, 4);
}

/* Every layout stays inside; random ones reach both ends of a huge file. */
static void random_offsets_cover_the_whole_file(void **unused)
{
	const uint64_t space = UINT64_C(1) << 40, size = 4096;
	struct lp_layout l = layout("rnd");
	uint64_t least = UINT64_MAX, most = 0;
	struct lp_walk walk;
	unsigned eighth[8] = { 0 };

	(void)unused;
	lp_walk_init(&walk, &l, space, size, 3);
	for (int i = 0; i < 8000; i++) {
		uint64_t at = lp_walk_next(&walk);

		assert_true(at % size == 0 && at + size <= space);
		least = at < least ? at : least;
		most = at > most ? at : most;
		eighth[at / (space / 8)]++;
	}
	assert_true(least < space / 1000 && most > space - space / 1000);
	for (int i = 0; i < 8; i++)
		assert_in_range(eighth[i], 800, 1200);
}

static void near_layouts_stay_near_and_inside(void **unused)
{
	const uint64_t space = 1000003, size = 7;
	struct lp_layout near = layout("rnd500"), step = layout("stride90,50");
	struct lp_walk walk;
	uint64_t last;

	(void)unused;
	lp_walk_init(&walk, &near, space, size, 5);
	last = lp_walk_next(&walk);
	for (int i = 0; i < 10000; i++) {
		uint64_t at = lp_walk_next(&walk);
		uint64_t far = at > last ? at - last : last - at;

		assert_true(at + size <= space);
		assert_true(far <= 507 || far > space - 520);
		last = at;
	}
	lp_walk_init(&walk, &step, space, size, 5);
	last = lp_walk_next(&walk);
	for (int i = 0; i < 1000; i++) {
		uint64_t at = lp_walk_next(&walk);

		if (at > last)
			assert_in_range(at - last, 47 - 7, 147);
		last = at;
	}
}

static void bytes_are_read_with_their_units(void **unused)
{
	uint64_t v = 0;

	(void)unused;
	assert_int_equal(lp_parse_bytes("4096", 4, &v), 0);
	assert_int_equal(v, 4096);
	assert_int_equal(lp_parse_bytes("16MiB", 5, &v), 0);
	assert_int_equal(v, 16 << 20);
	assert_int_equal(lp_parse_bytes("2T", 2, &v), 0);
	assert_int_equal(v, UINT64_C(2) << 40);
	assert_int_equal(lp_parse_bytes("16777216T", 9, &v), -ERANGE);
	assert_int_equal(lp_parse_bytes("4KB", 3, &v), -EINVAL);
	assert_int_equal(lp_parse_bytes("K", 1, &v), -EINVAL);
	assert_int_equal(lp_parse_bytes("", 0, &v), -EINVAL);
}

static void a_sweep_has_every_combination_once(void **unused)
{
	struct lp_sweep *sweep = malloc(sizeof(*sweep));
	char label[LP_BENCH_LABEL], seen[24][LP_BENCH_LABEL];
	struct lp_bench_run run;
	struct lp_error err;
	size_t n;

	(void)unused;
	lp_sweep_init(sweep);
	assert_int_equal(lp_sweep_parse(sweep, "s",
					"operation = [\"read\", \"write\"];\n"
					"size = (1, \"4K\", \"1M\");\n"
					"file = \"seq,stride8M,1M,rnd\";\n"
					"threads = 2; rounds = 1;\n"
					"file_size = \"10G\";\n",
					&err),
			 0);
	n = lp_sweep_count(sweep);
	assert_int_equal(n, 2 * 3 * 3);
	for (size_t i = 0; i < n; i++) {
		lp_sweep_get(sweep, i, &run);
		assert_int_equal(run.threads, 2);
		assert_int_equal(run.file_bytes, UINT64_C(10) << 30);
		lp_bench_run_label(&run, label);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(label, seen[k]);
		memcpy(seen[i], label, sizeof(label));
	}
	free(sweep);
}

static void a_bad_sweep_names_its_line(void **unused)
{
	static const char *const bad[][2] = {
		{ "size = 1;\nsize = \"x\";\n", "s:2: " },
		{ "a = 1;\n", "s:1: a: there is no such" },
		{ "\nfile = \"forward\";\n", "s:2: file: 'forward' is not" },
		{ "size = 1.5;\n", "s:1: expected a text" },
		{ "size = [", "s:1: syntax error" },
	};

	(void)unused;
	for (size_t i = 0; i < lp_array_size(bad); i++) {
		struct lp_sweep *sweep = malloc(sizeof(*sweep));
		struct lp_error err;

		lp_sweep_init(sweep);
		assert_int_equal(lp_sweep_parse(sweep, "s", bad[i][0], &err),
				 -EINVAL);
		if (i > 0)
			assert_memory_equal(err.text, bad[i][1],
					    strlen(bad[i][1]));
		free(sweep);
	}
}

/* For real, in a small way: each access in each state it has. */
static void every_access_leaves_all_its_operations_and_no_file(void **unused)
{
	static const volatile sig_atomic_t never = 0;
	char place[] = "/tmp/limpid-bench-test-XXXXXX";
	struct lp_bench bench;
	struct lp_error err;

	(void)unused;
	assert_non_null(mkdtemp(place));
	assert_int_equal(lp_bench_open(&bench, place, &never, &err), 0);
	for (unsigned i = 0; i < 3 * 3 * 4; i++) {
		struct lp_sweep *sweep = malloc(sizeof(*sweep));
		struct lp_bench_run run;
		struct lp_bench_result result;

		lp_sweep_init(sweep);
		run = sweep->common;
		free(sweep);
		run.operation = i % 3;
		run.state = i / 3 % 3;
		run.access = i / 9;
		if (run.access == LP_BENCH_DIRECT)
			run.access = LP_BENCH_SYNC;
		run.threads = 2;
		run.processes = 1 + i % 2;
		run.repeats = 20;
		run.size = 512;
		run.file_bytes = run.buffer_bytes = 1 << 16;
		if (lp_bench_run_check(&run, &err) < 0)
			continue;
		if (lp_bench_do(&bench, &run, false, &result, &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(result.trace->n_operations,
				 20 * run.threads * run.processes);
		for (size_t k = 0; k < result.trace->n_operations; k++)
			assert_int_equal(result.trace->operation[k].result,
					 512);
		lp_bench_result_done(&result);
	}
	lp_bench_close(&bench);
	assert_int_equal(rmdir(place), 0);
}

static void pages_in_the_cache_are_counted(void **unused)
{
	char path[] = "residency-XXXXXX";
	int fd = mkstemp(path);
	struct lp_residency r;
	char bytes[8192] = "x";

	(void)unused;
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(lp_residency(fd, 0, sizeof(bytes), &r), 0);
	assert_int_equal(r.pages, 2);
	assert_int_equal(r.resident, 2);
	assert_int_equal(lp_residency(fd, 4095, 2, &r), 0);
	assert_int_equal(r.pages, 2);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_read_back_as_they_are_named),
		cmocka_unit_test(fixed_layouts_go_where_their_names_say),
		cmocka_unit_test(random_offsets_cover_the_whole_file),
		cmocka_unit_test(near_layouts_stay_near_and_inside),
		cmocka_unit_test(bytes_are_read_with_their_units),
		cmocka_unit_test(a_sweep_has_every_combination_once),
		cmocka_unit_test(a_bad_sweep_names_its_line),
		cmocka_unit_test(
			every_access_leaves_all_its_operations_and_no_file),
		cmocka_unit_test(pages_in_the_cache_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
