/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "evaluate/count.h"

#include <errno.h>
#include <math.h>

#define WINDOW 60

static const char *one[] = { "s3" };
static const char *two[] = { "s3", "s5" };

static struct lp_truth truth(const char *fault, const char **servers, size_t n)
{
	return (struct lp_truth){ .workload = "ddw",
				  .fault = fault,
				  .servers = servers,
				  .n_servers = n,
				  .cause = lp_fault_cause(fault),
				  .start_ns = 120,
				  .end_ns = 420 };
}

static struct lp_indictment indictment(const char *host, enum lp_cause cause,
				       int64_t since, int64_t until)
{
	return (struct lp_indictment){ .host = host,
				       .component = host,
				       .cause = cause,
				       .since_ns = since,
				       .until_ns = until,
				       .known_ns = since + 50 };
}

static struct lp_score score(const struct lp_truth *t,
			     const struct lp_indictment *indicted, size_t n)
{
	struct lp_score s;

	lp_score_run(t, indicted, n, WINDOW, &s);
	return s;
}

static void assert_score(struct lp_score s, bool itp, bool ifp, bool dtp,
			 bool dfp)
{
	assert_int_equal(s.itp, itp);
	assert_int_equal(s.ifp, ifp);
	assert_int_equal(s.dtp, dtp);
	assert_int_equal(s.dfp, dfp);
}

static void the_right_server_with_the_right_cause_is_a_hit(void **state)
{
	struct lp_truth t = truth("disk-hog", one, 1);
	struct lp_indictment x = indictment("s3", LP_CAUSE_DISK_HOG, 150, 400);
	struct lp_score s = score(&t, &x, 1);

	(void)state;
	assert_score(s, true, false, true, false);
	assert_int_equal(s.latency_ns, 80);
	assert_int_equal(s.false_alarms, 0);
}

static void the_right_server_with_a_wrong_cause_is_misdiagnosed(void **state)
{
	struct lp_truth t = truth("write-network-hog", one, 1);
	struct lp_indictment x = indictment("s3", LP_CAUSE_DISK_BUSY, 150, 400);

	(void)state;
	assert_score(score(&t, &x, 1), true, false, false, true);
}

static void another_server_is_false_at_any_time(void **state)
{
	struct lp_truth t = truth("disk-hog", one, 1);
	struct lp_indictment x[] = {
		indictment("s3", LP_CAUSE_DISK_HOG, 150, 400),
		indictment("s1", LP_CAUSE_DISK_HOG, 0, 10),
	};

	(void)state;
	assert_score(score(&t, x, 2), true, true, true, true);
	assert_int_equal(score(&t, x, 2).false_alarms, 1);
}

static void the_right_server_counts_until_a_window_after_the_end(void **state)
{
	struct lp_truth t = truth("disk-hog", one, 1);
	struct lp_indictment before =
		indictment("s3", LP_CAUSE_DISK_HOG, 0, 119);
	struct lp_indictment last =
		indictment("s3", LP_CAUSE_DISK_HOG, 420 + WINDOW, 600);
	struct lp_indictment after =
		indictment("s3", LP_CAUSE_DISK_HOG, 421 + WINDOW, 600);

	(void)state;
	assert_score(score(&t, &before, 1), false, false, false, false);
	assert_int_equal(score(&t, &before, 1).false_alarms, 1);
	assert_score(score(&t, &last, 1), true, false, true, false);
	assert_score(score(&t, &after, 1), false, false, false, false);
}

static void all_faulty_servers_must_be_found(void **state)
{
	struct lp_truth t = truth("disk-hog", two, 2);
	struct lp_indictment x[] = {
		indictment("s3", LP_CAUSE_DISK_HOG, 150, 400),
		indictment("s5", LP_CAUSE_DISK_HOG, 200, 400),
	};

	(void)state;
	assert_score(score(&t, x, 1), false, false, false, false);
	assert_score(score(&t, x, 2), true, false, true, false);
	assert_int_equal(score(&t, x, 2).latency_ns, 130);
}

