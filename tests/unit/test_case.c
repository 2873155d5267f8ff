/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case gives the same findings whatever the pieces in which samples are put:
 * recordings of the lab, all at once, and cut at random, hosts in any order.
 */
#include "case_pieces.h"

static const char *const runs[] = {
	"one/1-05-ddw-read-network-hog-s5",
	"one/1-16-iozonew-receive-pktloss-s3",
	"one/1-22-ddr-disk-busy-s1",
	"ceph/1-07-ddr-disk-hog-s3",
	"benign/1-02-ddr-client-added",
};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

static void compare_pieces(struct world *w)
{
	char *whole = verdict(w->whole);

	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct lp_case *c =
			case_of_pieces(w, 0, seed, NULL, 0, NULL, NULL);
		char *pieces = verdict(c);

		assert_string_equal(pieces, whole);
		free(pieces);
		lp_case_close(c);
	}
	free(whole);
	end(w);
}

static void pieces_in_any_order_give_the_same_findings(void **state)
{
	(void)state;
	for (size_t r = 0; r < RUNS; r++) {
		/* Windows of 12 points, so that long steps have some. */
		struct lp_detector_params few = {
			.window = 12, .shift = 6, .smooth = 2, .k = 2
		};
		int64_t step_ns = (int64_t)(1 + 2 * r) * S;
		struct world w;

		begin_with(&w, runs[r], step_ns, few);
		compare_pieces(&w);
		begin_jointly(&w, runs[r], step_ns);
		compare_pieces(&w);
	}
}

/* ---- findings on the way ---- */

#define STOPS 6

struct seen {
	char *text[STOPS];
};

static void keep_verdict(void *user, struct lp_case *c, size_t stop)
{
	((struct seen *)user)->text[stop] = verdict(c);
}

static void make_stops(const struct world *w, int64_t stops[STOPS])
{
	const struct lp_roster *roster = &w->recording.roster;
	int64_t span = roster->last_ns - roster->first_ns;

	for (int i = 0; i < STOPS; i++)
		stops[i] = roster->first_ns + (i + 1) * span / (STOPS + 1);
}

static void compare_on_the_way(struct world *w, int64_t history_ns)
{
	struct seen first = { { 0 } }, second = { { 0 } };
	int64_t stops[STOPS];

	make_stops(w, stops);
	lp_case_close(case_of_pieces(w, history_ns, 11, stops, STOPS,
				     keep_verdict, &first));
	lp_case_close(case_of_pieces(w, history_ns, 12, stops, STOPS,
				     keep_verdict, &second));
	for (int i = 0; i < STOPS; i++) {
		assert_non_null(first.text[i]);
		assert_non_null(second.text[i]);
		assert_string_equal(first.text[i], second.text[i]);
		free(first.text[i]);
		free(second.text[i]);
	}
}

static void findings_on_the_way_do_not_depend_on_the_pieces(void **state)
{
	(void)state;
	for (size_t r = 0; r < RUNS; r++) {
		struct world w;

		begin(&w, runs[r]);
		compare_on_the_way(&w, 0);
		compare_on_the_way(&w, 300 * S);
		end(&w);
		begin_jointly(&w, runs[r], S);
		compare_on_the_way(&w, 0);
		compare_on_the_way(&w, 60 * S);
		end(&w);
	}
}

/* ---- what was forgotten ---- */

static struct lp_finding *first_finding(struct lp_case *c,
					struct lp_diagnosis *d)
{
	struct lp_error err;

	assert_int_equal(lp_case_findings(c, d, &err), 0);
	assert_true(d->n_findings > 0);
	return &d->findings[0];
}

/* The fault lasts longer than what is kept. */
static void a_finding_remembers_when_it_began(void **state)
{
	struct world w;
	struct lp_diagnosis all, few;
	struct lp_finding *a, *b;
	struct lp_case *c;

	(void)state;
	/* Short windows, so that little needs to be kept. */
	begin_with(&w, "one/1-22-ddr-disk-busy-s1", S,
		   (struct lp_detector_params){
			   .window = 20, .shift = 10, .smooth = 5, .k = 2 });
	c = case_of_pieces(&w, 1, 5, NULL, 0, NULL, NULL);
	a = first_finding(w.whole, &all);
	b = first_finding(c, &few);
	assert_true(few.first_ns > a->since_ns);
	assert_string_equal(a->component, b->component);
	assert_true(a->since_ns == b->since_ns);
	assert_true(a->until_ns == b->until_ns);
	assert_int_equal(a->cause, b->cause);
	assert_int_equal(a->persistence, b->persistence);
	assert_int_equal(a->evidence[0].windows, b->evidence[0].windows);
	assert_int_equal(a->evidence[0].flagged, b->evidence[0].flagged);
	lp_diagnosis_done(&all);
	lp_diagnosis_done(&few);
	lp_case_close(c);
	end(&w);
}

