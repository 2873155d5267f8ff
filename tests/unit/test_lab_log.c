/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/timestamp.h"
#include "campaign/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT "c1/mnt.log"
#define MON "x1/mon.a.log"

/* As GlusterFS 10.3 wrote it when a brick was passed by from the start. */
#define MISSED                                                                 \
	"[2026-11-16 18:32:12.004348 +0000] W [MSGID: 122053] "                \
	"[ec-common.c:319:ec_check_status] 0-lab-disperse-0: Operation "       \
	"failed on 1 of 6 subvolumes.(up=111111, mask=111110, "                \
	"remaining=000000, good=111110, bad=000001,(Least significant bit "    \
	"represents first client/brick of subvol), FOP : 'WRITE' failed on "   \
	"gfid 29e0175d-92de-48cc-8a07-97a7b29ebd9e. Parent FOP: No Parent) \n"
#define UNLINK                                                                 \
	"[2026-11-16 18:32:13.500000 +0000] W [MSGID: 101159] "                \
	"[inode.c:1212:__inode_unlink] 0-inode: dentry not found\n"
#define LOOKUP                                                                 \
	"[2026-11-16 18:32:13.100000 +0000] W [MSGID: 114031] "                \
	"[client-rpc-fops_v2.c:2561:client4_0_lookup_cbk] 0-lab-client-0: "    \
	"remote operation failed. [{path=/.shard/0a}, {errno=2}, "             \
	"{error=No such file or directory}]\n"
#define PLAIN                                                                  \
	"[2026-11-16 18:32:14.000000 +0000] I [MSGID: 114046] "                \
	"[client-handshake.c:857:client_setvolume_cbk] 0-lab-client-0: "       \
	"Connected, attached to remote volume\n"
/* As the monitor of Ceph 16.2 writes a map: no warning in it. */
#define MAP                                                                    \
	"2026-11-16T15:10:23.515+0000 7f9453fff6c0  0 mon.a@0(leader)\n"       \
	"fsid 6c696d70-6964-4c61-8b00-000000000001\n"                          \
	"last_changed 2026-11-16T15:10:21.108765+0000\n"                       \
	"created 2026-11-16T15:10:21.108765+0000\n"                            \
	"modified\t2026-11-16T15:10:27.000000+0000\n"

struct filtered {
	struct lab_log log;
	char *text;
};

static int64_t at(const char *time)
{
	int64_t ns;

	assert_int_equal(lp_time_parse(time, strlen(time), &ns), 0);
	return ns;
}

static struct filtered filter(const char *name, const char *text,
			      const char *since, const char *until)
{
	struct filtered f = {
		.log = { .since_ns = at(since),
			 .until_ns = until ? at(until) : LP_TIME_MAX,
			 .missed = name[0] == 'x'
					   ? lab_driver_ceph.missed
					   : lab_driver_glusterfs.missed },
	};
	FILE *in = fmemopen((char *)text, strlen(text), "r"), *out;
	size_t n;

	out = open_memstream(&f.text, &n);
	assert_non_null(in);
	assert_non_null(out);
	lab_log_filter(&f.log, name, in, out);
	fclose(in);
	fclose(out);
	return f;
}

static void complains(const char *name, const char *text, const char *until,
		      bool expected)
{
	struct filtered f = filter(name, text, "2026-11-16T18:32:11Z", until);

	assert_int_equal(f.log.complaint[0] != '\0', expected);
	free(f.text);
}

static void keeps(const char *text, const char *since, const char *expected)
{
	struct filtered f = filter(MON, text, since, NULL);

	assert_string_equal(f.text, expected);
	free(f.text);
}

static void a_write_that_a_server_missed_before_the_fault_is_noticed(void **s)
{
	struct filtered f = filter(CLIENT, PLAIN MISSED, "2026-11-16T18:32:12Z",
				   "2026-11-16T18:33:25Z");

	(void)s;
	assert_non_null(strstr(f.log.complaint, "c1/mnt.log: [2026-11-16"));
	assert_non_null(strstr(f.log.complaint, "failed on 1 of 6"));
	assert_null(strchr(f.log.complaint, '\n'));
	free(f.text);
}

static void what_a_fault_makes_a_server_miss_is_none_of_that(void **state)
{
	(void)state;
	complains(CLIENT, MISSED, "2026-11-16T18:32:12.004Z", false);
	complains(CLIENT, MISSED, "2026-11-16T18:32:12.005Z", true);
}

static void without_a_fault_no_server_may_ever_miss_a_write(void **state)
{
	(void)state;
	complains(CLIENT, MISSED, NULL, true);
}

static void what_was_missed_before_the_run_was_healed_since(void **state)
{
	struct filtered f =
		filter(CLIENT, MISSED, "2026-11-16T18:32:12.1Z", NULL);

	(void)state;
	assert_string_equal(f.log.complaint, "");
	assert_string_equal(f.text, "");
	free(f.text);
}

static void usual_warnings_are_no_missed_data(void **state)
{
	(void)state;
	complains(CLIENT, LOOKUP UNLINK PLAIN, NULL, false);
	/* The heal daemon meets files that just go. */
	complains("s1/glustershd.log", MISSED, NULL, false);
}

static void a_brick_that_does_not_answer_misses_data(void **state)
{
	(void)state;
	complains(CLIENT,
		  "[2026-11-16 18:32:40.1 +0000] C "
		  "[rpc-clnt-ping.c:152:rpc_clnt_ping_timer_expired] "
		  "0-lab-client-2: server 10.77.0.13:49152 has not responded "
		  "in the last 10 seconds, disconnecting.\n",
		  NULL, true);
}

