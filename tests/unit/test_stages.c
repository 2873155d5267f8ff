/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "workload/stages.h"

#include <math.h>
#include <string.h>

static const struct lab_stage_lengths usual = { 180, 1200 };

/* The first n stages of a seed. */
static void draw(uint64_t seed, struct lab_stage *each, size_t n)
{
	struct lab_stages stages;

	lab_stages_init(&stages, seed, &usual);
	for (size_t i = 0; i < n; i++) {
		lab_stages_next(&stages);
		each[i] = stages.now;
	}
}

static bool same(const struct lab_stage *a, const struct lab_stage *b)
{
	return a->workload == b->workload &&
	       fabs(a->intensity - b->intensity) < 1e-9 &&
	       fabs(a->end_s - b->end_s) < 1e-9;
}

static void the_same_seed_gives_the_same_stages(void **state)
{
	struct lab_stage a[50], b[50];

	(void)state;
	draw(7, a, lp_array_size(a));
	draw(7, b, lp_array_size(b));
	for (size_t i = 0; i < lp_array_size(a); i++)
		assert_true(same(&a[i], &b[i]));
}

static void another_seed_gives_other_stages(void **state)
{
	struct lab_stage a[8], b[8];
	size_t equal = 0;

	(void)state;
	draw(7, a, lp_array_size(a));
	draw(8, b, lp_array_size(b));
	for (size_t i = 0; i < lp_array_size(a); i++)
		equal += same(&a[i], &b[i]);
	assert_true(equal < lp_array_size(a));
}

/* The truth of runs that were made must not change with limpid's version. */
static void stages_are_what_they_were(void **state)
{
	struct lab_stage each[2];

	(void)state;
	draw(7, each, lp_array_size(each));
	assert_string_equal(each[0].workload->name, "postmark");
	assert_true(fabs(each[0].intensity - 0.5) < 1e-9);
	assert_true(fabs(each[0].end_s - 283.4208) < 1e-3);
	assert_null(each[1].workload);
}

static void stages_follow_each_other_and_have_the_wanted_lengths(void **state)
{
	struct lab_stage each[500];
	double shortest = INFINITY, longest = 0;

	(void)state;
	draw(1, each, lp_array_size(each));
	assert_true(each[0].start_s < 1e-9);
	for (size_t i = 0; i < lp_array_size(each); i++) {
		double s = each[i].end_s - each[i].start_s;

		if (i > 0)
			assert_true(fabs(each[i].start_s - each[i - 1].end_s) <
				    1e-9);
		shortest = fmin(shortest, s);
		longest = fmax(longest, s);
	}
	assert_true(shortest >= 180 - 1e-6 && shortest < 200);
	assert_true(longest <= 1200 + 1e-6 && longest > 1180);
}

static void every_workload_comes_and_so_do_idle_times(void **state)
{
	struct lab_stage each[500];

	(void)state;
	draw(1, each, lp_array_size(each));
	for (size_t w = 0; lab_workloads[w]; w++) {
		size_t n = 0;

		for (size_t i = 0; i < lp_array_size(each); i++)
			n += each[i].workload == lab_workloads[w];
		if (lab_workloads[w] == &lab_workload_varied)
			assert_int_equal(n, 0);
		else
			assert_true(n > 30);
	}
	for (size_t i = 0, idle = 0; i < lp_array_size(each); i++) {
		idle += !each[i].workload;
		assert_true(i + 1 < lp_array_size(each) || idle > 50);
		/* Two in a row would be one longer than the longest. */
		assert_true(i == 0 || each[i].workload || each[i - 1].workload);
	}
}

static void the_pace_is_a_part_of_the_workloads_own(void **state)
{
	struct lab_stage stage = { &lab_workload_postmark, 0.5, 0, 60 };
	double own = (double)lab_workload_varied.pace;

	(void)state;
	assert_true(fabs(lab_stage_pace(&stage, own) -
			 (double)lab_workload_postmark.pace / 2) < 1e-6);
	/* One of two clients. */
	assert_true(fabs(lab_stage_pace(&stage, own / 2) -
			 (double)lab_workload_postmark.pace / 4) < 1e-6);
	/* As fast as it goes. */
	assert_true(lab_stage_pace(&stage, 0) < 1e-9);
	stage.workload = NULL;
	assert_true(lab_stage_pace(&stage, own) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_seed_gives_the_same_stages),
		cmocka_unit_test(another_seed_gives_other_stages),
		cmocka_unit_test(stages_are_what_they_were),
		cmocka_unit_test(
			stages_follow_each_other_and_have_the_wanted_lengths),
		cmocka_unit_test(every_workload_comes_and_so_do_idle_times),
		cmocka_unit_test(the_pace_is_a_part_of_the_workloads_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
