/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_file.h"

#include "simulate/device.h"
#include "simulate/effect.h"
#include "simulate/simulate.h"
#include "simulate/socket.h"

#include <errno.h>
#include <math.h>

static struct lp_scenario scenario(const char *text)
{
	struct lp_scenario s;
	struct lp_error err;

	ok(lp_scenario_parse(text, "test", &s, &err), &err);
	return s;
}

static void assert_refused(const char *text, const char *because)
{
	struct lp_scenario s;
	struct lp_error err;

	assert_int_equal(lp_scenario_parse(text, "test", &s, &err), -EINVAL);
	if (!strstr(err.text, because))
		fail_msg("'%s' does not say '%s'", err.text, because);
}

#define TINY                                                                   \
	"arrays = 2; servers = 4; luns = 8; old_luns = 4; attachments = 4;\n"  \
	"first_array = 6; server_prefix = \"fs\"; hours = 0.1;\n"

static void built_in_scenarios_are_read(void **state)
{
	struct lp_scenario s;
	struct lp_error err;

	(void)state;
	for (size_t i = 0; lp_scenario_names[i]; i++) {
		ok(lp_scenario_open(lp_scenario_names[i], &s, &err), &err);
		ok(lp_scenario_check(&s, &err), &err);
		lp_scenario_done(&s);
	}
	assert_null(lp_scenario_builtin("other"));
	assert_int_equal(lp_scenario_open("/nonexistent", &s, &err), -ENOENT);
}

static size_t see_events(const char *name, bool seen[LP_SIM_KINDS])
{
	struct lp_scenario s;
	struct lp_error err;
	size_t n = 0;

	ok(lp_scenario_open(name, &s, &err), &err);
	assert_int_equal(lp_scenario_hosts(&s), 128);
	for (size_t i = 0; i < s.n_events; i++)
		seen[s.events[i].kind] = true;
	for (size_t i = 0; i < s.n_events; i += lp_scenario_parts(&s, i))
		n++;
	lp_scenario_done(&s);
	return n;
}

static void each_kind_of_the_thesis_is_in_a_built_in_scenario(void **state)
{
	bool seen[LP_SIM_KINDS] = { false };

	(void)state;
	assert_int_equal(see_events("intrepid", seen), 10);
	assert_int_equal(see_events("case-study", seen), 23);
	for (int k = 0; k < LP_SIM_DISK_HOG; k++)
		assert_true(seen[k]);
}

static void scripts_with_mistakes_are_refused_by_line(void **state)
{
	(void)state;
	assert_refused("@include \"/etc/passwd\"\n", "@include");
	assert_refused("arrays = ;", "test:1:");
	assert_refused("arrays = 1;\nservers = 1; luns = 1; lun = 3;",
		       "test:2: lun: no such key");
	assert_refused("arrays = 1; servers = 1; luns = \"many\";",
		       "luns: expected a whole number");
	assert_refused("arrays = 1; servers = 1; luns = 1; load = 3;",
		       "load: expected {");
	assert_refused("servers = 1; luns = 1;", "at least one array");
	assert_refused(TINY "attachments = 4;", "test:3:");
	assert_refused("arrays = 1; servers = 1; luns = 1; hours = 1e8;",
		       "samples");
	assert_refused("arrays = 1; servers = 1; luns = 1; interval = 0;",
		       "interval");
	assert_refused("arrays = 1; servers = 1; luns = 1; attachments = 2;",
		       "attachments");
}

