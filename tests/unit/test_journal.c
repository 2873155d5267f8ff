/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorder writes, without a kernel and without waiting. */
#include "journal_bench.h"

#include "record/place.h"
#include "record/tidy.h"

#include <errno.h>

static void samples_that_are_left_are_in_the_file_once(void **state)
{
	struct bench *b = *state;
	int64_t first = at("2026-11-15T12:00:00Z");
	struct gathering g = begin_gathering();
	struct dirent **entries;
	size_t stops = 0;

	for (size_t n = 0; n < 300; n += 10) {
		gather(&g, first + (int64_t)n * LP_NS_PER_S, 10);
		hand_over(b, &g);
		assert_int_equal(list(b, &entries), 1);
		assert_int_equal(read_file(b, entries[0]->d_name, &stops),
				 n + 10);
		forget(entries, 1);
	}
	/* Twice at the first, for which there was no file yet. */
	assert_int_equal(g.looked, 31);
	assert_int_equal(g.sealed, 4);
	assert_int_equal(g.taken, 0);
	end_gathering(b, &g);
	assert_int_equal(list(b, &entries), 1);
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 300);
	assert_int_equal(stops, 1);
	forget(entries, 1);
}

/* A batch that ends now. */
static void gather_batch(struct bench *b, struct gathering *g, size_t n)
{
	gather(g, at("2026-11-15T00:10:00Z") + (int64_t)g->n * LP_NS_PER_S, n);
	g->n += n;
	hand_over(b, g);
}

static void a_file_is_synced_once_a_minute(void **state)
{
	struct bench *b = *state;
	struct gathering g = begin_gathering();

	asked.files = asked.directories = 0;
	gather_batch(b, &g, 1);
	assert_int_equal(asked.files, 1);
	for (size_t i = 1; i <= 60; i++) {
		asked.ahead_ns += 10 * LP_NS_PER_S;
		gather_batch(b, &g, 10);
		assert_int_equal(asked.files, 1 + i / 6);
		assert_int_equal(g.sealed, i / 6);
	}
	assert_int_equal(asked.directories, 1);
	end_gathering(b, &g);
}

/* At every batch: is the oldest sample that is not on the disk too old? */
static void record_at(struct bench *b, int64_t interval_ns)
{
	int64_t wait_ns = lp_batch_wait(interval_ns), synced_ns;
	size_t n = (size_t)(wait_ns / interval_ns) + 1;
	struct gathering g = begin_gathering();

	lp_journal_free(b->journal);
	b->config.interval_ns = interval_ns;
	b->journal = lp_journal_new(&b->config);
	gather_batch(b, &g, 1);
	synced_ns = asked.ahead_ns;
	for (size_t i = 0; i < 50; i++) {
		size_t before = asked.files;

		asked.ahead_ns += interval_ns + wait_ns;
		assert_in_range(asked.ahead_ns - synced_ns - interval_ns, 0,
				60 * LP_NS_PER_S);
		gather_batch(b, &g, n);
		if (asked.files > before)
			synced_ns = asked.ahead_ns;
	}
	end_gathering(b, &g);
}

static void a_sample_is_on_the_disk_within_a_minute(void **state)
{
	static const int tenths[] = { 1,   5,   10,  30,  70,  100, 290,
				      300, 450, 590, 600, 610, 3000 };

	for (size_t i = 0; i < lp_array_size(tenths); i++)
		record_at(*state, tenths[i] * LP_NS_PER_S / 10);
}

static void midnight_takes_what_was_left(void **state)
{
	struct bench *b = *state;
	int64_t first = at("2026-11-15T23:59:30Z");
	struct gathering g = begin_gathering();
	struct dirent **entries;
	size_t stops = 0;

	for (size_t n = 0; n < 60; n += 10) {
		gather(&g, first + (int64_t)n * LP_NS_PER_S, 10);
		hand_over(b, &g);
	}
	end_gathering(b, &g);
	assert_int_equal(list(b, &entries), 2);
	assert_string_equal(entries[1]->d_name, "h-20261116T000005Z.limpid");
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 35);
	assert_int_equal(read_file(b, entries[1]->d_name, &stops), 25);
	forget(entries, 2);
}

