/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "base/tempfile.h"
#include "base/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct place {
	char directory[32], path[64];
};

static void make_place(struct place *p)
{
	snprintf(p->directory, sizeof(p->directory), "/tmp/limpid-out-XXXXXX");
	assert_non_null(mkdtemp(p->directory));
	snprintf(p->path, sizeof(p->path), "%s/f", p->directory);
}

static void remove_place(const struct place *p)
{
	unlink(p->path);
	assert_int_equal(rmdir(p->directory), 0);
}

static size_t count_files(const struct place *p)
{
	DIR *directory = opendir(p->directory);
	size_t n = 0;

	while (readdir(directory))
		n++;
	closedir(directory);
	return n - 2; /* "." and ".." */
}

static void write_text(const struct place *p, const char *text, bool commit)
{
	struct lp_outfile file;
	struct lp_error err;

	assert_int_equal(lp_outfile_open(&file, p->path, &err), 0);
	fputs(text, file.out);
	if (commit)
		assert_int_equal(lp_outfile_commit(&file, &err), 0);
	lp_outfile_abandon(&file);
}

static void expect_text(const struct place *p, const char *text)
{
	struct lp_text_file file;
	struct lp_error err;

	assert_int_equal(lp_text_file_open(&file, p->path, &err), 0);
	assert_int_equal(file.size, strlen(text));
	if (file.size > 0)
		assert_memory_equal(file.text, text, file.size);
	lp_text_file_close(&file);
}

static void a_file_appears_when_it_is_committed(void **state)
{
	struct place p;

	(void)state;
	make_place(&p);
	write_text(&p, "one", false);
	assert_int_equal(count_files(&p), 0);
	write_text(&p, "one", true);
	assert_int_equal(count_files(&p), 1);
	expect_text(&p, "one");
	remove_place(&p);
}

static void an_older_file_stays_until_then(void **state)
{
	struct place p;

	(void)state;
	make_place(&p);
	write_text(&p, "one", true);
	write_text(&p, "two", false);
	expect_text(&p, "one");
	write_text(&p, "", true);
	expect_text(&p, "");
	remove_place(&p);
}

static void a_full_disk_is_an_error(void **state)
{
	struct lp_outfile file;
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_outfile_open(&file, "/dev/full", &err), 0);
	fputs("text", file.out);
	assert_int_equal(lp_outfile_commit(&file, &err), -ENOSPC);
	assert_string_equal(err.text, "cannot write /dev/full: "
				      "No space left on device");
}

static void a_missing_directory_is_an_error(void **state)
{
	struct lp_outfile file;
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_outfile_open(&file, "/nonexistent/f", &err),
			 -ENOENT);
	lp_outfile_abandon(&file);
}

static const struct lp_outkind list = {
	.name = "a list",
	.beginnings = (const char *const[]){ "list 1\n", "list 2\n", NULL },
	.holds = "end",
};

static int create(const struct place *p, const char *text, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int r = lp_outfile_create(&file, p->path, &list, err);

	if (r < 0)
		return r;
	fputs(text, file.out);
	return lp_outfile_commit(&file, err);
}

static void an_output_replaces_one_of_its_kind(void **state)
{
	struct lp_error err;
	struct place p;

	(void)state;
	make_place(&p);
	assert_int_equal(create(&p, "list 1\na\nend\n", &err), 0);
	assert_int_equal(create(&p, "list 2\nb\nend\n", &err), 0);
	expect_text(&p, "list 2\nb\nend\n");
	remove_place(&p);
}

static void an_output_replaces_an_empty_file(void **state)
{
	struct lp_error err;
	struct place p;

	(void)state;
	make_place(&p);
	write_text(&p, "", true);
	assert_int_equal(create(&p, "list 1\nend\n", &err), 0);
	expect_text(&p, "list 1\nend\n");
	remove_place(&p);
}

