/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_maker.h"

#include "cluster/pattern.h"

#include <errno.h>
#include <unistd.h>

/* ---- files ---- */

static int read_conf(const char *text, struct lp_cluster **cluster,
		     struct lp_error *err)
{
	char path[] = "/tmp/limpid-cluster-XXXXXX";
	int fd = mkstemp(path), status;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	status = lp_cluster_read(path, cluster, err);
	unlink(path);
	return status;
}

static struct lp_cluster *conf(const char *text)
{
	struct lp_cluster *cluster = NULL;
	struct lp_error err = { "" };

	if (read_conf(text, &cluster, &err) < 0)
		fail_msg("%s", err.text);
	return cluster;
}

/* The words behind "path:". */
static void refuses_file(const char *text, const char *words)
{
	struct lp_cluster *cluster = NULL;
	struct lp_error err = { "" };

	assert_int_equal(read_conf(text, &cluster, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("%s\n%s", text, err.text);
	assert_null(cluster);
}

static void bad_files_are_refused_with_their_line(void **state)
{
	(void)state;
	refuses_file("hosts = (\n{ name = \"a\"; rol = \"server\"; } );",
		     ":2: unknown key 'rol'; did you mean role?");
	refuses_file("\n\nhotss = ( );",
		     ":3: unknown key 'hotss'; did you mean "
		     "hosts?");
	refuses_file("hosts = ( );", "needs a list of entries");
	refuses_file("hosts = ( \"a\" );", "needs entries in braces");
	refuses_file("hosts = ( { name = 5; } );", "name needs a text");
	refuses_file("hosts = ( { name = \"\"; } );", "name is empty");
	refuses_file("hosts = ( { name = [ ]; } );", "name is empty");
	refuses_file("hosts = ( { name = ( 1 ); } );", "name needs a text");
	refuses_file("devices = ( { match = \"x\"; } );", "labels in braces");
	refuses_file("devices = ( { match = { model = 1; }; } );",
		     "model needs a text");
	refuses_file("devices = ( { optional = 1; } );", "true or false");
	refuses_file("groups = ( { name = \"a\"; } );", "needs members");
	refuses_file("groups = ( { members = \"a\"; class = \"tcp\"; } );",
		     "disk, net or ib, not tcp");
	refuses_file("ports = 5;", "numbers in brackets");
	refuses_file("ports = [ \"http\" ];", "from 1 to 65535");
	refuses_file("peers = \"rack\";", "\"host\" or \"cluster\"");
	refuses_file("hosts = (((((((((((", "syntax error");
	refuses_file("a = 1; a = 2;", ":1: ");
}

static void an_empty_file_says_nothing(void **state)
{
	(void)state;
	lp_cluster_free(conf(""));
	lp_cluster_free(conf("# nothing\n"));
	lp_cluster_free(NULL);
}

/* ---- patterns ---- */

static bool matches(const char *pattern, const char *text)
{
	struct lp_patterns patterns = { 0 };
	char why[LP_PATTERN_WHY];
	bool match;

	assert_int_equal(lp_patterns_add(&patterns, pattern, why), 0);
	match = lp_patterns_match(&patterns, text, NULL);
	lp_patterns_done(&patterns);
	return match;
}

static void patterns_match_whole_names(void **state)
{
	(void)state;
	assert_true(matches("oss*", "oss12"));
	assert_false(matches("oss", "oss12"));
	assert_true(matches("oss[12]", "oss2"));
	assert_true(matches("@(mds|mgs)1", "mgs1"));
	assert_true(matches("/a|b/", "b"));
	assert_false(matches("/a|b/", "ab"));
	assert_true(matches("/", "/"));
}

static void groups_of_a_pattern_fill_the_labels(void **state)
{
	struct lp_patterns patterns = { 0 };
	struct lp_captures captures = { 0 };
	struct lp_arena arena = { 0 };
	char why[LP_PATTERN_WHY];

	(void)state;
	lp_patterns_add(&patterns, "/c([0-9])(x)?-(.*)/", why);
	assert_true(lp_patterns_match(&patterns, "c3-l7", &captures));
	assert_int_equal(lp_patterns_groups(&patterns), 3);
	assert_string_equal(
		lp_captures_expand(&captures, "$3/$1$2 $9 $", &arena),
		"l7/3  $");
	assert_int_equal(lp_captures_highest("$1 $7 $"), 7);
	lp_patterns_done(&patterns);
	lp_arena_done(&arena);
}

/* ---- plans ---- */

#define TB12 "12000000000000"

/* d0, d1, d2 and an idle one; a partition of d0; two interfaces. */
static void make_host(struct maker *m, const char *host)
{
	maker_host(m, host, NULL);
	maker_add(m, "disk", "d0", TB12, 10);
	maker_add(m, "disk", "d0p1", TB12, 10);
	maker_tell(m, "layer", "partition");
	maker_tell(m, "parents", "d0");
	maker_add(m, "disk", "d1", TB12, 10);
	maker_tell(m, "slot", "S1");
	maker_add(m, "disk", "idle", TB12, 0);
	maker_add(m, "net", "eth0", "1000", 10);
	maker_add(m, "net", "eth1", "1000", 10000);
	maker_end(m, 0, 10, 1);
}

static struct lp_plan plan_of(struct maker *m, const char *text)
{
	struct lp_cluster *cluster = conf(text);
	struct lp_plan plan;

	make_host(m, "oss1");
	make_host(m, "oss2");
	make_host(m, "oss3");
	plan = maker_plan(m, cluster);
	/* The plan keeps nothing of the file. */
	lp_cluster_free(cluster);
	return plan;
}

static void contradicts(const char *text, const char *words)
{
	struct lp_cluster *cluster = conf(text);
	struct maker m = { 0 };
	struct lp_plan plan;
	struct lp_error err = { "" };

	make_host(&m, "oss1");
	make_host(&m, "oss2");
	maker_read(&m);
	assert_int_equal(
		lp_cluster_plan(cluster, &m.recording, NULL, &plan, &err),
		-EINVAL);
	if (!strstr(err.text, words))
		fail_msg("%s\n%s", text, err.text);
	lp_cluster_free(cluster);
	maker_done(&m, NULL);
}

static void files_that_contradict_the_recordings_are_refused(void **state)
{
	(void)state;
	contradicts("hosts = ( { name = \"oss9\"; } );",
		    ":1: no host in the recordings matches \"oss9\"");
	contradicts("devices = ( { host = \"oss1\"; name = \"d7\"; } );",
		    ":1: no device in the recordings matches \"d7\"");
	contradicts("interfaces = ( { name = \"ib*\"; } );",
		    ":1: no interface in the recordings matches");
	contradicts("groups = ( { name = \"g\"; members = \"*/d0\"; } );",
		    ":1: the group \"g\" has 2 members");
}

static void only_listed_devices_count(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan = plan_of(
		&m, "devices = ( { name = \"d*\"; }, "
		    "{ host = \"oss2\"; name = \"d1\"; use = false; });");
	const struct lp_peer_group *group =
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss1/d0");

	(void)state;
	/* Partitions match, but their disks count already. */
	assert_int_equal(group->n, 5);
	assert_string_equal(maker_left_out(&plan, "oss1/idle"),
			    "idle during the whole recording");
	assert_string_equal(maker_left_out(&plan, "oss2/d1"),
			    "left out by the cluster file");
	assert_string_equal(maker_left_out(&plan, "oss1/d0p1"),
			    "partition of a disk that is recorded");
	maker_done(&m, &plan);
}

static void listed_partitions_count_without_their_disks(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "devices = ( { name = \"/d0p(.)/\"; } );");

	(void)state;
	assert_int_equal(plan.groups[0].n, 3);
	assert_non_null(
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss1/d0p1"));
	maker_done(&m, &plan);
}

static void listed_devices_count_though_idle(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "devices = ( { name = [ \"idle\", \"d1\" ]; } );");

	(void)state;
	assert_int_equal(plan.groups[0].n, 6);
	maker_done(&m, &plan);
}

static void devices_are_matched_by_their_labels(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "devices = ( { match = { slot = \"S*\"; }; } );");

	(void)state;
	assert_int_equal(plan.groups[0].n, 3);
	assert_string_equal(plan.groups[0].labels[0], "oss1/d1");
	maker_done(&m, &plan);
}

