/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool recognised(const char *path, const void *head, size_t n)
{
	return lp_source_pcp.recognise(path, head, n);
}

static void the_label_of_an_archive_is_recognised(void **state)
{
	(void)state;
	assert_true(recognised("x", "\0\0\0\x84\x50\x05\x26\x02more", 12));
	assert_true(recognised("x", "\0\0\x03\x2c\x50\x05\x26\x03", 8));
	assert_false(recognised("x", "\0\0\0\x84\x50\x05\x26\x01", 8));
	assert_false(recognised("x", "\0\0\0\x84\x50\x05\x26", 7));
	assert_false(recognised("x", "time,host,device\n", 17));
	assert_false(recognised("x", "", 0));
}

struct tree {
	char directory[32], path[64];
};

static void make_file(struct tree *tree, const char *name)
{
	FILE *file;

	snprintf(tree->directory, sizeof(tree->directory), "%s",
		 "/tmp/limpid-test-XXXXXX");
	assert_non_null(mkdtemp(tree->directory));
	snprintf(tree->path, sizeof(tree->path), "%s/%s", tree->directory,
		 name);
	file = fopen(tree->path, "w");
	assert_non_null(file);
	fclose(file);
}

static void remove_file(const struct tree *tree)
{
	unlink(tree->path);
	rmdir(tree->directory);
}

static bool name_is_recognised(const char *name)
{
	struct tree tree;
	bool r;

	make_file(&tree, name);
	r = recognised(tree.path, "", 0);
	remove_file(&tree);
	return r;
}

static void compressed_files_are_recognised_by_name(void **state)
{
	(void)state;
	assert_true(name_is_recognised("20261115.meta.xz"));
	assert_true(name_is_recognised("20261115.12.zst"));
	assert_true(name_is_recognised("20261115.index.gz"));
	assert_false(name_is_recognised("messages.1x.gz"));
	assert_false(name_is_recognised("sa15.xz"));
	assert_false(name_is_recognised("meta.xz"));
}

static void a_base_name_and_a_directory_are_recognised(void **state)
{
	struct tree tree;
	char base[64];

	(void)state;
	make_file(&tree, "20261115.meta");
	snprintf(base, sizeof(base), "%s/20261115", tree.directory);
	assert_true(recognised(base, "", 0));
	assert_true(recognised(tree.directory, "", 0));
	remove_file(&tree);
	assert_false(recognised(base, "", 0));
	assert_false(recognised("/", "", 0));
}

static int convert_with(const char *libexec, struct lp_error *err, int fd)
{
	struct lp_source_options options = { 0 };
	struct lp_query query;
	char lost[LP_LOST_TEXT];

	lp_query_init(&query);
	setenv("LIMPID_LIBEXEC", libexec, 1);
	return lp_source_pcp.convert("some/where", &options, &query, fd, lost,
				     err);
}

static void a_missing_helper_says_what_to_install(void **state)
{
	struct lp_error err;

	(void)state;
	assert_int_equal(convert_with("/nonexistent", &err, -1), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/limpid-pcp"));
	assert_non_null(strstr(err.text, "libpcp3-dev"));
}

/* A helper that writes its words to the descriptor, its last argument. */
static void make_helper(struct tree *tree, const char *script)
{
	FILE *file;

	make_file(tree, "limpid-pcp");
	file = fopen(tree->path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", script);
	fclose(file);
	chmod(tree->path, 0755);
}

static void what_the_helper_writes_is_handed_over(void **state)
{
	struct tree tree;
	struct lp_error err;
	char text[64] = "";
	int fd = memfd_create("limpid", 0);

	(void)state;
	make_helper(&tree, "echo \"$1 $2\" >&$3");
	assert_int_equal(convert_with(tree.directory, &err, fd), 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 14);
	assert_string_equal(text, "-- some/where\n");
	close(fd);
	remove_file(&tree);
}

static void a_helper_that_names_the_file_is_quoted_alone(void **state)
{
	struct tree tree;
	struct lp_error err;

	(void)state;
	make_helper(&tree, "echo some/where: nothing in it >&2; exit 1");
	assert_int_equal(convert_with(tree.directory, &err, STDIN_FILENO),
			 -EIO);
	assert_string_equal(err.text, "some/where: nothing in it");
	remove_file(&tree);
}

static void the_parts_of_a_recording_have_one_stem(void **state)
{
	static const char *const names[] = { "d.10.30.0", "d.10.30.meta",
					     "d.10.30.index.xz" };
	struct tree tree;
	size_t n;

	(void)state;
	for (size_t i = 0; i < lp_array_size(names); i++) {
		make_file(&tree, names[i]);
		n = lp_source_pcp.stem(tree.path);
		assert_int_equal(n,
				 strlen(tree.directory) + strlen("/d.10.30"));
		remove_file(&tree);
		/* No file any more, so it is a base name. */
		assert_int_equal(lp_source_pcp.stem(tree.path),
				 strlen(tree.path));
	}
}

static void a_helper_that_fails_is_quoted(void **state)
{
	struct tree tree;
	struct lp_error err;

	(void)state;
	make_helper(&tree, "echo 'no such thing' >&2; exit 1");
	assert_int_equal(convert_with(tree.directory, &err, STDIN_FILENO),
			 -EIO);
	assert_non_null(strstr(err.text, "some/where: cannot be read"));
	assert_non_null(strstr(err.text, "limpid-pcp: no such thing"));
	remove_file(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_label_of_an_archive_is_recognised),
		cmocka_unit_test(compressed_files_are_recognised_by_name),
		cmocka_unit_test(a_base_name_and_a_directory_are_recognised),
		cmocka_unit_test(a_missing_helper_says_what_to_install),
		cmocka_unit_test(what_the_helper_writes_is_handed_over),
		cmocka_unit_test(a_helper_that_fails_is_quoted),
		cmocka_unit_test(a_helper_that_names_the_file_is_quoted_alone),
		cmocka_unit_test(the_parts_of_a_recording_have_one_stem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
