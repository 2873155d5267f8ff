/* SPDX-License-Identifier: Apache-2.0 */
/* Every reader on the trees of several kernels. */
#include "unit.h"

#include "source/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	struct lp_builder *builder;
	const struct lp_chunk *chunk;
	struct lp_error err;
	int rc;
};

/* One sample of one reader, of tests/trees/TREE. */
static struct reading read_with(const struct lp_reader *reader,
				const char *root,
				const struct lp_filter *filter)
{
	struct lp_reader_context context = { .root = root,
					     .filter = filter,
					     .netns_fd = -1 };
	struct reading r = { .builder = lp_builder_new("h") };
	void *state = NULL;

	assert_int_equal(reader->open(&context, &state), 0);
	lp_builder_tick(r.builder, 1);
	r.rc = reader->fetch(state, &r.err);
	if (r.rc == 0)
		r.rc = reader->parse(state, r.builder, &r.err);
	r.chunk = lp_builder_chunk(r.builder);
	reader->close(state);
	return r;
}

static struct reading read_tree(const struct lp_reader *reader,
				const char *tree)
{
	const char *source = getenv("LIMPID_SOURCE");
	char root[512];

	snprintf(root, sizeof(root), "%s/tests/trees/%s", source ? source : ".",
		 tree);
	return read_with(reader, root, NULL);
}

static const struct lp_series *find_series(const struct lp_panel *panel,
					   const char *name)
{
	for (size_t s = 0; s < panel->n_series; s++)
		if (strcmp(panel->series[s].name, name) == 0)
			return &panel->series[s];
	return NULL;
}

/* NaN-free: -1 is missing. */
static double value(const struct reading *r, const char *class_name,
		    const char *name, const char *column)
{
	const struct lp_panel *panel = lp_chunk_panel(r->chunk, class_name);
	const struct lp_series *series =
		panel ? find_series(panel, name) : NULL;
	int c = panel ? lp_panel_column(panel, column) : -1;

	if (!series || c < 0 || !lp_values_has(&series->values[c], 0))
		return -1;
	return lp_values_number(&series->values[c], LP_U64, 0);
}

static size_t count(const struct reading *r, const char *class_name)
{
	const struct lp_panel *panel = lp_chunk_panel(r->chunk, class_name);

	return panel ? panel->n_series : 0;
}

static void old_partitions_have_four_fields(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "linux-2.6.9");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(count(&r, "disk"), 5);
	assert_true(value(&r, "disk", "sda1", "rd_ios") == 48123);
	assert_true(value(&r, "disk", "sda1", "rd_sectors") == 1386522);
	assert_true(value(&r, "disk", "sda1", "wr_ios") == 251903);
	assert_true(value(&r, "disk", "sda1", "wr_sectors") == 2015224);
	assert_true(value(&r, "disk", "sda1", "rd_ms") == -1);
	assert_true(value(&r, "disk", "sda", "weighted_ms") == 3261072);
	lp_builder_free(r.builder);
}

static void eleven_fields_leave_discards_missing(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "linux-2.6.32");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "disk", "cciss/c0d0", "in_flight") == 3);
	assert_true(value(&r, "disk", "cciss/c0d0", "dc_ios") == -1);
	assert_true(value(&r, "disk", "sdaa", "rd_ios") == 4294967295.0);
	assert_true(value(&r, "disk", "sdaa", "rd_merges") ==
		    (double)UINT64_MAX);
	lp_builder_free(r.builder);
}

static void discards_are_read_where_they_exist(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "linux-4.18");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "disk", "sdb", "dc_sectors") == 1925173784);
	assert_true(value(&r, "disk", "sdb", "dc_ms") == 11130);
	assert_true(value(&r, "disk", "sdb", "fl_ios") == -1);
	lp_builder_free(r.builder);
}

static void multipath_devices_of_one_number_stay_apart(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "linux-5.15");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "disk", "nvme0c0n1", "in_flight") == 1);
	assert_true(value(&r, "disk", "nvme0c1n1", "in_flight") == 2);
	assert_true(value(&r, "disk", "nvme0n1", "fl_ms") == 182);
	lp_builder_free(r.builder);
}

static void fields_of_later_kernels_are_passed_over(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "linux-5.15");

	(void)state;
	assert_true(value(&r, "disk", "dm-3", "fl_ms") == 9);
	assert_true(value(&r, "disk", "dm-3", "ios") == -1);
	lp_builder_free(r.builder);
}

static void broken_disk_lines_are_named_and_others_kept(void **state)
{
	struct reading r = read_tree(&lp_reader_diskstats, "broken");

	(void)state;
	assert_int_equal(r.rc, -EINVAL);
	assert_non_null(strstr(r.err.text, "proc/diskstats: line 2 "));
	assert_int_equal(count(&r, "disk"), 2);
	assert_true(value(&r, "disk", "sdf", "rd_ios") == 21);
	lp_builder_free(r.builder);
}

