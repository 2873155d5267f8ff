/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of long recordings points are 10 s, and what counts samples sees them as they
 * were recorded, piece by piece: it says the same as where all is read in
 * steps of 1 s.
 */
#include "case_pieces.h"

#include "diagnose/unit.h"

static const char *const runs[] = {
	"one/1-16-iozonew-receive-pktloss-s3",
	"ceph/1-02-ddr-send-pktloss-s6",
	"dose/1-21-ddr-send-pktloss-0.1-s3",
	"one/1-22-ddr-disk-busy-s1",
};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

/* ---- all samples of a run by time, in pieces ---- */

struct pieces {
	struct lp_stream stream;
	struct feeds feeds;
	struct lp_random random;
	struct feed *given; /* the item is its, and was not pulled yet */
	struct piece piece;
};

static int64_t next_of(const struct feed *f)
{
	return f->item.kind == LP_ITEM_CHUNK ? f->item.chunk->time_ns[f->at]
					     : f->last_ns;
}

static struct feed *earliest(struct feeds *feeds)
{
	struct feed *first = NULL;

	for (size_t i = 0; i < feeds->n; i++) {
		struct feed *f = &feeds->feed[i];

		if (!f->over && (!first || next_of(f) < next_of(first)))
			first = f;
	}
	return first;
}

static void give_piece(struct pieces *p, struct lp_item *item)
{
	struct feed *f = p->given;
	size_t n = 1 + below(&p->random, 70);

	if (n > item->chunk->n_samples - f->at)
		n = item->chunk->n_samples - f->at;
	p->piece = cut(item->chunk, f->at, n);
	f->last_ns = p->piece.chunk.time_ns[n - 1];
	f->at += n;
	item->chunk = &p->piece.chunk;
}

static int pieces_next(struct lp_stream *stream, struct lp_item *item,
		       struct lp_error *err)
{
	struct pieces *p = (struct pieces *)stream;
	struct feed *f = p->given;

	(void)err;
	lp_arena_done(&p->piece.arena);
	if (f && (f->item.kind != LP_ITEM_CHUNK ||
		  f->at == f->item.chunk->n_samples))
		pull(f);
	p->given = f = earliest(&p->feeds);
	if (!f)
		return 0;
	*item = f->item;
	if (item->kind == LP_ITEM_CHUNK)
		give_piece(p, item);
	return 1;
}

static void pieces_close(struct lp_stream *stream)
{
	struct pieces *p = (struct pieces *)stream;

	lp_arena_done(&p->piece.arena);
	close_feeds(&p->feeds);
	free(p);
}

static int open_pieces(void *user, struct lp_stream **stream,
		       struct lp_error *err)
{
	static const struct lp_stream_ops ops = { .next = pieces_next,
						  .close = pieces_close };
	static uint64_t seed;
	const struct world *w = user;
	struct pieces *p = calloc(1, sizeof(*p));

	(void)err;
	assert_non_null(p);
	p->stream.ops = &ops;
	lp_random_init(&p->random, ++seed, 0);
	open_feeds(&p->feeds, w->run, &w->recording);
	*stream = &p->stream;
	return 0;
}

/* ---- the same is said ---- */

static void same_peak(const struct lp_peak *a, const struct lp_peak *b)
{
	assert_int_equal(a->peer, b->peer);
	assert_true(a->first_ns == b->first_ns);
	assert_true(a->last_ns == b->last_ns);
	assert_int_equal(a->blocks, b->blocks);
	assert_true(a->worst.distance == b->worst.distance);
	assert_true(a->worst.effect == b->worst.effect);
	assert_true(a->worst.value == b->worst.value);
}

static void same_unit(const struct lp_unit *a, const struct lp_unit *b)
{
	assert_ptr_equal(a->metric, b->metric);
	assert_int_equal(a->group->n, b->group->n);
	assert_int_equal(a->windows, b->windows);
	assert_memory_equal(a->end_ns, b->end_ns,
			    a->windows * sizeof(*a->end_ns));
	assert_memory_equal(a->track, b->track, a->windows * a->group->n);
	assert_int_equal(a->n_peaks, b->n_peaks);
	for (size_t i = 0; i < a->n_peaks; i++)
		same_peak(&a->peaks[i], &b->peaks[i]);
}

static void same_finding(const struct lp_diagnosis *a,
			 const struct lp_diagnosis *b)
{
	assert_int_equal(a->outcome, b->outcome);
	if (a->outcome != LP_OUTCOME_FAULT)
		return;
	assert_string_equal(a->findings[0].component, b->findings[0].component);
	assert_int_equal(a->findings[0].cause, b->findings[0].cause);
}

static void compare_with_whole(const char *run)
{
	struct world w;
	struct lp_diagnosis whole, sampled;
	struct lp_case *c;
	struct lp_error err;
	size_t counted = 0;

	begin_jointly(&w, run, S);
	w.step_ns = 10 * S;
	w.sample_ns = S;
	w.samples = open_pieces;
	c = case_of_pieces(&w, 0, 3, NULL, 0, NULL, NULL);
	assert_int_equal(lp_case_findings(w.whole, &whole, &err), 0);
	assert_int_equal(lp_case_findings(c, &sampled, &err), 0);
	assert_int_equal(whole.n_units, sampled.n_units);
	for (size_t u = 0; u < whole.n_units; u++)
		if (whole.units[u].metric->role == LP_LOSS) {
			same_unit(&whole.units[u], &sampled.units[u]);
			counted++;
		}
	assert_true(counted > 0);
	same_finding(&whole, &sampled);
	lp_diagnosis_done(&whole);
	lp_diagnosis_done(&sampled);
	lp_case_close(c);
	end(&w);
}

static void samples_are_counted_as_recorded(void **state)
{
	(void)state;
	for (size_t r = 0; r < RUNS; r++)
		compare_with_whole(runs[r]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_counted_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
