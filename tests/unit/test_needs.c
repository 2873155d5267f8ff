/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "table/needs.h"

#include <string.h>

static size_t count(const struct lp_needs *needs, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < needs->n; i++)
		n += strcmp(needs->columns[i], name) == 0;
	return n;
}

static void a_survey_reads_what_moved_and_levels_but_no_more(void **state)
{
	static const char *const wanted[] = {
		"rd_sectors", "wr_sectors", "ios",        "await",
		"throughput", "rx_bytes",   "bytes_sent", "sockets",
		"xmit_data",  "cwnd",
	};
	static const char *const unwanted[] = { "rd_ms", "retrans", "segs_in",
						"rx_errs", "cpu_user" };
	struct lp_needs needs = { 0 };

	(void)state;
	assert_int_equal(lp_needs_survey(&needs), 0);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		assert_int_equal(count(&needs, wanted[i]), 1);
	for (size_t i = 0; i < sizeof(unwanted) / sizeof(*unwanted); i++)
		assert_int_equal(count(&needs, unwanted[i]), 0);
	assert_null(needs.columns[needs.n]);
	lp_needs_done(&needs);
}

static void a_metric_reads_its_terms_their_weights_and_its_own_name(
	void **state)
{
	const struct lp_matrix_metric metrics[] = {
		{ &lp_class_disk, lp_class_metric(&lp_class_disk, "await") },
		{ &lp_class_tcp, lp_class_metric(&lp_class_tcp, "cwnd") },
		{ NULL, NULL },
	};
	static const char *const wanted[] = {
		"await",  "rd_ms", "dc_ms",   "ios",
		"rd_ios", "cwnd",  "sockets", "wr_sectors",
	};
	struct lp_needs needs = { 0 };

	(void)state;
	assert_int_equal(lp_needs_metrics(&needs, metrics), 0);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		assert_int_equal(count(&needs, wanted[i]), 1);
	assert_int_equal(count(&needs, "rx_bytes"), 0);
	assert_null(needs.columns[needs.n]);
	lp_needs_done(&needs);
}

static void classes_that_are_compared_are_listed_once(void **state)
{
	const char *names[LP_COMPARED_MAX];
	size_t n = 0;

	(void)state;
	lp_compared_classes(names);
	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_class_is_compared(lp_classes[i]))
			assert_string_equal(names[n++], lp_classes[i]->name);
	assert_true(n >= 4);
	assert_null(names[n]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_survey_reads_what_moved_and_levels_but_no_more),
		cmocka_unit_test(
			a_metric_reads_its_terms_their_weights_and_its_own_name),
		cmocka_unit_test(classes_that_are_compared_are_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
