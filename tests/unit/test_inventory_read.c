/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "source/inventory_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct lp_inventory *read_root(const char *root)
{
	struct lp_inventory *inventory = NULL;
	struct lp_error err;

	assert_int_equal(lp_inventory_read(root, "h", -1, 7, &inventory, &err),
			 0);
	return inventory;
}

static struct lp_inventory *read_tree(const char *name)
{
	char root[4096];

	snprintf(root, sizeof(root), "%s/tests/trees/%s",
		 getenv("LIMPID_SOURCE"), name);
	return read_root(root);
}

static void check(const struct lp_inventory *inventory, const char *class_name,
		  const char *name, const char *key, const char *value)
{
	const struct lp_component *c =
		lp_inventory_find(inventory, class_name, name);
	const char *found;

	assert_non_null(c);
	found = lp_labels_get(&c->labels, key);
	if (!value) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, value);
}

static void a_multipath_map_is_a_disk_and_its_slaves_are_paths(void **state)
{
	struct lp_inventory *i = read_tree("inv-multipath");

	(void)state;
	check(i, "disk", "dm-0", "layer", "disk");
	check(i, "disk", "dm-0", "alias", "ost0");
	check(i, "disk", "dm-0", "parents", "sda sdc");
	check(i, "disk", "dm-0", "id",
	      "wwid:naa.600a098000f63714000000005e79c17c");
	check(i, "disk", "sda", "layer", "path");
	check(i, "disk", "sda", "wwid", "naa.600a098000f63714000000005e79c17c");
	check(i, "disk", "sda", "id",
	      "path:pci-0000:3b:00.0-scsi:0:0:1@"
	      "naa.600a098000f63714000000005e79c17c");
	check(i, "disk", "dm-2", "layer", "partition");
	check(i, "disk", "dm-3", "layer", "logical");
	lp_inventory_free(i);
}

static void scsi_disks_tell_serial_model_and_queue(void **state)
{
	struct lp_inventory *i = read_tree("inv-multipath");

	(void)state;
	check(i, "disk", "sda", "serial", "021845000123");
	check(i, "disk", "sda", "model", "INF-01-00");
	check(i, "disk", "sda", "size_bytes", "12000138625024");
	check(i, "disk", "sda", "rotational", "1");
	check(i, "disk", "sda", "queue_scheduler", "deadline");
	check(i, "disk", "sda", "queue_read_ahead_kb", "4096");
	check(i, "disk", "sda", "hctl", "1:0:0:1");
	lp_inventory_free(i);
}

static void udev_fills_what_sysfs_does_not_say(void **state)
{
	struct lp_inventory *i = read_tree("inv-multipath");

	(void)state;
	check(i, "disk", "sdd", "wwid", "naa.600a098000f63714000000005e79c199");
	check(i, "disk", "sdd", "serial", "600a098000f63714000000005e79c199");
	check(i, "disk", "sdd", "path",
	      "pci-0000:3b:00.1-fc-0x200400a098-lun-2");
	lp_inventory_free(i);
}

static void a_recorded_host_has_kernel_boot_id_and_addresses(void **state)
{
	struct lp_inventory *i = read_tree("inv-multipath");

	(void)state;
	assert_string_equal(lp_labels_get(&i->labels, "kernel"),
			    "4.18.0-553.el8_10.x86_64");
	assert_string_equal(lp_labels_get(&i->labels, "boot_id"),
			    "6f1c8a52-5b7f-4c0e-9c57-0d6f5d1f2f11");
	assert_string_equal(lp_labels_get(&i->labels, "addresses"),
			    "10.0.0.5 fd00::b");
	assert_string_equal(i->host, "h");
	assert_int_equal(i->time_ns, 7);
	lp_inventory_free(i);
}

static void md_arrays_tell_level_and_rebuild(void **state)
{
	struct lp_inventory *i = read_tree("inv-md");

	(void)state;
	check(i, "disk", "md127", "layer", "array");
	check(i, "disk", "md127", "alias", "oss1:scratch");
	check(i, "disk", "md127", "md_level", "raid5");
	check(i, "disk", "md127", "md_sync_action", "recover");
	check(i, "disk", "md127", "md_degraded", "1");
	check(i, "disk", "md127", "parents", "sda1 sdb1 sdc1");
	check(i, "disk", "md127", "id",
	      "md:8f5f4b53-6ef0-4d2e-a7f7-1d0a5d5e0001");
	lp_inventory_free(i);
}

