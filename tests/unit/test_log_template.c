/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "logs/template/log_model.h"
#include "logs/template/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lp_log_line line_of(const char *text)
{
	return (struct lp_log_line){
		.format = &lp_log_format_generic,
		.level = LP_LOG_INFO,
		.message = { text, strlen(text) },
	};
}

static void assert_masked(const char *text, const char *want)
{
	char masked[LP_LOG_TEMPLATE_MOST];
	struct lp_log_line line = line_of(text);

	lp_log_mask_text(&line, masked);
	assert_string_equal(masked, want);
}

static void what_changes_is_masked(void **state)
{
	(void)state;
	assert_masked("lustre-OST0001: transno 4294968772 is committed",
		      "*: transno * is committed");
	assert_masked("req@ffff96004b608300 x1650385114042608/t42(42) "
		      "o101->MDT0000@10.24.85.134@tcp:12/10 lens 976/648",
		      "*(*) *>* lens *");
	assert_masked("[0x200000401:0xca:0x0]: have 2 want 3",
		      "[*]: have * want *");
	assert_masked("uuid ab879342-991d-77fc-a456-7d499a91003b deadbeef gone",
		      "uuid * gone");
	assert_masked("open '/var/lib/glusterd/x y' and /dev/sdb, or a/b",
		      "open '* y' and *, or a/b");
	assert_masked("gfid2path.fdbfc0 set", "* set");
}

static void error_numbers_stay(void **state)
{
	(void)state;
	assert_masked("read failed: rc = -5", "read failed: rc = -5");
	assert_masked("recovery failed (-110)", "recovery failed (-110)");
	assert_masked("offset -4096 of x", "offset * of x");
}

static void the_hash_is_that_of_the_text(void **state)
{
	struct lp_log_line a = line_of("disk 12 of s1 failed with -5");
	struct lp_log_line b = line_of("disk 7 of s3 failed with -5");
	struct lp_log_line c = line_of("disk 7 of s3 failed with -30");

	(void)state;
	assert_true(lp_log_mask_hash(&a) == lp_log_mask_hash(&b));
	assert_true(lp_log_mask_hash(&a) != lp_log_mask_hash(&c));
	b.level = LP_LOG_ERROR;
	assert_true(lp_log_mask_hash(&a) != lp_log_mask_hash(&b));
}

static void many_that_are_alike_become_one(void **state)
{
	static const char *const users[] = {
		"anna", "bert", "carl", "dora", "emil", "fritz", "gerd",
		"hans", "ida",  "jost", "karl", "lena", "max",
	};
	struct lp_log_templates templates = { 0 };
	char text[80];
	uint32_t last = 0;

	(void)state;
	for (size_t i = 0; i < 13; i++) {
		snprintf(text, sizeof(text), "session of user %s was opened",
			 users[i]);
		struct lp_log_line line = line_of(text);

		last = lp_log_templates_of(&templates, &line);
	}
	assert_true(templates.n < 13);
	assert_string_equal(templates.all[last].text,
			    "session of user * was opened");
	lp_log_templates_done(&templates);
}

static char *written(const struct lp_log_model *model, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	lp_log_model_write(model, out);
	fclose(out);
	return text;
}

static void a_model_reads_back_as_it_was_written(void **state)
{
	struct lp_log_model model = { .lines = 7, .nodes = 2, .hours = 3 };
	struct lp_log_line line = line_of("disk 12 of s1 failed with -5");
	struct lp_log_model again;
	struct lp_error err;
	char *text, *second;
	size_t n, m;

	(void)state;
	lp_log_templates_of(&model.templates, &line);
	model.templates.all[0].healthy_rate = 5;
	model.templates.all[0].healthy_hours = 2;
	assert_int_equal(lp_log_model_name(&model, "s1", "target 3"), 0);
	text = written(&model, &n);
	assert_int_equal(lp_log_model_parse(&again, "m", text, n, &err), 0);
	assert_true(again.templates.all[0].healthy);
	second = written(&again, &m);
	assert_string_equal(text, second);
	/* Known lines are found, and stay apart from others. */
	assert_int_equal(lp_log_templates_of(&again.templates, &line), 0);
	/* Cut off anywhere, it is refused. */
	for (size_t cut = 0; cut < n - 1; cut++) {
		struct lp_log_model part;

		assert_true(lp_log_model_parse(&part, "m", text, cut, &err) <
			    0);
	}
	free(text);
	free(second);
	lp_log_model_done(&model);
	lp_log_model_done(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_is_masked),
		cmocka_unit_test(error_numbers_stay),
		cmocka_unit_test(the_hash_is_that_of_the_text),
		cmocka_unit_test(many_that_are_alike_become_one),
		cmocka_unit_test(a_model_reads_back_as_it_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
