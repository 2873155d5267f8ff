/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "logs/input/log_format.h"
#include "logs/input/log_lines.h"

#include <stdlib.h>
#include <string.h>

static const struct lp_zone utc = { .kind = LP_ZONE_UTC };

/* The last record of a text, by the format that is told by looking. */
static struct lp_log_line last_of(const char *text, const char *format)
{
	static struct lp_log_memory memory;
	static struct lp_log_lines *lines;
	const struct lp_log_format *told =
		lp_log_format_tell(text, strlen(text));
	struct lp_log_line line = { 0 }, one;
	const char *at;
	size_t n;

	assert_string_equal(told->name, format);
	lp_log_memory_done(&memory);
	lp_log_lines_close(lines);
	/* 2026-01-20: when the file was written */
	lp_log_memory_init(&memory, &utc, 1768867200 * LP_NS_PER_S);
	lines = lp_log_lines_of(text, strlen(text));
	while (lp_log_lines_next(lines, &at, &n))
		if (lp_log_parse(told, &memory, at, n, &one))
			line = one;
	if (lp_log_parse(told, &memory, NULL, 0, &one))
		line = one;
	return line;
}

static void assert_text(struct lp_log_text text, const char *want)
{
	char copy[256];

	assert_true(text.n < sizeof(copy));
	memcpy(copy, text.at, text.n);
	copy[text.n] = '\0';
	assert_string_equal(copy, want);
}

static void assert_time(const struct lp_log_line *line, const char *want)
{
	char text[LP_TIME_TEXT];

	assert_string_equal(lp_time_format(line->time_ns, text), want);
}

static void lines_of_all_formats_are_taken_apart(void **state)
{
	static const struct {
		const char *text, *format, *time, *function, *message;
		enum lp_log_level level;
	} cases[] = {
		{ "00000100:00020000:0.0F:1573931992.455299:0:4835:0:"
		  "(client.c:21:expire()) timed out\n",
		  "lustre", "2019-11-16T19:19:52.455299Z", "expire",
		  "timed out", LP_LOG_ERROR },
		{ "(0) Jan07 20:16:38 Worker1 [Messaging (RPC)] >> No reply.\n",
		  "beegfs", "2026-01-07T20:16:38Z", "Messaging (RPC)",
		  "No reply.", LP_LOG_CRITICAL },
		{ "[2026-11-18 20:00:00.250000 +0000] E [MSGID: 114058] "
		  "[client.c:12:cbk] 0-vol-client-3: failed [{errno=2}]\n",
		  "glusterfs", "2026-11-18T20:00:00.250Z", "cbk",
		  "0-vol-client-3: failed [{errno=2}]", LP_LOG_ERROR },
		{ "2026-11-18T20:00:00.125+0100 7f0123456700 -1 osd.2 12 "
		  "heartbeat_check: no reply\n",
		  "ceph", "2026-11-18T19:00:00.125Z", "",
		  "osd.2 12 heartbeat_check: no reply", LP_LOG_ERROR },
		{ "2026-11-18T20:00:00.5+0000 mon.x1 (mon.0) 123 : cluster "
		  "[WRN] Health check failed\n",
		  "ceph-cluster", "2026-11-18T20:00:00.500Z", "cluster",
		  "Health check failed", LP_LOG_WARNING },
		{ "[Wed Nov 18 20:26:38 2026] sd 0:0:0:0: rejecting I/O\n",
		  "kernel", "2026-11-18T20:26:38Z", "",
		  "sd 0:0:0:0: rejecting I/O", LP_LOG_NOTICE },
		{ "<34>1 2026-11-18T20:26:38.125Z s1 su 12 ID47 - denied\n",
		  "syslog", "2026-11-18T20:26:38.125Z", "su", "denied",
		  LP_LOG_CRITICAL },
		{ "Jan  8 20:26:38 s1 sshd[123]: Connection closed\n", "syslog",
		  "2026-01-08T20:26:38Z", "sshd", "Connection closed",
		  LP_LOG_NOTICE },
		{ "{\"__REALTIME_TIMESTAMP\":\"1768000000000000\",\"MESSAGE\":"
		  "\"went \\u00fcber\",\"PRIORITY\":\"4\",\"_HOSTNAME\":"
		  "\"s1\",\"SYSLOG_IDENTIFIER\":\"nfsd\"}\n",
		  "journal-json", "2026-01-09T23:06:40Z", "nfsd",
		  "went \xc3\xbc"
		  "ber",
		  LP_LOG_WARNING },
		{ "__REALTIME_TIMESTAMP=1768000000000000\nPRIORITY=3\n"
		  "SYSLOG_IDENTIFIER=nfsd\nMESSAGE=broken\n\n",
		  "journal-export", "2026-01-09T23:06:40Z", "nfsd", "broken",
		  LP_LOG_ERROR },
		{ "2026-11-18 20:26:38,125 WARN something odd\n", "generic",
		  "2026-11-18T20:26:38.125Z", "", "WARN something odd",
		  LP_LOG_WARNING },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lp_log_line line =
			last_of(cases[i].text, cases[i].format);

		assert_time(&line, cases[i].time);
		assert_text(line.function, cases[i].function);
		assert_text(line.message, cases[i].message);
		assert_int_equal(line.level, cases[i].level);
	}
}

