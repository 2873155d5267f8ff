/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "site/journal.h"
#include "site/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD "limpid-lab-journal 1 boot\n"

static int parse(const char *text, struct lab_entry **entries, size_t *n,
		 struct lp_error *err)
{
	char boot[64];

	return lab_journal_parse("J", text, strlen(text), entries, n, boot,
				 err);
}

static void what_is_undone_is_not_listed(void **state)
{
	struct lab_entry *entries;
	struct lp_error err;
	size_t n;

	(void)state;
	assert_int_equal(parse(HEAD "+ directory /a/b\n"
				    "+ process 4711 123\n"
				    "+ mount /a/b/c d\n"
				    "- 43\n",
			       &entries, &n, &err),
			 0);
	assert_int_equal(n, 2);
	assert_int_equal(entries[0].thing, LAB_DIRECTORY);
	assert_int_equal(entries[0].mark, strlen(HEAD));
	assert_string_equal(entries[0].text, "/a/b");
	assert_int_equal(entries[1].thing, LAB_MOUNT);
	assert_string_equal(entries[1].text, "/a/b/c d");
	lab_entries_free(entries, n);
}

static void a_torn_last_line_was_never_begun(void **state)
{
	struct lab_entry *entries;
	struct lp_error err;
	size_t n;

	(void)state;
	assert_int_equal(
		parse(HEAD "+ netns limpid-s1\n+ mou", &entries, &n, &err), 0);
	assert_int_equal(n, 1);
	lab_entries_free(entries, n);
	assert_int_equal(parse("limpid-lab-jour", &entries, &n, &err), 0);
	assert_int_equal(n, 0);
	lab_entries_free(entries, n);
}

static void other_files_are_refused_with_the_offset(void **state)
{
	static const char *const bad[] = {
		"some other file\n",
		HEAD "+ elephant /a\n",
		HEAD "+ mount\n",
		HEAD "+ mount \n",
		HEAD "* mount /a\n",
		HEAD "- 26\n",
		HEAD "- x\n",
		HEAD "\n",
		HEAD "+ mount /a\n- -1\n",
	};
	struct lab_entry *entries;
	struct lp_error err;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(bad[i], &entries, &n, &err), -EINVAL);
	assert_non_null(strstr(err.text, "offset"));
}

/* ---- on a disk ---- */

static char dir[64];

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/limpid-test-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/journal", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/lock", dir);
	unlink(path);
	return rmdir(dir);
}