static void nobody_should_be_indicted_in_a_control(void **state)
{
	struct lp_truth t = truth("none", NULL, 0);
	struct lp_indictment x = indictment("s3", LP_CAUSE_DISK_HOG, 150, 400);

	(void)state;
	assert_score(score(&t, NULL, 0), false, false, false, false);
	assert_score(score(&t, &x, 1), false, true, false, true);
}

static void a_fault_without_a_cause_counts_for_indictment_only(void **state)
{
	struct lp_truth t = truth("gremlins", one, 1);
	struct lp_indictment x = indictment("s3", LP_CAUSE_DISK_HOG, 150, 400);
	struct lp_score s = score(&t, &x, 1);
	struct lp_tally tally = { 0 };

	(void)state;
	assert_score(s, true, false, false, false);
	assert_int_equal(lp_tally_add(&tally, &s), 0);
	assert_int_equal(tally.itp.of, 1);
	assert_int_equal(tally.dtp.of, 0);
	assert_int_equal(tally.dfp.of, 0);
	assert_true(isnan(lp_share_percent(tally.dtp)));
	lp_tally_done(&tally);
}

/* FAST'10 table 2: of 50 runs each. */
static const struct {
	const char *fault;
	unsigned itp, ifp, dtp, dfp; /* percent */
} pvfs[] = {
	{ "none", 0, 0, 0, 0 },
	{ "disk-hog", 100, 0, 100, 0 },
	{ "disk-busy", 90, 2, 90, 2 },
	{ "write-network-hog", 92, 0, 84, 8 },
	{ "read-network-hog", 100, 0, 100, 0 },
	{ "receive-pktloss", 42, 0, 42, 0 },
	{ "send-pktloss", 40, 0, 40, 0 },
};

/* Fifty runs in which as many as the row says went right and wrong. */
static void add_row(struct lp_tally *tally, size_t row)
{
	bool control = row == 0;

	for (unsigned i = 0; i < 50; i++) {
		struct lp_truth t =
			truth(pvfs[row].fault, one, control ? 0 : 1);
		bool right = i < pvfs[row].dtp / 2;
		struct lp_indictment x[] = {
			indictment("s3", right ? t.cause : LP_CAUSE_UNKNOWN,
				   150, 400),
			indictment("s1", LP_CAUSE_UNKNOWN, 150, 400),
		};
		bool hit = i < pvfs[row].itp / 2, other = i < pvfs[row].ifp / 2;
		struct lp_score s = score(&t, hit ? x : x + 1,
					  (size_t)hit + (size_t)(other && hit));

		assert_int_equal(lp_tally_add(tally, &s), 0);
	}
}

static void aggregates_are_those_of_the_paper(void **state)
{
	struct lp_tally tally = { 0 };

	(void)state;
	for (size_t row = 0; row < lp_array_size(pvfs); row++)
		add_row(&tally, row);
	/* 77.3 = 464 / 6, 0.3 = 2 / 7, 76.0 = 456 / 6, 1.4 = 10 / 7 */
	assert_int_equal(lround(10 * lp_share_percent(tally.itp)), 773);
	assert_int_equal(lround(10 * lp_share_percent(tally.ifp)), 3);
	assert_int_equal(lround(10 * lp_share_percent(tally.dtp)), 760);
	assert_int_equal(lround(10 * lp_share_percent(tally.dfp)), 14);
	assert_int_equal(tally.itp.of, 300);
	assert_int_equal(tally.ifp.of, 350);
	assert_int_equal(tally.controls, 50);
	assert_true(lp_sample_quantile(&tally.latency_s, 0.5) == 80e-9);
	lp_tally_done(&tally);
}

static void errors_of_start_and_end_are_told(void **state)
{
	struct lp_truth t = truth("disk-hog", two, 2);
	struct lp_indictment x[] = {
		indictment("s3", LP_CAUSE_DISK_HOG, 150, 400),
		indictment("s3", LP_CAUSE_DISK_HOG, 130, 300),
		indictment("s5", LP_CAUSE_DISK_HOG, 90, 440),
	};
	struct lp_score s = score(&t, x, 3);

	(void)state;
	/* Of s3 10 late and 20 early, of s5 30 early and 20 late. */
	assert_true(fabs(s.start_error_s + 30e-9) < 1e-15);
	assert_true(fabs(fabs(s.end_error_s) - 20e-9) < 1e-15);
	x[2].lasting = true;
	assert_true(fabs(score(&t, x, 3).end_error_s + 20e-9) < 1e-15);
	assert_true(isnan(score(&t, x + 3, 0).start_error_s));
}