static void a_day_ends_five_seconds_after_midnight(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	size_t stops = 0;

	add(b, at("2026-11-15T23:59:58Z"), 10);
	stop(b);
	assert_int_equal(list(b, &entries), 2);
	assert_string_equal(entries[0]->d_name, "h-20261115T235958Z.limpid");
	assert_string_equal(entries[1]->d_name, "h-20261116T000005Z.limpid");
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 7);
	assert_int_equal(stops, 0);
	assert_int_equal(read_file(b, entries[1]->d_name, &stops), 3);
	assert_int_equal(stops, 1);
	forget(entries, 2);
}

static void a_closed_file_is_handed_over(void **state)
{
	struct bench *b = *state;

	add(b, at("2026-11-15T12:00:00Z"), 1);
	assert_string_equal(b->closed, "");
	lp_journal_rotate(b->journal, &b->says);
	assert_non_null(strstr(b->closed, "h-20261115T120000Z.limpid"));
}

static void files_of_one_second_get_names_of_their_own(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	size_t stops = 0;

	add(b, at("2026-11-15T12:00:00Z"), 1);
	lp_journal_rotate(b->journal, &b->says);
	add(b, at("2026-11-15T12:00:00.5Z"), 1);
	stop(b);
	assert_int_equal(list(b, &entries), 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(read_file(b, entries[i]->d_name, &stops), 1);
	forget(entries, 2);
}

/* The bytes of a file of the directory, as far as there is room. */
static size_t peek(const struct bench *b, const char *name, uint8_t *bytes,
		   size_t room)
{
	char path[400];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	file = fopen(path, "rb");
	assert_non_null(file);
	n = fread(bytes, 1, room, file);
	fclose(file);
	return n;
}

/* An older limpid recorded until this very second, then came the update. */
static void a_file_of_version_1_is_not_continued(void **state)
{
	const char *source = getenv("LIMPID_SOURCE");
	uint8_t before[4096], after[4096];
	struct bench *b = *state;
	struct dirent **entries;
	char command[512];
	size_t n, stops = 0;

	snprintf(command, sizeof(command),
		 "cp '%s/tests/archives/v1-live.limpid' "
		 "'%s/h-20261115T120000Z.limpid'",
		 source ? source : ".", b->dir);
	assert_int_equal(system(command), 0);
	n = peek(b, "h-20261115T120000Z.limpid", before, sizeof(before));
	add(b, at("2026-11-15T12:00:00Z"), 1);
	stop(b);
	assert_int_equal(list(b, &entries), 2);
	assert_string_equal(entries[1]->d_name, "h-20261115T120001Z.limpid");
	assert_int_equal(read_file(b, entries[1]->d_name, &stops), 1);
	assert_int_equal(peek(b, entries[0]->d_name, after, sizeof(after)), n);
	assert_memory_equal(after, before, n);
	assert_int_equal(before[12], 1);
	peek(b, entries[1]->d_name, after, 16);
	assert_int_equal(after[12], 2);
	forget(entries, 2);
}

static void what_cannot_be_written_is_kept_and_said_once(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	size_t stops = 0;

	assert_int_equal(rmdir(b->dir), 0);
	add(b, at("2026-11-15T12:00:00Z"), 5);
	add(b, at("2026-11-15T12:00:05Z"), 5); /* not tried */
	asked.ahead_ns += 11 * LP_NS_PER_S;
	add(b, at("2026-11-15T12:00:11Z"), 5); /* tried in vain */
	assert_int_equal(b->says.count, 1);
	assert_int_equal(mkdir(b->dir, 0700), 0);
	stop(b);
	assert_int_equal(b->says.count, 2);
	assert_non_null(strstr(b->says.items[1].text, "again"));
	assert_int_equal(list(b, &entries), 1);
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 15);
	forget(entries, 1);
}

static void only_the_newest_ten_minutes_are_kept(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	size_t stops = 0;
	struct lp_error err;

	assert_int_equal(rmdir(b->dir), 0);
	add(b, at("2026-11-15T12:00:00Z"), 400);
	add(b, at("2026-11-15T12:06:40Z"), 400);
	assert_int_equal(mkdir(b->dir, 0700), 0);
	lp_journal_stop(b->journal, &b->says, &err);
	assert_int_equal(list(b, &entries), 1);
	assert_string_equal(entries[0]->d_name, "h-20261115T120320Z.limpid");
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 600);
	forget(entries, 1);
}

