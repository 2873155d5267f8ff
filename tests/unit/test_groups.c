/* SPDX-License-Identifier: Apache-2.0 */
#include "roster_maker.h"

#include "detect/reach.h"

#include <stdio.h>
#include <string.h>

/* Disks "d0", "d1" ... of one size on one host. */
static void host_with_disks(struct maker *m, const char *host, int n,
			    const char *size, const char *idle)
{
	char name[16];

	begin_host(m, host);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		add(m, "disk", name, "disk", size);
	}
	end_host(m, idle);
}

static void three_equal_disks_of_a_host_are_peers(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	host_with_disks(&m, "a", 3, "12000000000000", NULL);
	g = finish(&m);
	assert_int_equal(g.n_groups, 1);
	assert_true(g.groups[0].compared);
	assert_int_equal(g.groups[0].n_members, 3);
	assert_int_equal(g.groups[0].n_hosts, 1);
	assert_string_equal(g.groups[0].what, "12 TB");
	done(&m, &g);
}

static void two_cannot_be_compared(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	host_with_disks(&m, "a", 2, "12000000000000", NULL);
	g = finish(&m);
	assert_int_equal(g.n_groups, 1);
	assert_false(g.groups[0].compared);
	done(&m, &g);
}

static void hosts_of_one_layout_share_a_group(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	host_with_disks(&m, "a", 12, "12000000000000", NULL);
	host_with_disks(&m, "b", 11, "12000138625024", NULL);
	host_with_disks(&m, "c", 2, "12000000000000", NULL);
	g = finish(&m);
	assert_int_equal(group_of(&m, &g, "a", "d0"),
			 group_of(&m, &g, "b", "d10"));
	assert_int_not_equal(group_of(&m, &g, "a", "d0"),
			     group_of(&m, &g, "c", "d0"));
	assert_int_equal(g.groups[group_of(&m, &g, "a", "d0")].n_members, 23);
	assert_int_equal(g.groups[group_of(&m, &g, "a", "d0")].n_hosts, 2);
	done(&m, &g);
}

static void other_sizes_and_models_are_not_alike(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	add(&m, "disk", "big", "disk", "12000000000000");
	tell(&m, "model", "X");
	add(&m, "disk", "like", "disk", "12900000000000");
	tell(&m, "model", "X");
	add(&m, "disk", "small", "disk", "8000000000000");
	tell(&m, "model", "X");
	add(&m, "disk", "other", "disk", "12000000000000");
	tell(&m, "model", "Y");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(group_of(&m, &g, "a", "big"),
			 group_of(&m, &g, "a", "like"));
	assert_int_not_equal(group_of(&m, &g, "a", "big"),
			     group_of(&m, &g, "a", "small"));
	assert_int_not_equal(group_of(&m, &g, "a", "big"),
			     group_of(&m, &g, "a", "other"));
	done(&m, &g);
}

static void each_io_is_compared_in_one_layer(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	add(&m, "disk", "sda", "path", "1000");
	add(&m, "disk", "sdb", "path", "1000");
	add(&m, "disk", "dm-0", "disk", "1000");
	tell(&m, "parents", "sda sdb");
	add(&m, "disk", "dm-1", "partition", "500");
	tell(&m, "parents", "dm-0");
	add(&m, "disk", "md0", "array", "1000");
	tell(&m, "parents", "dm-0");
	add(&m, "disk", "sdc", "path", "1000");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "dm-0"), LP_LEFT_NOT);
	assert_int_equal(left_out(&m, &g, "a", "sda"), LP_LEFT_PATH);
	assert_int_equal(left_out(&m, &g, "a", "dm-1"), LP_LEFT_PARTITION);
	assert_int_equal(left_out(&m, &g, "a", "md0"), LP_LEFT_MADE_OF);
	/* A path whose map is not recorded stands for itself. */
	assert_int_equal(left_out(&m, &g, "a", "sdc"), LP_LEFT_NOT);
	done(&m, &g);
}

static void ports_of_a_bond_and_lo_are_left_out(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	add(&m, "net", "bond0", "bond", "50000");
	add(&m, "net", "eth0", "port", "25000");
	tell(&m, "bond", "bond0");
	add(&m, "net", "bond0.7", "vlan", "50000");
	tell(&m, "parents", "bond0");
	add(&m, "net", "lo", "virtual", "");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "bond0"), LP_LEFT_NOT);
	assert_int_equal(left_out(&m, &g, "a", "eth0"), LP_LEFT_SLAVE);
	assert_int_equal(left_out(&m, &g, "a", "bond0.7"), LP_LEFT_ABOVE);
	assert_int_equal(left_out(&m, &g, "a", "lo"), LP_LEFT_LOOPBACK);
	assert_string_equal(g.groups[0].what, "50 Gbit/s");
	done(&m, &g);
}