/* The fault is from 120 to 420. */
static void bounds_of_start_and_end_hold_or_not(void **state)
{
	struct lp_truth t = truth("disk-hog", one, 1);
	struct lp_indictment x = indictment("s3", LP_CAUSE_DISK_HOG, 130, 400);
	struct lp_tally tally = { 0 };
	struct lp_score s = score(&t, &x, 1);

	(void)state;
	assert_true(isnan(s.start_width_s) && isnan(s.end_width_s));
	x.dated = true;
	x.since_low_ns = 115;
	x.since_high_ns = 135;
	x.until_low_ns = 395;
	x.until_high_ns = 405;
	s = score(&t, &x, 1);
	assert_true(s.start_holds && !s.end_holds);
	assert_true(fabs(s.start_width_s - 20e-9) < 1e-15);
	assert_true(fabs(s.end_width_s - 10e-9) < 1e-15);
	assert_int_equal(lp_tally_add(&tally, &s), 0);
	assert_int_equal(tally.bounds.hits, 1);
	assert_int_equal(tally.bounds.of, 2);
	x.lasting = true;
	assert_true(isnan(score(&t, &x, 1).end_width_s));
	lp_tally_done(&tally);
}

#define HOUR ((int64_t)3600 * 1000000000)

static void a_fault_and_a_window_after_it_are_not_healthy(void **state)
{
	struct lp_truth t = truth("disk-hog", one, 1);

	(void)state;
	t.start_ns = 2 * HOUR;
	t.end_ns = 3 * HOUR;
	assert_true(lp_truth_healthy_hours(&t, "s3", 0, 10 * HOUR, HOUR) == 8);
	assert_true(lp_truth_healthy_hours(&t, "s1", 0, 10 * HOUR, HOUR) == 10);
	assert_true(lp_truth_healthy_hours(&t, "s3", 5 * HOUR, 6 * HOUR,
					   HOUR) == 1);
	t.fault = "none";
	assert_true(lp_truth_healthy_hours(&t, "s3", 0, 10 * HOUR, HOUR) == 10);
}

static void the_rate_of_false_alarms_is_of_healthy_hours(void **state)
{
	struct lp_score s = { .control = true,
			      .false_alarms = 1,
			      .latency_ns = -1,
			      .start_error_s = NAN,
			      .end_error_s = NAN,
			      .server_hours = 60,
			      .healthy_hours = 50 };
	struct lp_tally tally = { 0 };
	struct lp_rate rate;

	(void)state;
	assert_true(isnan(lp_tally_rate(&tally).per_hour));
	assert_int_equal(lp_tally_add(&tally, &s), 0);
	assert_int_equal(lp_tally_add(&tally, &s), 0);
	rate = lp_tally_rate(&tally);
	assert_true(fabs(rate.per_hour - 0.02) < 1e-12);
	/* R: poisson.test(2, 100)$conf.int */
	assert_true(fabs(rate.low - 0.002422092785439649) < 1e-12);
	assert_true(fabs(rate.high - 0.072246876677239582) < 1e-12);
	assert_int_equal(tally.latency_s.n, 0);
	lp_tally_done(&tally);
}

static int read_truth(const char *text, struct lp_truth *t,
		      struct lp_error *err)
{
	const char *path = in_directory("truth.json");
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
	return lp_truth_read(path, t, err);
}

