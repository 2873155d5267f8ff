/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/outfile.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_committed),
		cmocka_unit_test(an_older_file_stays_until_then),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(a_missing_directory_is_an_error),
		cmocka_unit_test(a_pipe_is_read_to_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
