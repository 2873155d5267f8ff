/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archive on a server-day: bytes a value, values decoded a second, one
 * column of one hour, and what the recorder's tail costs. With archives on
 * the command line, the same reading of those.
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOURS 24
#define HOUR_S 3600
#define MINUTE_S 60

static double cpu_now(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)use.ru_utime.tv_sec +
	       (double)use.ru_utime.tv_usec / 1e6 +
	       (double)use.ru_stime.tv_sec + (double)use.ru_stime.tv_usec / 1e6;
}

static double wall_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
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

static void bench_decode(const char *path)
{
	struct lp_query query;
	double best = 1e9;
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
	printf("  %-34s %8.3f  (%.1f MB, %.1f M values)\n", "bytes a value",
	       (double)st.st_size / (double)n, (double)st.st_size / 1e6,
	       (double)n / 1e6);
	printf("  %-34s %8.0f\n", "decoded, M values/s, one core",
	       (double)n / best / 1e6);
}

static void bench_column(const char *path, int64_t since_ns)
{
	static const char *const columns[] = { "rd_ms", NULL };
	struct lp_query query;
	double best = 1e9;
	uint64_t n = 0;

	lp_query_init(&query);
	query.columns = columns;
	query.since_ns = since_ns;
	query.until_ns = since_ns + HOUR_S * LP_NS_PER_S - 1;
	for (int round = 0; round < 20; round++) {
		double begin = wall_now(), took;

		n = read_all(path, &query);
		took = wall_now() - begin;
		best = took < best ? took : best;
	}
	printf("  %-34s %8.3f  (%.2f M values)\n",
	       "one column of one hour, ms, warm", best * 1e3, (double)n / 1e6);
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

static void bench_day(const char *path, const char *what, size_t busy,
		      size_t intermittent)
{
	static const int64_t spans_s[] = { 3600, 600 };
	struct lp_error err;

	record_day(path, busy, intermittent);
	printf("%s\n as recorded, blocks of 60 s\n", what);
	bench_decode(path);
	for (size_t i = 0; i < lp_array_size(spans_s); i++) {
		struct lp_compact_options options = { spans_s[i] *
						      LP_NS_PER_S };
		double begin = cpu_now();
		char out[128];

		snprintf(out, sizeof(out), "%s-compact", path);
		check(lp_archive_compact(&path, 1, out, &options, NULL, &err),
		      &err);
		printf(" compacted, blocks of %d s\n", (int)spans_s[i]);
		printf("  %-34s %8.2f\n", "compacted in, CPU s",
		       cpu_now() - begin);
		bench_decode(out);
		bench_column(out, DAY_START_NS + 7 * HOUR_S * LP_NS_PER_S);
		unlink(out);
	}
	unlink(path);
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

	for (int i = 1; i < argc; i++) {
		printf("%s\n", basename(argv[i]));
		bench_decode(argv[i]);
	}
	if (argc > 1)
		return 0;
	snprintf(path, sizeof(path), "/tmp/bench-archive-%ld.limpid",
		 (long)getpid());
	bench_day(path, "server-day, 12 busy, 12 intermittent, 48 idle", 12,
		  12);
	bench_day(path, "server-day, all 72 busy", DAY_DEVICES, 0);
	bench_tail(path);
	return 0;
}
