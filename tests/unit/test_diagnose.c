/* SPDX-License-Identifier: Apache-2.0 */
#include "six_servers.h"

#include "diagnose/single.h"

#include <errno.h>

static void healthy_servers_do_not_differ(void **state)
{
	struct world w = { 0 };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_NONE);
	assert_int_equal(w.d.n_findings, 0);
	assert_int_equal(w.d.n_hourly, 0);
	assert_true(w.d.reach.sure_ns == 90 * S);
	done(&w);
}

static void slow_disk(struct second *s, int host, int t)
{
	if (host == 2 && is_sick_time(t))
		s->latency_ms *= 8;
}

static void latency_alone_is_a_busy_disk(void **state)
{
	struct world w = { .ill = slow_disk };
	const struct lp_evidence *e;

	(void)state;
	diagnose(&w);
	assert_found(&w, "s3/sdb", LP_CAUSE_DISK_BUSY);
	assert_false(w.d.findings[0].workload);
	e = &w.d.findings[0].evidence[0];
	assert_string_equal(e->metric->name, "await");
	assert_true(e->accuses && !e->trained && e->threshold == 12);
	assert_true(e->value > 6 * e->peers_median);
	assert_true(e->distance > e->threshold && e->share_over == 1);
	assert_int_equal(w.d.findings[0].n_peers, HOSTS - 1);
	done(&w);
}

static void the_time_of_a_fault_is_right_to_half_a_window(void **state)
{
	struct world w = { .ill = slow_disk };
	int64_t since, until;

	(void)state;
	diagnose(&w);
	since = w.d.findings[0].since_ns / S - 100000 - SICK_FROM;
	until = w.d.findings[0].until_ns / S - 100000 - SICK_TO;
	assert_true(since >= -30 && since <= 30);
	assert_true(until >= -30 && until <= 45);
	assert_false(w.d.findings[0].lasting);
	done(&w);
}

static void hogged_disk(struct second *s, int host, int t)
{
	if (host == 1 && is_sick_time(t)) {
		s->ios += 500;
		s->sectors += 500 * 512;
		s->latency_ms *= 5;
		s->received *= 0.7;
		s->sent *= 0.7;
	}
}

static void throughput_is_a_hog_and_with_latency_a_workload(void **state)
{
	struct world w = { .ill = hogged_disk };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s2/sdb", LP_CAUSE_DISK_HOG);
	assert_true(w.d.findings[0].workload);
	done(&w);
}

static void hogged_network(struct second *s, int host, int t)
{
	if (host == 4 && is_sick_time(t)) {
		s->received += 60e6;
		s->sent += 3e6;
	}
}

static void network_throughput_is_a_network_hog(void **state)
{
	struct world w = { .ill = hogged_network };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s5/eth0", LP_CAUSE_NETWORK_HOG);
	assert_int_equal(w.d.findings[0].resource, LP_NETWORK);
	done(&w);
}

static void lost_packets(struct second *s, int host, int t)
{
	if (host == 0 && is_sick_time(t)) {
		s->cwnd = 4;
		s->again = 3;
	}
}

static void small_congestion_windows_are_packet_loss(void **state)
{
	struct world w = { .ill = lost_packets };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s1>c", LP_CAUSE_PACKET_LOSS);
	assert_string_equal(w.d.findings[0].evidence[0].method, "cwnd");
	done(&w);
}

static void little_sent(struct second *s, int host, int t)
{
	(void)t;
	if (host == 0)
		s->cwnd = 4;
	else if (host == 3) /* loses some, and has room enough */
		s->again = t % 40 == 0;
}

static void small_congestion_windows_that_lost_nothing_are_no_fault(
	void **state)
{
	struct world w = { .ill = little_sent };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_NONE);
	done(&w);
}

static void lost_packets_and_work(struct second *s, int host, int t)
{
	lost_packets(s, host, t);
	if (host == 0 && is_sick_time(t)) {
		s->ios *= 0.2;
		s->sectors *= 0.2;
		s->received *= 0.2;
		s->sent *= 0.2;
	}
}

static void what_follows_from_lost_packets_is_evidence(void **state)
{
	struct world w = { .ill = lost_packets_and_work };
	bool disk = false;

	(void)state;
	diagnose(&w);
	assert_found(&w, "s1>c", LP_CAUSE_PACKET_LOSS);
	for (size_t i = 0; i < w.d.findings[0].n_evidence; i++)
		disk |= w.d.findings[0].evidence[i].class == &lp_class_disk;
	assert_true(disk);
	done(&w);
}

static void idle_disk(struct second *s, int host, int t)
{
	if (host == 3 && is_sick_time(t))
		s->ios = s->sectors = 0;
}

