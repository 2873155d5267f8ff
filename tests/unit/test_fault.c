/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "fault/aim.h"
#include "fault/fault.h"
#include "fault/linkchange.h"
#include "fault/orders.h"
#include "fault/pktloss.h"
#include "model/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- disk-busy finds its load ---- */

/*
 * A disk whose requests take longer the more of its time is taken: a queue of
 * random arrivals (M/M/1) with the peers at `used` of their time.
 */
static double factor_of(double used, double share)
{
	double rest = 1 - used - (1 - used) * share * 0.98;

	return (1 - used) / rest;
}

static void settle(struct lab_aim *aim, double used, int seconds)
{
	/* Seconds differ: some requests take half, some twice as long. */
	static const double chance[] = { 0.5, 1, 2, 1, 0.7, 1.4, 1 };

	for (int i = 0; i < seconds; i++)
		lab_aim_update(aim,
			       20 * chance[i % 7] *
				       factor_of(used, lab_aim_share(aim)),
			       20);
}

static void the_wanted_factor_is_reached(void **state)
{
	static const double wanted[] = { 1.2, 1.5, 2, 4 };
	static const double used[] = { 0.1, 0.5, 0.7 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 3; j++) {
			struct lab_aim aim;
			double reached;

			lab_aim_init(&aim, wanted[i]);
			settle(&aim, used[j], 60);
			reached = factor_of(used[j], lab_aim_share(&aim));
			assert_true(reached > 0.8 * wanted[i]);
			assert_true(reached < 1.25 * wanted[i]);
		}
}

static void without_io_the_load_stays(void **state)
{
	struct lab_aim aim;
	double before;

	(void)state;
	lab_aim_init(&aim, 2);
	settle(&aim, 0.5, 60);
	before = lab_aim_share(&aim);
	for (int i = 0; i < 100; i++) {
		lab_aim_update(&aim, -1, 20);
		lab_aim_update(&aim, 20, -1);
		lab_aim_update(&aim, 20, 0);
	}
	assert_true(lab_aim_share(&aim) == before);
}

static void a_factor_out_of_reach_takes_nearly_all_and_no_more(void **state)
{
	struct lab_aim aim;

	(void)state;
	lab_aim_init(&aim, 4);
	for (int i = 0; i < 1000; i++)
		lab_aim_update(&aim, 30, 20);
	assert_true(lab_aim_share(&aim) > 0.95);
	assert_true(lab_aim_share(&aim) < 1);
	/* And it comes back from there. */
	for (int i = 0; i < 60; i++)
		lab_aim_update(&aim, 200, 20);
	assert_true(lab_aim_share(&aim) < 0.5);
}

static void a_devices_stat_is_read(void **state)
{
	static const char text[] = "     127        3     1016       12 "
				   "      88        0      704       35 "
				   "       0       40       47\n";
	struct lab_diskstat before;

	(void)state;
	assert_int_equal(lab_diskstat_parse(text, strlen(text), &before), 0);
	assert_int_equal(before.ios, 127 + 88);
	assert_int_equal(before.ticks_ms, 12 + 35);
	assert_int_equal(lab_diskstat_parse("1 2 3", 5, &before), -EINVAL);
}

/* ---- packets ---- */

static void dropped_packets_are_counted_per_port(void **state)
{
	static const char listing[] =
		"Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)\n"
		"    pkts      bytes target     prot opt in     out     "
		"source\n"
		"      17     1020 DROP       0    --  *      *       0.0.0.0/0"
		"   0.0.0.0/0   PHYSDEV match --physdev-in s31 "
		"--physdev-is-bridged statistic mode random\n"
		"     212    12720 DROP       0    --  *      *       0.0.0.0/0"
		"   0.0.0.0/0   PHYSDEV match --physdev-in s3 "
		"--physdev-is-bridged statistic mode random\n";
	uint64_t packets = 0;

	(void)state;
	assert_true(lab_pktloss_count(listing, "--physdev-in s3", &packets));
	assert_int_equal(packets, 212);
	assert_true(lab_pktloss_count(listing, "--physdev-in s31", &packets));
	assert_int_equal(packets, 17);
	assert_false(lab_pktloss_count(listing, "--physdev-out s3", &packets));
	assert_false(lab_pktloss_count("", "--physdev-in s3", &packets));
}

/* ---- links ---- */

