/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "behavior/profile.h"

#include <errno.h>
#include <string.h>

#define SLOT LP_PROFILE_SLOT_NS

struct seen {
	char text[256];
};

static int note(void *user, const char *text, int64_t slot_ns, uint64_t count)
{
	struct seen *s = user;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof(s->text) - n, "%s@%lld=%llu ", text,
		 (long long)(slot_ns / SLOT), (unsigned long long)count);
	return 0;
}

static void a_sheet_comes_back_from_its_counts(void **state)
{
	struct lp_profile_sheet sheet = { .kind = LP_PROFILE_SAMPLES,
					  .host = "oss1",
					  .from_ns = 6 * SLOT,
					  .n_slots = 6 };
	struct lp_arena arena = { 0 };
	struct lp_counts counts;
	struct seen seen = { 0 };
	uint32_t a, b;

	(void)state;
	a = lp_profile_sheet_text(&sheet, "p\ti\tread");
	b = lp_profile_sheet_text(&sheet, "p\ti\twrite");
	assert_int_equal(lp_profile_sheet_text(&sheet, "p\ti\tread"), a);
	lp_profile_sheet_add(&sheet, a, 0, 3);
	lp_profile_sheet_add(&sheet, a, 2, 1);
	lp_profile_sheet_add(&sheet, b, 5, 7);
	lp_profile_sheet_add(&sheet, b, 6, 9); /* behind the sheet */
	assert_int_equal(lp_profile_sheet_counts(&sheet, &arena, &counts), 0);
	assert_true(lp_counts_valid(&counts));
	assert_int_equal(counts.to_ns, 12 * SLOT - 1);
	assert_int_equal(counts.n_texts, 3 + 6);
	assert_int_equal(lp_profile_walk(&counts, note, &seen), 0);
	assert_string_equal(seen.text, "p\ti\tread@6=3 p\ti\tread@8=1 "
				       "p\ti\twrite@11=7 ");
	lp_arena_done(&arena);
	lp_profile_sheet_done(&sheet);
}

static void counts_that_begin_without_a_text_are_refused(void **state)
{
	static const char *const texts[] = { "", "a" };
	struct lp_counts counts = { .kind = LP_PROFILE_SAMPLES,
				    .texts = texts,
				    .n_texts = 2 };
	struct seen seen = { 0 };

	(void)state;
	assert_int_equal(lp_profile_walk(&counts, note, &seen), -EINVAL);
}

static void keys_leave_out_builds_and_places_of_guesses(void **state)
{
	struct lp_function_parts parts;
	char key[128];

	(void)state;
	assert_true(lp_function_split("glusterfsd\tposix.so@4f2a\t+0x1a~writev",
				      &parts));
	lp_function_key(&parts, key, sizeof(key));
	assert_string_equal(key, "glusterfsd\tposix.so\t~writev");
	assert_int_equal(parts.n_build, 4);
	assert_true(lp_function_split("a b\t[vdso]\tvdso", &parts));
	assert_int_equal(parts.n_build, 0);
	lp_function_key(&parts, key, sizeof(key));
	assert_string_equal(key, "a b\t[vdso]\tvdso");
	assert_false(lp_function_split("#rate", &parts));
	assert_false(lp_function_split("one\ttwo", &parts));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sheet_comes_back_from_its_counts),
		cmocka_unit_test(counts_that_begin_without_a_text_are_refused),
		cmocka_unit_test(keys_leave_out_builds_and_places_of_guesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