static void a_disk_without_work_is_absent(void **state)
{
	struct world w = { .ill = idle_disk };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s4/sdb", LP_CAUSE_ABSENT);
	done(&w);
}

static void gone(struct second *s, int host, int t)
{
	s->missing = host == 3 && t >= SICK_FROM;
}

static void a_server_that_vanishes_is_absent(void **state)
{
	struct world w = { .ill = gone };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s4", LP_CAUSE_ABSENT);
	assert_int_equal(w.d.findings[0].n_parts, 2);
	assert_true(w.d.findings[0].lasting);
	assert_string_equal(w.d.findings[0].evidence[0].kind,
			    LP_EVIDENCE_ABSENCE);
	done(&w);
}

static void an_orderly_stop_is_no_finding(void **state)
{
	struct lp_event stop = { .host = "s4",
				 .time_ns = (100000 + SICK_FROM) * S,
				 .kind = LP_EVENT_STOP };
	struct world w = { .ill = gone, .event = &stop };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_NONE);
	done(&w);
}

static void late(struct second *s, int host, int t)
{
	s->missing = host == 3 && t < SICK_TO;
}

static void one_that_begins_later_was_not_absent(void **state)
{
	struct world w = { .ill = late };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_NONE);
	done(&w);
}

static void half_of_them(struct second *s, int host, int t)
{
	(void)t;
	if (host % 2)
		s->latency_ms *= 10;
}

static void half_of_a_group_cannot_be_told(void **state)
{
	struct world w = { .ill = half_of_them };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_UNDECIDED);
	assert_non_null(strstr(w.d.reason, "await"));
	done(&w);
}

static void nothing(struct second *s, int host, int t)
{
	(void)host;
	(void)t;
	*s = (struct second){ .cwnd = 0 };
}

static void without_load_nothing_can_be_told(void **state)
{
	struct world w = { .ill = nothing };

	(void)state;
	diagnose(&w);
	assert_int_equal(w.d.outcome, LP_OUTCOME_UNDECIDED);
	assert_non_null(strstr(w.d.reason, "no load"));
	done(&w);
}

static void an_excluded_one_stays_a_peer_and_is_not_accused(void **state)
{
	const char *const names[] = { "s3/sdb", NULL };
	struct lp_diagnose_options options = { .exclude = names };
	struct world w = { .ill = slow_disk };

	(void)state;
	diagnose_with(&w, &options);
	assert_int_equal(w.d.n_findings, 0);
	assert_int_equal(w.d.n_hourly, 0);
	done(&w);
}

static void persistence_counts_up_and_down(void **state)
{
	struct world w = { .ill = slow_disk };
	const struct lp_finding *f;

	(void)state;
	diagnose(&w);
	f = &w.d.findings[0];
	/* 250 s are 8 windows; the vote adds some on both sides. */
	assert_in_range(f->persistence, 7, 11);
	assert_int_equal(w.d.n_hourly, 1);
	assert_string_equal(w.d.hourly[0].component, "s3/sdb");
	assert_true(w.d.hourly[0].value < f->persistence);
	done(&w);
}

static void a_reset_begins_anew(void **state)
{
	struct lp_reset reset = { "s3/sdb", (100000 + SICK_TO + 210) * S };
	struct lp_diagnose_options options = { .resets = &reset,
					       .n_resets = 1 };
	struct world w = { .ill = slow_disk };

	(void)state;
	diagnose_with(&w, &options);
	assert_int_equal(w.d.n_hourly, 0);
	done(&w);
}

static void all_pairs_and_threads_give_the_same(void **state)
{
	struct lp_diagnose_options exact = { .exact = true, .threads = 2 };
	struct world a = { .ill = hogged_disk }, b = { .ill = hogged_disk };

	(void)state;
	diagnose(&a);
	diagnose_with(&b, &exact);
	assert_int_equal(a.d.n_units, b.d.n_units);
	for (size_t i = 0; i < a.d.n_units; i++) {
		assert_int_equal(a.d.units[i].windows, b.d.units[i].windows);
		assert_memory_equal(a.d.units[i].track, b.d.units[i].track,
				    a.d.units[i].windows * HOSTS);
	}
	assert_true(a.d.findings[0].score == b.d.findings[0].score);
	done(&a);
	done(&b);
}

static int check_single(void *user, const struct lp_unit *unit,
			const struct lp_judged *judged)
{
	struct lp_diagnose_input input = input_of(user);

	for (size_t i = 0; i < HOSTS; i++) {
		struct lp_verdict v;

		assert_int_equal(
			lp_judge_single(unit, &input, i, judged->end_ns, &v),
			0);
		assert_int_equal(v.flag, judged->verdicts[i].flag);
		assert_int_equal(v.others, judged->verdicts[i].others);
		assert_int_equal(v.over, judged->verdicts[i].over);
		assert_true(v.critical == judged->verdicts[i].critical ||
			    isnan(v.critical));
	}
	return 0;
}

