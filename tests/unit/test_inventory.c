/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/inventory.h"

#include <stdio.h>

/* A host with two disks, each with a label. */
static struct lp_inventory *two_disks(int64_t time_ns)
{
	struct lp_inventory *inventory = lp_inventory_new("oss1", time_ns);
	struct lp_component *c;

	lp_inventory_label(inventory, &inventory->labels, "kernel", "6.1");
	c = lp_inventory_add(inventory, "disk", "sda");
	lp_inventory_label(inventory, &c->labels, "id", "wwid:1");
	c = lp_inventory_add(inventory, "disk", "sdb");
	lp_inventory_label(inventory, &c->labels, "id", "wwid:2");
	return inventory;
}

static void components_are_found_by_class_and_name(void **state)
{
	struct lp_inventory *inventory = two_disks(0);
	const struct lp_component *c;

	(void)state;
	c = lp_inventory_find(inventory, "disk", "sdb");
	assert_string_equal(lp_labels_get(&c->labels, "id"), "wwid:2");
	assert_null(lp_labels_get(&c->labels, "layer"));
	assert_null(lp_inventory_find(inventory, "net", "sdb"));
	assert_null(lp_inventory_find(inventory, "disk", "sdc"));
	lp_inventory_free(inventory);
}

static void a_label_set_again_is_replaced(void **state)
{
	struct lp_inventory *inventory = two_disks(0);

	(void)state;
	lp_inventory_label(inventory, &inventory->labels, "kernel", "6.12");
	assert_int_equal(inventory->labels.count, 1);
	assert_string_equal(lp_labels_get(&inventory->labels, "kernel"),
			    "6.12");
	lp_inventory_free(inventory);
}

static void empty_labels_are_left_out(void **state)
{
	struct lp_inventory *inventory = two_disks(0);

	(void)state;
	lp_inventory_label(inventory, &inventory->labels, "a", "");
	lp_inventory_label(inventory, &inventory->labels, "b", NULL);
	assert_int_equal(inventory->labels.count, 1);
	lp_inventory_free(inventory);
}

static void strings_are_the_inventory_s_own(void **state)
{
	struct lp_inventory *inventory;
	char host[] = "oss1", name[] = "sda";

	(void)state;
	inventory = lp_inventory_new(host, 0);
	lp_inventory_add(inventory, name, name);
	host[0] = name[0] = 'X';
	assert_string_equal(inventory->host, "oss1");
	assert_non_null(lp_inventory_find(inventory, "sda", "sda"));
	lp_inventory_free(inventory);
	lp_inventory_free(NULL);
}

static void hundreds_of_components_keep_their_labels(void **state)
{
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	char name[16];

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct lp_component *c;

		snprintf(name, sizeof(name), "d%d", i);
		c = lp_inventory_add(inventory, "disk", name);
		lp_inventory_label(inventory, &c->labels, "id", name);
	}
	assert_string_equal(
		lp_labels_get(
			&lp_inventory_find(inventory, "disk", "d77")->labels,
			"id"),
		"d77");
	lp_inventory_free(inventory);
}

static void inventories_are_the_same_whatever_their_time(void **state)
{
	struct lp_inventory *a = two_disks(1), *b = two_disks(2);

	(void)state;
	assert_true(lp_inventory_same(a, b));
	lp_inventory_label(b, &b->components[1].labels, "id", "wwid:3");
	assert_false(lp_inventory_same(a, b));
	lp_inventory_free(a);
	lp_inventory_free(b);
}

static void a_component_or_label_more_is_a_difference(void **state)
{
	struct lp_inventory *a = two_disks(1), *b = two_disks(1);

	(void)state;
	lp_inventory_label(b, &b->labels, "boot_id", "x");
	assert_false(lp_inventory_same(a, b));
	lp_inventory_label(a, &a->labels, "boot_id", "x");
	assert_true(lp_inventory_same(a, b));
	lp_inventory_add(b, "disk", "sdc");
	assert_false(lp_inventory_same(a, b));
	lp_inventory_free(a);
	lp_inventory_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(components_are_found_by_class_and_name),
		cmocka_unit_test(a_label_set_again_is_replaced),
		cmocka_unit_test(empty_labels_are_left_out),
		cmocka_unit_test(strings_are_the_inventory_s_own),
		cmocka_unit_test(hundreds_of_components_keep_their_labels),
		cmocka_unit_test(inventories_are_the_same_whatever_their_time),
		cmocka_unit_test(a_component_or_label_more_is_a_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
