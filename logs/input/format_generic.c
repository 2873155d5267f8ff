/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What no other format takes: a time at its beginning, if there is one, and a
 * word that tells the level, in the first bytes.
 */
#include "logs/input/log_scan.h"

#include <strings.h>

#define HEAD 80

static const struct {
	const char *word;
	enum lp_log_level level;
} words[] = {
	{ "fatal", LP_LOG_CRITICAL },    { "crit", LP_LOG_CRITICAL },
	{ "critical", LP_LOG_CRITICAL }, { "panic", LP_LOG_CRITICAL },
	{ "error", LP_LOG_ERROR },       { "err", LP_LOG_ERROR },
	{ "warning", LP_LOG_WARNING },   { "warn", LP_LOG_WARNING },
	{ "notice", LP_LOG_NOTICE },     { "debug", LP_LOG_DEBUG },
	{ "trace", LP_LOG_DEBUG },
};

static bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool level_of_word(const char *word, size_t n, enum lp_log_level *level)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].word) == n &&
		    strncasecmp(words[i].word, word, n) == 0) {
			*level = words[i].level;
			return true;
		}
	return false;
}

static enum lp_log_level level_of(struct lp_log_text text)
{
	size_t n = text.n < HEAD ? text.n : HEAD;
	enum lp_log_level level = LP_LOG_INFO;

	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && is_letter(text.at[end]); end++)
			;
		if (end > i && level_of_word(text.at + i, end - i, &level))
			break;
	}
	return level;
}

static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n }, dated;

	lp_log_blanks(&s);
	(void)lp_log_take(&s, '[');
	dated = s;
	if (lp_log_iso(memory, &dated, &line->time_ns)) {
		s = dated;
		(void)lp_log_take(&s, ']');
		lp_log_blanks(&s);
	} else {
		line->time_ns = LP_LOG_NO_TIME;
		s.at = text;
	}
	line->message = lp_log_rest(&s);
	line->level = level_of(line->message);
	return true;
}

const struct lp_log_format lp_log_format_generic = {
	.name = "generic",
	.title = "a format that limpid does not know",
	.parse = parse,
};
