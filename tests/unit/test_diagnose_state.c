/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "diagnose/diagnose_state.h"

#include <errno.h>
#include <string.h>

static struct lp_state some_state(void)
{
	struct lp_state s = {
		.whole = true, .from_ns = 100, .until_ns = 900, .period_ns = 450
	};
	struct lp_known sdb = { .class_name = "disk",
				.lasting = "s1/wwid:1",
				.label = "s1/sdb",
				.host = "s1",
				.group = "8 disks, all alike",
				.gone = true,
				.value = 17 };

	assert_int_equal(lp_state_know(&s, &sdb), 0);
	assert_int_equal(lp_state_reset(&s, "s2/wwid:2", 800), 0);
	assert_int_equal(lp_names_add(&s.excluded, "s3"), 0);
	return s;
}

static int take(void *user, const struct lp_counts *counts,
		struct lp_error *err)
{
	assert_true(lp_counts_valid(counts));
	return lp_state_take(user, counts, "file", err);
}

static void what_is_put_can_be_taken(void **state)
{
	struct lp_state s = some_state(), copy = { 0 };
	struct lp_error err;
	uint32_t id;

	(void)state;
	ok(lp_state_put(&s, take, &copy, &err), &err);
	assert_true(copy.whole);
	assert_int_equal(copy.from_ns, 100);
	assert_int_equal(copy.until_ns, 900);
	assert_int_equal(copy.period_ns, 450);
	id = lp_state_find(&copy, "disk", "s1/wwid:1");
	assert_int_equal(id, 0);
	assert_string_equal(copy.known[id].label, "s1/sdb");
	assert_string_equal(copy.known[id].group, "8 disks, all alike");
	assert_true(copy.known[id].gone);
	assert_int_equal(copy.known[id].value, 17);
	assert_int_equal(lp_state_find(&copy, "net", "s1/wwid:1"),
			 LP_NAME_NONE);
	assert_true(lp_state_has_reset(&copy, "s2/wwid:2", 800));
	assert_false(lp_state_has_reset(&copy, "s2/wwid:2", 801));
	assert_int_equal(lp_names_find(&copy.excluded, "s3"), 0);
	lp_state_done(&s);
	lp_state_done(&copy);
}

/* More than one item of counts holds. */
static void many_components_are_put_in_parts(void **state)
{
	struct lp_state s = { .whole = true, .period_ns = 1 }, copy = { 0 };
	struct lp_error err;
	char name[32];

	(void)state;
	for (size_t i = 0; i < 2000; i++) {
		struct lp_known k = { "disk", name, name, "h", "g", false, i };

		snprintf(name, sizeof(name), "h/sd%zu", i);
		assert_int_equal(lp_state_know(&s, &k), 0);
	}
	ok(lp_state_put(&s, take, &copy, &err), &err);
	assert_int_equal(copy.n_known, 2000);
	assert_int_equal(copy.known[1999].value, 1999);
	lp_state_done(&s);
	lp_state_done(&copy);
}

static void assert_refused(const char *kind, const char *text, uint64_t count,
			   const char *because)
{
	const uint32_t ids[] = { 0 };
	struct lp_counts counts = { .kind = kind,
				    .host = "",
				    .texts = &text,
				    .n_texts = 1,
				    .ids = ids,
				    .counts = &count,
				    .n_counts = 1 };
	struct lp_state s = { 0 };
	struct lp_error err;

	assert_int_equal(lp_state_take(&s, &counts, "file", &err), -EINVAL);
	if (!strstr(err.text, because))
		fail_msg("'%s' does not say '%s'", err.text, because);
	lp_state_done(&s);
}

static void what_is_wrong_is_refused_with_its_place(void **state)
{
	(void)state;
	assert_refused("diagnose-state", "version", 2, "file: a state of");
	assert_refused("diagnose-state", "version", 1, "period_ns above 0");
	assert_refused("diagnose-accumulators", "disk\ts1/sdb", 3,
		       "file: diagnose-accumulators, entry 1: expected class");
	assert_refused("diagnose-accumulators", "disk\ta\ta\th\tg\tlost", 3,
		       "'gone' or nothing");
	assert_refused("diagnose-resets", "soon\ts1/sdb", 1,
		       "file: diagnose-resets, entry 1: expected a time");
	assert_refused("diagnose-resets", "17", 1, "separated by a tab");
}

static void other_counts_are_passed_over(void **state)
{
	struct lp_counts counts = { .kind = "profile", .host = "s1" };
	struct lp_state s = { 0 };
	struct lp_error err;

	(void)state;
	ok(lp_state_take(&s, &counts, "file", &err), &err);
	assert_false(s.whole);
	lp_state_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_can_be_taken),
		cmocka_unit_test(many_components_are_put_in_parts),
		cmocka_unit_test(what_is_wrong_is_refused_with_its_place),
		cmocka_unit_test(other_counts_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
