/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/textfile.h"
#include "site/machine.h"
#include "site/nodes.h"
#include "site/spec.h"
#include "site/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the spec ---- */

static void values_are_taken_by_their_keys(void **state)
{
	struct lab_spec spec;
	struct lp_error err;

	(void)state;
	lab_spec_default(&spec);
	assert_int_equal(lab_spec_set(&spec, "servers", "10", &err), 0);
	assert_int_equal(lab_spec_set(&spec, "disk_rate", "6M", &err), 0);
	assert_int_equal(lab_spec_set(&spec, "disk-size", "1Gi", &err), 0);
	assert_int_equal(lab_spec_set(&spec, "seek", "4ms", &err), 0);
	assert_int_equal(spec.servers, 10);
	assert_int_equal(spec.disk_rate, 6000000);
	assert_int_equal(spec.disk_bytes, 1 << 30);
	assert_int_equal(spec.seek_ns, 4000000);
	assert_int_equal(lab_spec_set(&spec, "seek", "soon", &err), -EINVAL);
	assert_non_null(strstr(err.text, "a duration such as 8ms"));
	assert_int_equal(lab_spec_set(&spec, "driver", "a;b", &err), -EINVAL);
	assert_int_equal(lab_spec_set(&spec, "wheels", "4", &err), -ENOENT);
	assert_int_equal(spec.seek_ns, 4000000);
}

static void put_again(void *context, const char *key, const char *value)
{
	struct lp_error err;

	assert_int_equal(lab_spec_set(context, key, value, &err), 0);
}

static void every_value_reads_back_as_it_was(void **state)
{
	struct lab_spec spec, again;

	(void)state;
	lab_spec_default(&spec);
	spec.servers = 9;
	spec.seek_ns = 1234567;
	spec.memory_bytes = 0;
	memset(&again, 0, sizeof(again));
	lab_spec_each(&spec, put_again, &again);
	assert_string_equal(again.driver, spec.driver);
	assert_string_equal(again.congestion, spec.congestion);
	assert_int_equal(again.servers, 9);
	assert_int_equal(again.seek_ns, 1234567);
	assert_int_equal(again.memory_bytes, 0);
	assert_int_equal(again.link_bits, spec.link_bits);
}

static void a_file_fills_it_or_leaves_it(void **state)
{
	char path[] = "/tmp/limpid-test-XXXXXX";
	struct lab_spec spec;
	struct lp_error err;
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	fputs("servers = 10;\ndisk_rate = \"6M\";\n", file);
	fflush(file);
	lab_spec_default(&spec);
	assert_int_equal(lab_spec_read(path, &spec, &err), 0);
	assert_int_equal(spec.servers, 10);
	assert_int_equal(spec.disk_rate, 6000000);
	fputs("clients = 3;\nwheels = 4;\n", file);
	fclose(file);
	assert_int_equal(lab_spec_read(path, &spec, &err), -EINVAL);
	assert_non_null(strstr(err.text, ":4: wheels"));
	assert_int_equal(spec.clients, 2);
	unlink(path);
}

static void what_cannot_be_made_is_refused(void **state)
{
	static const struct {
		const char *key, *value, *words;
	} bad[] = {
		{ "servers", "0", "1 to 16" },
		{ "servers", "17", "1 to 16" },
		{ "clients", "9", "1 to 8" },
		{ "disk-size", "100Mi", "at least 320Mi" },
		{ "disk-rate", "0", "above 0" },
		{ "link", "1000", "at least 1M" },
		{ "memory", "1Mi", "64Mi" },
		{ "driver", "tape", "there are glusterfs ceph" },
		{ "layout", "heap", "its first is 'dispersed'" },
	};
	struct lab_spec spec;
	struct lp_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		lab_spec_default(&spec);
		assert_int_equal(
			lab_spec_set(&spec, bad[i].key, bad[i].value, &err), 0);
		assert_int_equal(lab_spec_check(&spec, &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i].words));
	}
}

static void memory_is_the_drivers_unless_it_is_said(void **state)
{
	struct lab_spec spec;
	struct lp_error err;

	(void)state;
	lab_spec_default(&spec);
	lab_spec_settle(&spec);
	assert_int_equal(spec.memory_bytes, 256 << 20);
	lab_spec_default(&spec);
	assert_int_equal(lab_spec_set(&spec, "driver", "ceph", &err), 0);
	lab_spec_settle(&spec);
	assert_int_equal(spec.memory_bytes, 512 << 20);
	assert_int_equal(lab_spec_set(&spec, "memory", "300Mi", &err), 0);
	lab_spec_settle(&spec);
	assert_int_equal(spec.memory_bytes, 300 << 20);
}

/* ---- the nodes and the state ---- */

