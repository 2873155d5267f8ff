/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "base/visible.h"

#include <string.h>

static void what_would_move_a_terminal_is_escaped(void **unused)
{
	static const char *const pairs[][2] = {
		{ "plain \\ \"text\"", "plain \\ \"text\"" },
		{ "Gr\xc3\xb6\xc3\x9f"
		  "e \xe2\x82\xac \xf0\x9f\x98\x80",
		  "Gr\xc3\xb6\xc3\x9f"
		  "e \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "a\nb\tc\r\x7f\x01", "a\\nb\\tc\\r\\x7f\\x01" },
		{ "\xc2\x9b"
		  "31m",
		  "\\xc2\\x9b31m" },
		{ "\xe2\x80\xae"
		  "cba",
		  "\\xe2\\x80\\xae"
		  "cba" },
		{ "\xff\xc3", "\\xff\\xc3" },
		{ "", "" },
	};
	char text[64];

	(void)unused;
	for (size_t i = 0; i < lp_array_size(pairs); i++)
		assert_string_equal(
			lp_visible_text(text, sizeof(text), pairs[i][0]),
			pairs[i][1]);
}

static void what_does_not_fit_is_cut_between_characters(void **unused)
{
	char text[8];

	(void)unused;
	assert_string_equal(lp_visible_text(text, 8, "abc\x1bxyz"), "abc\\x1b");
	assert_string_equal(lp_visible_text(text, 7, "abc\x1bxyz"), "abc");
	assert_string_equal(lp_visible_text(text, 3, "a\xc3\xb6"), "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_would_move_a_terminal_is_escaped),
		cmocka_unit_test(what_does_not_fit_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
