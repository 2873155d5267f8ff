/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_maker.h"

#define TB12 "12000000000000"
#define GB480 "480000000000"

static const struct lp_peer_group *disk_group(const struct lp_plan *plan,
					      const char *label)
{
	return maker_group(plan, &lp_class_disk, LP_PEERS, label);
}

/* n data disks and one small quiet one. */
static void make_server(struct maker *m, const char *host, int n)
{
	char name[16];

	maker_host(m, host, NULL);
	maker_add(m, "disk", "sys", GB480, 3);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		maker_add(m, "disk", name, TB12, 1000);
	}
	maker_end(m, 0, 100, 1);
}

static void equal_disks_of_one_host_are_peers(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_server(&m, "oss1", 3);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_NONE);
	assert_int_equal(plan.n_groups, 1);
	assert_int_equal(plan.groups[0].n, 3);
	assert_string_equal(plan.groups[0].name, "3 disks (12 TB) of 1 server");
	assert_int_equal(plan.groups[0].peers[0].own, LP_NO_GROUP);
	maker_done(&m, &plan);
}

static void one_disk_each_are_peers_across_hosts(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_server(&m, "oss1", 1);
	make_server(&m, "oss2", 1);
	make_server(&m, "oss3", 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 1);
	assert_non_null(disk_group(&plan, "oss2/d0"));
	assert_non_null(strstr(maker_left_out(&plan, "oss2/sys"),
			       "480 GB, and moved 0.3 %"));
	assert_int_equal(lp_plan_role(&plan, "oss1"), LP_ROLE_SERVER);
	maker_done(&m, &plan);
}

static void a_servers_own_disks_are_its_second_group(void **state)
{
	struct maker m = { 0 };
	const struct lp_peer_group *own;
	struct lp_plan plan;

	(void)state;
	make_server(&m, "oss1", 4);
	make_server(&m, "oss2", 4);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 3);
	assert_int_equal(plan.groups[0].n, 8);
	assert_true(plan.groups[0].peers[5].own < plan.n_groups);
	own = &plan.groups[plan.groups[0].peers[5].own];
	assert_int_equal(own->kind, LP_PEERS_OWN);
	assert_int_equal(own->n, 4);
	assert_string_equal(own->peers[0].host, "oss2");
	maker_done(&m, &plan);
}

static void two_are_refused(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_server(&m, "oss1", 1);
	make_server(&m, "oss2", 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 0);
	assert_int_equal(plan.refusal, LP_REFUSAL_TOO_FEW);
	assert_non_null(strstr(plan.refusal_text, "fewer than three peers"));
	maker_done(&m, &plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_disks_of_one_host_are_peers),
		cmocka_unit_test(one_disk_each_are_peers_across_hosts),
		cmocka_unit_test(a_servers_own_disks_are_its_second_group),
		cmocka_unit_test(two_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
