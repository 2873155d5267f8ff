/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_variable_names_the_directory(void **state)
{
	char directory[] = "/tmp/limpid-test-XXXXXX", path[PATH_MAX];
	char made[PATH_MAX];
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(made, sizeof(made), "%s/limpid-nothing", directory);
	setenv("LIMPID_LIBEXEC", directory, 1);
	assert_int_equal(lp_helper_path("nothing", path), -ENOENT);
	assert_string_equal(path, made);
	file = fopen(made, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(lp_helper_path("nothing", path), -ENOENT);
	chmod(made, 0755);
	assert_int_equal(lp_helper_path("nothing", path), 0);
	assert_string_equal(path, made);
	unsetenv("LIMPID_LIBEXEC");
	unlink(made);
	rmdir(directory);
}

static void a_missing_helper_is_named_where_it_would_be_installed(void **state)
{
	char path[PATH_MAX];

	(void)state;
	unsetenv("LIMPID_LIBEXEC");
	assert_int_equal(lp_helper_path("no-such-helper", path), -ENOENT);
	assert_non_null(strstr(path, "limpid/limpid-no-such-helper"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_variable_names_the_directory),
		cmocka_unit_test(
			a_missing_helper_is_named_where_it_would_be_installed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