static void partitions_know_their_disk(void **state)
{
	struct lp_inventory *i = read_tree("inv-md");

	(void)state;
	check(i, "disk", "sda1", "layer", "partition");
	check(i, "disk", "sda1", "parents", "sda");
	check(i, "disk", "sda1", "id", "wwid:naa.5000cca0b0aa0001:part1");
	lp_inventory_free(i);
}

static void names_are_those_of_the_samples(void **state)
{
	struct lp_inventory *i = read_tree("inv-md");

	(void)state;
	check(i, "disk", "cciss/c0d0", "layer", "disk");
	check(i, "disk", "sdd", "id",
	      "wwid:t10.ATA WDC WD10EZEX-08WN4A0 WD-WCC6Y3XXXXXX");
	lp_inventory_free(i);
}

static void bound_loops_are_disks_and_others_are_left_out(void **state)
{
	struct lp_inventory *i = read_tree("inv-md");

	(void)state;
	check(i, "disk", "loop0", "layer", "disk");
	check(i, "disk", "loop0", "id", "file:/srv/disk0.img");
	assert_null(lp_inventory_find(i, "disk", "loop1"));
	lp_inventory_free(i);
}

static void nvme_paths_stand_beneath_their_head(void **state)
{
	struct lp_inventory *i = read_tree("inv-nvme");

	(void)state;
	check(i, "disk", "nvme0n1", "layer", "disk");
	check(i, "disk", "nvme0n1", "parents", "nvme0c0n1 nvme0c1n1");
	check(i, "disk", "nvme0n1", "id", "wwid:eui.0025385b71b1b0a1");
	check(i, "disk", "nvme0n1", "serial", "S4YPNE0M800119");
	check(i, "disk", "nvme0c1n1", "layer", "path");
	check(i, "disk", "nvme0n1p1", "parents", "nvme0n1");
	lp_inventory_free(i);
}

static void interfaces_tell_bond_speed_driver_and_true_address(void **state)
{
	struct lp_inventory *i = read_tree("inv-bond");

	(void)state;
	check(i, "net", "bond0", "layer", "bond");
	check(i, "net", "bond0", "parents", "eth0 eth1");
	check(i, "net", "bond0", "id", "bond:bond0");
	check(i, "net", "eth1", "bond", "bond0");
	check(i, "net", "eth1", "driver", "mlx5_core");
	check(i, "net", "eth1", "speed_mbit", "25000");
	check(i, "net", "eth1", "id", "mac:0c:42:a1:00:00:11");
	check(i, "net", "bond0.7", "layer", "vlan");
	check(i, "net", "bond0.7", "parents", "bond0");
	check(i, "net", "br0", "layer", "bridge");
	check(i, "net", "lo", "layer", "virtual");
	lp_inventory_free(i);
}

static void a_speed_that_is_not_known_is_left_out(void **state)
{
	struct lp_inventory *i = read_tree("inv-bond");

	(void)state;
	check(i, "net", "eth2", "speed_mbit", NULL);
	check(i, "net", "eth2", "operstate", "down");
	check(i, "net", "eth2", "layer", "port");
	assert_null(lp_inventory_find(i, "net", "bonding_masters"));
	lp_inventory_free(i);
}

static void infiniband_ports_are_known_by_guid(void **state)
{
	struct lp_inventory *i = read_tree("inv-bond");

	(void)state;
	check(i, "ib", "mlx5_0:1", "rate", "100 Gb/sec (4X EDR)");
	check(i, "ib", "mlx5_0:1", "id", "guid:0c42:a103:0000:0011");
	check(i, "ib", "mlx5_0:1", "link_layer", "InfiniBand");
	lp_inventory_free(i);
}

