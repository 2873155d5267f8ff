/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Following archives that grow: each sample once, whatever becomes of files.
 */
#include "unit.h"

#include "archive/archive.h"
#include "archive/maintain.h"
#include "live/follow.h"
#include "model/builder.h"
#include "scratch.h"

#include <fcntl.h>
#include <string.h>

#define S LP_NS_PER_S
#define BEGIN (1800000000 * S)
#define MOST 4

struct world {
	struct scratch *scratch;
	const char *paths[1];
	struct lp_query query;
	struct lp_follow *follow;
	unsigned said; /* lines */
	char last[600];
	/* Of all looks, by host "a", "b" ...: */
	uint64_t n[MOST], events;
	int64_t sum[MOST]; /* of the samples' seconds */
};

static void hear(void *user, const char *line)
{
	struct world *w = user;

	w->said++;
	snprintf(w->last, sizeof(w->last), "%s", line);
}

static int count(void *user, const struct lp_item *item, struct lp_error *err)
{
	struct world *w = user;
	int host = lp_item_host(item)[0] - 'a';

	(void)err;
	assert_in_range(host, 0, MOST - 1);
	if (item->kind != LP_ITEM_CHUNK) {
		w->events++;
		return 0;
	}
	w->n[host] += item->chunk->n_samples;
	for (size_t i = 0; i < item->chunk->n_samples; i++) {
		const struct lp_panel *p = &item->chunk->panels[0];
		int64_t second = (item->chunk->time_ns[i] - BEGIN) / S;

		w->sum[host] += second;
		/* The values are those of the time. */
		assert_int_equal(p->series[0].values[0].bits[i],
				 (uint64_t)second);
	}
	return 0;
}

static void begin(struct world *w)
{
	struct lp_follow_config config = { .paths = w->paths,
					   .n = 1,
					   .query = &w->query,
					   .slack_ns = 20 * S,
					   .say = hear,
					   .say_user = w };

	*w = (struct world){ .scratch = scratch_new() };
	w->paths[0] = scratch_root(w->scratch);
	lp_query_init(&w->query);
	w->query.tolerant = true;
	w->follow = lp_follow_new(&config);
	assert_non_null(w->follow);
}

static void end(struct world *w)
{
	lp_follow_free(w->follow);
	scratch_free(w->scratch);
}

static void look(struct world *w, int second)
{
	struct lp_error err;

	if (lp_follow_look(w->follow, BEGIN + second * S, count, w, &err))
		fail_msg("%s", err.text);
}

/* Samples of the seconds [from, to). */
static struct lp_builder *samples(const char *host, int from, int to)
{
	struct lp_builder *b = lp_builder_new(host);
	size_t panel = lp_builder_panel(b, &lp_class_disk);

	for (int i = from; i < to; i++) {
		struct lp_row row;

		lp_builder_tick(b, BEGIN + i * S);
		lp_builder_row(b, panel, "sda", 3, &row);
		lp_row_u64(&row, 0, (uint64_t)i);
	}
	return b;
}

static const char *path_of(const struct world *w, const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s.limpid", w->paths[0], name);
	return path;
}

static struct lp_archive_writer *create(const struct world *w, const char *name)
{
	struct lp_archive_writer *writer = NULL;
	struct lp_error err;

	if (lp_archive_create(path_of(w, name), LP_ARCHIVE_LIVE, &writer,
			      &err) < 0)
		fail_msg("%s", err.text);
	return writer;
}

static void put(struct lp_archive_writer *writer, const char *host, int from,
		int to, bool sealed)
{
	struct lp_builder *b = samples(host, from, to);
	const struct lp_chunk *chunk = lp_builder_chunk(b);
	struct lp_error err;

	assert_int_equal(sealed ? lp_archive_put_chunk(writer, chunk, &err)
				: lp_archive_put_tail(writer, chunk, &err),
			 0);
	lp_builder_free(b);
}

static void put_start(struct lp_archive_writer *writer, const char *host)
{
	struct lp_event event = { .host = host,
				  .time_ns = BEGIN,
				  .kind = LP_EVENT_START };
	struct lp_error err;

	assert_int_equal(lp_archive_put_event(writer, &event, &err), 0);
}

/* A closed file with samples of these seconds. */
static void record(const struct world *w, const char *name, const char *host,
		   int from, int to)
{
	struct lp_archive_writer *writer = create(w, name);
	struct lp_error err;

	put(writer, host, from, to, true);
	assert_int_equal(lp_archive_finish(writer, &err), 0);
}

/* So far the seconds [0, n) of a host were given, each once. */
static void assert_given(const struct world *w, int host, int n)
{
	assert_int_equal(w->n[host], n);
	assert_int_equal(w->sum[host], (int64_t)n * (n - 1) / 2);
}

static const struct lp_follow_host *host(const struct world *w, size_t i)
{
	size_t n;
	const struct lp_follow_host *hosts = lp_follow_hosts(w->follow, &n);

	assert_true(i < n);
	return &hosts[i];
}

/* ---- what recorders do ---- */