static void interfaces_need_no_blank_behind_the_colon(void **state)
{
	struct reading r = read_tree(&lp_reader_net_dev, "linux-2.6.9");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "net", "eth0", "rx_bytes") == 1234567890);
	assert_true(value(&r, "net", "eth0", "rx_multicast") == 6);
	assert_true(value(&r, "net", "eth0", "tx_bytes") == 987654321);
	assert_true(value(&r, "net", "eth0", "tx_compressed") == 12);
	lp_builder_free(r.builder);
}

static void an_alias_keeps_its_colon(void **state)
{
	struct reading r = read_tree(&lp_reader_net_dev, "linux-2.6.32");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "net", "eth0:1", "tx_bytes") == 200);
	assert_true(value(&r, "net", "bond0.100", "tx_bytes") == 4294967296.0);
	lp_builder_free(r.builder);
}

static void broken_interface_lines_are_named_and_others_kept(void **state)
{
	struct reading r = read_tree(&lp_reader_net_dev, "broken");

	(void)state;
	assert_int_equal(r.rc, -EINVAL);
	assert_non_null(strstr(r.err.text, "proc/net/dev: line 4 "));
	assert_int_equal(count(&r, "net"), 2);
	assert_true(value(&r, "net", "eth4", "rx_bytes") == 41);
	lp_builder_free(r.builder);
}

static void the_line_of_all_cpus_is_read_by_position(void **state)
{
	struct reading r = read_tree(&lp_reader_stat, "linux-5.15");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "host", "-", "cpu_user") == 301854);
	assert_true(value(&r, "host", "-", "cpu_steal") == 44);
	assert_true(value(&r, "host", "-", "ctxt") == 38014093);
	assert_true(value(&r, "host", "-", "procs_blocked") == 1);
	lp_builder_free(r.builder);
}

static void cpu_fields_an_old_kernel_lacks_are_missing(void **state)
{
	struct reading r = read_tree(&lp_reader_stat, "linux-2.6.9");

	(void)state;
	assert_true(value(&r, "host", "-", "cpu_softirq") == 883);
	assert_true(value(&r, "host", "-", "cpu_steal") == -1);
	lp_builder_free(r.builder);
}

static void memory_is_read_by_key(void **state)
{
	struct reading r = read_tree(&lp_reader_meminfo, "linux-5.15");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "host", "-", "dirty") == 124);
	assert_true(value(&r, "host", "-", "swap_free") == 0);
	lp_builder_free(r.builder);
}

static void a_broken_key_is_named_and_others_kept(void **state)
{
	struct reading r = read_tree(&lp_reader_meminfo, "broken");

	(void)state;
	assert_int_equal(r.rc, -EINVAL);
	assert_non_null(strstr(r.err.text, "line 1 "));
	assert_true(value(&r, "host", "-", "mem_total") == -1);
	assert_true(value(&r, "host", "-", "mem_free") == 1234567);
	lp_builder_free(r.builder);
}

static void pressure_totals_are_read(void **state)
{
	struct reading r = read_tree(&lp_reader_pressure, "linux-5.15");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "host", "-", "psi_cpu_some") == 15);
	assert_true(value(&r, "host", "-", "psi_cpu_full") == -1);
	assert_true(value(&r, "host", "-", "psi_io_some") == 1500000);
	assert_true(value(&r, "host", "-", "psi_memory_full") == 25);
	lp_builder_free(r.builder);
}

static void a_file_the_kernel_lacks_is_enoent(void **state)
{
	static const struct lp_reader *const readers[] = {
		&lp_reader_pressure, &lp_reader_snmp, &lp_reader_infiniband
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct reading r = read_tree(readers[i], "linux-4.18");

		assert_int_equal(r.rc, -ENOENT);
		lp_builder_free(r.builder);
	}
}

static void protocol_counters_are_read_by_name(void **state)
{
	struct reading r = read_tree(&lp_reader_snmp, "linux-2.6.32");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "host", "-", "tcp_active_opens") == 512);
	assert_true(value(&r, "host", "-", "tcp_retrans_segs") == 4217);
	assert_true(value(&r, "host", "-", "tcp_out_rsts") == 118);
	assert_true(value(&r, "host", "-", "udp_in_errors") == 3);
	assert_true(value(&r, "host", "-", "ip_reasm_fails") == 8);
	lp_builder_free(r.builder);
}

static void extended_counters_are_read_by_name(void **state)
{
	struct reading r = read_tree(&lp_reader_netstat, "linux-2.6.32");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_true(value(&r, "host", "-", "tcp_timeouts") == 17);
	assert_true(value(&r, "host", "-", "tcp_dsack_recv") == 19);
	assert_true(value(&r, "host", "-", "tcp_loss_probes") == -1);
	lp_builder_free(r.builder);
}