static void one_alone_is_judged_as_among_all(void **state)
{
	static const struct lp_detector *const methods[] = {
		&lp_detector_cdf, &lp_detector_pdf, &lp_detector_cwnd, NULL
	};
	struct world w = { .ill = slow_disk };
	struct lp_diagnose_options options = { .methods = methods,
					       .dump = check_single,
					       .dump_user = &w };

	(void)state;
	diagnose_with(&w, &options);
	done(&w);
}

static void training_silences_what_it_saw(void **state)
{
	struct lp_thresholds *thresholds = lp_thresholds_new();
	const struct lp_detector *methods[LP_DETECTORS_MOST];
	struct lp_diagnose_options options = { .methods = methods };
	struct world w = { .ill = slow_disk }, v = { .ill = slow_disk };
	struct lp_diagnose_input input;
	struct lp_error err;

	(void)state;
	lp_detectors_trained(methods);
	diagnose(&w);
	input = input_of(&w);
	assert_int_equal(lp_diagnose_train(&input, &options, thresholds, &err),
			 0);
	assert_true(lp_thresholds_get(thresholds, "cdf", "disk", "await",
				      "s3/sdb") > 12);
	assert_true(lp_thresholds_get(thresholds, "cdf", "disk", "await",
				      "s1/sdb") < 12);
	options.thresholds = thresholds;
	diagnose_with(&v, &options);
	assert_true(v.d.trained);
	assert_int_equal(v.d.n_findings, 0);
	lp_thresholds_free(thresholds);
	done(&w);
	done(&v);
}

static double trained(const struct world *w, bool filtered, const char *method,
		      const char *class_name, const char *metric,
		      const char *component)
{
	struct lp_thresholds *thresholds = lp_thresholds_new();
	const struct lp_detector *methods[LP_DETECTORS_MOST];
	struct lp_diagnose_options options = { .methods = methods,
					       .train_filtered = filtered };
	struct lp_diagnose_input input = input_of(w);
	struct lp_error err;
	double v;

	lp_detectors_trained(methods);
	assert_int_equal(lp_diagnose_train(&input, &options, thresholds, &err),
			 0);
	v = lp_thresholds_get(thresholds, method, class_name, metric,
			      component);
	lp_thresholds_free(thresholds);
	return v;
}

/* Briefly: a window or two, and no vote. */
static void hiccup(struct second *s, int host, int t)
{
	if (host == 2 && t >= 300 && t < 330)
		s->latency_ms *= 8;
}

static void filtered_training_lets_single_windows_differ(void **state)
{
	struct world w = { .ill = hiccup };
	double plain, filtered;

	(void)state;
	diagnose(&w);
	plain = trained(&w, false, "cdf", "disk", "await", "s3/sdb");
	filtered = trained(&w, true, "cdf", "disk", "await", "s3/sdb");
	assert_true(plain > 12);
	assert_true(filtered < plain / 2);
	done(&w);
}

static void sockets_have_one_threshold_a_direction(void **state)
{
	struct world w = { .ill = lost_packets };
	double v;

	(void)state;
	diagnose(&w);
	v = trained(&w, false, "cwnd", "tcp", "cwnd", ">clients");
	assert_true(v >= 0.01 && v < 0.5);
	assert_true(
		isnan(trained(&w, false, "cwnd", "tcp", "cwnd", "clients>")));
	assert_true(isnan(trained(&w, false, "cwnd", "tcp", "cwnd", "s1>c")));
	assert_true(isnan(trained(&w, false, "cwnd", "tcp", "cwnd", "")));
	done(&w);
}

static void merged_thresholds_flag_nothing_of_either(void **state)
{
	struct lp_thresholds *a = lp_thresholds_new();
	struct lp_thresholds *b = lp_thresholds_new();

	(void)state;
	lp_thresholds_set(a, "cdf", "disk", "await", "x", 4);
	lp_thresholds_set(b, "cdf", "disk", "await", "x", 6);
	lp_thresholds_set(b, "cdf", "disk", "await", "y", 2);
	lp_thresholds_set(a, "cwnd", "tcp", "cwnd", ">clients", 0.7);
	lp_thresholds_set(b, "cwnd", "tcp", "cwnd", ">clients", 0.6);
	assert_int_equal(lp_thresholds_merge(a, b), 0);
	assert_true(lp_thresholds_get(a, "cdf", "disk", "await", "x") == 6);
	assert_true(lp_thresholds_get(a, "cdf", "disk", "await", "y") == 2);
	assert_true(lp_thresholds_get(a, "cwnd", "tcp", "cwnd", ">clients") ==
		    0.6);
	lp_thresholds_free(a);
	lp_thresholds_free(b);
}

