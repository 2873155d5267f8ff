/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>

static void failing_returns_the_code_and_writes_a_line(void **state)
{
	struct lp_error err;

	(void)state;
	assert_int_equal(lp_fail(&err, EINVAL, "f:%d: bad", 3), -EINVAL);
	assert_string_equal(err.text, "f:3: bad");
	assert_int_equal(lp_fail_errno(&err, ENOENT, "f"), -ENOENT);
	assert_string_equal(err.text, "f: No such file or directory");
	assert_int_equal(lp_fail_memory(&err), -ENOMEM);
	assert_string_equal(err.text, "out of memory");
}

static void nobody_needs_to_listen(void **state)
{
	(void)state;
	assert_int_equal(lp_fail(NULL, EINVAL, "x"), -EINVAL);
	assert_int_equal(lp_fail_errno(NULL, EIO, "x"), -EIO);
	assert_int_equal(lp_fail_memory(NULL), -ENOMEM);
}

static void a_line_that_is_too_long_is_cut(void **state)
{
	struct lp_error err;
	char name[2000];

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	lp_fail(&err, EINVAL, "%s", name);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	lp_fail_errno(&err, EINVAL, "%s", name);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failing_returns_the_code_and_writes_a_line),
		cmocka_unit_test(nobody_needs_to_listen),
		cmocka_unit_test(a_line_that_is_too_long_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