static void events_with_mistakes_are_refused(void **state)
{
	(void)state;
	assert_refused(TINY "events = ( { kind = \"meteor\"; } );",
		       "no such kind");
	assert_refused(TINY "events = ( { hours = 1; } );", "needs a kind");
	assert_refused(TINY "events = ( { kind = \"slow-disk\"; } );",
		       "needs hours");
	assert_refused(TINY "events = ( { kind = \"server-down\"; hours = 1;\n"
			    "server = 9; } );",
		       "no server");
	assert_refused(TINY "events = ( { kind = \"slow-disk\"; hours = 1;\n"
			    "array = 8; } );",
		       "no array");
	assert_refused(TINY "events = ( { kind = \"slow-disk\"; hours = 1;\n"
			    "lun = 8; } );",
		       "LUNs");
	assert_refused(TINY "events = ( { kind = \"controller-failed\";\n"
			    "controller = \"c\"; hours = 1; } );",
		       "\"a\" or \"b\"");
	assert_refused(TINY "events = 3;", "expected (");
	assert_refused(TINY "events = ( { kind = \"lun-resets\"; hours = 1;\n"
			    "array = 6; } );",
		       "needs servers");
	assert_refused(TINY "events = ( { kind = \"luns-zero\"; hours = 1;\n"
			    "array = 6; servers = [ 4, 5 ]; } );",
		       "of the array");
	assert_refused(TINY "events = ( { kind = \"luns-zero\"; hours = 1;\n"
			    "array = 6; servers = 4; } );",
		       "test:4: servers: expected numbers");
	assert_refused(TINY "events = ( { kind = \"slow-disk\"; hours = 1;\n"
			    "servers = [ 4 ]; } );",
		       "has no servers");
	assert_refused(TINY "events = ( { kind = \"slow-disk\"; hours = 1;\n"
			    "controllers = [ \"6a\" ]; } );",
		       "controllers: this kind has none");
	assert_refused(TINY "events = ( { kind = \"controller-failed\";\n"
			    "hours = 1; controllers = [ \"6a\", \"7\" ]; } );",
		       "with a or b");
	assert_refused(TINY "events = ( { kind = \"controller-failed\";\n"
			    "hours = 1; controllers = [ \"6a\", \"8a\" ]; } );",
		       "no array");
}

/* 6.00.1 and 15.37.78 in thesis 5.2 and table 5.6. */
static void attachments_are_those_of_the_thesis(void **state)
{
	char text[LP_SIM_NAME];
	struct lp_scenario s;
	struct lp_error err;

	(void)state;
	ok(lp_scenario_open("intrepid", &s, &err), &err);
	assert_string_equal(
		lp_sim_component(&s, 0, lp_sim_server(&s, 0, 0), 0, text),
		"ddn6a.0.fs1");
	assert_string_equal(
		lp_sim_component(&s, 9, lp_sim_server(&s, 37, 0), 37, text),
		"ddn15b.37.fs78");
	/* fs16 is down: load on fs9. */
	assert_int_equal(lp_sim_server(&s, 7, 1), 0);
	assert_int_equal(lp_sim_priority(&s, 7, 7), 0);
	assert_int_equal(lp_sim_priority(&s, 34, 3), 1);
	lp_scenario_done(&s);
}

static bool carries(const struct lp_scenario *s, unsigned server, unsigned lun,
		    double at_s)
{
	double until;

	return lp_sim_effect_at(s, (struct lp_sim_place){ 0, server, lun },
				at_s, &until)
		.carries;
}

static void load_goes_to_the_first_attachment_that_is_there(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"controller-failed\"; array = 6;\n"
		     "controller = \"a\"; at_s = 60; seconds = 60; } );");
	double until;

	(void)state;
	assert_true(carries(&s, 0, 0, 0));
	assert_false(carries(&s, 1, 0, 0));
	/* Servers 0 and 1 are gone: the tertiary gets it. */
	assert_false(carries(&s, 0, 0, 60));
	assert_false(carries(&s, 1, 0, 60));
	assert_true(carries(&s, 2, 0, 60));
	assert_true(lp_sim_effect_at(&s, (struct lp_sim_place){ 0, 1, 0 }, 60,
				     &until)
			    .gone);
	assert_true(carries(&s, 0, 0, 120));
	lp_scenario_done(&s);
}

static void load_goes_to_a_tertiary_if_a_controller_loses_a_lun(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"luns-zero\"; array = 6; lun = 4;\n"
		     "luns = 4; controller = \"a\"; at_s = 0;\n"
		     "seconds = 60; } );");
	struct lp_sim_place zero = { 0, 0, 4 };
	double until;

	(void)state;
	/* LUN 4: servers 0 and 1 are of controller a. */
	assert_false(carries(&s, 0, 4, 0));
	assert_false(carries(&s, 1, 4, 0));
	assert_true(carries(&s, 2, 4, 0));
	assert_false(lp_sim_effect_at(&s, zero, 0, &until).gone);
	/* The others stay: LUN 0, and LUN 6 of controller b. */
	assert_true(carries(&s, 0, 0, 0));
	assert_true(carries(&s, 2, 6, 0));
	lp_scenario_done(&s);
}