static void note(struct lab_journal *journal, enum lab_thing thing,
		 const char *text, size_t *mark)
{
	struct lp_error err;

	assert_int_equal(lab_journal_note(journal, thing, text, mark, &err), 0);
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void everything_is_undone_last_first(void **state)
{
	char outer[128], inner[160];
	struct lab_journal *journal;
	struct lab_entry *entries;
	struct lp_error err;
	size_t n;

	(void)state;
	snprintf(outer, sizeof(outer), "%s/outer", dir);
	snprintf(inner, sizeof(inner), "%s/inner", outer);
	assert_int_equal(lab_journal_open(dir, true, &journal, &err), 0);
	note(journal, LAB_DIRECTORY, outer, NULL);
	assert_int_equal(mkdir(outer, 0700), 0);
	note(journal, LAB_DIRECTORY, inner, NULL);
	assert_int_equal(mkdir(inner, 0700), 0);
	note(journal, LAB_FAULT, "disk-busy s3 2", NULL);
	assert_int_equal(lab_journal_undo_all(journal, NULL, NULL, &err), 0);
	assert_false(exists(outer));
	assert_int_equal(lab_journal_list(dir, &entries, &n, &err), 0);
	assert_int_equal(n, 0);
	lab_entries_free(entries, n);
	/* And once more, with nothing to do. */
	assert_int_equal(lab_journal_undo_all(journal, NULL, NULL, &err), 0);
	lab_journal_close(journal);
}

static void count(void *context, const char *why)
{
	assert_non_null(strstr(why, "'other'"));
	++*(int *)context;
}

static void what_cannot_be_undone_is_told_and_the_rest_is_undone(void **state)
{
	char first[128], last[128];
	struct lab_journal *journal;
	struct lab_entry *entries;
	struct lp_error err;
	int told = 0;
	size_t n;

	(void)state;
	snprintf(first, sizeof(first), "%s/first", dir);
	snprintf(last, sizeof(last), "%s/last", dir);
	assert_int_equal(lab_journal_open(dir, true, &journal, &err), 0);
	note(journal, LAB_DIRECTORY, first, NULL);
	note(journal, LAB_NETNS, "other", NULL);
	note(journal, LAB_DIRECTORY, last, NULL);
	assert_int_equal(mkdir(first, 0755), 0);
	assert_int_equal(mkdir(last, 0755), 0);
	assert_true(lab_journal_undo_all(journal, count, &told, &err) < 0);
	assert_non_null(strstr(err.text, "'other'"));
	assert_int_equal(told, 1);
	assert_int_not_equal(access(first, F_OK), 0);
	assert_int_not_equal(access(last, F_OK), 0);
	assert_int_equal(lab_journal_list(dir, &entries, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_string_equal(entries[0].text, "other");
	lab_entries_free(entries, n);
	lab_journal_close(journal);
}

static void one_thing_can_be_undone_alone(void **state)
{
	struct lab_journal *journal;
	struct lab_entry *entries;
	struct lp_error err;
	char made[128];
	size_t n, mark;

	(void)state;
	snprintf(made, sizeof(made), "%s/made", dir);
	assert_int_equal(lab_journal_open(dir, false, &journal, &err), 0);
	note(journal, LAB_FAULT, "first s1 1", NULL);
	note(journal, LAB_DIRECTORY, made, &mark);
	note(journal, LAB_FAULT, "second s2 1", NULL);
	assert_int_equal(mkdir(made, 0700), 0);
	assert_int_equal(lab_journal_undo(journal, mark, &err), 0);
	assert_false(exists(made));
	assert_int_equal(lab_journal_list(dir, &entries, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_string_equal(entries[1].text, "second s2 1");
	lab_entries_free(entries, n);
	lab_journal_close(journal);
}

static void what_follows_a_torn_line_begins_a_line(void **state)
{
	struct lab_journal *journal;
	struct lab_entry *entries;
	struct lp_error err;
	char path[128];
	size_t n;
	int fd;

	(void)state;
	assert_int_equal(lab_journal_open(dir, true, &journal, &err), 0);
	note(journal, LAB_FAULT, "first s1 1", NULL);
	snprintf(path, sizeof(path), "%s/journal", dir);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "+ direc", 7), 7);
	close(fd);
	note(journal, LAB_FAULT, "second s2 1", NULL);
	assert_int_equal(lab_journal_list(dir, &entries, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_string_equal(entries[1].text, "second s2 1");
	lab_entries_free(entries, n);
	lab_journal_close(journal);
}

static void commands_share_a_lab_and_its_maker_does_not(void **state)
{
	struct lab_journal *one, *two, *alone;
	struct lp_error err;

	(void)state;
	assert_int_equal(lab_journal_open(dir, false, &one, &err), 0);
	assert_int_equal(lab_journal_open(dir, false, &two, &err), 0);
	assert_int_equal(lab_journal_open(dir, true, &alone, &err), -EBUSY);
	assert_non_null(strstr(err.text, "in use by process"));
	lab_journal_close(one);
	lab_journal_close(two);
	assert_int_equal(lab_journal_open(dir, true, &alone, &err), 0);
	lab_journal_close(alone);
}

static void a_process_is_ended_and_its_numbers_heir_is_not(void **state)
{
	struct lab_journal *journal;
	struct lp_error err;
	char text[64];
	uint64_t start;
	size_t mark;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		setsid();
		for (;;)
			pause();
	}
	while (getsid(pid) != pid)
		usleep(1000);
	assert_int_equal(lab_journal_open(dir, true, &journal, &err), 0);
	assert_int_equal(lab_process_start(pid, &start), 0);
	snprintf(text, sizeof(text), "%d %llu", (int)pid,
		 (unsigned long long)start - 1);
	note(journal, LAB_PROCESS, text, &mark);
	assert_int_equal(lab_journal_undo(journal, mark, &err), 0);
	assert_int_equal(kill(pid, 0), 0);
	assert_int_equal(lab_journal_note_process(journal, pid, &mark, &err),
			 0);
	assert_int_equal(lab_journal_undo(journal, mark, &err), 0);
	assert_int_equal(lab_process_start(pid, &start), -ESRCH);
	waitpid(pid, NULL, WNOHANG);
	lab_journal_close(journal);
}

static void what_is_none_of_a_lab_is_not_touched(void **state)
{
	static const struct {
		enum lab_thing thing;
		const char *text;
	} bad[] = {
		{ LAB_DIRECTORY, "/" },
		{ LAB_DIRECTORY, "/tmp" },
		{ LAB_DIRECTORY, "/tmp/../etc/x" },
		{ LAB_DIRECTORY, "tmp/x" },
		{ LAB_NETNS, "other" },
		{ LAB_NETNS, "limpid/../x" },
		{ LAB_NETNS, "/tmp/x/other" },
		{ LAB_NETNS, "/tmp/../netns" },
		{ LAB_LINK, "/tmp/x/other eth0 1000" },
		{ LAB_LOOP_NODE, "nine" },
		{ LAB_LOOP_NODE, "9 disk" },
		{ LAB_CGROUP, "/sys/fs/cgroup/memory/other" },
		{ LAB_PROCESS, "1 1" },
		{ LAB_PROCESS, "nobody" },
		{ LAB_SETTING, "1 /etc/passwd" },
		{ LAB_RULE, "limpid-bridge" },
	};
	struct lab_journal *journal;
	struct lp_error err;
	size_t mark;

	(void)state;
	assert_int_equal(lab_journal_open(dir, true, &journal, &err), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		note(journal, bad[i].thing, bad[i].text, &mark);
		assert_int_equal(lab_journal_undo(journal, mark, &err),
				 -EINVAL);
	}
	assert_int_equal(
		lab_journal_note(journal, LAB_MOUNT, "/a\n/b", NULL, &err),
		-EINVAL);
	lab_journal_close(journal);
}

#define ON_DISK(test)                                                          \
	cmocka_unit_test_setup_teardown(test, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_undone_is_not_listed),
		cmocka_unit_test(a_torn_last_line_was_never_begun),
		cmocka_unit_test(other_files_are_refused_with_the_offset),
		ON_DISK(everything_is_undone_last_first),
		ON_DISK(what_cannot_be_undone_is_told_and_the_rest_is_undone),
		ON_DISK(one_thing_can_be_undone_alone),
		ON_DISK(what_follows_a_torn_line_begins_a_line),
		ON_DISK(commands_share_a_lab_and_its_maker_does_not),
		ON_DISK(a_process_is_ended_and_its_numbers_heir_is_not),
		ON_DISK(what_is_none_of_a_lab_is_not_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
