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
			       "480 GB, and it moved 0.3 %"));
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

static bool has_note(const struct lp_plan *plan, const char *part)
{
	for (size_t i = 0; i < plan->n_notes; i++)
		if (strstr(plan->notes[i], part))
			return true;
	return false;
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

static void hosts_with_little_to_do_are_clients(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_server(&m, "oss1", 3);
	for (int i = 0; i < 3; i++) {
		char host[8];

		snprintf(host, sizeof(host), "c%d", i);
		maker_host(&m, host, NULL);
		maker_add(&m, "disk", "sda", GB480, 2);
		maker_end(&m, 0, 100, 1);
	}
	plan = maker_plan(&m, NULL);
	assert_int_equal(lp_plan_role(&plan, "oss1"), LP_ROLE_SERVER);
	assert_int_equal(lp_plan_role(&plan, "c1"), LP_ROLE_CLIENT);
	assert_int_equal(plan.n_groups, 1);
	assert_true(has_note(&plan, "servers: 1 host with disks of the file "
				    "system; clients: 3 hosts without"));
	maker_done(&m, &plan);
}

static void ports_of_another_rate_are_no_peers(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	for (int i = 0; i < 7; i++) {
		char host[8];

		snprintf(host, sizeof(host), "oss%d", i);
		maker_host(&m, host, NULL);
		maker_add(&m, "ib", "mlx5_0:1", NULL, 1000);
		maker_tell(&m, "rate",
			   i < 3 ? "40 Gb/sec (4X QDR)"
				 : "100 Gb/sec (4X EDR)");
		maker_end(&m, 0, 100, 1);
	}
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 2);
	assert_int_equal(plan.groups[0].n, 3);
	assert_int_equal(plan.groups[1].n, 4);
	maker_done(&m, &plan);
}

/* As sysstat records them: no sizes, no models. */
static void make_plain(struct maker *m, const char *host, uint64_t system,
		       uint64_t data)
{
	maker_host(m, host, NULL);
	maker_add(m, "disk", "sda", NULL, system);
	maker_add(m, "disk", "sdb", NULL, data);
	maker_end(m, 0, 100, 1);
}

static void a_name_that_is_quiet_on_all_hosts_is_their_own(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_plain(&m, "oss1", 1, 1000);
	make_plain(&m, "oss2", 2, 900);
	make_plain(&m, "oss3", 3, 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 1);
	/* The third is ill, not the host's own. */
	assert_non_null(disk_group(&plan, "oss3/sdb"));
	assert_int_equal(plan.groups[0].n, 3);
	assert_non_null(strstr(maker_left_out(&plan, "oss1/sda"),
			       "sda moves little data on every host"));
	maker_done(&m, &plan);
}

static void two_unknown_disks_a_host_are_compared_by_name(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_plain(&m, "oss1", 400, 1000);
	make_plain(&m, "oss2", 400, 1000);
	make_plain(&m, "oss3", 400, 1000);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.n_groups, 2);
	assert_int_equal(disk_group(&plan, "oss1/sda")->n, 3);
	assert_ptr_not_equal(disk_group(&plan, "oss1/sda"),
			     disk_group(&plan, "oss1/sdb"));
	maker_done(&m, &plan);
}

static void an_idle_spare_is_left_out(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	maker_host(&m, "oss1", NULL);
	maker_add(&m, "disk", "d0", TB12, 10);
	maker_add(&m, "disk", "d1", TB12, 10);
	maker_add(&m, "disk", "d2", TB12, 10);
	maker_add(&m, "disk", "spare", TB12, 0);
	maker_end(&m, 0, 10, 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.groups[0].n, 3);
	assert_string_equal(maker_left_out(&plan, "oss1/spare"),
			    "idle during the whole recording");
	maker_done(&m, &plan);
}

static void the_only_disk_of_a_host_counts_though_idle(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	for (int i = 0; i < 4; i++) {
		char host[8];

		snprintf(host, sizeof(host), "s%d", i);
		maker_host(&m, host, NULL);
		maker_add(&m, "disk", "d0", TB12, i == 2 ? 0 : 10);
		maker_end(&m, 0, 10, 1);
	}
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.groups[0].n, 4);
	assert_string_equal(maker_left_out(&plan, "s2/d0"), "");
	maker_done(&m, &plan);
}