static void servers_that_do_not_reach_luns_have_no_devices(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"luns-missing\"; array = 6;\n"
		     "lun = 4; luns = 4; servers = [ 1, 4 ]; at_s = 0;\n"
		     "seconds = 60; } );");
	double until;

	(void)state;
	for (unsigned server = 0; server < 4; server++) {
		struct lp_sim_place p = { 0, server, 5 }, other = p;
		bool loses = server == 0 || server == 3;

		other.lun = 1;
		assert_int_equal(lp_sim_effect_at(&s, p, 0, &until).gone,
				 loses);
		assert_false(lp_sim_effect_at(&s, other, 0, &until).gone);
	}
	assert_true(carries(&s, 1, 4, 0));
	lp_scenario_done(&s);
}

/* The phase of resets is a tenth of an event this short: 100 s. */
static void luns_stall_in_turn_before_servers_refuse_them(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"lun-resets\"; array = 6; lun = 0;\n"
		     "luns = 8; servers = [ 1 ]; strength = 20.0; at_s = 0;\n"
		     "seconds = 1000; } );");
	struct lp_sim_place first = { 0, 0, 0 }, last = { 0, 3, 7 };
	double until;

	(void)state;
	assert_true(lp_sim_effect_at(&s, first, 5, &until).held_until_s == 20);
	assert_true(until <= 6);
	assert_true(lp_sim_effect_at(&s, first, 25, &until).held_until_s == 0);
	assert_true(lp_sim_effect_at(&s, last, 25, &until).held_until_s == 0);
	assert_true(lp_sim_effect_at(&s, last, 75, &until).held_until_s == 90);
	assert_true(carries(&s, 0, 0, 99));
	assert_false(carries(&s, 0, 0, 101));
	assert_true(carries(&s, 1, 0, 101));
	/* The reboot ends it. */
	assert_false(lp_sim_down(&s, 0, 0, 899, &until));
	assert_true(lp_sim_down(&s, 0, 0, 901, &until));
	assert_false(lp_sim_down(&s, 0, 1, 901, &until));
	assert_true(carries(&s, 0, 0, 1000));
	lp_scenario_done(&s);
}

static void several_controllers_are_one_event(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"controller-failed\";\n"
		     "controllers = [ \"6a\", \"7b\" ]; at_s = 0;\n"
		     "seconds = 60; }, { kind = \"slow-disk\"; array = 7;\n"
		     "lun = 0; seconds = 60; } );");

	(void)state;
	assert_int_equal(s.n_events, 3);
	assert_int_equal(lp_scenario_parts(&s, 0), 2);
	assert_int_equal(lp_scenario_parts(&s, 2), 1);
	assert_int_equal(s.events[0].array, 0);
	assert_int_equal(s.events[0].controller, 0);
	assert_int_equal(s.events[1].array, 1);
	assert_int_equal(s.events[1].controller, 1);
	lp_scenario_done(&s);
}

static void a_rebuild_is_felt_by_the_whole_controller(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"rebuild\"; array = 6; lun = 1;\n"
		     "strength = 5.0; at_s = 0; seconds = 300; } );");
	struct lp_sim_place itself = { 0, 1, 1 }, beside = { 0, 0, 0 };
	struct lp_sim_place other = { 0, 2, 2 };
	double until;

	(void)state;
	assert_true(lp_sim_effect_at(&s, itself, 50, &until).latency < 2);
	assert_true(lp_sim_effect_at(&s, beside, 50, &until).latency == 1);
	assert_true(lp_sim_effect_at(&s, itself, 150, &until).latency == 5);
	assert_true(lp_sim_effect_at(&s, beside, 150, &until).latency > 3);
	assert_true(lp_sim_effect_at(&s, beside, 150, &until).latency < 5);
	assert_true(lp_sim_effect_at(&s, other, 150, &until).latency == 1);
	lp_scenario_done(&s);
}

static void the_columns_are_the_first_of_the_catalogue(void **state)
{
	(void)state;
	assert_int_equal(lp_class_column(&lp_class_disk, "rd_ios"),
			 LP_SIM_RD_IOS);
	assert_int_equal(lp_class_column(&lp_class_disk, "wr_ms"),
			 LP_SIM_WR_MS);
	assert_int_equal(lp_class_column(&lp_class_disk, "weighted_ms"),
			 LP_SIM_WEIGHTED_MS);
	assert_int_equal(lp_class_column(&lp_class_net, "tx_packets"), 9);
	assert_int_equal(lp_class_column(&lp_class_tcp, "cwnd"), LP_SIM_CWND);
	assert_int_equal(lp_class_column(&lp_class_tcp, "retrans"),
			 LP_SIM_RETRANS);
	assert_int_equal(lp_class_column(&lp_class_tcp, "segs_in"),
			 LP_SIM_SEGS_IN);
}