static void the_rate_of_a_link_is_read_from_tcs_words(void **state)
{
	double bits = 0;

	(void)state;
	assert_true(lab_link_rate("qdisc tbf 8001: root refcnt 9 rate 20Mbit "
				  "burst 64Kb lat 50ms\n",
				  &bits));
	assert_true(bits == 20e6);
	assert_true(
		lab_link_rate("qdisc tbf 8001: root rate 12500Kbit", &bits));
	assert_true(bits == 12.5e6);
	assert_true(lab_link_rate("qdisc tbf 8001: root rate 1Gbit", &bits));
	assert_true(bits == 1e9);
	assert_true(lab_link_rate("qdisc tbf 8001: root rate 800bit", &bits));
	assert_true(bits == 800);
	assert_false(lab_link_rate("qdisc noqueue 0: root refcnt 2\n", &bits));
	assert_false(lab_link_rate("qdisc tbf 8001: root rate fast", &bits));
	assert_false(lab_link_rate("qdisc tbf 8001: root rate 20", &bits));
}

/* ---- other orders ---- */

static void an_option_takes_the_place_of_its_former_value(void **state)
{
	static const char orders[] = "volume a\n"
				     "    type performance/io-threads\n"
				     "    option thread-count 16\n"
				     "    option thread-count-most 64\n"
				     "    subvolumes b\n"
				     "end-volume\n"
				     "\n"
				     "volume c\n"
				     "    type debug/io-stats\n"
				     "    option thread-count 7\n"
				     "end-volume\n";
	char *text = lab_orders_with(orders, "performance/io-threads",
				     "thread-count 1");

	(void)state;
	assert_string_equal(text, "volume a\n"
				  "    type performance/io-threads\n"
				  "    option thread-count 1\n"
				  "    option thread-count-most 64\n"
				  "    subvolumes b\n"
				  "end-volume\n"
				  "\n"
				  "volume c\n"
				  "    type debug/io-stats\n"
				  "    option thread-count 7\n"
				  "end-volume\n");
	free(text);
	assert_null(lab_orders_with(orders, "debug/trace", "on 1"));
}

static void orders_that_end_early_keep_what_they_have(void **state)
{
	char *text =
		lab_orders_with("    type a/b\n    option x 1", "a/b", "y 2");

	(void)state;
	assert_string_equal(text,
			    "    type a/b\n    option y 2\n    option x 1");
	free(text);
}

/* ---- the table ---- */

static void every_fault_is_complete(void **state)
{
	(void)state;
	for (size_t i = 0; lab_faults[i]; i++) {
		const struct lab_fault *fault = lab_faults[i];
		struct lp_error err;

		assert_ptr_equal(lab_fault_find(fault->name), fault);
		assert_non_null(fault->summary);
		assert_non_null(fault->cause);
		assert_true(fault->start && fault->bites);
		assert_int_equal(lab_fault_check(fault, 0, &err), 0);
		for (size_t j = 0; fault->strengths[j] > 0; j++) {
			assert_true(j < LAB_MAX_STRENGTHS - 1);
			assert_int_equal(lab_fault_check(fault,
							 fault->strengths[j],
							 &err),
					 0);
		}
		assert_true(!fault->strength_unit ==
			    (fault->strengths[0] == 0));
	}
}

static void every_cause_is_one_of_limpids(void **state)
{
	(void)state;
	for (size_t i = 0; lab_faults[i]; i++)
		if (lab_faults[i]->cause[0])
			assert_true(lp_cause_find(lab_faults[i]->cause) <
				    LP_CAUSES);
}

static void the_published_faults_come_first(void **state)
{
	static const char *const published[] = {
		"disk-hog",         "disk-busy",       "write-network-hog",
		"read-network-hog", "receive-pktloss", "send-pktloss",
	};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(lab_faults[i]->name, published[i]);
}

static void a_strength_out_of_bounds_is_refused(void **state)
{
	const struct lab_fault *fault = lab_fault_find("send-pktloss");
	struct lp_error err;

	(void)state;
	assert_int_equal(lab_fault_check(fault, 101, &err), -EINVAL);
	assert_string_equal(err.text, "send-pktloss has a strength from 0.001 "
				      "to 100 %, not 101");
	assert_int_equal(lab_fault_check(fault, NAN, &err), -EINVAL);
	assert_int_equal(lab_fault_check(fault, -1, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wanted_factor_is_reached),
		cmocka_unit_test(without_io_the_load_stays),
		cmocka_unit_test(
			a_factor_out_of_reach_takes_nearly_all_and_no_more),
		cmocka_unit_test(a_devices_stat_is_read),
		cmocka_unit_test(dropped_packets_are_counted_per_port),
		cmocka_unit_test(the_rate_of_a_link_is_read_from_tcs_words),
		cmocka_unit_test(an_option_takes_the_place_of_its_former_value),
		cmocka_unit_test(orders_that_end_early_keep_what_they_have),
		cmocka_unit_test(every_fault_is_complete),
		cmocka_unit_test(every_cause_is_one_of_limpids),
		cmocka_unit_test(the_published_faults_come_first),
		cmocka_unit_test(a_strength_out_of_bounds_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
