/* SPDX-License-Identifier: Apache-2.0 */
/* What a cluster file or an inventory knows, and nobody saw. */
#include "recording_maker.h"

#include "cluster/cluster.h"

#include <errno.h>
#include <unistd.h>

#define TB12 "12000000000000"

static struct lp_cluster *conf(const char *text)
{
	char path[] = "/tmp/limpid-unseen-XXXXXX";
	struct lp_cluster *cluster = NULL;
	struct lp_error err = { "" };
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(lp_cluster_read(path, &cluster, &err), 0);
	unlink(path);
	return cluster;
}

static void add_disk(struct maker *m, const char *name)
{
	maker_add(m, "disk", name, TB12, 10);
	maker_tell(m, "model", "ST12");
}

static void make_host(struct maker *m, const char *host, int64_t samples)
{
	maker_host(m, host, NULL);
	add_disk(m, "d0");
	maker_end(m, 0, samples, 1);
}

static void make_three(struct maker *m)
{
	make_host(m, "oss1", 10);
	make_host(m, "oss2", 10);
	make_host(m, "oss3", 10);
}

static struct lp_plan plan_of(struct maker *m, const char *text)
{
	struct lp_cluster *cluster = text ? conf(text) : NULL;
	struct lp_plan plan = maker_plan(m, cluster);

	/* The plan keeps nothing of the file. */
	lp_cluster_free(cluster);
	return plan;
}

static void a_server_that_the_file_names_is_unseen(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	plan = plan_of(&m, "hosts = (\n"
			   "{ name = [ \"oss1\", \"oss2\", \"oss3\", \"oss4\" "
			   "]; role = \"server\"; } );");
	assert_int_equal(plan.n_unseen, 1);
	assert_string_equal(plan.unseen[0].label, "oss4");
	assert_true(plan.unseen[0].whole);
	assert_non_null(strstr(plan.unseen[0].known_by, "line 2"));
	assert_non_null(lp_plan_unseen_host(&plan, "oss4"));
	assert_null(lp_plan_unseen_host(&plan, "oss1"));
	maker_done(&m, &plan);
}

static void patterns_clients_and_optional_ones_are_not(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	plan = plan_of(&m, "hosts = ( { name = [ \"oss*\", \"node[0-9]\" ];"
			   " role = \"server\"; },"
			   "{ name = [ \"oss1\", \"c1\" ]; role = \"client\"; "
			   "}, { name = \"oss9\"; role = \"server\";"
			   " optional = true; } );");
	assert_int_equal(plan.n_unseen, 0);
	maker_done(&m, &plan);
}

static void hosts_that_were_left_out_on_purpose_are_not(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	m.recording.partial = true;
	plan = plan_of(&m, "hosts = ( { name = [ \"oss*\", \"oss4\" ];"
			   " role = \"server\"; } );");
	assert_int_equal(plan.n_unseen, 0);
	maker_done(&m, &plan);
}

static void a_server_with_an_inventory_alone_is_unseen(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	make_host(&m, "oss4", 0);
	plan = plan_of(&m, NULL);
	assert_int_equal(plan.n_unseen, 1);
	assert_string_equal(plan.unseen[0].label, "oss4");
	assert_int_equal(plan.groups[0].n, 3);
	maker_done(&m, &plan);
}

static void a_host_without_disks_of_the_file_system_is_not(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	maker_host(&m, "login1", NULL);
	maker_add(&m, "disk", "sda", "480000000000", 10);
	maker_end(&m, 0, 0, 1);
	plan = plan_of(&m, NULL);
	assert_int_equal(plan.n_unseen, 0);
	maker_done(&m, &plan);
}

static void expect_event(enum lp_event_kind kind, int64_t at_s, size_t unseen)
{
	struct lp_event event = { .host = "oss4",
				  .time_ns = at_s * S,
				  .kind = kind };
	struct maker m = { 0 };
	struct lp_plan plan;

	make_three(&m);
	make_host(&m, "oss4", 0);
	fake_event(m.fake, &event);
	plan = plan_of(&m, NULL);
	assert_int_equal(plan.n_unseen, unseen);
	maker_done(&m, &plan);
}

