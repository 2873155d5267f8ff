/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which layer a device stands, and which layer is compared, where names are
 * all that is known.
 */
#include "roster_maker.h"

/* A host of which nothing but samples is known: "class/name" each. */
static void sample_host(struct maker *m, const char *host,
			const char *const *names)
{
	struct lp_item item = { .kind = LP_ITEM_CHUNK };

	m->builder = lp_builder_new(host);
	for (int64_t t = 0; t < 3; t++) {
		lp_builder_tick(m->builder, t * S);
		for (const char *const *name = names; *name; name++)
			sample(m,
			       strncmp(*name, "net", 3) == 0 ? "net" : "disk",
			       strchr(*name, '/') + 1, false);
	}
	item.chunk = lp_builder_chunk(m->builder);
	assert_int_equal(lp_roster_put(&m->roster, &item, NULL), 0);
	lp_builder_free(m->builder);
}

static void volumes_are_no_peers_beside_their_hosts_disks(void **state)
{
	static const char *const stack[] = { "disk/sda",  "disk/md0",
					     "disk/dm-0", "disk/dm-1",
					     "disk/zd0",  NULL };
	static const char *const alone[] = { "disk/dm-0", "disk/dm-1",
					     "disk/dm-2", NULL };
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	sample_host(&m, "a", stack);
	sample_host(&m, "b", alone);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "sda"), LP_LEFT_NOT);
	assert_int_equal(left_out(&m, &g, "a", "md0"), LP_LEFT_STACKED);
	assert_int_equal(left_out(&m, &g, "a", "dm-0"), LP_LEFT_STACKED);
	assert_int_equal(left_out(&m, &g, "a", "zd0"), LP_LEFT_STACKED);
	assert_int_equal(left_out(&m, &g, "b", "dm-1"), LP_LEFT_NOT);
	done(&m, &g);
}

static void loop_devices_are_no_peers_beside_their_hosts_disks(void **state)
{
	static const char *const desktop[] = { "disk/sda", "disk/loop0",
					       "disk/loop1", NULL };
	static const char *const server[] = { "disk/loop0", "disk/loop1",
					      NULL };
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	sample_host(&m, "a", desktop);
	sample_host(&m, "b", server);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "sda"), LP_LEFT_NOT);
	assert_int_equal(left_out(&m, &g, "a", "loop0"), LP_LEFT_STACKED);
	assert_int_equal(left_out(&m, &g, "b", "loop0"), LP_LEFT_NOT);
	done(&m, &g);
}

/* As archives of PCP had it: a partition that names no parent. */
static void a_partition_is_left_out_by_its_name(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	add(&m, "disk", "sda", "disk", "");
	add(&m, "disk", "sda5", "partition", "");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "sda5"), LP_LEFT_PARTITION);
	assert_int_equal(left_out(&m, &g, "a", "sda"), LP_LEFT_NOT);
	done(&m, &g);
}

static void what_is_no_disk_is_compared_with_none(void **state)
{
	static const char *const names[] = { "disk/sda", "disk/sr0",
					     "disk/zram0", NULL };
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	sample_host(&m, "a", names);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "sr0"), LP_LEFT_NO_DISK);
	assert_int_equal(left_out(&m, &g, "a", "zram0"), LP_LEFT_NO_DISK);
	done(&m, &g);
}

static void virtual_interfaces_count_where_there_is_no_port(void **state)
{
	static const char *const host[] = { "net/eno1", "net/br0", "net/vnet3",
					    "net/docker0", NULL };
	static const char *const container[] = { "net/veth0", "net/lo", NULL };
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	sample_host(&m, "a", host);
	sample_host(&m, "b", container);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "eno1"), LP_LEFT_NOT);
	assert_int_equal(left_out(&m, &g, "a", "br0"), LP_LEFT_VIRTUAL);
	assert_int_equal(left_out(&m, &g, "a", "vnet3"), LP_LEFT_VIRTUAL);
	assert_int_equal(left_out(&m, &g, "a", "docker0"), LP_LEFT_VIRTUAL);
	assert_int_equal(left_out(&m, &g, "b", "veth0"), LP_LEFT_NOT);
	done(&m, &g);
}

