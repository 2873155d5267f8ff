/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "source/sadf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISK (&lp_sadf_activities[0])
#define NET (&lp_sadf_activities[1])
#define NET_ERRORS (&lp_sadf_activities[2])

/* As sadf 12.6.1 printed them, shortened to a few values. */
#define HEAD(uptime, time, type)                                               \
	"# uptime_cs; " uptime "; ust_time; " time                             \
	"; extra_next; 0; record_type; " type "; HH:MM:SS; 21:02:30\n"
#define DISK_ROW(time, mark, tps0, tps1)                                       \
	time "; major; 8; minor; 16; DEV" mark "; sdb; tps; " tps0 "; " tps1   \
	     "; rkB/s; 16; 48; rd_ticks; 5; 9;\n"
#define NET_ROW(time, mark, rx0, rx1)                                          \
	time "; IFACE" mark "; eth0; rxpck/s; " rx0 "; " rx1                   \
	     "; speed; 0; duplex; 0;\n"
#define NAME "# name; A_DISK; nr_curr; 1; nr_alloc; 1; nr_ini; 1\n"

/* --- one line ------------------------------------------------------------ */

static const char *parse(const struct lp_sadf_activity *activity,
			 const char *line, struct lp_sadf_row *row)
{
	return lp_sadf_parse_row(activity, line, strlen(line), row);
}

static void a_disk_row_has_raw_values_before_and_now(void **state)
{
	struct lp_sadf_row row;

	(void)state;
	assert_null(parse(
		DISK,
		"1794776551; major; 254; minor; 3; DEV; vda; tps; 42232; "
		"42240; rkB/s; 2995610; 2995611; wkB/s; 841184; 841185; dkB/s; "
		"229320; 229321; rd_ticks; 19529; 19530; wr_ticks; 2324; 2325; "
		"dc_ticks; 271; 272; tot_ticks; 11468; 11469; aqu-sz; 22156; "
		"22157;",
		&row));
	assert_int_equal(row.major, 254);
	assert_int_equal(row.minor, 3);
	assert_int_equal(row.name_length, 3);
	assert_memory_equal(row.name, "vda", 3);
	assert_int_equal(row.present, 0x1ff);
	assert_int_equal(row.before[0], 42232);
	assert_int_equal(row.now[0], 42240);
	assert_int_equal(row.now[3], 229321);
	assert_int_equal(row.now[6], 272);
	assert_int_equal(row.now[8], 22157);
	assert_false(row.is_new);
	assert_false(row.is_back);
}

static void labels_of_older_versions_are_known(void **state)
{
	struct lp_sadf_row row;

	(void)state;
	assert_null(parse(DISK,
			  "1; major; 8; minor; 0; DEV; sda; tps; 1; 2; "
			  "rd_sec/s; 3; 4; wr_sec/s; 5; 6; avgqu-sz; 7; 8;",
			  &row));
	assert_int_equal(row.present, 1 | 2 | 4 | 1 << 8);
	assert_int_equal(row.now[8], 8);
}

static void marks_are_read_and_unknown_labels_skipped(void **state)
{
	struct lp_sadf_row row;

	(void)state;
	assert_null(parse(NET,
			  "1; IFACE [NEW]; eth0; rxpck/s [DEC]; 9; 3; "
			  "later/s; 1; 2; txpck/s; 4; 5; speed; 0; duplex; 0;",
			  &row));
	assert_true(row.is_new);
	assert_int_equal(row.present, 3);
	assert_int_equal(row.now[0], 3);
	assert_int_equal(row.now[1], 5);
	assert_null(parse(NET, "1; IFACE [BCK]; a;b; rxpck/s; 9; 3;", &row));
	assert_true(row.is_back);
	assert_int_equal(row.name_length, 3);
}

static void a_broken_row_says_what_was_expected(void **state)
{
	struct lp_sadf_row row;

	(void)state;
	assert_string_equal(parse(NET, "x; IFACE; lo; rxpck/s; 1; 2;", &row),
			    "a time");
	assert_string_equal(parse(NET, "1; DEV; lo; rxpck/s; 1; 2;", &row),
			    "IFACE");
	assert_string_equal(parse(NET, "1; IFACE;", &row), "a name");
	assert_string_equal(parse(NET, "1; IFACE; lo; rxpck/s; 1;", &row),
			    "two numbers after each label");
	assert_string_equal(parse(NET, "1; IFACE; lo; rxp", &row),
			    "at least one value");
	assert_string_equal(parse(DISK, "1; major; 1; DEV; lo;", &row),
			    "the device's major and minor number");
}