static void the_year_is_guessed_over_new_year(void **state)
{
	struct lp_log_line line;

	(void)state;
	/* The file was written in January 2026: December was 2025. */
	line = last_of("Dec 31 23:59:58 s1 a: b\n", "syslog");
	assert_time(&line, "2025-12-31T23:59:58Z");
	line = last_of("Dec 31 23:59:58 s1 a: b\nJan  1 00:00:02 s1 a: c\n",
		       "syslog");
	assert_time(&line, "2026-01-01T00:00:02Z");
	/* A line that is late does not bring the old year back. */
	line = last_of("Dec 31 23:59:58 s1 a: b\nJan  1 00:00:02 s1 a: c\n"
		       "Dec 31 23:59:59 s1 a: d\n",
		       "syslog");
	assert_time(&line, "2025-12-31T23:59:59Z");
}

static void what_does_not_fit_continues_the_line_before(void **state)
{
	struct lp_log_line line =
		last_of("(0) Jan07 20:16:38 Worker1 [A] >> No reply.\n"
			"(0) Jan07 20:16:39 Worker1 [A] >> No reply.\n"
			"  backtrace follows\n",
			"beegfs");

	(void)state;
	assert_string_equal(line.format->name, "generic");
	assert_time(&line, "2026-01-07T20:16:39Z");
}

static void lustre_speaks_through_the_kernel_log(void **state)
{
	struct lp_log_line line = last_of(
		"Jan  8 20:26:38 s1 kernel: [   12.500000] LustreError: "
		"4835:0:(client.c:21:expire()) @@@ timed out\n",
		"syslog");

	(void)state;
	assert_string_equal(line.format->name, "lustre");
	assert_text(line.function, "expire");
	assert_text(line.message, "@@@ timed out");
	assert_text(line.host, "s1");
	line = last_of("Jan  8 20:26:38 s1 kernel: [   12.500000] sd 0: bad\n",
		       "syslog");
	assert_string_equal(line.format->name, "kernel");
	assert_text(line.message, "sd 0: bad");
}

static void lines_may_be_of_any_length_and_end_nowhere(void **state)
{
	size_t n = 3 * LP_LOG_LINE_MOST, length;
	char *text = malloc(n + 16);
	struct lp_log_lines *lines;
	const char *line;

	(void)state;
	memset(text, 'x', n);
	memcpy(text + n, "\nsecond\r\nth\0ird", 15);
	lines = lp_log_lines_of(text, n + 15);
	assert_true(lp_log_lines_next(lines, &line, &length));
	assert_int_equal(length, LP_LOG_LINE_MOST);
	assert_true(lp_log_lines_is_cut(lines));
	assert_true(lp_log_lines_next(lines, &line, &length));
	assert_int_equal(length, 6);
	assert_int_equal(lp_log_lines_number(lines), 2);
	assert_true(lp_log_lines_next(lines, &line, &length));
	assert_int_equal(length, 6);
	assert_false(lp_log_lines_next(lines, &line, &length));
	lp_log_lines_close(lines);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_all_formats_are_taken_apart),
		cmocka_unit_test(the_year_is_guessed_over_new_year),
		cmocka_unit_test(what_does_not_fit_continues_the_line_before),
		cmocka_unit_test(lustre_speaks_through_the_kernel_log),
		cmocka_unit_test(lines_may_be_of_any_length_and_end_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