static void an_output_replaces_no_other_file(void **state)
{
	static const char *const others[] = {
		"l",
		"precious\n",
		"list 1\n",
		" list 1\nend\n",
		"\x89LIMPID\r\n\x1a\n",
	};
	struct lp_error err;
	struct place p;

	(void)state;
	make_place(&p);
	for (size_t i = 0; i < lp_array_size(others); i++) {
		write_text(&p, others[i], true);
		assert_int_equal(create(&p, "list 1\nend\n", &err), -EEXIST);
		assert_non_null(strstr(err.text, "is not a list"));
		expect_text(&p, others[i]);
	}
	assert_int_equal(count_files(&p), 1);
	remove_place(&p);
}

static void a_dash_is_standard_output(void **state)
{
	struct place p = { .directory = "", .path = "-" };
	struct lp_error err;
	int ends[2], saved = dup(STDOUT_FILENO);
	char text[32] = "";

	(void)state;
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
	assert_int_equal(create(&p, "list", &err), 0);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	close(saved);
	close(ends[1]);
	assert_int_equal(read(ends[0], text, sizeof(text) - 1), 4);
	assert_string_equal(text, "list");
	close(ends[0]);
	assert_int_equal(access("-", F_OK), -1);
}

static void a_pipe_is_read_to_its_end(void **state)
{
	struct lp_text_file file;
	struct lp_error err;
	char path[64];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "text", 4), 4);
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	assert_int_equal(lp_text_file_open(&file, path, &err), 0);
	assert_int_equal(file.size, 4);
	assert_memory_equal(file.text, "text", 4);
	lp_text_file_close(&file);
	close(ends[0]);
	assert_int_equal(lp_text_file_open(&file, "/tmp", &err), -EISDIR);
}

static void what_is_read_whole_has_a_limit(void **state)
{
	char path[] = "/tmp/limpid-test-XXXXXX";
	struct lp_text_file file = { 0 };
	struct lp_error err;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, LP_TEXT_MOST + 1), 0);
	assert_int_equal(lp_text_file_open(&file, path, &err), -EFBIG);
	assert_non_null(strstr(err.text, "larger than 16 MiB"));
	assert_int_equal(lp_text_file_open_window(&file, path, &err), 0);
	lp_text_file_close(&file);
	close(fd);
	unlink(path);
}

static void what_has_no_end_is_refused_at_once(void **state)
{
	struct lp_text_file file = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_text_file_open(&file, "/dev/zero", &err), -EINVAL);
	assert_non_null(strstr(err.text, "not a text file"));
	assert_int_equal(lp_text_file_open_window(&file, "/dev/zero", &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "not a text file"));
}

static void a_temporary_file_grows_to_its_limit_only(void **state)
{
	struct lp_temp_file temp;
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_temp_file_open(&temp, &err), 0);
	assert_true(temp.most > 0 && temp.most <= LP_TEMP_MOST);
	temp.most = 6;
	assert_int_equal(lp_temp_file_write(&temp, "1234", 4, "x", &err), 0);
	assert_int_equal(lp_temp_file_write(&temp, "567", 3, "x", &err),
			 -EFBIG);
	assert_int_equal(temp.size, 4);
	assert_non_null(strstr(err.text, "TMPDIR"));
	close(temp.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_committed),
		cmocka_unit_test(an_older_file_stays_until_then),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(a_missing_directory_is_an_error),
		cmocka_unit_test(an_output_replaces_one_of_its_kind),
		cmocka_unit_test(an_output_replaces_an_empty_file),
		cmocka_unit_test(an_output_replaces_no_other_file),
		cmocka_unit_test(a_dash_is_standard_output),
		cmocka_unit_test(a_pipe_is_read_to_its_end),
		cmocka_unit_test(what_is_read_whole_has_a_limit),
		cmocka_unit_test(what_has_no_end_is_refused_at_once),
		cmocka_unit_test(a_temporary_file_grows_to_its_limit_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