static bool head_is_read(const char *line)
{
	struct lp_sadf_head head;

	return lp_sadf_parse_head(line, strlen(line), &head);
}

static void a_head_is_told_from_other_lines(void **state)
{
	(void)state;
	assert_true(head_is_read(HEAD("150995", "1794776550", "1")));
	assert_false(head_is_read(NAME));
	assert_false(head_is_read("# uptime_cs; ; ust_time; 1"));
	assert_false(head_is_read(HEAD("1", "99999999999999999", "1")));
	assert_false(head_is_read(""));
}

static void the_header_tells_host_kernel_version_and_contents(void **state)
{
	static const char *const lines[] = {
		"System activity data file: sa (0x2175)",
		"File created by sar/sadc from sysstat version 12.6.1",
		"Host: Linux 6.1.0-18-amd64 (oss1) \t11/15/26 \t_x86_64_",
		"01: [8b] A_CPU                Y:   3\t(10,0,0)",
		"12: [8d] A_NET_DEV            Y:   4\t(7,0,1)",
		"39: [8a] A_NET_SOFT           Y:   3\t(0,0,6)",
	};
	struct lp_sadf_info info = { 0 };

	(void)state;
	for (size_t i = 0; i < lp_array_size(lines); i++)
		lp_sadf_info_line(&info, lines[i], strlen(lines[i]));
	assert_string_equal(info.host, "oss1");
	assert_string_equal(info.kernel, "6.1.0-18-amd64");
	assert_string_equal(info.version, "12.6.1");
	assert_int_equal(info.activities, 2);
}

/* --- names --------------------------------------------------------------- */

static const char *name_of(unsigned major, unsigned minor)
{
	static char name[LP_SADF_NAME];

	lp_sadf_device_name(NULL, major, minor, name);
	return name;
}

static void numbers_with_a_fixed_meaning_have_names(void **state)
{
	(void)state;
	assert_string_equal(name_of(8, 0), "sda");
	assert_string_equal(name_of(8, 17), "sdb1");
	assert_string_equal(name_of(8, 240), "sdp");
	assert_string_equal(name_of(65, 0), "sdq");
	assert_string_equal(name_of(65, 160), "sdaa");
	assert_string_equal(name_of(135, 240), "sdiv");
	/* Disk 256, the first whose minor needs more than eight bits. */
	assert_string_equal(name_of(8, 256), "sdiw");
	assert_string_equal(name_of(7, 12), "loop12");
	assert_string_equal(name_of(9, 127), "md127");
	assert_string_equal(name_of(253, 3), "dev253-3");
	assert_string_equal(name_of(254, 0), "dev254-0");
}

static void names_of_this_boot_come_from_sysfs(void **state)
{
	char root[] = "/tmp/limpid-test-XXXXXX", path[128], name[LP_SADF_NAME];

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/dev", root);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/dev/block", root);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/dev/block/254:0", root);
	assert_int_equal(symlink("../../devices/x/block/cciss!c0d0", path), 0);
	lp_sadf_device_name(root, 254, 0, name);
	assert_string_equal(name, "cciss/c0d0");
	lp_sadf_device_name(root, 254, 1, name);
	assert_string_equal(name, "dev254-1");
	unlink(path);
	snprintf(path, sizeof(path), "%s/dev/block", root);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/dev", root);
	rmdir(path);
	rmdir(root);
}

static bool identify(const char *shown, char id[LP_SADF_NAME])
{
	unsigned partition;

	return lp_sadf_device_id(shown, strlen(shown), id, &partition);
}

static void a_wwn_is_an_identity_and_other_names_are_not(void **state)
{
	char id[LP_SADF_NAME];

	(void)state;
	assert_true(identify("0x5000c500a1b2c3d4", id));
	assert_string_equal(id, "wwid:naa.5000c500a1b2c3d4");
	assert_true(identify("0x600508b1001c3ab4deadbeef0badcafe-2", id));
	assert_string_equal(id,
			    "wwid:naa.600508b1001c3ab4deadbeef0badcafe-part2");
	assert_false(identify("sda", id));
	assert_false(identify("0x5000", id));
	assert_false(identify("0x5000c500a1b2c3d4x", id));
	assert_false(identify("", id));
}

/* --- times --------------------------------------------------------------- */

static void add(struct lp_sadf_clock *clock, uint64_t uptime_cs, int64_t time_s,
		unsigned type)
{
	struct lp_sadf_head head = { uptime_cs, time_s, type };

	assert_int_equal(lp_sadf_clock_add(clock, &head), 0);
}