static void labs_in_other_directories_have_other_names(void **state)
{
	struct lab *usual, *other;
	struct lab_spec spec;
	struct lp_error err;

	(void)state;
	lab_spec_default(&spec);
	assert_int_equal(lab_new(LAB_DIR, &spec, &usual, &err), 0);
	assert_int_equal(lab_new("/tmp/other", &spec, &other, &err), 0);
	assert_int_equal(usual->n_nodes, 10);
	assert_string_equal(usual->node[0].group, "limpid-s1");
	assert_string_equal(usual->node[0].address, "10.77.0.11");
	assert_string_equal(lab_nth(usual, LAB_BRIDGE, 0)->group,
			    "limpid-bridge");
	assert_string_equal(usual->node[0].netns, LAB_DIR "/s1/netns");
	assert_string_equal(lab_nth(other, LAB_BRIDGE, 0)->netns,
			    "/tmp/other/bridge/netns");
	assert_string_not_equal(other->node[0].group, "limpid-s1");
	assert_string_equal(lab_nth(other, LAB_CLIENT, 1)->mount,
			    "/tmp/other/c2/mnt");
	assert_null(lab_nth(other, LAB_CLIENT, 2));
	lab_close(usual);
	lab_close(other);
	assert_int_equal(lab_new("/tmp/a b", &spec, &usual, &err), -EINVAL);
}

static void a_state_reads_back_as_it_was(void **state)
{
	char dir[] = "/tmp/limpid-test-XXXXXX", path[64];
	const struct lab_node *node;
	struct lab_spec spec;
	struct lp_error err;
	struct lab *lab;

	(void)state;
	if (geteuid() != 0)
		skip(); /* a lab is opened by root only */
	assert_non_null(mkdtemp(dir));
	lab_spec_default(&spec);
	spec.servers = 3;
	assert_int_equal(lab_new(dir, &spec, &lab, &err), 0);
	for (size_t i = 0; i < lab->n_nodes; i++) {
		lab->node[i].holder = (pid_t)(1000 + i);
		lab->node[i].holder_start = UINT64_MAX - i;
	}
	snprintf(lab->node[1].device, sizeof(lab->node[1].device), "loop9");
	assert_int_equal(lab_state_write(lab, &err), 0);
	lab_close(lab);
	assert_int_equal(lab_open(dir, true, &lab, &err), 0);
	assert_int_equal(lab_find(lab, "s2", &node, &err), 0);
	assert_int_equal(node->holder, 1001);
	assert_true(node->holder_start == UINT64_MAX - 1);
	assert_string_equal(node->device, "loop9");
	assert_int_equal(lab_find(lab, "s4", &node, &err), -ENOENT);
	assert_non_null(strstr(err.text, "it has s1 s2 s3 c1"));
	lab_close(lab);
	snprintf(path, sizeof(path), "%s/state", dir);
	unlink(path);
	assert_int_equal(lab_open(dir, true, &lab, &err), -ENOENT);
	assert_non_null(strstr(err.text, "limpid lab up --dir"));
	rmdir(dir);
}

static int parse(const char *text, struct lp_error *err)
{
	struct lab *lab;
	int r = lab_state_parse("/tmp/x", text, strlen(text), &lab, err);

	if (r == 0)
		lab_close(lab);
	return r;
}

static void a_damaged_state_names_the_way_out(void **state)
{
	char boot[64], text[256];
	struct lp_error err;

	(void)state;
	lab_boot(boot);
	assert_int_equal(parse("boot = ", &err), -EINVAL);
	assert_non_null(strstr(err.text, "limpid lab down"));
	assert_int_equal(parse("@include \"/etc/passwd\"\n", &err), -EINVAL);
	assert_int_equal(parse("boot = \"other\";", &err), -ENOENT);
	assert_non_null(strstr(err.text, "was restarted"));
	snprintf(text, sizeof(text),
		 "boot = \"%s\"; spec = { wheels = \"4\"; };", boot);
	assert_int_equal(parse(text, &err), -EINVAL);
	snprintf(text, sizeof(text),
		 "boot = \"%s\"; spec = { servers = \"3\"; }; nodes = ( );",
		 boot);
	assert_int_equal(parse(text, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_taken_by_their_keys),
		cmocka_unit_test(every_value_reads_back_as_it_was),
		cmocka_unit_test(a_file_fills_it_or_leaves_it),
		cmocka_unit_test(what_cannot_be_made_is_refused),
		cmocka_unit_test(memory_is_the_drivers_unless_it_is_said),
		cmocka_unit_test(labs_in_other_directories_have_other_names),
		cmocka_unit_test(a_state_reads_back_as_it_was),
		cmocka_unit_test(a_damaged_state_names_the_way_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