static double window_after(double sent, double loss, int seconds)
{
	uint64_t room[LP_SIM_TCP_COLUMNS], *bits[LP_SIM_TCP_COLUMNS];
	struct lp_sim_socket socket;
	double mean = 0;

	for (int c = 0; c < LP_SIM_TCP_COLUMNS; c++)
		bits[c] = &room[c];
	lp_sim_socket_init(&socket, 1, 1);
	for (int t = 0; t < seconds; t++) {
		lp_sim_socket_run(&socket, 1, sent, 1e4, loss, bits, 0);
		mean += 2 * t >= seconds ? socket.window : 0;
	}
	assert_true(loss > 0 || room[LP_SIM_RETRANS] < 10);
	assert_true(loss == 0 || sent == 0 || room[LP_SIM_RETRANS] > 100);
	return mean / (seconds - seconds / 2);
}

static void loss_shrinks_the_window_of_a_connection_that_sends(void **state)
{
	(void)state;
	assert_true(window_after(1e6, 0, 100) > 70);
	assert_true(window_after(1e6, 0.05, 100) < 7);
	assert_true(window_after(0, 0.05, 100) == 10);
}

static void the_parts_of_the_clients_are_the_whole(void **state)
{
	struct lp_scenario s = { .clients = 7 };
	double sum = 0;

	(void)state;
	for (unsigned c = 0; c < s.clients; c++)
		sum += lp_sim_client_share(&s, c);
	assert_true(fabs(sum - 1) < 1e-12);
}

/* What one host's archive holds. */
struct content {
	size_t samples, boots, stops, missing;
	uint64_t grown; /* reads of its first series */
	int64_t largest_gap_ns;
};

static void add_chunk(struct content *content, const struct lp_chunk *chunk,
		      size_t series, int64_t *last_ns)
{
	const struct lp_values *v =
		&lp_chunk_panel(chunk, "disk")->series[series].values[0];

	for (size_t k = 0; k < chunk->n_samples; k++) {
		int64_t gap = chunk->time_ns[k] - *last_ns;

		if (*last_ns && gap > content->largest_gap_ns)
			content->largest_gap_ns = gap;
		*last_ns = chunk->time_ns[k];
		content->missing += !lp_values_has(v, k);
	}
	if (v->bits)
		content->grown += v->bits[chunk->n_samples - 1] - v->bits[0];
	content->samples += chunk->n_samples;
}

static struct content read_host(const char *name, size_t series)
{
	struct lp_stream *stream = open_archive(in_directory(name));
	struct content content = { 0 };
	struct lp_error err;
	struct lp_item item;
	int64_t last_ns = 0;
	int r;

	while ((r = lp_stream_next(stream, &item, &err)) > 0) {
		if (item.kind == LP_ITEM_CHUNK)
			add_chunk(&content, item.chunk, series, &last_ns);
		if (item.kind == LP_ITEM_EVENT) {
			content.boots += item.event->kind == LP_EVENT_BOOT;
			content.stops += item.event->kind == LP_EVENT_STOP;
		}
	}
	ok(r, &err);
	lp_stream_close(stream);
	return content;
}

static void run(struct lp_scenario *s)
{
	struct lp_sim_stats stats;
	struct lp_error err;

	ok(lp_simulate(s, directory, NULL, NULL, &stats, &err), &err);
	assert_int_equal(stats.hosts, lp_scenario_hosts(s));
	lp_scenario_done(s);
}

#define FILE_OF(host) host "-19700101T000000Z" LP_ARCHIVE_SUFFIX

static void a_server_that_is_down_leaves_a_gap_and_boots(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"server-down\"; server = 2;\n"
		     "at_s = 100; seconds = 50; } );");
	struct content down, up;

	(void)state;
	run(&s);
	down = read_host(FILE_OF("fs2"), 0);
	up = read_host(FILE_OF("fs1"), 0);
	assert_int_equal(up.samples, 361);
	assert_int_equal(down.samples, 311);
	assert_int_equal(down.boots, 1);
	assert_int_equal(up.boots, 0);
	assert_int_equal(up.stops, 1);
	assert_true(down.largest_gap_ns > 50 * LP_NS_PER_S);
	assert_true(up.largest_gap_ns < 2 * LP_NS_PER_S);
}

