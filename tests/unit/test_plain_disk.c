/* SPDX-License-Identifier: Apache-2.0 */
/*
 * File systems that have neither files without names nor room to reserve (NFS,
 * FAT): the kernel is told to refuse both to this process.
 */
#include "archive_file.h"

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define REFUSE (SECCOMP_RET_ERRNO | EOPNOTSUPP)
#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define NAMELESS (O_TMPFILE & ~O_DIRECTORY)

static bool have_plain_disk(void)
{
	struct sock_filter rules[] = {
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		LOAD(args[2]), /* its low half, on the machines that we know */
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMELESS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, REFUSE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { lp_array_size(rules), rules };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 &&
	       open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) < 0;
}

static size_t count_files(void)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void a_text_file_is_beside_until_it_is_whole(void **state)
{
	const char *path = in_directory("text");
	struct lp_outfile file;
	struct lp_error err;

	(void)state;
	ok(lp_outfile_open(&file, path, &err), &err);
	assert_int_equal(count_files(), 1);
	assert_int_equal(access(path, F_OK), -1);
	lp_outfile_abandon(&file);
	assert_int_equal(count_files(), 0);
	ok(lp_outfile_open(&file, path, &err), &err);
	fputs("text", file.out);
	ok(lp_outfile_commit(&file, &err), &err);
	assert_int_equal(count_files(), 1);
	assert_int_equal(access(path, F_OK), 0);
}

/* In a directory of all users, the name may be a link to a file of ours. */
static void a_link_in_its_place_is_not_followed(void **state)
{
	const char *path = in_directory("text"), *other = in_directory("other");
	struct lp_outfile file;
	struct lp_error err;
	char temp[256];
	uint8_t *bytes;
	size_t n;

	(void)state;
	write_file(other, (const uint8_t *)"mine", 4);
	snprintf(temp, sizeof(temp), "%s.tmp-%ld", path, (long)getpid());
	assert_int_equal(symlink(other, temp), 0);
	ok(lp_outfile_open(&file, path, &err), &err);
	fputs("text", file.out);
	ok(lp_outfile_commit(&file, &err), &err);
	assert_int_equal(count_files(), 2);
	bytes = read_file(other, &n);
	assert_int_equal(n, 4);
	assert_memory_equal(bytes, "mine", 4);
	free(bytes);
}

static void an_archive_is_beside_until_it_is_whole(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_builder *b =
		random_builder(1, (struct random_shape){ 20, 3, 5, 0 });
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_ATOMIC);
	struct lp_error err;
	struct lp_item item;
	struct lp_stream *stream;

	(void)state;
	assert_int_equal(count_files(), 1);
	assert_int_equal(access(path, F_OK), -1);
	lp_archive_abandon(w);
	assert_int_equal(count_files(), 0);
	w = new_archive(path, LP_ARCHIVE_ATOMIC);
	ok(lp_archive_put_chunk(w, lp_builder_chunk(b), &err), &err);
	ok(lp_archive_finish(w, &err), &err);
	assert_int_equal(count_files(), 1);
	stream = open_archive(path);
	assert_int_equal(next_item(stream, &item), 1);
	assert_true(lp_chunk_equal(item.chunk, lp_builder_chunk(b)));
	lp_stream_close(stream);
	lp_builder_free(b);
}

/* Room is reserved by writing zeroes: what is read is what was put. */
static void a_growing_archive_can_be_read(void **state)
{
	const char *path = in_directory("a.limpid");
	struct lp_archive_writer *w = new_archive(path, LP_ARCHIVE_LIVE);
	struct lp_error err;

	(void)state;
	for (size_t n = 1; n < 60; n += 7) {
		struct lp_builder *b =
			random_builder(n, (struct random_shape){ n, 9, 5, 0 });
		struct lp_stream *stream;
		struct lp_item item;

		ok(lp_archive_put_tail(w, lp_builder_chunk(b), &err), &err);
		stream = open_archive(path);
		assert_int_equal(next_item(stream, &item), 1);
		assert_true(lp_chunk_equal(item.chunk, lp_builder_chunk(b)));
		assert_int_equal(next_item(stream, &item), 0);
		lp_stream_close(stream);
		lp_builder_free(b);
	}
	ok(lp_archive_finish(w, &err), &err);
}

#define TEST(name) cmocka_unit_test_teardown(name, empty_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_text_file_is_beside_until_it_is_whole),
		TEST(a_link_in_its_place_is_not_followed),
		TEST(an_archive_is_beside_until_it_is_whole),
		TEST(a_growing_archive_can_be_read),
	};

	if (!have_plain_disk()) {
		puts("1..0 # SKIP seccomp is not allowed here");
		return 0;
	}
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
