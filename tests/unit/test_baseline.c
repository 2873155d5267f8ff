/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/timestamp.h"
#include "evaluate/episodes.h"
#include "stats/dbscan.h"
#include "stats/parabola.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DISKS 6
#define POINTS 300
#define BEGIN ((int64_t)1200 * LP_NS_PER_S)

static const char *const hosts[] = { "s1", "s2", "s3", "s4", "s5", "s6" };
static const char *const labels[] = { "s1/a", "s2/a", "s3/a",
				      "s4/a", "s5/a", "s6/a" };

/* Six disks, 300 points of a second, all alike but for a little. */
struct bench {
	double values[LP_QUANTITIES][POINTS * DISKS];
	struct lp_judged_group group;
	struct lp_judged_run run;
	struct lp_alarms alarms;
};

static const struct lp_class *class_of(enum lp_kin kin)
{
	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_classes[i]->kin == kin)
			return lp_classes[i];
	return NULL;
}

/* From 0 to 1, the same in each run. */
static double chance(size_t k, size_t p, size_t quantity)
{
	uint64_t v = (k * DISKS + p) * LP_QUANTITIES + quantity + 1;

	/* Steele and others: splitmix64. */
	v *= 0x9e3779b97f4a7c15;
	v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9;
	v = (v ^ (v >> 27)) * 0x94d049bb133111eb;
	return (double)(v >> 40) / 0x1p24;
}

/* From 0.95 to 1.05, of 15 s in common and of each. */
static double little(size_t k, size_t p, size_t quantity)
{
	return 0.95 + 0.05 * chance(1000 + k / 15, p, quantity) +
	       0.05 * chance(k, p, quantity);
}

static void set(struct bench *b, enum lp_quantity quantity, double v)
{
	for (size_t k = 0; k < POINTS; k++)
		for (size_t p = 0; p < DISKS; p++)
			b->values[quantity][k * DISKS + p] =
				v * little(k, p, quantity);
	b->group.values[quantity] = b->values[quantity];
}

/* One of them is another from 100 s to 280 s. */
static void change(struct bench *b, enum lp_quantity quantity, size_t peer,
		   double factor)
{
	for (size_t k = 100; k < 280; k++)
		b->values[quantity][k * DISKS + peer] *= factor;
}

static struct bench *bench_of(enum lp_kin kin)
{
	struct bench *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->group = (struct lp_judged_group){ .class = class_of(kin),
					     .n = DISKS,
					     .hosts = hosts,
					     .labels = labels };
	b->run = (struct lp_judged_run){ .groups = &b->group,
					 .n_groups = 1,
					 .points = POINTS,
					 .first_ns = BEGIN,
					 .step_ns = LP_NS_PER_S };
	return b;
}

/* Busy half of the time by 50 requests of 64 kB, each of 12 ms. */
static struct bench *disks(void)
{
	struct bench *b = bench_of(LP_KIN_DISKS);

	set(b, LP_BUSY, 0.5);
	set(b, LP_REQUESTS, 50);
	set(b, LP_WAIT, 0.6);
	set(b, LP_DELAY, 12);
	set(b, LP_THROUGHPUT, 50 * 65536);
	set(b, LP_GIVEN, 50 * 128);
	set(b, LP_TAKEN, 10);
	return b;
}

static size_t judge(struct bench *b, const struct lp_baseline *baseline,
		    double limit)
{
	b->alarms.n = 0;
	assert_int_equal(baseline->judge(&b->run, limit, &b->alarms), 0);
	return b->alarms.n;
}

static void bench_free(struct bench *b)
{
	lp_alarms_done(&b->alarms);
	free(b);
}

static void make_slow(struct bench *b, size_t peer, double factor)
{
	change(b, LP_BUSY, peer, factor);
	change(b, LP_WAIT, peer, factor);
	change(b, LP_DELAY, peer, factor);
}

static void assert_said(const struct bench *b, const char *host,
			enum lp_cause cause)
{
	assert_int_equal(b->alarms.n, 1);
	assert_string_equal(b->alarms.items[0].host, host);
	assert_int_equal(b->alarms.items[0].cause, cause);
}

