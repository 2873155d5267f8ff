/* SPDX-License-Identifier: Apache-2.0 */
/* GlusterFS: time, a letter, the message's number, place, translator, text. */
#include "logs/input/log_scan.h"

static bool level_of(char letter, enum lp_log_level *level)
{
	static const char letters[] = "TDINWECAM";
	static const enum lp_log_level levels[] = {
		LP_LOG_DEBUG,    LP_LOG_DEBUG,    LP_LOG_INFO,
		LP_LOG_NOTICE,   LP_LOG_WARNING,  LP_LOG_ERROR,
		LP_LOG_CRITICAL, LP_LOG_CRITICAL, LP_LOG_CRITICAL,
	};
	const char *found = strchr(letters, letter);

	if (!letter || !found)
		return false;
	*level = levels[found - letters];
	return true;
}

/*
 * [2026-11-18 20:00:00.123456 +0000] E [MSGID: 114058] [client.c:12:cbk]
 * 0-vol-client-3: text [{errno=2}]
 *
 * The text is all behind the place: which translator speaks tells the peer.
 */
static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text skipped;

	if (!lp_log_take(&s, '[') || !lp_log_iso(memory, &s, &line->time_ns) ||
	    !lp_log_take_text(&s, "] ") || s.end - s.at < 2 ||
	    !level_of(*s.at++, &line->level) || !lp_log_take(&s, ' '))
		return false;
	if (lp_log_take_text(&s, "[MSGID: ") &&
	    (!lp_log_until(&s, ']', &skipped) || !lp_log_take(&s, ' ')))
		return false;
	if (lp_log_take(&s, '[')) {
		struct lp_log_text file, number, place;

		if (!lp_log_until(&s, ']', &place))
			return false;
		struct lp_log_scan p = { place.at, place.at + place.n };

		if (lp_log_until(&p, ':', &file) &&
		    lp_log_until(&p, ':', &number))
			line->function = lp_log_rest(&p);
	}
	lp_log_blanks(&s);
	line->message = lp_log_rest(&s);
	return true;
}

const struct lp_log_format lp_log_format_glusterfs = {
	.name = "glusterfs",
	.title = "GlusterFS log",
	.parse = parse,
};