static void ports_have_the_counters_their_driver_has(void **state)
{
	struct reading r = read_tree(&lp_reader_infiniband, "linux-5.15");

	(void)state;
	assert_int_equal(r.rc, 0);
	assert_int_equal(count(&r, "ib"), 2);
	assert_true(value(&r, "ib", "mlx5_0:1", "xmit_data") == 26509113295.0);
	assert_true(value(&r, "ib", "mlx5_0:1", "out_of_sequence") == 17);
	assert_true(value(&r, "ib", "mlx5_0:1", "xmit_wait") == -1);
	assert_true(value(&r, "ib", "mlx4_0:1", "rcv_data") == 4294967295.0);
	assert_true(value(&r, "ib", "mlx4_0:1", "xmit_wait") == -1);
	lp_builder_free(r.builder);
}

static void instances_change_only_with_the_names(void **state)
{
	struct lp_reader_context context = { .netns_fd = -1 };
	const struct lp_reader *reader = &lp_reader_diskstats;
	struct lp_builder *b = lp_builder_new("h");
	const char *const trees[] = { "linux-5.15", "linux-5.15",
				      "linux-4.18" };
	uint64_t seen[3];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *source = getenv("LIMPID_SOURCE");
		struct lp_error err;
		char root[512];
		void *s;

		snprintf(root, sizeof(root), "%s/tests/trees/%s",
			 source ? source : ".", trees[i]);
		context.root = root;
		lp_builder_tick(b, (int64_t)i);
		assert_int_equal(reader->open(&context, &s), 0);
		assert_int_equal(reader->fetch(s, &err), 0);
		assert_int_equal(reader->parse(s, b, &err), 0);
		seen[i] = reader->instances(s);
		reader->close(s);
	}
	assert_true(seen[0] == seen[1]);
	assert_true(seen[0] != seen[2]);
	lp_builder_free(b);
}

static bool wants(const struct lp_filter *filter, const char *class_name,
		  const char *name)
{
	return lp_filter_wants(filter, class_name, name, strlen(name));
}

static void a_filter_keeps_what_is_included_and_not_excluded(void **state)
{
	const char *include[] = { "disk:sd*", "disk:nvme*" };
	const char *exclude[] = { "disk:sda?", "host:*", "net:veth*" };
	struct lp_filter filter = { include, 2, exclude, 3 };

	(void)state;
	assert_true(wants(&filter, "disk", "sda"));
	assert_false(wants(&filter, "disk", "sda1"));
	assert_false(wants(&filter, "disk", "dm-0"));
	assert_true(wants(&filter, "net", "eth0"));
	assert_false(wants(&filter, "net", "veth12"));
	assert_true(lp_filter_wants_class(&filter, "disk"));
	assert_false(lp_filter_wants_class(&filter, "host"));
}

static void a_reader_asks_the_filter(void **state)
{
	const char *exclude[] = { "disk:nvme0c?n1" };
	struct lp_filter filter = { .exclude = exclude, .n_exclude = 1 };
	const char *source = getenv("LIMPID_SOURCE");
	char root[512];
	struct reading r;

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/trees/linux-5.15",
		 source ? source : ".");
	r = read_with(&lp_reader_diskstats, root, &filter);
	assert_int_equal(count(&r, "disk"), 3);
	lp_builder_free(r.builder);
}

static void this_machine_is_read_by_every_reader(void **state)
{
	(void)state;
	for (size_t i = 0; lp_readers[i]; i++) {
		struct reading r = read_with(lp_readers[i], "", NULL);

		assert_true(r.rc == 0 || r.rc == -ENOENT || r.rc == -EACCES ||
			    r.rc == -EPERM);
		lp_builder_free(r.builder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_partitions_have_four_fields),
		cmocka_unit_test(eleven_fields_leave_discards_missing),
		cmocka_unit_test(discards_are_read_where_they_exist),
		cmocka_unit_test(multipath_devices_of_one_number_stay_apart),
		cmocka_unit_test(fields_of_later_kernels_are_passed_over),
		cmocka_unit_test(broken_disk_lines_are_named_and_others_kept),
		cmocka_unit_test(interfaces_need_no_blank_behind_the_colon),
		cmocka_unit_test(an_alias_keeps_its_colon),
		cmocka_unit_test(
			broken_interface_lines_are_named_and_others_kept),
		cmocka_unit_test(the_line_of_all_cpus_is_read_by_position),
		cmocka_unit_test(cpu_fields_an_old_kernel_lacks_are_missing),
		cmocka_unit_test(memory_is_read_by_key),
		cmocka_unit_test(a_broken_key_is_named_and_others_kept),
		cmocka_unit_test(pressure_totals_are_read),
		cmocka_unit_test(a_file_the_kernel_lacks_is_enoent),
		cmocka_unit_test(protocol_counters_are_read_by_name),
		cmocka_unit_test(extended_counters_are_read_by_name),
		cmocka_unit_test(ports_have_the_counters_their_driver_has),
		cmocka_unit_test(instances_change_only_with_the_names),
		cmocka_unit_test(
			a_filter_keeps_what_is_included_and_not_excluded),
		cmocka_unit_test(a_reader_asks_the_filter),
		cmocka_unit_test(this_machine_is_read_by_every_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