static void truth_is_read_with_either_form_of_time(void **state)
{
	struct lp_truth t;
	struct lp_error err;

	(void)state;
	ok(read_truth("{\"workload\":\"ddr\",\"fault\":\"send-pktloss\","
		      "\"server\":[\"a\",\"b\"],\"start\":10.5,"
		      "\"end\":\"1970-01-01T00:01:00Z\",\"seed\":7}",
		      &t, &err),
	   &err);
	assert_string_equal(t.workload, "ddr");
	assert_int_equal(t.n_servers, 2);
	assert_string_equal(t.servers[1], "b");
	assert_int_equal(t.cause, LP_CAUSE_PACKET_LOSS);
	assert_int_equal(t.start_ns, 10500000000);
	assert_int_equal(t.end_ns, 60000000000);
	lp_truth_done(&t);
	ok(read_truth("{\"fault\":\"none\",\"server\":null}", &t, &err), &err);
	assert_true(lp_truth_is_control(&t));
	lp_truth_done(&t);
	ok(read_truth("{\"fault\":\"rebuild\",\"cause\":\"disk-busy\","
		      "\"server\":\"a\",\"start\":0,\"end\":1}",
		      &t, &err),
	   &err);
	assert_int_equal(t.cause, LP_CAUSE_DISK_BUSY);
	assert_true(isnan(t.strength));
	lp_truth_done(&t);
	ok(read_truth("{\"fault\":\"rebuild\",\"strength\":1.5,"
		      "\"strength_unit\":\"x\",\"server\":\"a\","
		      "\"start\":0,\"end\":1}",
		      &t, &err),
	   &err);
	assert_true(t.strength == 1.5);
	assert_string_equal(t.strength_unit, "x");
	lp_truth_done(&t);
}

static void assert_no_truth(const char *text, const char *because)
{
	struct lp_truth t;
	struct lp_error err;

	assert_int_equal(read_truth(text, &t, &err), -EINVAL);
	if (!strstr(err.text, because))
		fail_msg("'%s' does not say '%s'", err.text, because);
}

static void mistakes_in_a_truth_are_named(void **state)
{
	struct lp_truth t;
	struct lp_error err;

	(void)state;
	assert_no_truth("", "truth.json:1:");
	assert_no_truth("[]", "not a JSON object");
	assert_no_truth("{\"events\":[]}", "\"fault\"");
	assert_no_truth("{\"fault\":3}", "\"fault\" must be a text");
	assert_no_truth("{\"fault\":\"x\"}", "\"server\"");
	assert_no_truth("{\"fault\":\"x\",\"server\":[]}", "names no server");
	assert_no_truth("{\"fault\":\"x\",\"server\":\"a\"}", "\"start\"");
	assert_no_truth("{\"fault\":\"x\",\"server\":\"a\",\"start\":1e300,"
			"\"end\":1}",
			"\"start\"");
	assert_no_truth("{\"fault\":\"x\",\"server\":\"a\",\"start\":9,"
			"\"end\":1}",
			"before the start");
	assert_no_truth("{\"fault\":\"x\",\"server\":\"a\",\"start\":0,"
			"\"end\":1,\"cause\":\"flu\"}",
			"\"cause\"");
	assert_no_truth("{\"fault\":\"x\",\"server\":\"a\",\"start\":0,"
			"\"end\":1,\"strength\":\"much\"}",
			"\"strength\" must be a number");
	assert_int_equal(lp_truth_read("/nonexistent", &t, &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_right_server_with_the_right_cause_is_a_hit),
		cmocka_unit_test(
			the_right_server_with_a_wrong_cause_is_misdiagnosed),
		cmocka_unit_test(another_server_is_false_at_any_time),
		cmocka_unit_test(
			the_right_server_counts_until_a_window_after_the_end),
		cmocka_unit_test(all_faulty_servers_must_be_found),
		cmocka_unit_test(nobody_should_be_indicted_in_a_control),
		cmocka_unit_test(
			a_fault_without_a_cause_counts_for_indictment_only),
		cmocka_unit_test(aggregates_are_those_of_the_paper),
		cmocka_unit_test(errors_of_start_and_end_are_told),
		cmocka_unit_test(bounds_of_start_and_end_hold_or_not),
		cmocka_unit_test(a_fault_and_a_window_after_it_are_not_healthy),
		cmocka_unit_test(the_rate_of_false_alarms_is_of_healthy_hours),
		cmocka_unit_test(truth_is_read_with_either_form_of_time),
		cmocka_unit_test(mistakes_in_a_truth_are_named),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
