/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live equals offline: recordings of the lab, written again as recorders write
 * them (growing blocks, days that are closed and compacted, hosts in any
 * order) and followed meanwhile, give the findings of all samples at once.
 */
#include "case_pieces.h"
#include "scratch.h"

#include "archive/archive.h"
#include "archive/maintain.h"
#include "case/case_metrics.h"
#include "live/live.h"

/* Hosts are apart by LAG_NS and the piece that comes next. */
#define PERIOD_NS (90 * S)

static const char *const runs[] = {
	"one/1-22-ddr-disk-busy-s1",
	"one/1-16-iozonew-receive-pktloss-s3",
	"benign/1-02-ddr-client-added",
};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

/* ---- a recorder of one host ---- */

struct recorder {
	struct feed *feed;
	const char *dir;
	char path[512];
	unsigned day; /* files so far */
	struct lp_archive_writer *writer;
	size_t sealed; /* samples of the feed's chunk */
};

static void open_file(struct recorder *r)
{
	struct lp_error err;

	snprintf(r->path, sizeof(r->path), "%s/%s-%u.limpid", r->dir,
		 r->feed->host, ++r->day);
	assert_int_equal(
		lp_archive_create(r->path, LP_ARCHIVE_LIVE, &r->writer, &err),
		0);
}

/* The end of a day; the file is compacted under its name, or not. */
static void close_file(struct recorder *r, bool compact)
{
	const char *const paths[] = { r->path };
	struct lp_error err;

	if (!r->writer)
		return;
	assert_int_equal(lp_archive_finish(r->writer, &err), 0);
	r->writer = NULL;
	if (compact && lp_archive_compact(paths, 1, r->path, NULL, NULL, &err))
		fail_msg("%s", err.text);
}

static void put_samples(struct recorder *r, size_t to, bool sealed)
{
	struct piece p = cut(r->feed->item.chunk, r->sealed, to - r->sealed);
	struct lp_error err;
	int status = sealed ? lp_archive_put_chunk(r->writer, &p.chunk, &err)
			    : lp_archive_put_tail(r->writer, &p.chunk, &err);

	assert_int_equal(status, 0);
	lp_arena_done(&p.arena);
	r->feed->at = to;
	r->feed->last_ns = r->feed->item.chunk->time_ns[to - 1];
	if (sealed)
		r->sealed = to;
}

/* What a recorder writes next: some samples, or another item. */
static void record_more(struct recorder *r, struct lp_random *random)
{
	struct feed *f = r->feed;
	struct lp_error err;
	size_t n, left;

	if (!r->writer)
		open_file(r);
	if (f->item.kind != LP_ITEM_CHUNK) {
		assert_int_equal(lp_archive_put_item(r->writer, &f->item, &err),
				 0);
		pull(f);
		return;
	}
	left = f->item.chunk->n_samples - f->at;
	n = 1 + below(random, 40);
	n = n < left ? n : left;
	put_samples(r, f->at + n, n == left || below(random, 3) == 0);
	if (n < left)
		return;
	pull(f);
	r->sealed = 0;
	if (below(random, 4) == 0)
		close_file(r, below(random, 2) == 0);
}

/* ---- following ---- */

static int64_t newest(const struct feeds *feeds)
{
	int64_t most = 0;

	for (size_t i = 0; i < feeds->n; i++)
		if (feeds->feed[i].last_ns > most)
			most = feeds->feed[i].last_ns;
	return most;
}

static void look(struct lp_live *live, const struct feeds *feeds)
{
	struct lp_error err;

	if (lp_live_look(live, newest(feeds), &err) < 0)
		fail_msg("%s", err.text);
}

static void record_all(struct lp_live *live, struct feeds *feeds,
		       const char *dir, uint64_t seed)
{
	struct recorder recorders[HOSTS_MAX] = { 0 };
	struct lp_random random;

	lp_random_init(&random, seed, 7);
	for (size_t i = 0; i < feeds->n; i++) {
		recorders[i].feed = &feeds->feed[i];
		recorders[i].dir = dir;
	}
	while (delivered(feeds) != LP_TIME_MAX) {
		struct feed *f = choose(feeds, &random);

		record_more(&recorders[f - feeds->feed], &random);
		if (below(&random, 8) == 0)
			look(live, feeds);
	}
	for (size_t i = 0; i < feeds->n; i++)
		close_file(&recorders[i], false);
	look(live, feeds);
}

static char *verdict_live(struct world *w, uint64_t seed)
{
	struct scratch *s = scratch_new();
	const char *const paths[] = { scratch_root(s) };
	struct lp_live_config config = {
		.paths = paths,
		.n = 1,
		.period_ns = PERIOD_NS,
		.step_ns = w->step_ns,
		.plan = plan_of_all,
		.plan_user = w,
		.recording = &w->recording,
		.options = { .methods = w->methods[0] ? w->methods : NULL },
	};
	struct lp_live *live = lp_live_new(&config);
	struct feeds feeds;
	struct lp_error err;
	uint64_t late;
	char *text;

	assert_non_null(live);
	open_feeds(&feeds, w->run, &w->recording);
	record_all(live, &feeds, paths[0], seed);
	close_feeds(&feeds);
	assert_int_equal(lp_live_finish(live, &err), 0);
	assert_true(lp_live_samples(live, &late) > 0);
	assert_int_equal(late, 0);
	text = verdict(lp_live_case(live));
	lp_live_free(live);
	scratch_free(s);
	return text;
}

/* Where two long texts differ, and not all of them. */
static void assert_same_text(const char *a, const char *b)
{
	size_t i = 0, from;

	while (a[i] && a[i] == b[i])
		i++;
	from = i > 100 ? i - 100 : 0;
	if (a[i] != b[i])
		fail_msg("'%.250s' is not '%.250s'", a + from, b + from);
}

static void compare_run(const char *run, uint64_t seed,
			const struct lp_matrix_metric *metrics)
{
	struct world w = { .run = run, .step_ns = S, .metrics = metrics };
	char *whole, *live;

	open_world(&w);
	whole = verdict(w.whole);
	live = verdict_live(&w, seed);
	assert_same_text(live, whole);
	free(whole);
	free(live);
	end(&w);
}

static void followed_recordings_give_the_same_findings(void **state)
{
	static const struct lp_option_list all;
	struct lp_matrix_metric *metrics = lp_case_metrics(&all, NULL, true);

	(void)state;
	assert_non_null(metrics);
	for (size_t r = 0; r < RUNS; r++)
		for (uint64_t seed = 1; seed <= 2; seed++)
			compare_run(runs[r], seed, metrics);
	free(metrics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(followed_recordings_give_the_same_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