static void nobody_is_accused_if_all_are_alike(void **state)
{
	struct bench *b = disks();

	(void)state;
	for (size_t i = 0; lp_baselines[i]; i++) {
		const struct lp_baseline *baseline = lp_baselines[i];

		/* The busiest disk is always named. */
		if (baseline->judge && baseline->limit > 0)
			assert_int_equal(judge(b, baseline, baseline->limit),
					 0);
		else
			assert_true(!baseline->judge == !!baseline->not_run);
	}
	bench_free(b);
}

static void a_disk_that_is_a_fifth_slower_shows_in_its_service_time(
	void **state)
{
	struct bench *b = disks();
	struct lp_indictment *x;

	(void)state;
	make_slow(b, 2, 1.2);
	judge(b, &lp_baseline_plain, 5);
	assert_said(b, "s3", LP_CAUSE_DISK_BUSY);
	x = b->alarms.items;
	/* Windows of 60 s every 30 s; the third that is slow tells. */
	assert_int_equal((x->known_ns - BEGIN) / LP_NS_PER_S % 30, 0);
	assert_in_range((x->since_ns - BEGIN) / LP_NS_PER_S, 60, 120);
	assert_in_range((x->known_ns - BEGIN) / LP_NS_PER_S, 180, 210);
	/* Await is too coarse for that. */
	assert_int_equal(judge(b, &lp_baseline_mad, 5), 0);
	bench_free(b);
}

static void other_sizes_of_requests_are_not_slowness(void **state)
{
	struct bench *b = disks();

	(void)state;
	/* The same bytes in half as many requests. */
	change(b, LP_REQUESTS, 2, 0.5);
	change(b, LP_WAIT, 2, 0.5);
	assert_int_equal(judge(b, &lp_baseline_plain, 5), 0);
	bench_free(b);
}

static void load_explains_latency(void **state)
{
	struct bench *b = disks();

	(void)state;
	make_slow(b, 4, 3);
	change(b, LP_GIVEN, 4, 3);
	judge(b, &lp_baseline_plain, 5);
	assert_said(b, "s5", LP_CAUSE_DISK_HOG);
	bench_free(b);
}

static void lost_packets_are_a_share_of_what_was_sent(void **state)
{
	struct bench *b = bench_of(LP_KIN_SOCKETS);

	(void)state;
	set(b, LP_SENT, 1e6);
	set(b, LP_RESENT, 100);
	/* 0.4 % is below five times the floor, 0.7 % is not. */
	change(b, LP_RESENT, 1, 40);
	assert_int_equal(judge(b, &lp_baseline_plain, 5), 0);
	change(b, LP_RESENT, 1, 1.75);
	judge(b, &lp_baseline_plain, 5);
	assert_said(b, "s2", LP_CAUSE_PACKET_LOSS);
	bench_free(b);
}

static void slow_disks_are_found_by_the_rules_for_disks(void **state)
{
	static const struct lp_baseline *const rules[] = {
		&lp_baseline_mad, &lp_baseline_peer, &lp_baseline_perseus
	};
	struct bench *b = disks();

	(void)state;
	make_slow(b, 3, 4);
	for (size_t i = 0; i < 3; i++) {
		judge(b, rules[i], rules[i]->limit);
		assert_said(b, "s4", LP_CAUSE_DISK_BUSY);
		assert_true(b->alarms.items[0].score > rules[i]->limit);
		assert_true(b->alarms.items[0].known_ns >
			    BEGIN + 100 * LP_NS_PER_S);
	}
	bench_free(b);
}

static void the_busiest_disk_is_named_even_if_it_is_healthy(void **state)
{
	struct bench *b = disks();

	(void)state;
	assert_int_equal(judge(b, &lp_baseline_busiest, 0), 1);
	change(b, LP_BUSY, 5, 1.1);
	judge(b, &lp_baseline_busiest, 0);
	assert_said(b, "s6", LP_CAUSE_DISK_BUSY);
	bench_free(b);
}