static void make_timed(struct maker *m, const char *host, int64_t first,
		       int64_t interval, uint64_t rate)
{
	maker_host(m, host, NULL);
	maker_add(m, "disk", "d0", TB12, rate);
	maker_end(m, first, 50, interval);
}

static void hosts_of_different_times_are_refused(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_timed(&m, "s1", 0, 1, 10);
	make_timed(&m, "s2", 1000, 1, 10);
	make_timed(&m, "s3", 2000, 1, 10);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_NO_OVERLAP);
	assert_non_null(strstr(plan.refusal_text, "not recorded at the same"));
	assert_int_equal(plan.n_groups, 0);
	maker_done(&m, &plan);
}

/* By the plain rule: with each of the others. */
static bool met_half(const int64_t *first, size_t n, size_t own)
{
	size_t met = 0;

	for (size_t i = 0; i < n; i++)
		met += i != own && llabs(first[i] - first[own]) < 50;
	return 2 * met >= n - 1;
}

static void who_was_there_with_half_of_the_others_stays(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 40; round++) {
		struct maker m = { 0 };
		struct lp_plan plan;
		int64_t first[12];
		size_t n = 3 + (size_t)round % 10, stay = 0;

		for (size_t i = 0; i < n; i++) {
			char host[8];

			seed = seed * 6364136223846793005u + 1;
			first[i] = (int64_t)(seed >> 33) % 120;
			snprintf(host, sizeof(host), "s%02zu", i);
			make_timed(&m, host, first[i], 1, 10);
		}
		for (size_t i = 0; i < n; i++)
			stay += met_half(first, n, i);
		plan = maker_plan(&m, NULL);
		assert_int_equal(plan.n_groups ? plan.groups[0].n : 0,
				 stay < 3 ? 0 : stay);
		maker_done(&m, &plan);
	}
}

static void a_host_of_another_day_is_left_out(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_timed(&m, "s1", 0, 1, 10);
	make_timed(&m, "s2", 10, 1, 10);
	make_timed(&m, "s3", 86400, 1, 10);
	make_timed(&m, "s4", 20, 1, 10);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.groups[0].n, 3);
	assert_string_equal(plan.groups[0].labels[2], "s4/d0");
	assert_non_null(strstr(maker_left_out(&plan, "s3/d0"),
			       "recorded from 1970-01-02T00:00:00Z"));
	maker_done(&m, &plan);
}

static void idle_recordings_are_refused(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_timed(&m, "s1", 0, 1, 0);
	make_timed(&m, "s2", 0, 1, 0);
	make_timed(&m, "s3", 0, 1, 0);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_IDLE);
	maker_done(&m, &plan);
}

static void recordings_without_samples_are_refused(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	maker_host(&m, "s1", NULL);
	maker_add(&m, "disk", "d0", TB12, 1);
	maker_end(&m, 0, 0, 1);
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_NO_SAMPLES);
	maker_done(&m, &plan);
}

static void an_empty_recording_is_refused(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	plan = maker_plan(&m, NULL);
	assert_int_equal(plan.refusal, LP_REFUSAL_NO_SAMPLES);
	assert_int_equal(lp_plan_role(&plan, "nobody"), LP_ROLE_UNKNOWN);
	maker_done(&m, &plan);
}

/* ---- interfaces ---- */

static void make_networked(struct maker *m, const char *host, const char *speed)
{
	maker_host(m, host, NULL);
	maker_add(m, "disk", "d0", TB12, 10);
	maker_add(m, "net", "eth0", "1000", 5);
	maker_add(m, "net", "eth1", speed, 1000000);
	maker_end(m, 0, 10, 1);
}

static void the_busiest_interface_carries_the_data(void **state)
{
	struct maker m = { 0 };
	const struct lp_peer_group *group;
	struct lp_plan plan;

	(void)state;
	make_networked(&m, "s1", "10000");
	make_networked(&m, "s2", "10000");
	make_networked(&m, "s3", "10000");
	plan = maker_plan(&m, NULL);
	group = maker_group(&plan, &lp_class_net, LP_PEERS, "s2/eth1");
	assert_non_null(group);
	assert_int_equal(group->n, 3);
	assert_string_equal(group->name, "3 data interfaces of 3 servers");
	assert_non_null(strstr(maker_left_out(&plan, "s2/eth0"),
			       "moved less data than s2/eth1"));
	maker_done(&m, &plan);
}