static void idle_disks_belong_to_the_layout_but_to_no_group(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	host_with_disks(&m, "a", 4, "1000", "d3");
	host_with_disks(&m, "b", 4, "1000", NULL);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "d3"), LP_LEFT_IDLE);
	assert_int_equal(group_of(&m, &g, "a", "d0"),
			 group_of(&m, &g, "b", "d0"));
	assert_int_equal(g.n_groups, 1);
	assert_int_equal(g.groups[0].n_members, 7);
	done(&m, &g);
}

static void peers_of_one_port_are_compared(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	lp_inventory_label(m.inventory, &m.inventory->labels, "addresses",
			   "10.0.0.1 10.0.1.1");
	add(&m, "tcp", "2049>10.0.0.5", "peer", "");
	add(&m, "tcp", "2049>10.0.0.6", "peer", "");
	add(&m, "tcp", "22>10.0.0.5", "peer", "");
	add(&m, "tcp", "->10.0.1.1", "peer", "");
	add(&m, "tcp", "->127.0.0.1", "peer", "");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(group_of(&m, &g, "a", "2049>10.0.0.5"),
			 group_of(&m, &g, "a", "2049>10.0.0.6"));
	assert_int_not_equal(group_of(&m, &g, "a", "2049>10.0.0.5"),
			     group_of(&m, &g, "a", "22>10.0.0.5"));
	assert_int_equal(left_out(&m, &g, "a", "->10.0.1.1"), LP_LEFT_LOOPBACK);
	assert_int_equal(left_out(&m, &g, "a", "->127.0.0.1"),
			 LP_LEFT_LOOPBACK);
	done(&m, &g);
}

static void without_an_inventory_layers_are_guessed(void **state)
{
	struct maker m = { 0 };
	struct lp_item item = { .kind = LP_ITEM_CHUNK };
	struct lp_grouping g;
	size_t sda1;

	(void)state;
	m.builder = lp_builder_new("a");
	for (int64_t t = 0; t < 2; t++) {
		lp_builder_tick(m.builder, t * S);
		sample(&m, "disk", "sda", false);
		sample(&m, "disk", "sda1", false);
		sample(&m, "disk", "disk7", false);
	}
	item.chunk = lp_builder_chunk(m.builder);
	lp_roster_put(&m.roster, &item, NULL);
	lp_builder_free(m.builder);
	g = finish(&m);
	sda1 = index_of(&m, "a", "sda1");
	assert_true(m.roster.items[sda1].layer_guessed);
	assert_int_equal(g.left_out[sda1], LP_LEFT_PARTITION);
	assert_string_equal(m.roster.items[index_of(&m, "a", "disk7")].layer,
			    "disk");
	assert_int_equal(m.roster.hosts[0].interval_ns, S);
	assert_int_equal(m.roster.last_ns, S);
	done(&m, &g);
}

/* Ticks of a busy machine, 2 ms late each, with and without a word of it. */
static void the_interval_is_without_jitter(void **state)
{
	struct maker m = { 0 };
	struct lp_inventory *inventory = lp_inventory_new("b", 0);
	struct lp_item told = { .kind = LP_ITEM_INVENTORY,
				.inventory = inventory };
	struct lp_item item = { .kind = LP_ITEM_CHUNK };
	struct lp_grouping g;

	(void)state;
	lp_inventory_label(inventory, &inventory->labels, "interval_ns",
			   "500000000");
	lp_roster_put(&m.roster, &told, NULL);
	lp_inventory_free(inventory);
	m.builder = lp_builder_new("a");
	for (int64_t t = 0; t < 5; t++) {
		lp_builder_tick(m.builder, t * (S / 10 + 2000000));
		sample(&m, "disk", "sda", false);
	}
	item.chunk = lp_builder_chunk(m.builder);
	lp_roster_put(&m.roster, &item, NULL);
	lp_builder_free(m.builder);
	g = finish(&m);
	assert_int_equal(m.roster.hosts[0].interval_ns, S / 2);
	assert_int_equal(m.roster.hosts[1].interval_ns, S / 10);
	done(&m, &g);
}

static void a_renamed_disk_is_one_component(void **state)
{
	struct maker m = { 0 };
	struct lp_grouping g;

	(void)state;
	begin_host(&m, "a");
	add(&m, "disk", "sda", "disk", "1000");
	tell(&m, "id", "wwid:1");
	end_host(&m, NULL);
	begin_host(&m, "a");
	add(&m, "disk", "sdb", "disk", "1000");
	tell(&m, "id", "wwid:1");
	add(&m, "disk", "sda", "disk", "1000");
	tell(&m, "id", "wwid:2");
	end_host(&m, NULL);
	g = finish(&m);
	assert_int_equal(m.roster.n_items, 2);
	assert_int_equal(m.roster.items[index_of(&m, "a", "sdb")].n_samples, 6);
	assert_int_equal(m.roster.items[index_of(&m, "a", "sda")].n_samples, 3);
	done(&m, &g);
}