static void an_interface_known_to_be_virtual_is_no_guess(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;
	const struct lp_roster_item *item;

	(void)state;
	begin_host(&m, "a");
	lp_inventory_add(m.inventory, "net", "eth7");
	tell(&m, "virtual", "1");
	lp_inventory_add(m.inventory, "net", "br0");
	tell(&m, "virtual", "1");
	end_host(&m, NULL);
	g = finish(&m);
	item = &m.roster.items[index_of(&m, "a", "eth7")];
	assert_string_equal(item->layer, "virtual");
	assert_false(item->layer_guessed);
	item = &m.roster.items[index_of(&m, "a", "br0")];
	assert_string_equal(item->layer, "bridge");
	assert_true(item->layer_guessed);
	done(&m, &g);
}

struct guess {
	const char *name, *layer;
	size_t parent;
};

static void assert_guesses(const struct lp_class *class,
			   const struct guess *guesses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t parent;

		assert_string_equal(
			lp_layer_guess(class, guesses[i].name, &parent),
			guesses[i].layer);
		assert_int_equal(parent, guesses[i].parent);
	}
}

static void names_tell_layers_of_disks(void **state)
{
	static const struct guess guesses[] = {
		{ "sda", "disk", 0 },
		{ "sdaa12", "partition", 4 },
		{ "nvme0n1", "disk", 0 },
		{ "nvme0n1p2", "partition", 7 },
		{ "nvme0c0n1", "path", 0 },
		{ "mmcblk0", "disk", 0 },
		{ "mmcblk0p1", "partition", 7 },
		{ "mmcblk0boot1", "partition", 7 },
		{ "md127", "array", 0 },
		{ "md127p1", "partition", 5 },
		{ "mds-disk", "disk", 0 },
		{ "dm-3", "logical", 0 },
		{ "mpatha-part2", "partition", 6 },
		{ "mpatha", "logical", 0 },
		{ "mpathcg", "logical", 0 },
		{ "bcache0", "logical", 0 },
		{ "bcache0p1", "partition", 7 },
		{ "zd16", "logical", 0 },
		{ "zd16p1", "partition", 4 },
		{ "drbd1", "logical", 0 },
		{ "dasda1", "partition", 5 },
		{ "loop0", "disk", 0 },
		{ "sr0", "optical", 0 },
		{ "zram0", "memory", 0 },
	};

	(void)state;
	assert_guesses(&lp_class_disk, guesses, lp_array_size(guesses));
}

static void names_tell_layers_of_interfaces(void **state)
{
	static const struct guess guesses[] = {
		{ "lo", "virtual", 0 },           { "bond0", "bond", 0 },
		{ "team0", "bond", 0 },           { "eth0.7", "vlan", 0 },
		{ "bond0.7", "vlan", 0 },         { "enp3s0", "port", 0 },
		{ "wlp2s0", "port", 0 },          { "ib0", "port", 0 },
		{ "br0", "bridge", 0 },           { "br-4f1a", "bridge", 0 },
		{ "vmbr1", "bridge", 0 },         { "virbr0", "virtual", 0 },
		{ "vnet12", "virtual", 0 },       { "docker0", "virtual", 0 },
		{ "veth4c2", "virtual", 0 },      { "tap7", "virtual", 0 },
		{ "wg0", "virtual", 0 },          { "flannel.1", "virtual", 0 },
		{ "vxlan.calico", "virtual", 0 }, { "br0.7", "bridge", 0 },
	};

	(void)state;
	assert_guesses(&lp_class_net, guesses, lp_array_size(guesses));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volumes_are_no_peers_beside_their_hosts_disks),
		cmocka_unit_test(
			loop_devices_are_no_peers_beside_their_hosts_disks),
		cmocka_unit_test(a_partition_is_left_out_by_its_name),
		cmocka_unit_test(what_is_no_disk_is_compared_with_none),
		cmocka_unit_test(
			virtual_interfaces_count_where_there_is_no_port),
		cmocka_unit_test(an_interface_known_to_be_virtual_is_no_guess),
		cmocka_unit_test(names_tell_layers_of_disks),
		cmocka_unit_test(names_tell_layers_of_interfaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
