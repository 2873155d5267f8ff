/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks of one host: who says that they are peers.
 */
#include "recording_maker.h"

#include <unistd.h>

#define SECONDS 300

/* d0, d1 ... of one host with these rates, ended by 0; of no known size. */
static void make_host(struct maker *m, const char *host, const uint64_t *per_s)
{
	char name[16];

	m->with_matrix = true;
	maker_host(m, host, "");
	for (int i = 0; per_s[i]; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		maker_add(m, "disk", name, "", per_s[i]);
	}
	maker_end(m, 0, SECONDS, 1);
}

static const struct lp_peer_group *disk_group(const struct lp_plan *plan,
					      const char *label)
{
	return maker_group(plan, &lp_class_disk, LP_PEERS, label);
}

static void disks_that_share_a_load_are_peers_and_the_ground_is_said(
	void **state)
{
	static const uint64_t per_s[] = { 1000, 1100, 1900, 1400, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;
	const struct lp_peer_group *group;

	(void)state;
	make_host(&m, "a", per_s);
	plan = maker_plan(&m, NULL);
	group = disk_group(&plan, "a/d0");
	assert_non_null(group);
	assert_int_equal(group->n, 4);
	assert_string_equal(group->ground, "load similar 100 % of the time");
	maker_done(&m, &plan);
}

static void disks_of_other_loads_are_refused_with_the_way_out(void **state)
{
	static const uint64_t per_s[] = { 30, 12000, 300, 2500, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "a", per_s);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 0);
	assert_int_equal(plan.refusal, LP_REFUSAL_UNLIKE);
	assert_non_null(strstr(plan.refusal_text, "their load differs"));
	assert_non_null(strstr(plan.refusal_text, "peers = \"host\""));
	maker_done(&m, &plan);
}

static void one_of_another_load_is_left_out_and_not_accused(void **state)
{
	static const uint64_t per_s[] = { 30, 1000, 1100, 1200, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "a", per_s);
	plan = maker_plan(&m, NULL);
	assert_int_equal(disk_group(&plan, "a/d1")->n, 3);
	assert_null(disk_group(&plan, "a/d0"));
	assert_non_null(
		strstr(maker_left_out(&plan, "a/d0"), "its load differs"));
	maker_done(&m, &plan);
}

static void two_kinds_of_load_are_two_groups(void **state)
{
	static const uint64_t per_s[] = { 1000, 1100, 1200, 9000,
					  9100, 9200, 9300, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "a", per_s);
	plan = maker_plan(&m, NULL);
	assert_int_equal(disk_group(&plan, "a/d0")->n, 3);
	assert_int_equal(disk_group(&plan, "a/d6")->n, 4);
	maker_done(&m, &plan);
}

static void background_work_makes_no_peers(void **state)
{
	static const uint64_t per_s[] = { 10, 11, 12, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "a", per_s);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_UNLIKE);
	maker_done(&m, &plan);
}

static struct lp_cluster *conf(const char *text)
{
	char path[] = "/tmp/limpid-cluster-XXXXXX";
	int fd = mkstemp(path);
	struct lp_cluster *cluster = NULL;
	struct lp_error err = { "" };

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	if (lp_cluster_read(path, &cluster, &err) < 0)
		fail_msg("%s", err.text);
	unlink(path);
	return cluster;
}

static void a_cluster_file_says_who_are_peers(void **state)
{
	static const char *const files[] = {
		"peers = \"host\";",
		"groups = ( { name = \"mine\"; members = \"a/d*\"; } );",
	};
	static const uint64_t per_s[] = { 30, 12000, 300, 2500, 0 };

	(void)state;
	for (size_t i = 0; i < lp_array_size(files); i++) {
		struct lp_cluster *cluster = conf(files[i]);
		struct maker m = { 0 };
		struct lp_plan plan;

		make_host(&m, "a", per_s);
		plan = maker_plan(&m, cluster);
		assert_int_equal(disk_group(&plan, "a/d0")->n, 4);
		assert_string_equal(disk_group(&plan, "a/d0")->ground, "");
		maker_done(&m, &plan);
		lp_cluster_free(cluster);
	}
}

static void size_and_model_say_who_are_peers(void **state)
{
	static const uint64_t per_s[] = { 100, 12000, 300 };
	struct maker m = { .with_matrix = true };
	struct lp_plan plan;
	char name[16];

	(void)state;
	maker_host(&m, "a", "");
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		maker_add(&m, "disk", name, "12000000000000", per_s[i]);
		maker_tell(&m, "model", "ST12000NM0127");
	}
	maker_end(&m, 0, SECONDS, 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(disk_group(&plan, "a/d0")->n, 3);
	assert_string_equal(disk_group(&plan, "a/d0")->ground, "");
	maker_done(&m, &plan);
}

static void several_hosts_say_who_are_peers(void **state)
{
	static const uint64_t little[] = { 100, 0 }, much[] = { 5000, 0 };
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "a", little);
	make_host(&m, "b", much);
	make_host(&m, "c", much);
	plan = maker_plan(&m, NULL);
	assert_int_equal(disk_group(&plan, "a/d0")->n, 3);
	maker_done(&m, &plan);
}

/* dm-0 carries what dm-1 does: no peers, though their load is the same. */
static void volumes_of_one_host_are_no_peers_by_load(void **state)
{
	struct maker m = { .with_matrix = true };
	struct lp_plan plan;

	(void)state;
	maker_host(&m, "a", "");
	for (int i = 0; i < 3; i++) {
		char name[16];

		snprintf(name, sizeof(name), "dm-%d", i);
		maker_add(&m, "disk", name, "", 1000);
		maker_tell(&m, "layer", "logical");
	}
	maker_end(&m, 0, SECONDS, 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_UNLIKE);
	assert_non_null(strstr(plan.refusal_text, "built on another"));
	maker_done(&m, &plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			disks_that_share_a_load_are_peers_and_the_ground_is_said),
		cmocka_unit_test(
			disks_of_other_loads_are_refused_with_the_way_out),
		cmocka_unit_test(
			one_of_another_load_is_left_out_and_not_accused),
		cmocka_unit_test(two_kinds_of_load_are_two_groups),
		cmocka_unit_test(background_work_makes_no_peers),
		cmocka_unit_test(a_cluster_file_says_who_are_peers),
		cmocka_unit_test(size_and_model_say_who_are_peers),
		cmocka_unit_test(several_hosts_say_who_are_peers),
		cmocka_unit_test(volumes_of_one_host_are_no_peers_by_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