static void what_is_not_recorded_is_left_out(void **state)
{
	struct maker m = { 0 };
	struct lp_inventory *inventory = lp_inventory_new("a", 0);
	struct lp_item item = { .kind = LP_ITEM_INVENTORY,
				.inventory = inventory };
	struct lp_grouping g;

	(void)state;
	lp_inventory_add(inventory, "disk", "sda");
	lp_roster_put(&m.roster, &item, NULL);
	lp_inventory_free(inventory);
	g = finish(&m);
	assert_int_equal(left_out(&m, &g, "a", "sda"), LP_LEFT_NO_SAMPLES);
	assert_true(m.roster.first_ns > m.roster.last_ns);
	assert_true(m.roster.first_ns > m.roster.last_ns);
	done(&m, &g);
}

static void sizes_read_as_disks_are_sold(void **state)
{
	char text[LP_SIZE_TEXT];

	(void)state;
	assert_string_equal(lp_size_format(512, text), "512 B");
	assert_string_equal(lp_size_format(1920383410176.0, text), "1.9 TB");
	assert_string_equal(lp_size_format(12000138625024.0, text), "12 TB");
	assert_string_equal(lp_size_format(999999999, text), "1.0 GB");
}

static const struct lp_detector_params given;

static void the_shortest_fault_follows_from_step_and_windows(void **state)
{
	struct lp_reach r = lp_reach_with(&lp_detector_cdf, &given, S, 119 * S);

	(void)state;
	assert_int_equal(r.sure_ns, 90 * S);
	assert_int_equal(r.least_ns, 60 * S);
	assert_false(r.enough);
	assert_true(lp_reach_with(&lp_detector_cdf, &given, S, 120 * S).enough);
	/* The thesis' 22.5 minutes. */
	r = lp_reach_with(&lp_detector_cdf, &given, 15 * S, 7200 * S);
	assert_int_equal(r.sure_ns, 1350 * S);
	/* Coarse: windows of 12 by 6, 2 of 3. */
	r = lp_reach_with(&lp_detector_cdf, &given, 600 * S, 86400 * S);
	assert_int_equal(r.window, 12);
	assert_int_equal(r.of, 3);
	assert_int_equal(r.sure_ns, 7200 * S);
}

/* Half of the shortest window of blocks, which the clock cuts. */
static void the_shortest_fault_follows_from_blocks(void **state)
{
	struct lp_reach r = lp_reach_of(S, 3600 * S);

	(void)state;
	assert_int_equal(r.step_ns, S);
	assert_true(r.own);
	assert_int_equal(r.least_ns, 30 * S);
	assert_int_equal(r.sure_ns, 40 * S);
	assert_false(lp_reach_of(S, 59 * S).enough);
	assert_true(lp_reach_of(S, 60 * S).enough);
	/* From two hours on in steps of a block. */
	assert_int_equal(lp_reach_of(S, 7200 * S).step_ns, 10 * S);
	assert_int_equal(lp_reach_of(S, 7200 * S).least_ns, 30 * S);
	assert_int_equal(lp_reach_of(10 * S, 86400 * S).step_ns, 10 * S);
	assert_int_equal(lp_reach_of(60 * S, 86400 * S).step_ns, 60 * S);
	/* Coarse: windows of 3 blocks. */
	assert_int_equal(lp_reach_of(600 * S, 86400 * S).least_ns, 1200 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_equal_disks_of_a_host_are_peers),
		cmocka_unit_test(two_cannot_be_compared),
		cmocka_unit_test(hosts_of_one_layout_share_a_group),
		cmocka_unit_test(other_sizes_and_models_are_not_alike),
		cmocka_unit_test(each_io_is_compared_in_one_layer),
		cmocka_unit_test(ports_of_a_bond_and_lo_are_left_out),
		cmocka_unit_test(
			idle_disks_belong_to_the_layout_but_to_no_group),
		cmocka_unit_test(peers_of_one_port_are_compared),
		cmocka_unit_test(without_an_inventory_layers_are_guessed),
		cmocka_unit_test(the_interval_is_without_jitter),
		cmocka_unit_test(a_renamed_disk_is_one_component),
		cmocka_unit_test(what_is_not_recorded_is_left_out),
		cmocka_unit_test(sizes_read_as_disks_are_sold),
		cmocka_unit_test(
			the_shortest_fault_follows_from_step_and_windows),
		cmocka_unit_test(the_shortest_fault_follows_from_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
