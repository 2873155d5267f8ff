/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A journal in a directory of its own, and batches for it, without a kernel and
 * without waiting. Included once in a program: it has the system's functions.
 */
#ifndef LP_TESTS_JOURNAL_BENCH_H
#define LP_TESTS_JOURNAL_BENCH_H

#include "unit.h"

#include "archive/archive.h"
#include "record/journal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What the library asks of the system, seen and told from here. */
static struct {
	int64_t ahead_ns; /* of the monotonic clock */
	size_t files, directories;
} asked;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int rc = (int)syscall(SYS_clock_gettime, clock, now);
	int64_t ns = now->tv_nsec + asked.ahead_ns;

	if (rc == 0 && clock == CLOCK_MONOTONIC) {
		now->tv_sec += ns / LP_NS_PER_S;
		now->tv_nsec = ns % LP_NS_PER_S;
	}
	return rc;
}

int fdatasync(int fd)
{
	(void)fd;
	asked.files++;
	return 0;
}

int fsync(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		asked.directories++;
	return 0;
}

struct bench {
	char dir[64];
	struct lp_journal_config config;
	struct lp_journal *journal;
	struct lp_notices events, says;
	char closed[256]; /* the file that was closed last */
};

static inline void on_closed(void *user, const char *path)
{
	struct bench *b = user;

	snprintf(b->closed, sizeof(b->closed), "%s", path);
}

/* In memory where there is such a place. */
static inline int set_up(void **state)
{
	bool memory = access("/dev/shm", W_OK) == 0;
	struct bench *b = calloc(1, sizeof(*b));

	snprintf(b->dir, sizeof(b->dir), "%s/limpid-journal-XXXXXX",
		 memory ? "/dev/shm" : "/tmp");
	if (!mkdtemp(b->dir))
		return -1;
	b->config = (struct lp_journal_config){ .dir = b->dir,
						.host = "h",
						.interval_ns = LP_NS_PER_S,
						.closed = on_closed,
						.user = b };
	b->journal = lp_journal_new(&b->config);
	*state = b;
	return b->journal ? 0 : -1;
}

static inline int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The names in the directory, in order; freed by the caller. */
static inline int list(const struct bench *b, struct dirent ***entries)
{
	return scandir(b->dir, entries, visible, alphasort);
}

static inline void forget(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static inline int tear_down(void **state)
{
	struct bench *b = *state;
	struct dirent **entries;
	int n = list(b, &entries);

	lp_journal_free(b->journal);
	lp_notices_done(&b->events);
	lp_notices_done(&b->says);
	for (int i = 0; i < n; i++) {
		char path[400];

		snprintf(path, sizeof(path), "%s/%s", b->dir,
			 entries[i]->d_name);
		unlink(path);
	}
	if (n >= 0)
		forget(entries, n);
	rmdir(b->dir);
	free(b);
	return 0;
}

static inline int64_t at(const char *text)
{
	int64_t t = 0;

	assert_int_equal(lp_time_parse(text, strlen(text), &t), 0);
	return t;
}

/* n samples, a second apart. */
static inline void add(struct bench *b, int64_t first_ns, size_t n)
{
	struct lp_batch batch = { .samples = lp_builder_new("h") };
	size_t disk = lp_builder_panel(batch.samples, &lp_class_disk);
	struct lp_row row;

	for (size_t i = 0; i < n; i++) {
		lp_builder_tick(batch.samples,
				first_ns + (int64_t)i * LP_NS_PER_S);
		lp_builder_row(batch.samples, disk, "sda", 3, &row);
		lp_row_u64(&row, 0, i);
	}
	lp_journal_add(b->journal, &batch, &b->events, &b->says);
	lp_builder_free(batch.samples);
}

static inline void stop(struct bench *b)
{
	struct lp_error err;

	assert_int_equal(lp_journal_stop(b->journal, &b->says, &err), 0);
}

/* Samples in a file; *stops counts events of an orderly stop. */
static inline size_t read_file(const struct bench *b, const char *name,
			       size_t *stops)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	char path[400];
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	lp_query_init(&query);
	assert_int_equal(lp_archive_open(path, &query, &stream, &err), 0);
	while (lp_stream_next(stream, &item, &err) > 0) {
		n += item.chunk ? item.chunk->n_samples : 0;
		*stops += item.event && item.event->kind == LP_EVENT_STOP;
	}
	lp_stream_close(stream);
	return n;
}

/* What a sampler does: its samples grow until they are taken. */
struct gathering {
	struct lp_batch batch;
	struct lp_builder *samples;
	size_t n, looked, sealed, taken;
};

static inline void gather_of(struct gathering *g, const char *name,
			     int64_t first_ns, size_t n)
{
	size_t disk = lp_builder_panel(g->samples, &lp_class_disk);
	struct lp_row row;

	for (size_t i = 0; i < n; i++) {
		lp_builder_tick(g->samples,
				first_ns + (int64_t)i * LP_NS_PER_S);
		if (i > 0 && lp_row_repeat(&row))
			continue;
		lp_builder_row(g->samples, disk, name, strlen(name), &row);
		lp_row_u64(&row, 0, 42);
	}
}

static inline void gather(struct gathering *g, int64_t first_ns, size_t n)
{
	gather_of(g, "sda", first_ns, n);
}

static inline void hand_over(struct bench *b, struct gathering *g)
{
	enum lp_journal_wish wish;

	g->batch.left = lp_journal_look(b->journal, &g->batch, g->samples);
	g->looked += g->batch.left;
	if (!g->batch.left) {
		struct lp_builder *empty = g->batch.samples;

		g->taken += lp_builder_samples(g->samples);
		g->batch.samples = g->samples;
		g->samples = empty;
	}
	wish = lp_journal_add(b->journal, &g->batch, &b->events, &b->says);
	assert_int_equal(lp_builder_samples(g->batch.samples), 0);
	if (wish == LP_JOURNAL_FORGET) {
		lp_builder_clear(g->samples);
		g->sealed++;
	}
	if (wish == LP_JOURNAL_LOOK)
		hand_over(b, g);
}

static inline struct gathering begin_gathering(void)
{
	return (struct gathering){ .samples = lp_builder_new("h"),
				   .batch.samples = lp_builder_new("h") };
}

static inline void end_gathering(struct bench *b, struct gathering *g)
{
	struct lp_batch last = { .samples = g->samples };

	lp_journal_add(b->journal, &last, &b->events, &b->says);
	stop(b);
	lp_builder_free(last.samples);
	lp_builder_free(g->batch.samples);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
