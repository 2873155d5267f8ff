/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "failure/cells.h"
#include "failure/failure_campaign.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static struct lab_matrix matrix;
static struct lab_matrix_plan plan;

static void parse(const char *text)
{
	struct lp_error err = { "" };

	if (lab_matrix_parse("m.conf", text, &matrix, &err) < 0 ||
	    lab_matrix_plan(&matrix, &plan, &err) < 0)
		fail_msg("%s", err.text);
}

static void finish(void)
{
	lab_matrix_plan_done(&plan);
	lab_matrix_done(&matrix);
}

static void a_plan_follows_from_the_file(void **state)
{
	static const char text[] =
		"seed = 5; repeats = 2;\n"
		"cases = ( { failures = \"none\"; },\n"
		"  { failures = [\"cut-off\", \"power-cut\"];\n"
		"    sets = [\"server\", \"beyond\", \"all\"]; },\n"
		"  { failures = \"killed\"; sets = \"server\"; repeats = 1;\n"
		"    then = \"cut-off\"; limping = \"disk-busy\"; } );";
	struct lab_members first;

	(void)state;
	parse(text);
	assert_int_equal(plan.n, 2 * 7 + 1);
	assert_string_equal(plan.run[0].name, "1-none");
	assert_string_equal(plan.run[1].name, "1-server-cut-off");
	assert_string_equal(plan.run[7].name,
			    "1-server-killed-then-cut-off-beside-disk-busy");
	assert_string_equal(plan.run[8].name, "2-none");
	assert_int_equal(plan.run[1].members.n, 1);
	assert_int_equal(plan.run[2].members.n, 3);
	assert_int_equal(plan.run[3].members.n, 6);
	assert_string_not_equal(plan.run[7].limping,
				plan.run[7].members.node[0]);
	assert_string_equal(matrix.cluster.cache, "volatile");
	first = plan.run[2].members;
	finish();
	parse(text);
	assert_memory_equal(&first, &plan.run[2].members, sizeof(first));
	finish();
}

static void members_are_all_different(void **state)
{
	(void)state;
	parse("cases = ( { failures = \"killed\"; sets = \"all\"; } );");
	for (size_t i = 0; i < plan.run[0].members.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(plan.run[0].members.node[i],
						plan.run[0].members.node[k]);
	finish();
}

static void wrong_files_are_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "seed = 1;", "m.conf: the list cases is missing" },
		{ "cases = ( { sets = \"server\"; } );",
		  "m.conf:1: a case needs failures" },
		{ "cases = ( { failures = \"cut-of\"; } );",
		  "m.conf:1: no failure 'cut-of'; did you mean cut-off?" },
		{ "cases = ( { failures = \"cut-off\"; } );",
		  "m.conf:1: a failure needs sets" },
		{ "cases = ( { failures = \"killed\"; sets = \"some\"; } );",
		  "m.conf:1: there is no set 'some' of servers" },
		{ "cases = ( { failures = \"killed\"; sets = \"all\";"
		  " strength = 5; } );",
		  "m.conf:1: killed has no strength" },
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(bad); i++) {
		struct lp_error err = { "" };

		assert_int_equal(
			lab_matrix_parse("m.conf", bad[i].text, &matrix, &err),
			-EINVAL);
		assert_string_equal(err.text, bad[i].says);
		lab_matrix_done(&matrix);
	}
}

static void take(struct lab_cells *cells, const char *tool, const char *cold)
{
	struct lp_error err = { "" };
	char text[400];

	snprintf(text, sizeof(text),
		 "{\"set\": \"server\", \"failure\": \"bit-rot\", \"bites\": "
		 "true, \"undone\": true, \"tools\": {\"failed\": [{\"word\": "
		 "\"%s\", \"seconds\": 2.5}]}, \"work\": {\"cold\": {\"word\": "
		 "\"%s\", \"files\": {\"ok\": 5, \"corrupt\": 2}}}}",
		 tool, cold);
	if (lab_cells_take(cells, "outcome", text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
}

static void equal_repeats_are_one_word(void **state)
{
	struct lab_cells now = { .title = "now" }, before = { .title = "old" };
	char text[LAB_CELL_WORD];

	(void)state;
	take(&now, "normal", "corrupt");
	take(&now, "normal", "corrupt");
	assert_int_equal(now.n, 1);
	lab_cell_text(now.cell, LAB_COLUMN_COLD, text);
	assert_string_equal(text, "corrupt");
	assert_int_equal(now.cell->latent, 2);
	assert_int_equal(now.cell->value[LAB_COLUMN_COLD].bad, 4);
	take(&now, "incomplete", "ok");
	lab_cell_text(now.cell, LAB_COLUMN_COLD, text);
	assert_string_equal(text, "ok 1, corrupt 2");
	lab_cell_text(now.cell, LAB_COLUMN_SYNC, text);
	assert_string_equal(text, "-");
	take(&before, "normal", "ok");
	assert_int_equal(lab_cells_compare(&now, &before, NULL), 2);
	assert_int_equal(lab_cells_compare(&before, &now, NULL), 0);
	lab_cells_done(&now);
	lab_cells_done(&before);
}

static void the_median_is_of_what_there_is(void **state)
{
	const double values[] = { 3, 1, 2, 10 };

	(void)state;
	assert_true(isnan(lab_cell_median(values, 0)));
	assert_true(lab_cell_median(values, 3) == 2);
	assert_true(lab_cell_median(values, 4) == 2.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_follows_from_the_file),
		cmocka_unit_test(members_are_all_different),
		cmocka_unit_test(wrong_files_are_refused),
		cmocka_unit_test(equal_repeats_are_one_word),
		cmocka_unit_test(the_median_is_of_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