static int64_t step_ns(const struct lp_sadf_clock *clock, size_t i)
{
	return clock->moments[i].time_ns - clock->moments[i - 1].time_ns;
}

static void intervals_are_those_of_the_uptime(void **state)
{
	struct lp_sadf_clock clock = { 0 };

	(void)state;
	/* Whole seconds alone would say 1, 0 and 2 seconds. */
	add(&clock, 10090, 1000, LP_SADF_STATS);
	add(&clock, 10191, 1001, LP_SADF_STATS);
	add(&clock, 10270, 1001, LP_SADF_STATS);
	add(&clock, 10395, 1003, LP_SADF_STATS);
	lp_sadf_clock_set(&clock);
	assert_int_equal(step_ns(&clock, 1), 1010000000);
	assert_int_equal(step_ns(&clock, 2), 790000000);
	assert_int_equal(step_ns(&clock, 3), 1250000000);
	for (size_t i = 0; i < clock.count; i++)
		assert_int_equal(clock.moments[i].time_ns / LP_NS_PER_S,
				 clock.moments[i].head.time_s);
	assert_int_equal(lp_sadf_clock_interval(&clock), 1010000000);
	lp_sadf_clock_done(&clock);
}

static void a_clock_that_is_set_begins_a_new_span(void **state)
{
	struct lp_sadf_clock clock = { 0 };

	(void)state;
	add(&clock, 10000, 1000, LP_SADF_STATS);
	add(&clock, 10100, 1001, LP_SADF_STATS);
	add(&clock, 10200, 5002, LP_SADF_STATS);
	add(&clock, 10310, 5003, LP_SADF_STATS);
	lp_sadf_clock_set(&clock);
	assert_int_equal(clock.moments[2].time_ns, 5002 * LP_NS_PER_S);
	assert_int_equal(step_ns(&clock, 3), 1100000000);
	assert_false(clock.moments[2].after_boot);
	lp_sadf_clock_done(&clock);
}

static void a_boot_is_told_from_a_restart_of_sysstat(void **state)
{
	struct lp_sadf_clock clock = { 0 };

	(void)state;
	add(&clock, 10000, 1000, LP_SADF_STATS);
	add(&clock, 0, 1000, LP_SADF_RESTART);
	add(&clock, 10100, 1001, LP_SADF_STATS);
	add(&clock, 0, 2000, LP_SADF_RESTART);
	add(&clock, 20000, 2200, LP_SADF_STATS);
	add(&clock, 500, 3000, LP_SADF_STATS);
	lp_sadf_clock_set(&clock);
	assert_true(clock.moments[0].after_boot);
	assert_true(clock.moments[2].after_break);
	assert_false(clock.moments[2].after_boot);
	assert_true(clock.moments[4].after_boot);
	assert_false(clock.moments[5].after_break);
	assert_true(clock.moments[5].after_boot);
	assert_false(lp_sadf_clock_one_boot(&clock, 900));
	clock.count = 3;
	assert_true(lp_sadf_clock_one_boot(&clock, 900));
	assert_false(lp_sadf_clock_one_boot(&clock, 800));
	lp_sadf_clock_done(&clock);
}

static void an_empty_clock_is_fine(void **state)
{
	struct lp_sadf_clock clock = { 0 };

	(void)state;
	lp_sadf_clock_set(&clock);
	assert_int_equal(lp_sadf_clock_interval(&clock), 0);
	lp_sadf_clock_done(&clock);
}

/* --- the stream ---------------------------------------------------------- */

struct text {
	char *copy, *at;
};

static int text_line(void *state, char **line, size_t *n, struct lp_error *err)
{
	struct text *text = state;

	(void)err;
	if (!*text->at)
		return 0;
	*line = text->at;
	*n = strcspn(text->at, "\n");
	text->at += *n + (text->at[*n] == '\n');
	return 1;
}

struct texts {
	struct text parts[LP_SADF_ACTIVITIES];
};

static void close_texts(void *state)
{
	struct texts *texts = state;

	for (size_t i = 0; i < LP_SADF_ACTIVITIES; i++)
		free(texts->parts[i].copy);
	free(texts);
}

static void read_heads(struct lp_sadf_clock *clock, const char *text)
{
	struct lp_sadf_head head;
	size_t n;

	for (; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (lp_sadf_parse_head(text, n, &head))
			assert_int_equal(lp_sadf_clock_add(clock, &head), 0);
	}
	lp_sadf_clock_set(clock);
}