/* When it began was seen before the samples of that time were forgotten. */
static void dates_outlast_their_samples(void **state)
{
	struct world w;
	struct lp_diagnosis all, few;
	struct lp_finding *a, *b;
	struct lp_case *c;

	(void)state;
	begin_jointly(&w, "one/1-22-ddr-disk-busy-s1", S);
	c = case_of_pieces(&w, 120 * S, 5, NULL, 0, NULL, NULL);
	a = first_finding(w.whole, &all);
	b = first_finding(c, &few);
	assert_true(few.first_ns > a->since_ns);
	assert_true(a->dated && b->dated);
	assert_true(a->since_ns == b->since_ns);
	assert_true(a->until_ns == b->until_ns);
	assert_true(!a->lasting && !b->lasting);
	assert_true(b->since_low_ns < b->since_ns &&
		    b->since_ns < b->since_high_ns);
	assert_true(b->until_low_ns < b->until_ns &&
		    b->until_ns < b->until_high_ns);
	lp_diagnosis_done(&all);
	lp_diagnosis_done(&few);
	lp_case_close(c);
	end(&w);
}

/* The samples of a fault from 30 s after its start on. */
static void one_block_is_enough_to_accuse(void **state)
{
	struct world w = { .run = "dose/1-23-ddw-disk-busy-1.2-s2",
			   .step_ns = S,
			   .since_ns = INT64_C(1794854347) * S,
			   .methods = { lp_detector_find("limpid") } };

	(void)state;
	open_world(&w);
	free(verdict(w.whole));
	end(&w);
}

/* ---- a case that makes its own survey ---- */

static void a_running_case_plans_by_itself(void **state)
{
	struct world w;
	struct lp_diagnosis all, own;
	struct lp_finding *a, *b;
	struct feeds feeds;
	struct lp_case *c;
	struct lp_error err;

	(void)state;
	begin(&w, "one/1-22-ddr-disk-busy-s1");
	c = open_own(&w, NULL, 7200 * S);
	open_feeds(&feeds, w.run, &w.recording);
	feed_all(c, &feeds, 7, NULL, 0, NULL, NULL);
	close_feeds(&feeds);
	assert_int_equal(lp_case_advance(c, LP_TIME_MAX, &err), 0);
	a = first_finding(w.whole, &all);
	b = first_finding(c, &own);
	assert_string_equal(a->component, b->component);
	assert_int_equal(a->cause, b->cause);
	assert_true(a->since_ns == b->since_ns);
	lp_diagnosis_done(&all);
	lp_diagnosis_done(&own);
	lp_case_close(c);
	end(&w);
}

static void see_nothing_yet(void *user, struct lp_case *c, size_t stop)
{
	struct lp_diagnosis d;
	struct lp_error err;

	(void)stop;
	assert_int_equal(lp_case_findings(c, &d, &err), 0);
	assert_int_equal(d.outcome, LP_OUTCOME_UNDECIDED);
	assert_non_null(strstr(d.reason, "only just begun"));
	lp_diagnosis_done(&d);
	*(bool *)user = true;
}

static void a_running_case_says_that_it_has_just_begun(void **state)
{
	struct feeds feeds;
	struct lp_case *c;
	struct world w;
	bool seen = false;
	int64_t early;

	(void)state;
	begin(&w, "one/1-22-ddr-disk-busy-s1");
	early = w.recording.roster.first_ns + 60 * S;
	c = open_own(&w, NULL, 7200 * S);
	open_feeds(&feeds, w.run, &w.recording);
	feed_all(c, &feeds, 8, &early, 1, see_nothing_yet, &seen);
	assert_true(seen);
	close_feeds(&feeds);
	lp_case_close(c);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_in_any_order_give_the_same_findings),
		cmocka_unit_test(
			findings_on_the_way_do_not_depend_on_the_pieces),
		cmocka_unit_test(a_finding_remembers_when_it_began),
		cmocka_unit_test(dates_outlast_their_samples),
		cmocka_unit_test(one_block_is_enough_to_accuse),
		cmocka_unit_test(a_running_case_plans_by_itself),
		cmocka_unit_test(a_running_case_says_that_it_has_just_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
