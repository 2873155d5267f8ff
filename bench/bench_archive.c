/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archive on a server-day: bytes a value, values decoded a second, one
 * column of one hour, and what the recorder's tail costs, against the goals.
 * With archives on the command line, the same of those: as they are, and
 * compacted.
 *
 *     bench_archive [FILE...]
 */
#include "server_day.h"

#include "archive/archive.h"
#include "archive/encode.h"
#include "archive/maintain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOURS 24
#define HOUR_S 3600
#define MINUTE_S 60

/*
 * The goals are for archives that were compacted, of a server of which a part
 * is busy; of one that is all busy, sizes and speeds are only stated.
 */
#define MOST_BYTES 0.30
#define LEAST_SPEED 700
#define MOST_COLUMN_MS 5

/* The hour that one column is read of, and how much of it there is. */
struct hour {
	int64_t since_ns, span_s;
};

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_now(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double wall_now(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

static void check(int code, const struct lp_error *err)
{
	if (code >= 0)
		return;
	fprintf(stderr, "bench_archive: %s\n", err->text);
	exit(1);
}

static uint64_t count_values(const struct lp_chunk *chunk)
{
	uint64_t n = 0;

	for (size_t p = 0; p < chunk->n_panels; p++) {
		const struct lp_panel *panel = &chunk->panels[p];

		for (size_t s = 0; s < panel->n_series; s++)
			for (size_t c = 0; c < panel->n_columns; c++)
				n += panel->series[s].values[c].bits
					     ? chunk->n_samples
					     : 0;
	}
	return n;
}

/* Read all that the query wants; the number of values. */
static uint64_t read_all(const char *path, const struct lp_query *query)
{
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;
	uint64_t n = 0;
	int code = lp_archive_open(path, query, &stream, &err);

	check(code, &err);
	while ((code = lp_stream_next(stream, &item, &err)) > 0)
		if (item.kind == LP_ITEM_CHUNK)
			n += count_values(item.chunk);
	check(code, &err);
	lp_stream_close(stream);
	return n;
}

static const char *judge(bool met)
{
	return met ? "met" : "MISSED";
}

static void bench_decode(const char *path, bool has_goal)
{
	struct lp_query query;
	double best = 1e9, bytes, speed;
	uint64_t n = 0;
	struct stat st;

	lp_query_init(&query);
	stat(path, &st);
	for (int round = 0; round < 5; round++) {
		double begin = cpu_now(), took;

		n = read_all(path, &query);
		took = cpu_now() - begin;
		best = took < best ? took : best;
	}
	bytes = (double)st.st_size / (double)n;
	speed = (double)n / best / 1e6;
	printf("  %-34s %8.3f  (%.3f MB, %.2f M values)", "bytes a value",
	       bytes, (double)st.st_size / 1e6, (double)n / 1e6);
	if (has_goal)
		printf(", goal at most %.2f: %s", MOST_BYTES,
		       judge(bytes <= MOST_BYTES));
	printf("\n  %-34s %8.0f", "decoded, M values/s, one core", speed);
	if (has_goal)
		printf(", goal at least %d: %s", LEAST_SPEED,
		       judge(speed >= LEAST_SPEED));
	putchar('\n');
}

static void bench_column(const char *path, struct hour hour)
{
	static const char *const columns[] = { "rd_ms", NULL };
	struct lp_query query;
	double best = 1e9;
	uint64_t n = 0;
	char what[64];

	lp_query_init(&query);
	query.columns = columns;
	query.since_ns = hour.since_ns;
	query.until_ns = hour.since_ns + HOUR_S * LP_NS_PER_S - 1;
	for (int round = 0; round < 20; round++) {
		double begin = wall_now(), took;

		n = read_all(path, &query);
		took = wall_now() - begin;
		best = took < best ? took : best;
	}
	if (hour.span_s < HOUR_S)
		snprintf(what, sizeof(what), "one column of all %d s, ms, warm",
			 (int)hour.span_s);
	else
		snprintf(what, sizeof(what),
			 "one column of one hour, ms, warm");
	printf("  %-34s %8.3f  (%.2f M values), goal at most %d: %s\n", what,
	       best * 1e3, (double)n / 1e6, MOST_COLUMN_MS,
	       judge(best * 1e3 <= MOST_COLUMN_MS));
}

/* A day as the recorder leaves it: blocks of a minute. */
static void record_day(const char *path, size_t busy, size_t intermittent)
{
	struct server_day *day =
		server_day_new(DAY_DEVICES, busy, intermittent);
	struct lp_archive_writer *writer;
	struct lp_error err;

	check(lp_archive_create(path, LP_ARCHIVE_LIVE, &writer, &err), &err);
	for (size_t i = 0; i < HOURS * HOUR_S / MINUTE_S; i++)
		check(lp_archive_put_chunk(
			      writer, server_day_next(day, MINUTE_S), &err),
		      &err);
	check(lp_archive_finish(writer, &err), &err);
	server_day_free(day);
}

static void bench_compacted(const char *path, int64_t block_s, bool has_goal,
			    struct hour hour)
{
	struct lp_compact_options options = { block_s * LP_NS_PER_S };
	double begin = cpu_now();
	struct lp_error err;
	char out[64];

	snprintf(out, sizeof(out), "/tmp/bench-archive-%ld-compact.limpid",
		 (long)getpid());
	check(lp_archive_compact(&path, 1, out, &options, NULL, &err), &err);
	printf(" compacted, blocks of %d s\n", (int)block_s);
	printf("  %-34s %8.2f\n", "compacted in, CPU s", cpu_now() - begin);
	bench_decode(out, has_goal);
	bench_column(out, hour);
	unlink(out);
}

static void bench_day(const char *path, const char *what, size_t busy,
		      size_t intermittent)
{
	static const struct hour hour = {
		DAY_START_NS + 7 * HOUR_S * LP_NS_PER_S, HOUR_S
	};
	bool has_goal = busy < DAY_DEVICES;

	record_day(path, busy, intermittent);
	printf("%s\n as recorded, blocks of 60 s\n", what);
	bench_decode(path, false);
	bench_compacted(path, 3600, has_goal, hour);
	bench_compacted(path, 600, has_goal, hour);
	unlink(path);
}

/* Its first hour, or all of it. */
static void bench_file(const char *path)
{
	struct lp_info info;
	struct lp_error err;
	struct hour hour;

	check(lp_archive_info(path, &info, &err), &err);
	if (info.samples == 0) {
		fprintf(stderr, "bench_archive: %s: no samples\n", path);
		exit(1);
	}
	hour.since_ns = info.first_ns;
	hour.span_s = (info.last_ns - info.first_ns + info.interval_ns +
		       LP_NS_PER_S / 2) /
		      LP_NS_PER_S;
	printf("%s, %llu samples\n as recorded\n", basename(path),
	       (unsigned long long)info.samples);
	bench_decode(path, false);
	bench_compacted(path, 3600, true, hour);
	lp_archive_info_done(&info);
}

/* The recorder rewrites its last minute every ten seconds. */
static void bench_tail(const char *path)
{
	struct server_day *day = server_day_new(34, 10, 0);
	const struct lp_chunk *chunk = server_day_next(day, 60);
	struct lp_archive_writer *writer;
	struct lp_error err;
	struct encoder encoder;
	const uint8_t *bytes;
	size_t size;
	double begin, took;
	const int rounds = 1000;

	lp_encoder_init(&encoder);
	lp_encode_samples(&encoder, chunk, 0, 60, 0, 1, &bytes, &size);
	begin = cpu_now();
	for (int i = 0; i < rounds; i++)
		lp_encode_samples(&encoder, chunk, 0, 60, 0, 1, &bytes, &size);
	took = cpu_now() - begin;
	lp_encoder_done(&encoder);
	printf("tail of 60 s, 34 devices x %d columns, 10 busy\n",
	       DAY_COUNTERS);
	printf("  %-34s %8.3f  (%zu bytes)\n", "encoded, ms",
	       took * 1e3 / rounds, size);
	check(lp_archive_create(path, LP_ARCHIVE_LIVE, &writer, &err), &err);
	begin = cpu_now();
	for (int i = 0; i < rounds; i++)
		check(lp_archive_put_tail(writer, chunk, &err), &err);
	took = cpu_now() - begin;
	printf("  %-34s %8.3f\n", "encoded and written, ms",
	       took * 1e3 / rounds);
	lp_archive_abandon(writer);
	unlink(path);
	server_day_free(day);
}

int main(int argc, char **argv)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/bench-archive-%ld.limpid",
		 (long)getpid());
	for (int i = 1; i < argc; i++)
		bench_file(argv[i]);
	if (argc > 1)
		return 0;
	bench_day(path, "server-day, 12 busy, 12 intermittent, 48 idle", 12,
		  12);
	bench_day(path, "server-day, all 72 busy", DAY_DEVICES, 0);
	bench_tail(path);
	return 0;
}
