/* SPDX-License-Identifier: Apache-2.0 */
/* BeeGFS 6 and 7: level, time without a year, thread, context, text. */
#include "logs/input/log_scan.h"

/* 0 is critical, 1 an error, 2 a warning, from 3 on news. */
static enum lp_log_level level_of(int64_t number)
{
	static const enum lp_log_level levels[] = {
		LP_LOG_CRITICAL, LP_LOG_ERROR, LP_LOG_WARNING, LP_LOG_NOTICE
	};

	return number < 4 ? levels[number] : LP_LOG_DEBUG;
}

/* (2) Feb07 20:16:45 DirectWorker1 [Change consistency states] >> text */
static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text thread;
	int64_t level;

	if (!lp_log_take(&s, '(') || !lp_log_number(&s, &level) ||
	    !lp_log_take_text(&s, ") ") ||
	    !lp_log_yearless(memory, &s, &line->time_ns) ||
	    !lp_log_take(&s, ' ') || !lp_log_until(&s, ' ', &thread) ||
	    !lp_log_take(&s, '[') || !lp_log_until(&s, ']', &line->function) ||
	    !lp_log_take_text(&s, " >> "))
		return false;
	line->level = level_of(level);
	line->message = lp_log_rest(&s);
	return true;
}

const struct lp_log_format lp_log_format_beegfs = {
	.name = "beegfs",
	.title = "BeeGFS log",
	.parse = parse,
};