static void a_recorder_that_was_stopped_or_began_later_is_not(void **state)
{
	(void)state;
	expect_event(LP_EVENT_STOP, -5, 0);
	expect_event(LP_EVENT_START, 100, 0);
	expect_event(LP_EVENT_START, -5, 1);
}

static void where_most_are_unseen_the_files_were_chosen(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	make_host(&m, "oss4", 0);
	make_host(&m, "oss5", 0);
	make_host(&m, "oss6", 0);
	plan = plan_of(&m, NULL);
	assert_int_equal(plan.n_unseen, 0);
	maker_done(&m, &plan);
}

static void a_file_of_which_most_is_unseen_is_refused(void **state)
{
	struct lp_cluster *cluster =
		conf("hosts = ( { name = \"oss*\"; role = \"server\"; },\n"
		     "{ name = [ \"a1\", \"a2\", \"a3\" ];"
		     " role = \"server\"; } );");
	struct maker m = { 0 };
	struct lp_error err = { "" };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	maker_read(&m);
	assert_int_equal(
		lp_cluster_plan(cluster, &m.recording, NULL, &plan, &err),
		-EINVAL);
	assert_non_null(strstr(err.text, ":2: no host in the recordings "
					 "matches \"a1\""));
	lp_cluster_free(cluster);
	maker_done(&m, NULL);
}

static void attachments_of_an_unseen_server_are_known_by_the_file(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_three(&m);
	plan = plan_of(&m,
		       "devices = ( { name = \"d0\"; },"
		       "{ host = \"oss4\"; name = \"d0\"; lun = \"7\";"
		       " controller = \"ddn1\"; priority = \"primary\"; } );");
	assert_int_equal(plan.n_unseen, 2);
	assert_string_equal(plan.unseen[0].label, "oss4");
	assert_string_equal(plan.unseen[1].label, "ddn1.7.oss4");
	assert_false(plan.unseen[1].whole);
	assert_string_equal(lp_labels_get(&plan.unseen[1].labels, "priority"),
			    "primary");
	maker_done(&m, &plan);
}

/* The inventory of oss3 has a disk d1, of which there is no sample. */
static void make_lost(struct maker *m)
{
	make_host(m, "oss1", 10);
	make_host(m, "oss2", 10);
	maker_host(m, "oss3", NULL);
	add_disk(m, "d1");
	m->n_rates = 0;
	add_disk(m, "d0");
	maker_end(m, 0, 10, 1);
}

static void a_disk_that_the_file_names_without_a_sample_is_unseen(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_lost(&m);
	plan = plan_of(&m, "devices = ( { name = \"d0\"; },"
			   "{ host = \"oss3\"; name = \"d1\"; } );");
	assert_int_equal(plan.n_unseen, 1);
	assert_string_equal(plan.unseen[0].label, "oss3/d1");
	assert_false(plan.unseen[0].whole);
	maker_done(&m, &plan);
}

static void a_disk_that_a_pattern_meets_without_a_sample_is_not(void **state)
{
	struct maker m = { 0 };
	struct lp_plan plan;

	(void)state;
	make_lost(&m);
	plan = plan_of(&m, "devices = ( { name = \"d*\"; } );");
	assert_int_equal(plan.n_unseen, 0);
	assert_int_equal(plan.groups[0].n, 3);
	maker_done(&m, &plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_that_the_file_names_is_unseen),
		cmocka_unit_test(patterns_clients_and_optional_ones_are_not),
		cmocka_unit_test(hosts_that_were_left_out_on_purpose_are_not),
		cmocka_unit_test(a_server_with_an_inventory_alone_is_unseen),
		cmocka_unit_test(
			a_host_without_disks_of_the_file_system_is_not),
		cmocka_unit_test(
			a_recorder_that_was_stopped_or_began_later_is_not),
		cmocka_unit_test(where_most_are_unseen_the_files_were_chosen),
		cmocka_unit_test(a_file_of_which_most_is_unseen_is_refused),
		cmocka_unit_test(
			attachments_of_an_unseen_server_are_known_by_the_file),
		cmocka_unit_test(
			a_disk_that_the_file_names_without_a_sample_is_unseen),
		cmocka_unit_test(
			a_disk_that_a_pattern_meets_without_a_sample_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