static void the_median_of_the_group_is_for_those_without_their_own(void **state)
{
	struct lp_thresholds *t = lp_thresholds_new();
	struct lp_diagnose_options options = { .thresholds = t };
	struct world w = { 0 };
	const struct lp_unit *u = NULL;

	(void)state;
	lp_thresholds_set(t, "cdf", "disk", "await", "s1/sdb", 4);
	lp_thresholds_set(t, "cdf", "disk", "await", "s2/sdb", 8);
	lp_thresholds_set(t, "cdf", "disk", "await", "", 99);
	lp_thresholds_set(t, "cdf", "net", "rxbyt", "", 5);
	diagnose_with(&w, &options);
	for (size_t i = 0; i < w.d.n_units; i++) {
		u = &w.d.units[i];
		if (strcmp(u->metric->name, "await") == 0)
			assert_true(u->thresholds[5] == 6 && u->trained[5]);
		if (strcmp(u->metric->name, "rxbyt") == 0)
			assert_true(u->thresholds[5] == 5 && u->trained[5]);
		if (strcmp(u->metric->name, "txbyt") == 0)
			assert_true(u->thresholds[5] == 12 && !u->trained[5]);
	}
	assert_non_null(u);
	lp_thresholds_free(t);
	done(&w);
}

static void a_method_without_threshold_is_refused(void **state)
{
	static const struct lp_detector *const methods[] = {
		&lp_detector_median, NULL
	};
	struct lp_diagnose_options options = { .methods = methods };
	struct lp_diagnose_input input;
	struct lp_diagnosis d;
	struct lp_error err;
	struct world w = { 0 };

	(void)state;
	diagnose(&w);
	input = input_of(&w);
	assert_int_equal(lp_diagnose(&input, &options, &d, &err), -EINVAL);
	assert_non_null(strstr(err.text, "median"));
	done(&w);
}

static void coarse_steps_have_their_own_windows(void **state)
{
	struct lp_detector_params none = { 0 }, given = { .window = 20 }, p;

	(void)state;
	p = lp_detector_params_at(&lp_detector_cdf, &none, 600 * S);
	assert_int_equal(p.window, 12);
	assert_int_equal(p.shift, 6);
	assert_int_equal(p.k, 2);
	assert_int_equal(p.smooth, 1);
	assert_true(p.threshold == 7);
	p = lp_detector_params_at(&lp_detector_cdf, &none, 60 * S);
	assert_int_equal(p.window, 60);
	assert_true(p.threshold == 12);
	p = lp_detector_params_at(&lp_detector_cdf, &given, 600 * S);
	assert_int_equal(p.window, 20);
	p = lp_detector_params_at(&lp_detector_cwnd, &none, 15 * S);
	assert_int_equal(p.smooth, 2);
	assert_int_equal(p.window, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthy_servers_do_not_differ),
		cmocka_unit_test(latency_alone_is_a_busy_disk),
		cmocka_unit_test(the_time_of_a_fault_is_right_to_half_a_window),
		cmocka_unit_test(
			throughput_is_a_hog_and_with_latency_a_workload),
		cmocka_unit_test(network_throughput_is_a_network_hog),
		cmocka_unit_test(small_congestion_windows_are_packet_loss),
		cmocka_unit_test(
			small_congestion_windows_that_lost_nothing_are_no_fault),
		cmocka_unit_test(what_follows_from_lost_packets_is_evidence),
		cmocka_unit_test(a_disk_without_work_is_absent),
		cmocka_unit_test(a_server_that_vanishes_is_absent),
		cmocka_unit_test(an_orderly_stop_is_no_finding),
		cmocka_unit_test(one_that_begins_later_was_not_absent),
		cmocka_unit_test(half_of_a_group_cannot_be_told),
		cmocka_unit_test(without_load_nothing_can_be_told),
		cmocka_unit_test(
			an_excluded_one_stays_a_peer_and_is_not_accused),
		cmocka_unit_test(persistence_counts_up_and_down),
		cmocka_unit_test(a_reset_begins_anew),
		cmocka_unit_test(all_pairs_and_threads_give_the_same),
		cmocka_unit_test(one_alone_is_judged_as_among_all),
		cmocka_unit_test(training_silences_what_it_saw),
		cmocka_unit_test(filtered_training_lets_single_windows_differ),
		cmocka_unit_test(sockets_have_one_threshold_a_direction),
		cmocka_unit_test(merged_thresholds_flag_nothing_of_either),
		cmocka_unit_test(
			the_median_of_the_group_is_for_those_without_their_own),
		cmocka_unit_test(a_method_without_threshold_is_refused),
		cmocka_unit_test(coarse_steps_have_their_own_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