static void a_growing_block_gives_each_sample_once(void **state)
{
	struct world w;
	struct lp_archive_writer *writer;

	(void)state;
	begin(&w);
	writer = create(&w, "a");
	put(writer, "a", 0, 10, false);
	look(&w, 10);
	assert_given(&w, 0, 10);
	put(writer, "a", 0, 30, false);
	look(&w, 30);
	assert_given(&w, 0, 30);
	/* An event takes the growing block's place. */
	put_start(writer, "a");
	put(writer, "a", 0, 40, false);
	look(&w, 40);
	assert_given(&w, 0, 40);
	assert_int_equal(w.events, 1);
	/* Sealed in two, as when devices changed. */
	put(writer, "a", 0, 20, true);
	put(writer, "a", 20, 60, true);
	put(writer, "a", 60, 70, false);
	look(&w, 70);
	look(&w, 70);
	assert_given(&w, 0, 70);
	assert_int_equal(w.events, 1);
	assert_int_equal(host(&w, 0)->late, 0);
	lp_archive_abandon(writer);
	end(&w);
}

static void a_compacted_day_gives_no_sample_twice(void **state)
{
	struct world w;
	struct lp_archive_writer *writer;
	struct lp_error err;
	char path[512];
	const char *const paths[] = { path };

	(void)state;
	begin(&w);
	writer = create(&w, "a");
	put_start(writer, "a");
	for (int i = 0; i < 5; i++)
		put(writer, "a", 10 * i, 10 * (i + 1), true);
	look(&w, 50);
	assert_given(&w, 0, 50);
	/* More comes, and then the day is over before anybody looked. */
	put(writer, "a", 50, 60, true);
	assert_int_equal(lp_archive_finish(writer, &err), 0);
	snprintf(path, sizeof(path), "%s", path_of(&w, "a"));
	assert_int_equal(lp_archive_compact(paths, 1, path, NULL, NULL, &err),
			 0);
	record(&w, "a-next", "a", 60, 80);
	look(&w, 80);
	assert_given(&w, 0, 80);
	assert_int_equal(w.events, 1);
	assert_int_equal(host(&w, 0)->late, 0);
	end(&w);
}

static void hosts_and_directories_come_and_go(void **state)
{
	struct world w;
	char below[400], path[512];
	struct lp_archive_writer *writer;
	struct lp_error err;

	(void)state;
	begin(&w);
	record(&w, "a", "a", 0, 10);
	look(&w, 10);
	snprintf(below, sizeof(below), "%s/b", w.paths[0]);
	assert_int_equal(mkdir(below, 0700), 0);
	snprintf(path, sizeof(path), "%s/b.limpid", below);
	assert_int_equal(
		lp_archive_create(path, LP_ARCHIVE_LIVE, &writer, &err), 0);
	put(writer, "b", 0, 10, true);
	look(&w, 10);
	assert_given(&w, 1, 10);
	snprintf(path, sizeof(path), "%s.away", w.paths[0]);
	assert_int_equal(rename(w.paths[0], path), 0);
	look(&w, 20);
	assert_int_equal(rename(path, w.paths[0]), 0);
	put(writer, "b", 10, 20, true);
	look(&w, 20);
	assert_given(&w, 0, 10);
	assert_given(&w, 1, 20);
	lp_archive_abandon(writer);
	end(&w);
}

/* ---- clocks ---- */

static void samples_of_the_future_wait_and_late_ones_are_counted(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	record(&w, "a", "a", 0, 10);
	record(&w, "b", "b", 0, 10);
	record(&w, "b2", "b", 5000, 5010);
	look(&w, 10);
	assert_given(&w, 1, 10);
	assert_true(host(&w, 1)->ahead_ns > 4000 * S);
	assert_true(lp_follow_newest(w.follow) == BEGIN + 9 * S);
	/* Its clock is right again. */
	record(&w, "b3", "b", 10, 20);
	look(&w, 20);
	assert_given(&w, 1, 20);
	assert_true(host(&w, 1)->ahead_ns == 0);
	/* What comes later than what is newer. */
	record(&w, "a2", "a", 20, 30);
	look(&w, 30);
	record(&w, "a3", "a", 10, 20);
	look(&w, 30);
	assert_int_equal(w.n[0], 20);
	assert_int_equal(host(&w, 0)->late, 10);
	end(&w);
}

/* ---- damage ---- */

static void damaged_files_do_not_stop_the_others(void **state)
{
	struct world w;
	char path[512];
	int fd;

	(void)state;
	begin(&w);
	record(&w, "a", "a", 0, 10);
	snprintf(path, sizeof(path), "%s", path_of(&w, "b"));
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, path, 200), 200);
	close(fd);
	look(&w, 10);
	look(&w, 10);
	assert_given(&w, 0, 10);
	assert_int_equal(w.said, 1);
	assert_non_null(strstr(w.last, "not a limpid archive"));
	/* It is replaced by a good one; another is cut to nothing. */
	assert_int_equal(unlink(path), 0);
	record(&w, "b", "b", 0, 10);
	assert_int_equal(truncate(path_of(&w, "a"), 3), 0);
	look(&w, 10);
	assert_given(&w, 0, 10);
	assert_given(&w, 1, 10);
	end(&w);
}

/* The recorder gave the file its host's name. */
static void a_file_of_another_host_is_left_out(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	record(&w, "a-20270115T080000Z", "a", 0, 10);
	record(&w, "b-20270115T080000Z", "a", 5, 15);
	look(&w, 20);
	assert_given(&w, 0, 10);
	assert_int_equal(w.said, 1);
	assert_non_null(strstr(w.last, "samples of host a"));
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_growing_block_gives_each_sample_once),
		cmocka_unit_test(a_compacted_day_gives_no_sample_twice),
		cmocka_unit_test(hosts_and_directories_come_and_go),
		cmocka_unit_test(
			samples_of_the_future_wait_and_late_ones_are_counted),
		cmocka_unit_test(damaged_files_do_not_stop_the_others),
		cmocka_unit_test(a_file_of_another_host_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