static void a_brick_that_a_client_loses_misses_data(void **state)
{
	(void)state;
	complains(CLIENT,
		  "[2026-11-16 18:32:43.166144 +0000] I [MSGID: 114018] "
		  "[client.c:2244:client_rpc_notify] 0-lab-client-1: "
		  "disconnected from client, process will keep trying to "
		  "connect glusterd until brick's port is available "
		  "[{conn-name=lab-client-1}] \n",
		  "2026-11-16T18:33:00Z", true);
}

static void an_osd_that_is_down_misses_data(void **state)
{
	(void)state;
	complains(MON,
		  "2026-11-16T18:32:40.515+0000 7f9453fff6c0  0 "
		  "log_channel(cluster) log [WRN] : Health check failed: 1 "
		  "osds down (OSD_DOWN)\n",
		  NULL, true);
	complains(MON,
		  "2026-11-16T18:32:40.515+0000 7f9453fff6c0  0 "
		  "log_channel(cluster) log [INF] : Health check cleared: "
		  "OSD_DOWN (was: 1 osds down)\n",
		  NULL, false);
}

static void a_map_of_ceph_is_no_warning(void **state)
{
	(void)state;
	keeps(MAP, "2026-11-16T15:00:00Z", "");
}

static void an_error_of_ceph_is_one(void **state)
{
	static const char error[] =
		"2026-11-16T15:10:23.515+0000 7f9453fff6c0 -1 osd.0 27 "
		"heartbeat_check: no reply\n";

	(void)state;
	keeps(error, "2026-11-16T15:10:23.515Z",
	      "x1/mon.a.log: 2026-11-16T15:10:23.515+0000 7f9453fff6c0 -1 "
	      "osd.0 27 heartbeat_check: no reply\n");
	keeps(error, "2026-11-16T15:10:23.516Z", "");
}

static void times_of_other_zones_are_understood(void **state)
{
	(void)state;
	keeps("2026-11-16T16:10:23.515+0100 7f9453fff6c0 -1 asok\n",
	      "2026-11-16T15:10:24Z", "");
	keeps("2026-11-16T10:10:23.515-0500 7f9453fff6c0 -1 asok\n",
	      "2026-11-16T15:10:23Z",
	      "x1/mon.a.log: 2026-11-16T10:10:23.515-0500 7f9453fff6c0 -1 "
	      "asok\n");
}

static void a_line_without_a_time_is_as_old_as_the_one_before(void **state)
{
	(void)state;
	keeps("2026-11-16T15:10:23.515+0000 7f9453fff6c0 1 old\n"
	      " warning of old\n"
	      "2026-11-16T15:10:33.515+0000 7f9453fff6c0 1 new\n"
	      " warning of new",
	      "2026-11-16T15:10:30Z", "x1/mon.a.log:  warning of new\n");
}

static char *many(size_t n)
{
	size_t each = strlen(UNLINK);
	char *text = malloc(n * each + 1);

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * each, UNLINK, each + 1);
	return text;
}

static void a_noisy_file_says_how_much_of_it_is_left_out(void **state)
{
	const size_t all = 1000;
	char *text = many(all);
	struct filtered f = filter(CLIENT, text, "2026-11-16T18:32:12Z", NULL);
	size_t lines = 0, left_out = 0;

	(void)state;
	for (const char *p = f.text; (p = strchr(p, '\n')); p++)
		lines++;
	assert_in_range(strlen(f.text), LAB_LOG_FILE_MOST / 2,
			LAB_LOG_FILE_MOST + 100);
	assert_int_equal(
		sscanf(strrchr(f.text, ':'), ": %zu more lines", &left_out), 1);
	assert_int_equal(lines - 1 + left_out, all);
	free(f.text);
	free(text);
}

static void all_files_together_are_bounded_but_each_is_named(void **state)
{
	struct lab_log log = { .until_ns = LP_TIME_MAX };
	char *text = many(100), *kept, name[32];
	FILE *out;
	size_t n;

	(void)state;
	out = open_memstream(&kept, &n);
	assert_non_null(out);
	for (int i = 0; i < 40; i++) {
		FILE *in = fmemopen(text, strlen(text), "r");

		assert_non_null(in);
		snprintf(name, sizeof(name), "s%d/brick.log", i);
		lab_log_filter(&log, name, in, out);
		fclose(in);
	}
	fclose(out);
	assert_in_range(n, LAB_LOG_MOST / 2, LAB_LOG_MOST + 40 * 100);
	assert_non_null(
		strstr(kept, "s39/brick.log: 100 more lines are left out\n"));
	free(kept);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_write_that_a_server_missed_before_the_fault_is_noticed),
		cmocka_unit_test(
			what_a_fault_makes_a_server_miss_is_none_of_that),
		cmocka_unit_test(
			without_a_fault_no_server_may_ever_miss_a_write),
		cmocka_unit_test(
			what_was_missed_before_the_run_was_healed_since),
		cmocka_unit_test(usual_warnings_are_no_missed_data),
		cmocka_unit_test(a_brick_that_does_not_answer_misses_data),
		cmocka_unit_test(a_brick_that_a_client_loses_misses_data),
		cmocka_unit_test(an_osd_that_is_down_misses_data),
		cmocka_unit_test(a_map_of_ceph_is_no_warning),
		cmocka_unit_test(an_error_of_ceph_is_one),
		cmocka_unit_test(times_of_other_zones_are_understood),
		cmocka_unit_test(
			a_line_without_a_time_is_as_old_as_the_one_before),
		cmocka_unit_test(a_noisy_file_says_how_much_of_it_is_left_out),
		cmocka_unit_test(
			all_files_together_are_bounded_but_each_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