static void put(const char *root, const char *file, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static char *temporary(char root[64])
{
	snprintf(root, 64, "/tmp/limpid-inventory-XXXXXX");
	return mkdtemp(root);
}

static void remove_tree(const char *root)
{
	char command[600];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	assert_int_equal(system(command), 0);
}

static void a_renamed_disk_keeps_its_id(void **state)
{
	char root[64];
	struct lp_inventory *i;

	(void)state;
	temporary(root);
	put(root, "sys/block/sda/device/wwid", "naa.5000c50084e61d7f\n");
	put(root, "sys/block/sdq/device/wwid", "naa.5000c50084e61d7e\n");
	i = read_root(root);
	check(i, "disk", "sda", "id", "wwid:naa.5000c50084e61d7f");
	lp_inventory_free(i);
	put(root, "sys/block/sda/device/wwid", "naa.5000c50084e61d7e\n");
	put(root, "sys/block/sdq/device/wwid", "naa.5000c50084e61d7f\n");
	i = read_root(root);
	check(i, "disk", "sdq", "id", "wwid:naa.5000c50084e61d7f");
	lp_inventory_free(i);
	remove_tree(root);
}

static void disks_that_share_a_wwid_still_differ(void **state)
{
	char root[64];
	struct lp_inventory *i;

	(void)state;
	temporary(root);
	put(root, "sys/block/sda/serial", "0000\n");
	put(root, "sys/block/sdb/serial", "0000\n");
	i = read_root(root);
	check(i, "disk", "sda", "id", "serial:0000");
	check(i, "disk", "sdb", "id", "serial:0000@sdb");
	lp_inventory_free(i);
	remove_tree(root);
}

static void odd_files_are_tolerated(void **state)
{
	char root[64], path[128];
	struct lp_inventory *i;

	(void)state;
	temporary(root);
	put(root, "sys/block/sda/size", "many\n");
	put(root, "sys/block/sda/device/model", "\xff\x01 A\tB \n");
	put(root, "sys/block/sda/device/vpd_pg80", "\x01\x80");
	put(root, "sys/block/sda/queue/scheduler", "[");
	put(root, "sys/block/sdb", "");
	put(root, "sys/class/net/eth0/speed", "");
	put(root, "proc/net/if_inet6", "f\n\nfd00\n");
	put(root, "proc/net/fib_trie", "|-- 1\n/32 host LOCAL\n|-- ");
	snprintf(path, sizeof(path), "%s/sys/block/sda/serial", root);
	assert_int_equal(mkfifo(path, 0600), 0);
	i = read_root(root);
	check(i, "disk", "sda", "size_bytes", NULL);
	check(i, "disk", "sda", "model", "?? A B");
	check(i, "disk", "sda", "id", "name:sda");
	lp_inventory_free(i);
	remove_tree(root);
}

static void an_empty_root_gives_an_empty_inventory(void **state)
{
	struct lp_inventory *i = read_root("/nonexistent");

	(void)state;
	assert_int_equal(i->n_components, 0);
	assert_int_equal(i->labels.count, 0);
	lp_inventory_free(i);
}

static void this_machine_can_be_read(void **state)
{
	struct lp_inventory *i = read_root("");

	(void)state;
	assert_non_null(lp_labels_get(&i->labels, "kernel"));
	check(i, "net", "lo", "layer", "virtual");
	lp_inventory_free(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_multipath_map_is_a_disk_and_its_slaves_are_paths),
		cmocka_unit_test(scsi_disks_tell_serial_model_and_queue),
		cmocka_unit_test(udev_fills_what_sysfs_does_not_say),
		cmocka_unit_test(
			a_recorded_host_has_kernel_boot_id_and_addresses),
		cmocka_unit_test(md_arrays_tell_level_and_rebuild),
		cmocka_unit_test(partitions_know_their_disk),
		cmocka_unit_test(names_are_those_of_the_samples),
		cmocka_unit_test(bound_loops_are_disks_and_others_are_left_out),
		cmocka_unit_test(nvme_paths_stand_beneath_their_head),
		cmocka_unit_test(
			interfaces_tell_bond_speed_driver_and_true_address),
		cmocka_unit_test(a_speed_that_is_not_known_is_left_out),
		cmocka_unit_test(infiniband_ports_are_known_by_guid),
		cmocka_unit_test(a_renamed_disk_keeps_its_id),
		cmocka_unit_test(disks_that_share_a_wwid_still_differ),
		cmocka_unit_test(odd_files_are_tolerated),
		cmocka_unit_test(an_empty_root_gives_an_empty_inventory),
		cmocka_unit_test(this_machine_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