static void missing_values_accuse_nobody(void **state)
{
	struct bench *b = disks();

	(void)state;
	for (int q = 0; q < LP_QUANTITIES; q++)
		change(b, (enum lp_quantity)q, 1, NAN);
	for (size_t i = 0; lp_baselines[i]; i++)
		if (lp_baselines[i]->judge && lp_baselines[i]->limit > 0 &&
		    judge(b, lp_baselines[i], lp_baselines[i]->limit) > 0)
			fail_msg("%s accuses %s", lp_baselines[i]->name,
				 b->alarms.items[0].host);
	bench_free(b);
}

static void baselines_are_found_by_name(void **state)
{
	char names[LP_BASELINES_TEXT];

	(void)state;
	assert_ptr_equal(lp_baseline_find("plain"), &lp_baseline_plain);
	assert_null(lp_baseline_find("nosuch"));
	assert_string_equal(lp_baseline_names(names),
			    "plain, mad, busiest, peer, perseus");
}

/* ---- the statistics behind Perseus ---- */

/* R: predict(lm(y ~ x + I(x^2)), interval = "prediction", level = 0.998) */
static void the_bound_of_a_parabola_is_that_of_r(void **state)
{
	static const double x[] = { 1, 2, 3, 4, 5, 7, 9, 10 };
	static const double y[] = { 2.1, 2.9, 4.2, 5.8, 8.1, 13.9, 22.3, 27.2 };
	struct lp_parabola c;

	(void)state;
	assert_true(lp_parabola_fit(&c, x, y, 8, 0.999));
	assert_true(fabs(lp_parabola_at(&c, 6) - 10.808343330134356) < 1e-9);
	assert_true(fabs(lp_parabola_bound(&c, 0) - 3.226656107149033) < 1e-9);
	assert_true(fabs(lp_parabola_bound(&c, 6) - 11.658319658864727) < 1e-9);
	assert_true(fabs(lp_parabola_bound(&c, 12) - 39.941583534950752) <
		    1e-9);
	assert_true(fabs(lp_student_quantile(0.999, 117) - 3.161352929333103) <
		    1e-9);
	assert_false(lp_parabola_fit(&c, x, y, 3, 0.999));
	assert_false(
		lp_parabola_fit(&c, (double[]){ 1, 1, 2, 2, 1 }, y, 5, 0.999));
}

static void the_largest_cluster_is_kept_and_what_lies_apart_is_not(void **state)
{
	double x[64], y[64];
	bool kept[64];
	size_t n = 0;

	(void)state;
	/* A line of 40, a line of 20 at a distance, and four strays. */
	for (; n < 40; n++) {
		x[n] = 0.1 * (double)n;
		y[n] = 0;
	}
	for (; n < 60; n++) {
		x[n] = 0.1 * (double)n;
		y[n] = 5;
	}
	for (; n < 64; n++) {
		x[n] = 20 * (double)n;
		y[n] = -20;
	}
	assert_int_equal(lp_dbscan_largest(x, y, n, 0.25, 4, kept), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kept[i], i < 40);
	/* With a larger distance both lines are one. */
	assert_int_equal(lp_dbscan_largest(x, y, n, 5.5, 4, kept), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kept[i], i < 60);
	/* Nothing is dense enough. */
	assert_int_equal(lp_dbscan_largest(x, y, n, 0.01, 4, kept), 0);
	assert_false(kept[0] || kept[50]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_accused_if_all_are_alike),
		cmocka_unit_test(
			a_disk_that_is_a_fifth_slower_shows_in_its_service_time),
		cmocka_unit_test(other_sizes_of_requests_are_not_slowness),
		cmocka_unit_test(load_explains_latency),
		cmocka_unit_test(lost_packets_are_a_share_of_what_was_sent),
		cmocka_unit_test(slow_disks_are_found_by_the_rules_for_disks),
		cmocka_unit_test(
			the_busiest_disk_is_named_even_if_it_is_healthy),
		cmocka_unit_test(missing_values_accuse_nobody),
		cmocka_unit_test(baselines_are_found_by_name),
		cmocka_unit_test(the_bound_of_a_parabola_is_that_of_r),
		cmocka_unit_test(
			the_largest_cluster_is_kept_and_what_lies_apart_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