static struct lp_stream *open_texts(const char *disk, const char *net)
{
	struct texts *texts = calloc(1, sizeof(*texts));
	const char *const source[] = { disk, net };
	struct lp_sadf_input input = { .host = strdup("h"),
				       .path = strdup("sa15"),
				       .close = close_texts,
				       .state = texts };
	struct lp_stream *stream = NULL;
	struct lp_error err;

	read_heads(&input.clock, disk);
	for (size_t i = 0; i < 2; i++) {
		texts->parts[i].copy = texts->parts[i].at = strdup(source[i]);
		input.tracks[input.n_tracks++] = (struct lp_sadf_track){
			.activity = &lp_sadf_activities[i],
			.lines = { text_line, &texts->parts[i] },
		};
	}
	assert_int_equal(lp_sadf_stream_open(&input, &stream, &err), 0);
	return stream;
}

static struct lp_item pull(struct lp_stream *stream, enum lp_item_kind kind)
{
	struct lp_item item;
	struct lp_error err;

	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(item.kind, kind);
	return item;
}

static void expect_stream_end(struct lp_stream *stream)
{
	struct lp_item item;
	struct lp_error err;

	assert_int_equal(lp_stream_next(stream, &item, &err), 0);
	lp_stream_close(stream);
}

/* NaN when missing. */
static double value(const struct lp_chunk *chunk, const char *class,
		    const char *column, size_t sample)
{
	const struct lp_panel *panel = lp_chunk_panel(chunk, class);

	assert_non_null(panel);
	assert_true(panel->n_series == 1);
	return lp_values_number(
		&panel->series[0].values[lp_panel_column(panel, column)],
		LP_U64, sample);
}

static void the_first_sample_is_kept_and_activities_share_ticks(void **state)
{
	struct lp_stream *stream = open_texts(
		HEAD("100", "1000", "1") HEAD("200", "1001", "1")
			NAME DISK_ROW("1001", "", "10", "12")
				HEAD("300", "1002", "1")
					NAME DISK_ROW("1002", "", "12", "15"),
		HEAD("100", "1000", "1") HEAD("200", "1001", "1")
			NET_ROW("1001", "", "70", "71") HEAD("300", "1002", "1")
				NET_ROW("1002", "", "71", "75"));
	const struct lp_chunk *chunk;
	const struct lp_component *disk;

	(void)state;
	assert_int_equal(pull(stream, LP_ITEM_EVENT).event->kind,
			 LP_EVENT_START);
	disk = lp_inventory_find(pull(stream, LP_ITEM_INVENTORY).inventory,
				 "disk", "sdb");
	assert_non_null(disk);
	assert_string_equal(lp_labels_get(&disk->labels, "number"), "8:16");
	chunk = pull(stream, LP_ITEM_CHUNK).chunk;
	assert_string_equal(chunk->host, "h");
	assert_int_equal(chunk->n_samples, 3);
	assert_int_equal(chunk->time_ns[1], 1001 * LP_NS_PER_S);
	assert_true(value(chunk, "disk", "ios", 0) == 10);
	assert_true(value(chunk, "disk", "ios", 1) == 12);
	assert_true(value(chunk, "disk", "ios", 2) == 15);
	assert_true(value(chunk, "disk", "rd_sectors", 0) == 16);
	assert_true(value(chunk, "disk", "rd_ms", 2) == 9);
	assert_true(value(chunk, "net", "rx_packets", 0) == 70);
	assert_true(value(chunk, "net", "rx_packets", 2) == 75);
	/* sysstat does not have it. */
	assert_null(chunk->panels[0]
			    .series[0]
			    .values[lp_class_column(&lp_class_disk, "rd_ios")]
			    .bits);
	expect_stream_end(stream);
}

static void a_new_disk_was_at_zero_and_a_new_interface_is_missing(void **state)
{
	struct lp_stream *stream = open_texts(
		HEAD("100", "1000", "1") HEAD("200", "1001", "1")
			NAME HEAD("300", "1002", "1")
				NAME DISK_ROW("1002", " [NEW]", "0", "15"),
		HEAD("100", "1000", "1") HEAD("200", "1001", "1")
			NET_ROW("1001", " [NEW]", "0", "71")
				HEAD("300", "1002", "1")
					NET_ROW("1002", "", "71", "75"));
	const struct lp_chunk *chunk;

	(void)state;
	pull(stream, LP_ITEM_EVENT);
	pull(stream, LP_ITEM_INVENTORY);
	chunk = pull(stream, LP_ITEM_CHUNK).chunk;
	assert_int_equal(chunk->n_samples, 3);
	assert_true(value(chunk, "disk", "ios", 0) !=
		    value(chunk, "disk", "ios", 0));
	assert_true(value(chunk, "disk", "ios", 1) == 0);
	assert_true(value(chunk, "disk", "ios", 2) == 15);
	assert_true(value(chunk, "net", "rx_packets", 0) !=
		    value(chunk, "net", "rx_packets", 0));
	assert_true(value(chunk, "net", "rx_packets", 1) == 71);
	expect_stream_end(stream);
}

