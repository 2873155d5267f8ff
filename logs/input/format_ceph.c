/* SPDX-License-Identifier: Apache-2.0 */
/* Ceph: logs of daemons, and the log of the cluster that monitors keep. */
#include "logs/input/log_scan.h"

static bool is_thread(struct lp_log_text text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!lp_log_is_digit(text.at[i]) &&
		    (text.at[i] < 'a' || text.at[i] > 'f'))
			return false;
	return text.n >= 6;
}

/*
 * 2026-11-18T20:00:00.123+0000 7f0123456700 -1 osd.2 12 text
 *
 * -1 is an error; 0 is what an operator should see; from 1 on it is about how
 * daemons work, and new at every fault on every node.
 */
static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text thread;
	int64_t level;

	if (!lp_log_iso(memory, &s, &line->time_ns) || !lp_log_take(&s, ' ') ||
	    !lp_log_until(&s, ' ', &thread) || !is_thread(thread))
		return false;
	lp_log_blanks(&s);
	if (lp_log_take_text(&s, "-1 ")) {
		line->level = LP_LOG_ERROR;
	} else {
		if (!lp_log_number(&s, &level) || !lp_log_take(&s, ' '))
			return false;
		line->level = level == 0 ? LP_LOG_NOTICE : LP_LOG_DEBUG;
	}
	line->message = lp_log_rest(&s);
	return true;
}

const struct lp_log_format lp_log_format_ceph = {
	.name = "ceph",
	.title = "log of a Ceph daemon",
	.parse = parse,
};

static bool cluster_level(struct lp_log_text word, enum lp_log_level *level)
{
	static const struct {
		const char *name;
		enum lp_log_level level;
	} known[] = {
		{ "DBG", LP_LOG_DEBUG },  { "INF", LP_LOG_INFO },
		{ "SEC", LP_LOG_NOTICE }, { "WRN", LP_LOG_WARNING },
		{ "ERR", LP_LOG_ERROR },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (lp_log_text_is(word, known[i].name)) {
			*level = known[i].level;
			return true;
		}
	return false;
}

/*
 * 2026-11-18T20:00:00.123456+0000 mon.x1 (mon.0) 123 : cluster [WRN] text
 */
static bool parse_cluster(struct lp_log_memory *memory, const char *text,
			  size_t n, struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text who, rank, number, channel, level;

	if (!lp_log_iso(memory, &s, &line->time_ns) || !lp_log_take(&s, ' ') ||
	    !lp_log_until(&s, ' ', &who) || !lp_log_take(&s, '(') ||
	    !lp_log_until(&s, ')', &rank) || !lp_log_take(&s, ' ') ||
	    !lp_log_until(&s, ' ', &number) || !lp_log_take_text(&s, ": ") ||
	    !lp_log_until(&s, ' ', &channel) || !lp_log_take(&s, '[') ||
	    !lp_log_until(&s, ']', &level) ||
	    !cluster_level(level, &line->level))
		return false;
	lp_log_blanks(&s);
	line->function = channel;
	line->message = lp_log_rest(&s);
	return true;
}

const struct lp_log_format lp_log_format_ceph_cluster = {
	.name = "ceph-cluster",
	.title = "log of a Ceph cluster",
	.parse = parse_cluster,
};