static void attachments_are_grouped_by_priority_and_cohort(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan = plan_of(
		&m, "devices = ( { host = \"/oss(.)/\"; name = \"/d(.)/\"; "
		    "controller = \"c$1\"; lun = \"$2\"; rack = \"r\"; "
		    "priority = \"primary\"; cohort = \"old\"; }, "
		    "{ name = \"d1\"; priority = \"secondary\"; } );");
	const struct lp_peer_group *group =
		maker_group(&plan, &lp_class_disk, LP_PEERS, "c2.1.oss2");

	(void)state;
	assert_non_null(group);
	assert_int_equal(group->n, 3);
	assert_string_equal(group->priority, "secondary");
	assert_string_equal(group->cohort, "old");
	assert_string_equal(
		lp_labels_get(&group->peers[1].labels, "controller"), "c2");
	assert_string_equal(
		group->name,
		"3 disks of 3 servers, priority secondary, cohort old");
	assert_non_null(
		maker_group(&plan, &lp_class_disk, LP_PEERS, "c2.0.oss2"));
	maker_done(&m, &plan);
}

static void listed_interfaces_count_instead_of_the_busiest(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "interfaces = ( { name = \"eth0\"; } );");
	const struct lp_peer_group *group =
		maker_group(&plan, &lp_class_net, LP_PEERS, "oss1/eth0");

	(void)state;
	assert_non_null(group);
	assert_int_equal(group->n, 3);
	assert_string_equal(maker_left_out(&plan, "oss1/eth1"),
			    "not in the cluster file");
	maker_done(&m, &plan);
}