static void a_disk_that_came_back_has_no_value_before(void **state)
{
	struct lp_stream *stream = open_texts(
		HEAD("100", "1000", "1") HEAD("200", "1001", "1") NAME DISK_ROW(
			"1001", "", "10", "12") HEAD("300", "1002", "1")
			NAME DISK_ROW("1002", " [BCK]", "0", "3"),
		"");
	const struct lp_chunk *chunk;

	(void)state;
	pull(stream, LP_ITEM_EVENT);
	pull(stream, LP_ITEM_INVENTORY);
	chunk = pull(stream, LP_ITEM_CHUNK).chunk;
	assert_true(value(chunk, "disk", "ios", 1) == 12);
	assert_true(value(chunk, "disk", "ios", 2) == 3);
	expect_stream_end(stream);
}

static void a_boot_stands_between_its_chunks(void **state)
{
	struct lp_stream *stream = open_texts(
		HEAD("90100", "1000", "1") HEAD("90200", "1001",
						"1") NAME DISK_ROW("1001", "",
								   "10", "12")
			HEAD("0", "1500",
			     "2") "1500; LINUX-RESTART (2 CPU)\n" HEAD("5000",
								       "1550",
								       "1")
				HEAD("5100", "1551", "1")
					NAME DISK_ROW("1551", "", "1", "2"),
		"");
	const struct lp_event *event;

	(void)state;
	pull(stream, LP_ITEM_EVENT);
	pull(stream, LP_ITEM_INVENTORY);
	assert_int_equal(pull(stream, LP_ITEM_CHUNK).chunk->n_samples, 2);
	event = pull(stream, LP_ITEM_EVENT).event;
	assert_int_equal(event->kind, LP_EVENT_BOOT);
	assert_int_equal(event->time_ns, 1550 * LP_NS_PER_S);
	pull(stream, LP_ITEM_INVENTORY);
	assert_int_equal(pull(stream, LP_ITEM_CHUNK).chunk->n_samples, 2);
	expect_stream_end(stream);
}

static void what_is_no_record_is_an_error_that_quotes_it(void **state)
{
	struct lp_stream *stream = open_texts(
		HEAD("100", "1000", "1") HEAD("200", "1001", "1") "1001; maj\n",
		"");
	struct lp_item item;
	struct lp_error err;

	(void)state;
	pull(stream, LP_ITEM_EVENT);
	assert_int_equal(lp_stream_next(stream, &item, &err), -EINVAL);
	assert_non_null(strstr(err.text, "1001; maj"));
	lp_stream_close(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_row_has_raw_values_before_and_now),
		cmocka_unit_test(labels_of_older_versions_are_known),
		cmocka_unit_test(marks_are_read_and_unknown_labels_skipped),
		cmocka_unit_test(a_broken_row_says_what_was_expected),
		cmocka_unit_test(a_head_is_told_from_other_lines),
		cmocka_unit_test(
			the_header_tells_host_kernel_version_and_contents),
		cmocka_unit_test(numbers_with_a_fixed_meaning_have_names),
		cmocka_unit_test(names_of_this_boot_come_from_sysfs),
		cmocka_unit_test(a_wwn_is_an_identity_and_other_names_are_not),
		cmocka_unit_test(intervals_are_those_of_the_uptime),
		cmocka_unit_test(a_clock_that_is_set_begins_a_new_span),
		cmocka_unit_test(a_boot_is_told_from_a_restart_of_sysstat),
		cmocka_unit_test(an_empty_clock_is_fine),
		cmocka_unit_test(
			the_first_sample_is_kept_and_activities_share_ticks),
		cmocka_unit_test(
			a_new_disk_was_at_zero_and_a_new_interface_is_missing),
		cmocka_unit_test(a_disk_that_came_back_has_no_value_before),
		cmocka_unit_test(a_boot_stands_between_its_chunks),
		cmocka_unit_test(what_is_no_record_is_an_error_that_quotes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
