/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel log as dmesg writes it, and syslog by RFC 3164 and 5424. */
#include "logs/input/log_scan.h"

static enum lp_log_level level_of_priority(int64_t priority)
{
	static const enum lp_log_level levels[8] = {
		LP_LOG_CRITICAL, LP_LOG_CRITICAL, LP_LOG_CRITICAL, LP_LOG_ERROR,
		LP_LOG_WARNING,  LP_LOG_NOTICE,   LP_LOG_INFO,     LP_LOG_DEBUG,
	};

	return levels[priority & 7];
}

/* "<34>"; without it the level stays. */
static void priority_of(struct lp_log_scan *s, struct lp_log_line *line)
{
	struct lp_log_scan t = *s;
	int64_t priority;

	if (lp_log_take(&t, '<') && lp_log_number(&t, &priority) &&
	    lp_log_take(&t, '>')) {
		line->level = level_of_priority(priority);
		*s = t;
	}
}

/*
 * [  123.456789] text             seconds since boot: no time
 * [Wed Nov 18 20:26:38 2026] text
 */
static bool parse_kernel(struct lp_log_memory *memory, const char *text,
			 size_t n, struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	int64_t since_boot;

	line->level = LP_LOG_NOTICE;
	priority_of(&s, line);
	if (!lp_log_take(&s, '['))
		return false;
	lp_log_blanks(&s);
	if (s.at < s.end && lp_log_is_digit(*s.at)) {
		if (!lp_log_epoch(&s, &since_boot))
			return false;
	} else if (!lp_log_ctime(memory, &s, &line->time_ns)) {
		return false;
	}
	if (!lp_log_take_text(&s, "] "))
		return false;
	line->message = lp_log_rest(&s);
	lp_log_look_inside(line);
	return true;
}

const struct lp_log_format lp_log_format_kernel = {
	.name = "kernel",
	.title = "kernel log",
	.parse = parse_kernel,
};

/* "1 2026-11-18T20:26:38Z host app 12 ID [data] text", behind its priority. */
static bool modern(struct lp_log_memory *memory, struct lp_log_scan *s,
		   struct lp_log_line *line)
{
	struct lp_log_text pid, id, data;

	if (!lp_log_take_text(s, "1 ") ||
	    !lp_log_iso(memory, s, &line->time_ns) || !lp_log_take(s, ' ') ||
	    !lp_log_until(s, ' ', &line->host) ||
	    !lp_log_until(s, ' ', &line->function) ||
	    !lp_log_until(s, ' ', &pid) || !lp_log_until(s, ' ', &id))
		return false;
	if (lp_log_take_text(s, "- "))
		return true;
	return lp_log_until(s, ']', &data) && lp_log_take(s, ' ');
}

/* "Nov 18 20:26:38 host app[12]: text"; the time also as ISO 8601. */
static bool traditional(struct lp_log_memory *memory, struct lp_log_scan *s,
			struct lp_log_line *line)
{
	struct lp_log_text tag;

	if (!(s->at < s->end && lp_log_is_digit(*s->at)
		      ? lp_log_iso(memory, s, &line->time_ns)
		      : lp_log_yearless(memory, s, &line->time_ns)) ||
	    !lp_log_take(s, ' ') || !lp_log_until(s, ' ', &line->host) ||
	    !lp_log_until(s, ':', &tag) || tag.n == 0 ||
	    memchr(tag.at, ' ', tag.n))
		return false;
	line->function = tag;
	for (size_t i = 0; i < tag.n; i++)
		if (tag.at[i] == '[')
			line->function.n = i;
	lp_log_blanks(s);
	return true;
}

/* "[  123.456789] " of a kernel's message within syslog. */
static void drop_boot_time(struct lp_log_scan *s)
{
	struct lp_log_scan t = *s;
	int64_t since_boot;

	if (!lp_log_take(&t, '['))
		return;
	lp_log_blanks(&t);
	if (lp_log_epoch(&t, &since_boot) && lp_log_take_text(&t, "] "))
		*s = t;
}

static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	bool fits;

	line->level = LP_LOG_NOTICE;
	priority_of(&s, line);
	fits = s.at > text && s.at < s.end && s.at[0] == '1' &&
			       s.end - s.at > 1 && s.at[1] == ' '
		       ? modern(memory, &s, line)
		       : traditional(memory, &s, line);
	if (!fits)
		return false;
	if (lp_log_text_is(line->function, "kernel")) {
		drop_boot_time(&s);
		line->format = &lp_log_format_kernel;
		line->function.n = 0;
	}
	line->message = lp_log_rest(&s);
	lp_log_look_inside(line);
	return true;
}

const struct lp_log_format lp_log_format_syslog = {
	.name = "syslog",
	.title = "syslog",
	.parse = parse,
};