static void hosts_without_a_role_are_left_out(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "spare");
	plan = plan_of(&m, "hosts = ( { name = \"/oss(.)/\"; role = "
			   "\"server\"; rack = \"r$1\"; } );");
	assert_int_equal(lp_plan_role(&plan, "oss1"), LP_ROLE_SERVER);
	assert_int_equal(lp_plan_role(&plan, "spare"), LP_ROLE_UNKNOWN);
	assert_null(maker_group(&plan, &lp_class_disk, LP_PEERS, "spare/d0"));
	assert_string_equal(maker_left_out(&plan, "spare/d0"),
			    "its host is not a server");
	assert_string_equal(plan.notes[0], "spare has no role in the cluster "
					   "file and is left out");
	assert_string_equal(lp_labels_get(&plan.hosts[3].labels, "rack"), "r3");
	maker_done(&m, &plan);
}

static void metadata_servers_are_peers_of_each_other_only(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_host(&m, "mds1");
	plan = plan_of(&m, "hosts = ( { name = \"oss*\"; role = \"server\"; },"
			   "{ name = \"mds*\"; role = \"metadata\"; } );");
	assert_int_equal(
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss1/d0")->n, 6);
	assert_null(maker_group(&plan, &lp_class_disk, LP_PEERS, "mds1/d0"));
	assert_non_null(strstr(maker_left_out(&plan, "mds1/d0"),
			       "fewer than three similar"));
	maker_done(&m, &plan);
}

static void stated_groups_come_first(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan = plan_of(
		&m, "groups = ( { name = \"mine\"; members = \"oss*/d1\"; },"
		    "{ name = \"wires\"; class = \"net\"; members = "
		    "\"*/eth0\"; } );");

	(void)state;
	assert_string_equal(plan.groups[0].name, "mine");
	assert_int_equal(plan.groups[0].n, 3);
	assert_string_equal(plan.groups[1].name, "wires");
	assert_non_null(
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss1/d0"));
	assert_ptr_not_equal(
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss1/d0"),
		&plan.groups[0]);
	maker_done(&m, &plan);
}

static void disks_may_be_compared_within_their_host_only(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "peers = \"host\"; devices = ( { name = "
			    "[ \"d?\", \"idle\" ]; } );");
	const struct lp_peer_group *group =
		maker_group(&plan, &lp_class_disk, LP_PEERS, "oss2/d0");

	(void)state;
	assert_int_equal(group->n, 3);
	assert_string_equal(group->peers[2].host, "oss2");
	maker_done(&m, &plan);
}

static void optional_entries_may_match_nothing(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan =
		plan_of(&m, "devices = ( { name = \"d?\"; },"
			    "{ name = \"nvme*\"; optional = true; } );");

	(void)state;
	assert_int_equal(plan.groups[0].n, 6);
	maker_done(&m, &plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_files_are_refused_with_their_line),
		cmocka_unit_test(an_empty_file_says_nothing),
		cmocka_unit_test(patterns_match_whole_names),
		cmocka_unit_test(groups_of_a_pattern_fill_the_labels),
		cmocka_unit_test(
			files_that_contradict_the_recordings_are_refused),
		cmocka_unit_test(only_listed_devices_count),
		cmocka_unit_test(listed_partitions_count_without_their_disks),
		cmocka_unit_test(listed_devices_count_though_idle),
		cmocka_unit_test(devices_are_matched_by_their_labels),
		cmocka_unit_test(
			attachments_are_grouped_by_priority_and_cohort),
		cmocka_unit_test(
			listed_interfaces_count_instead_of_the_busiest),
		cmocka_unit_test(hosts_without_a_role_are_left_out),
		cmocka_unit_test(metadata_servers_are_peers_of_each_other_only),
		cmocka_unit_test(stated_groups_come_first),
		cmocka_unit_test(disks_may_be_compared_within_their_host_only),
		cmocka_unit_test(optional_entries_may_match_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