static void samples_that_stay_unwritten_are_an_error(void **state)
{
	struct bench *b = *state;
	struct lp_error err;

	assert_int_equal(rmdir(b->dir), 0);
	add(b, at("2026-11-15T12:00:00Z"), 5);
	assert_true(lp_journal_stop(b->journal, &b->says, &err) < 0);
	assert_non_null(strstr(err.text, "5 samples"));
	assert_int_equal(mkdir(b->dir, 0700), 0);
}

static void old_archives_of_the_host_are_removed(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	struct lp_error err;
	char foreign[128];
	FILE *file;

	snprintf(foreign, sizeof(foreign), "%s/notes", b->dir);
	file = fopen(foreign, "w");
	assert_non_null(file);
	fclose(file);
	add(b, at("2001-02-03T04:05:06Z"), 3);
	lp_journal_rotate(b->journal, &b->says);
	add(b, lp_time_now(), 1); /* one cannot be of two days */
	stop(b);
	assert_int_equal(
		lp_tidy_up(b->dir, "h", 86400 * LP_NS_PER_S, NULL, 0, &err), 0);
	assert_int_equal(list(b, &entries), 2);
	assert_null(strstr(entries[0]->d_name, "2001"));
	assert_string_equal(entries[1]->d_name, "notes");
	forget(entries, 2);
}

static void an_archive_that_is_just_begun_is_not_old(void **state)
{
	struct bench *b = *state;
	struct lp_archive_writer *writer;
	struct lp_error err;
	char path[128];

	snprintf(path, sizeof(path), "%s/h-20010203T040506Z.limpid", b->dir);
	assert_int_equal(
		lp_archive_create(path, LP_ARCHIVE_LIVE, &writer, &err), 0);
	assert_int_equal(lp_tidy_up(b->dir, "h", LP_NS_PER_S, NULL, 0, &err),
			 0);
	assert_int_equal(access(path, F_OK), 0);
	lp_archive_abandon(writer);
}

static void compacting_keeps_every_sample(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	char *paths[1] = { b->closed };
	struct lp_error err;
	size_t stops = 0;

	for (int64_t i = 0; i < 20; i++)
		add(b, at("2026-11-15T12:00:00Z") + i * 70 * LP_NS_PER_S, 70);
	stop(b);
	assert_int_equal(lp_tidy_up(b->dir, "h", 0, paths, 1, &err), 0);
	assert_int_equal(list(b, &entries), 1);
	assert_int_equal(read_file(b, entries[0]->d_name, &stops), 1400);
	assert_int_equal(stops, 1);
	forget(entries, 1);
}

static void a_place_is_held_by_one_recorder_a_host(void **state)
{
	struct bench *b = *state;
	struct lp_error err;
	char path[128];
	int one = lp_place_hold(b->dir, "h", &err);
	int other = lp_place_hold(b->dir, "g", &err);

	assert_true(one >= 0);
	assert_true(other >= 0);
	assert_int_equal(lp_place_hold(b->dir, "h", &err), -EBUSY);
	close(one);
	one = lp_place_hold(b->dir, "h", &err);
	assert_true(one >= 0);
	close(one);
	close(other);
	snprintf(path, sizeof(path), "%s/.h.lock", b->dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/.g.lock", b->dir);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_day_ends_five_seconds_after_midnight),
		TEST(samples_that_are_left_are_in_the_file_once),
		TEST(a_file_is_synced_once_a_minute),
		TEST(a_sample_is_on_the_disk_within_a_minute),
		TEST(midnight_takes_what_was_left),
		TEST(a_closed_file_is_handed_over),
		TEST(files_of_one_second_get_names_of_their_own),
		TEST(a_file_of_version_1_is_not_continued),
		TEST(what_cannot_be_written_is_kept_and_said_once),
		TEST(only_the_newest_ten_minutes_are_kept),
		TEST(samples_that_stay_unwritten_are_an_error),
		TEST(old_archives_of_the_host_are_removed),
		TEST(an_archive_that_is_just_begun_is_not_old),
		TEST(compacting_keeps_every_sample),
		TEST(a_place_is_held_by_one_recorder_a_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