static void interfaces_of_other_speeds_are_no_peers(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_networked(&m, "s1", "10000");
	make_networked(&m, "s2", "10000");
	make_networked(&m, "s3", "10000");
	make_networked(&m, "s4", "25000");
	plan = maker_plan(&m, NULL);
	assert_int_equal(
		maker_group(&plan, &lp_class_net, LP_PEERS, "s1/eth1")->n, 3);
	assert_non_null(strstr(maker_left_out(&plan, "s4/eth1"),
			       "fewer than three similar"));
	maker_done(&m, &plan);
}

/* ---- sockets ---- */

static void make_socket_server(struct maker *m, int number)
{
	char host[8], address[32], other[32];

	snprintf(host, sizeof(host), "s%d", number);
	snprintf(address, sizeof(address), "127.0.0.1 10.0.0.%d", number);
	snprintf(other, sizeof(other), "2049>10.0.0.%d", number % 3 + 1);
	maker_host(m, host, address);
	maker_add(m, "disk", "d0", TB12, 10);
	maker_add(m, "tcp", "2049>10.0.1.1", NULL, (uint64_t)number);
	maker_add(m, "tcp", "2049>10.0.1.2", NULL, 4);
	maker_add(m, "tcp", "22>10.0.1.1", NULL, 100);
	maker_add(m, "tcp", "2049>10.9.9.9", NULL, 100);
	maker_add(m, "tcp", other, NULL, 100); /* another server */
	maker_end(m, 0, 10, 1);
}

static void make_socket_client(struct maker *m, int number)
{
	char host[8], address[32];

	snprintf(host, sizeof(host), "c%d", number);
	snprintf(address, sizeof(address), "10.0.1.%d", number);
	maker_host(m, host, address);
	maker_add(m, "tcp", "->10.0.0.1", NULL, 7);
	maker_add(m, "tcp", "->10.0.0.2", NULL, (uint64_t)number);
	maker_add(m, "tcp", "->10.0.0.3", NULL, 7);
	maker_add(m, "tcp", "->10.9.9.9", NULL, 7);
	maker_end(m, 0, 10, 1);
}

static struct lp_plan plan_sockets(struct maker *m)
{
	m->with_matrix = true;
	for (int i = 1; i <= 3; i++)
		make_socket_server(m, i);
	make_socket_client(m, 1);
	make_socket_client(m, 2);
	return maker_plan(m, NULL);
}

static void sockets_are_one_row_a_server(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan = plan_sockets(&m);
	const struct lp_peer_group *group;

	(void)state;
	group = maker_group(&plan, &lp_class_tcp, LP_PEERS, "s2>clients");
	assert_non_null(group);
	assert_int_equal(group->sockets, LP_SOCKETS_TO_CLIENTS);
	assert_int_equal(group->n, 3);
	/* Neither logins, nor strangers, nor other servers. */
	assert_int_equal(group->peers[1].n_items, 2);
	assert_string_equal(group->peers[1].host, "s2");
	group = maker_group(&plan, &lp_class_tcp, LP_PEERS, "clients>s2");
	assert_non_null(group);
	assert_int_equal(group->sockets, LP_SOCKETS_TO_SERVERS);
	assert_int_equal(group->peers[1].n_items, 2);
	assert_true(has_note(&plan, "TCP peers left out"));
	maker_done(&m, &plan);
}

/* As the bricks of GlusterFS have it. */
static void servers_may_have_a_port_each(void **state)
{
	struct maker m = { 0 };
	const struct lp_peer_group *group;
	struct lp_plan plan;

	(void)state;
	for (int i = 1; i <= 3; i++) {
		char host[8], address[32], brick[32];

		snprintf(host, sizeof(host), "s%d", i);
		snprintf(address, sizeof(address), "10.0.0.%d", i);
		snprintf(brick, sizeof(brick), "%d>10.0.1.1", 50000 + 7 * i);
		maker_host(&m, host, address);
		maker_add(&m, "disk", "d0", TB12, 10);
		maker_add(&m, "tcp", brick, NULL, 4);
		maker_add(&m, "tcp", "22>10.0.1.1", NULL, 100);
		if (i == 1) /* where clients ask for the volume */
			maker_add(&m, "tcp", "24007>10.0.1.1", NULL, 0);
		maker_end(&m, 0, 10, 1);
	}
	make_socket_client(&m, 1);
	plan = maker_plan(&m, NULL);
	group = maker_group(&plan, &lp_class_tcp, LP_PEERS, "s2>clients");
	assert_non_null(group);
	assert_int_equal(group->n, 3);
	for (size_t i = 0; i < group->n; i++)
		assert_int_equal(group->peers[i].n_items, 1);
	maker_done(&m, &plan);
}