static void a_service_that_is_down_leaves_the_server_recorded(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"service-down\"; server = 1;\n"
		     "at_s = 0; seconds = 1000; } );");
	struct content down;

	(void)state;
	run(&s);
	/* It boots for 100 s; the rest is there, without I/O. */
	down = read_host(FILE_OF("fs1"), 0);
	assert_int_equal(down.samples, 261);
	assert_int_equal(down.boots, 1);
	assert_int_equal(down.missing, 0);
	assert_int_equal(down.grown, 0);
	assert_true(read_host(FILE_OF("fs2"), 0).grown > 100);
}

static void a_lost_attachment_is_missing_or_zero(void **state)
{
	struct lp_scenario s = scenario(
		TINY "events = ( { kind = \"lost-missing\"; array = 6;\n"
		     "lun = 0; at_s = 0; seconds = 200; },\n"
		     "{ kind = \"lost-zero\"; array = 7; lun = 0; at_s = 0;\n"
		     "seconds = 1000; } );");
	struct content missing, zero;

	(void)state;
	run(&s);
	missing = read_host(FILE_OF("fs1"), 0);
	zero = read_host(FILE_OF("fs5"), 0);
	assert_int_equal(missing.missing, 200);
	assert_int_equal(zero.missing, 0);
	assert_int_equal(zero.grown, 0);
	assert_true(missing.grown > 100);
	/* Its load went to the secondary, whose first LUN it is. */
	assert_true(read_host(FILE_OF("fs6"), 0).grown > 100);
}

static void equal_seeds_give_equal_bytes_and_others_do_not(void **state)
{
	struct lp_scenario s = scenario(TINY);
	struct content a, b, c;

	(void)state;
	run(&s);
	a = read_host(FILE_OF("fs3"), 2);
	s = scenario(TINY);
	run(&s);
	b = read_host(FILE_OF("fs3"), 2);
	s = scenario(TINY);
	s.seed = 2;
	run(&s);
	c = read_host(FILE_OF("fs3"), 2);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(a.grown != c.grown);
}

static void scaling_moves_events_into_what_is_left(void **state)
{
	struct lp_scenario s;
	struct lp_error err;

	(void)state;
	ok(lp_scenario_open("intrepid", &s, &err), &err);
	ok(lp_scenario_scale(&s, 2, 12, &err), &err);
	assert_int_equal(s.old_luns, 8);
	for (size_t i = 0; i < s.n_events; i++) {
		assert_true(s.events[i].array < 2);
		assert_true(s.events[i].lun < 12);
	}
	assert_int_equal(lp_scenario_scale(&s, 3, 0, &err), -EINVAL);
	assert_int_equal(lp_scenario_scale(&s, 0, 0, &err), -EINVAL);
	lp_scenario_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_in_scenarios_are_read),
		cmocka_unit_test(
			each_kind_of_the_thesis_is_in_a_built_in_scenario),
		cmocka_unit_test(scripts_with_mistakes_are_refused_by_line),
		cmocka_unit_test(events_with_mistakes_are_refused),
		cmocka_unit_test(attachments_are_those_of_the_thesis),
		cmocka_unit_test(
			load_goes_to_the_first_attachment_that_is_there),
		cmocka_unit_test(
			load_goes_to_a_tertiary_if_a_controller_loses_a_lun),
		cmocka_unit_test(
			servers_that_do_not_reach_luns_have_no_devices),
		cmocka_unit_test(luns_stall_in_turn_before_servers_refuse_them),
		cmocka_unit_test(several_controllers_are_one_event),
		cmocka_unit_test(a_rebuild_is_felt_by_the_whole_controller),
		cmocka_unit_test(the_columns_are_the_first_of_the_catalogue),
		cmocka_unit_test(
			loss_shrinks_the_window_of_a_connection_that_sends),
		cmocka_unit_test(the_parts_of_the_clients_are_the_whole),
		cmocka_unit_test_teardown(
			a_server_that_is_down_leaves_a_gap_and_boots,
			empty_directory),
		cmocka_unit_test_teardown(
			a_service_that_is_down_leaves_the_server_recorded,
			empty_directory),
		cmocka_unit_test_teardown(a_lost_attachment_is_missing_or_zero,
					  empty_directory),
		cmocka_unit_test_teardown(
			equal_seeds_give_equal_bytes_and_others_do_not,
			empty_directory),
		cmocka_unit_test(scaling_moves_events_into_what_is_left),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
