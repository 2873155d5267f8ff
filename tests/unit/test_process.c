/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child is a shell only because a test needs all kinds of children. */
static struct lp_process *run(const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	struct lp_process *process = NULL;
	struct lp_error err;

	assert_int_equal(lp_process_open(argv, "dash", &process, &err), 0);
	return process;
}

static void expect_line(struct lp_process *process, const char *expected)
{
	struct lp_error err;
	char *line;
	size_t n;

	assert_int_equal(lp_process_line(process, &line, &n, &err), 1);
	assert_string_equal(line, expected);
	assert_int_equal(n, strlen(expected));
}

static void expect_end(struct lp_process *process)
{
	struct lp_error err;
	char *line;
	size_t n;

	assert_int_equal(lp_process_line(process, &line, &n, &err), 0);
}

static void lines_come_one_by_one_and_the_last_needs_no_newline(void **state)
{
	struct lp_process *process = run("echo one; echo; printf three");
	struct lp_error err;

	(void)state;
	expect_line(process, "one");
	expect_line(process, "");
	expect_line(process, "three");
	expect_end(process);
	assert_int_equal(lp_process_finish(process, &err), 0);
}

static void a_line_longer_than_one_read_stays_whole(void **state)
{
	struct lp_process *process =
		run("head -c 200000 /dev/zero | tr '\\0' x; echo; echo end");
	struct lp_error err;
	char *line;
	size_t n;

	(void)state;
	assert_int_equal(lp_process_line(process, &line, &n, &err), 1);
	assert_int_equal(n, 200000);
	assert_int_equal(strspn(line, "x"), 200000);
	expect_line(process, "end");
	assert_int_equal(lp_process_finish(process, &err), 0);
}

static void an_endless_line_is_refused(void **state)
{
	struct lp_process *process = run("cat /dev/zero");
	struct lp_error err;
	char *line;
	size_t n;

	(void)state;
	assert_int_equal(lp_process_line(process, &line, &n, &err), -EOVERFLOW);
	assert_non_null(strstr(err.text, "line"));
	lp_process_close(process);
}

static void bytes_can_be_read_after_lines(void **state)
{
	struct lp_process *process = run("echo head; printf 'a\\nb'");
	struct lp_error err;
	char bytes[8];
	size_t got, sum = 0;

	(void)state;
	expect_line(process, "head");
	while (lp_process_read(process, bytes + sum, 2, &got, &err) > 0)
		sum += got;
	assert_int_equal(sum, 3);
	assert_memory_equal(bytes, "a\nb", 3);
	assert_int_equal(lp_process_finish(process, &err), 0);
}

static void a_failure_repeats_the_last_line_of_standard_error(void **state)
{
	struct lp_process *process =
		run("echo first >&2; echo 'it is\tbroken' >&2; exit 3");
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_process_finish(process, &err), -EIO);
	assert_string_equal(err.text, "sh: it is broken");
}

static void a_failure_without_words_says_its_status(void **state)
{
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_process_finish(run("exit 4"), &err), -EIO);
	assert_non_null(strstr(err.text, "status 4"));
}

static void a_child_ended_by_a_signal_is_an_error(void **state)
{
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_process_finish(run("kill -9 $$"), &err), -EIO);
	assert_non_null(strstr(err.text, "signal 9"));
}

static void much_standard_error_does_not_block_the_output(void **state)
{
	struct lp_process *process =
		run("head -c 300000 /dev/zero | tr '\\0' '\\n' >&2; "
		    "echo out; echo last >&2; exit 1");
	struct lp_error err;

	(void)state;
	expect_line(process, "out");
	assert_int_equal(lp_process_finish(process, &err), -EIO);
	assert_string_equal(err.text, "sh: last");
}

static void a_program_that_is_missing_names_its_package(void **state)
{
	const char *const argv[] = { "limpid-no-such-program", NULL };
	struct lp_process *process = NULL;
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_process_open(argv, "the-package", &process, &err),
			 -ENOENT);
	assert_null(process);
	assert_non_null(strstr(err.text, "apt-get install the-package"));
}

static void the_child_has_the_c_locale_utc_and_no_input(void **state)
{
	struct lp_process *process;
	struct lp_error err;

	(void)state;
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	setenv("TZ", "Europe/Berlin", 1);
	process = run("echo $LC_ALL; echo $TZ; env | grep -c '^TZ='; cat");
	expect_line(process, "C");
	expect_line(process, "UTC");
	expect_line(process, "1");
	expect_end(process);
	assert_int_equal(lp_process_finish(process, &err), 0);
	unsetenv("LC_ALL");
	unsetenv("TZ");
}

static size_t open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void nothing_is_left_behind_whatever_the_end(void **state)
{
	size_t before = open_descriptors();
	const char *const missing[] = { "limpid-no-such-program", NULL };
	struct lp_process *process;
	struct lp_error err;

	(void)state;
	lp_process_close(run("exec sleep 1000"));
	lp_process_close(run("yes"));
	lp_process_finish(run("yes | head -c 100000"), &err);
	lp_process_open(missing, "x", &process, &err);
	lp_process_close(NULL);
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* How many descriptors a child sees. */
static unsigned long inherited(void)
{
	struct lp_process *process = run("ls /proc/self/fd | wc -l");
	unsigned long count;
	struct lp_error err;
	char *line;
	size_t n;

	assert_int_equal(lp_process_line(process, &line, &n, &err), 1);
	count = strtoul(line, NULL, 10);
	assert_int_equal(lp_process_finish(process, &err), 0);
	return count;
}

static void the_child_inherits_no_descriptor_of_another_child(void **state)
{
	unsigned long alone = inherited();
	struct lp_process *other = run("exec sleep 1000");

	(void)state;
	assert_int_equal(inherited(), alone);
	lp_process_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			lines_come_one_by_one_and_the_last_needs_no_newline),
		cmocka_unit_test(a_line_longer_than_one_read_stays_whole),
		cmocka_unit_test(an_endless_line_is_refused),
		cmocka_unit_test(bytes_can_be_read_after_lines),
		cmocka_unit_test(
			a_failure_repeats_the_last_line_of_standard_error),
		cmocka_unit_test(a_failure_without_words_says_its_status),
		cmocka_unit_test(a_child_ended_by_a_signal_is_an_error),
		cmocka_unit_test(much_standard_error_does_not_block_the_output),
		cmocka_unit_test(a_program_that_is_missing_names_its_package),
		cmocka_unit_test(the_child_has_the_c_locale_utc_and_no_input),
		cmocka_unit_test(nothing_is_left_behind_whatever_the_end),
		cmocka_unit_test(
			the_child_inherits_no_descriptor_of_another_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
