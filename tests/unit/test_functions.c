/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of real files: this very program, with and without its names.
 */
#include "unit.h"

#include "profile/images.h"
#include "profile/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline, used)) static int a_function_to_be_found(int n)
{
	return n * 3 + (int)getpid();
}

/* Where a function of this program is in its file. */
static uint64_t offset_of(const void *code)
{
	FILE *in = fopen("/proc/self/maps", "re");
	unsigned long start, end, offset, at = (unsigned long)code;
	char line[512], rights[8];
	uint64_t found = 0;

	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, rights,
			   &offset) == 4 &&
		    at >= start && at < end)
			found = at - start + offset;
	fclose(in);
	return found;
}

static void read_own(struct lp_functions *f, const char *path)
{
	size_t n;
	uint8_t *bytes = lp_image_bytes(path, &n);

	assert_non_null(bytes);
	assert_true(lp_functions_read(f, bytes, n));
	lp_functions_settle(f);
	free(bytes);
}

static void a_function_has_its_name(void **state)
{
	const void *code = (const void *)(uintptr_t)a_function_to_be_found;
	struct lp_functions f = { 0 };
	const struct lp_function_place *p;

	(void)state;
	read_own(&f, "/proc/self/exe");
	p = lp_functions_find(&f, offset_of(code) + 1);
	assert_non_null(p);
	assert_string_equal(f.names + p->name, "a_function_to_be_found");
	assert_true(p->end > p->start && p->end - p->start < 200);
	lp_functions_done(&f);
}

static void a_stripped_file_still_has_the_place(void **state)
{
	const void *code = (const void *)(uintptr_t)a_function_to_be_found;
	char path[] = "/tmp/limpid-stripped.XXXXXX", command[200];
	const struct lp_function_place *p, *named;
	struct lp_functions f = { 0 }, g = { 0 };
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command), "strip -o %s /proc/%d/exe", path,
		 (int)getpid());
	assert_int_equal(system(command), 0);
	read_own(&f, path);
	read_own(&g, "/proc/self/exe");
	unlink(path);
	named = lp_functions_find(&g, offset_of(code) + 1);
	p = lp_functions_find(&f, offset_of(code) + 1);
	assert_non_null(p);
	assert_int_equal(p->start, named->start);
	assert_int_equal(p->name, 0);
	lp_functions_done(&f);
	lp_functions_done(&g);
}

static void what_is_no_code_has_no_function(void **state)
{
	struct lp_functions f = { 0 };

	(void)state;
	read_own(&f, "/proc/self/exe");
	assert_null(lp_functions_find(&f, UINT64_MAX / 2));
	lp_functions_done(&f);
	assert_false(lp_functions_read(&f, (const uint8_t *)"text", 4));
	assert_null(lp_functions_find(&f, 0));
	lp_functions_done(&f);
}

static bool add(struct lp_addresses *a, const char *line,
		bool (*take)(struct lp_addresses *, const char *, size_t))
{
	return take(a, line, strlen(line));
}

static void kernel_symbols_are_read_and_hidden_ones_are_not(void **state)
{
	struct lp_addresses a = { 0 };
	uint64_t start;

	(void)state;
	assert_true(add(&a, "ffffffff81000200 t do_two\t[mod]",
			lp_addresses_add_kallsyms));
	assert_true(add(&a, "ffffffff81000100 T do_one",
			lp_addresses_add_kallsyms));
	assert_false(
		add(&a, "ffffffff81000180 D data", lp_addresses_add_kallsyms));
	assert_false(add(&a, "0000000000000000 T hidden",
			 lp_addresses_add_kallsyms));
	assert_false(add(&a, "", lp_addresses_add_kallsyms));
	lp_addresses_settle(&a);
	assert_string_equal(lp_addresses_find(&a, 0xffffffff810001ff, &start),
			    "do_one");
	assert_true(start == 0xffffffff81000100);
	assert_string_equal(lp_addresses_find(&a, 0xffffffff81000200, NULL),
			    "do_two");
	assert_null(lp_addresses_find(&a, 0x1000, NULL));
	lp_addresses_done(&a);
}

static void a_map_of_made_code_ends_where_it_says(void **state)
{
	struct lp_addresses a = { 0 };

	(void)state;
	assert_true(add(&a, "7f00 40 LazyCompile:~f a.js:1",
			lp_addresses_add_perf_map));
	assert_false(add(&a, "7f00 0 empty", lp_addresses_add_perf_map));
	assert_false(add(&a, "ffffffffffffffff ffff over",
			 lp_addresses_add_perf_map));
	lp_addresses_settle(&a);
	assert_string_equal(lp_addresses_find(&a, 0x7f3f, NULL),
			    "LazyCompile:~f a.js:1");
	assert_null(lp_addresses_find(&a, 0x7f40, NULL));
	lp_addresses_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_its_name),
		cmocka_unit_test(a_stripped_file_still_has_the_place),
		cmocka_unit_test(what_is_no_code_has_no_function),
		cmocka_unit_test(
			kernel_symbols_are_read_and_hidden_ones_are_not),
		cmocka_unit_test(a_map_of_made_code_ends_where_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