static void a_row_of_sockets_is_weighted_by_their_number(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan = plan_sockets(&m);
	const struct lp_peer_group *group;
	double row[3];

	(void)state;
	group = maker_group(&plan, &lp_class_tcp, LP_PEERS, "s2>clients");
	lp_peer_rows(group, m.matrix, 2, 0, 5, 1, row);
	/* n sockets with a window of n, and 4 with one of 4. */
	assert_float_equal(row[0], (1.0 + 16) / 5, 1e-6);
	assert_float_equal(row[1], (4.0 + 16) / 6, 1e-6);
	assert_float_equal(row[2], (9.0 + 16) / 7, 1e-6);
	/* Numbers of sockets are added. */
	lp_peer_rows(group, m.matrix, 3, 0, 5, 1, row);
	assert_float_equal(row[2], 7, 1e-6);
	group = maker_group(&plan, &lp_class_tcp, LP_PEERS, "clients>s2");
	lp_peer_rows(group, m.matrix, 2, 31, 5, 1, row);
	assert_float_equal(row[1], (1.0 + 4) / 3, 1e-6);
	assert_float_equal(row[0], 7, 1e-6);
	maker_done(&m, &plan);
}

static void a_row_of_disks_is_the_matrix_row(void **state)
{
	struct maker m = { .with_matrix = true };
	const struct lp_peer_group *group;
	struct lp_plan plan;
	double row[3];

	(void)state;
	make_timed(&m, "s1", 0, 1, 10);
	make_timed(&m, "s2", 0, 1, 20);
	make_timed(&m, "s3", 0, 1, 30);
	plan = maker_plan(&m, NULL);
	group = disk_group(&plan, "s1/d0");
	assert_int_equal(group->peers[1].n_parts, 1);
	lp_peer_rows(group, m.matrix, 0, 0, 5, 1, row);
	assert_float_equal(row[0], 10, 1e-6);
	assert_float_equal(row[2], 30, 1e-6);
	maker_done(&m, &plan);
}

static void the_weight_of_a_mean_is_known(void **state)
{
	const struct lp_class *tcp = &lp_class_tcp;

	(void)state;
	assert_string_equal(
		lp_peer_weight(tcp, lp_class_metric(tcp, "cwnd"))->name,
		"sockets");
	assert_string_equal(
		lp_peer_weight(tcp, lp_class_metric(tcp, "cwnd_active"))->name,
		"active");
	assert_null(lp_peer_weight(tcp, lp_class_metric(tcp, "retrans")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_disks_of_one_host_are_peers),
		cmocka_unit_test(one_disk_each_are_peers_across_hosts),
		cmocka_unit_test(a_servers_own_disks_are_its_second_group),
		cmocka_unit_test(two_are_refused),
		cmocka_unit_test(hosts_with_little_to_do_are_clients),
		cmocka_unit_test(ports_of_another_rate_are_no_peers),
		cmocka_unit_test(
			a_name_that_is_quiet_on_all_hosts_is_their_own),
		cmocka_unit_test(two_unknown_disks_a_host_are_compared_by_name),
		cmocka_unit_test(an_idle_spare_is_left_out),
		cmocka_unit_test(the_only_disk_of_a_host_counts_though_idle),
		cmocka_unit_test(hosts_of_different_times_are_refused),
		cmocka_unit_test(who_was_there_with_half_of_the_others_stays),
		cmocka_unit_test(a_host_of_another_day_is_left_out),
		cmocka_unit_test(idle_recordings_are_refused),
		cmocka_unit_test(recordings_without_samples_are_refused),
		cmocka_unit_test(an_empty_recording_is_refused),
		cmocka_unit_test(the_busiest_interface_carries_the_data),
		cmocka_unit_test(interfaces_of_other_speeds_are_no_peers),
		cmocka_unit_test(sockets_are_one_row_a_server),
		cmocka_unit_test(servers_may_have_a_port_each),
		cmocka_unit_test(a_row_of_sockets_is_weighted_by_their_number),
		cmocka_unit_test(a_row_of_disks_is_the_matrix_row),
		cmocka_unit_test(the_weight_of_a_mean_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
