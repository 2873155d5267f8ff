/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lustre: the debug buffer as `lctl dk` writes it, and what goes to the
 * console.
 */
#include "logs/input/log_scan.h"

/* Bits of the second field. */
#define D_WARNING 0x400u
#define D_ERROR 0x20000u
#define D_EMERG 0x40000u
#define D_CONSOLE 0x2000000u

static bool hexadecimal(struct lp_log_scan *s, unsigned *value)
{
	*value = 0;
	if (s->end - s->at < 9 || s->at[8] != ':')
		return false;
	for (int i = 0; i < 8; i++) {
		char c = s->at[i];
		unsigned digit = lp_log_is_digit(c) ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f'
					 ? (unsigned)(c - 'a') + 10
					 : 16;

		if (digit > 15)
			return false;
		*value = *value << 4 | digit;
	}
	s->at += 9;
	return true;
}

static enum lp_log_level level_of(unsigned mask)
{
	return mask & D_EMERG     ? LP_LOG_CRITICAL
	       : mask & D_ERROR   ? LP_LOG_ERROR
	       : mask & D_WARNING ? LP_LOG_WARNING
	       : mask & D_CONSOLE ? LP_LOG_NOTICE
				  : LP_LOG_DEBUG;
}

/* "(pinger.c:217:ptlrpc_pinger_process_import()) " */
static bool place(struct lp_log_scan *s, struct lp_log_text *function)
{
	struct lp_log_text file, number;

	return lp_log_take(s, '(') && lp_log_until(s, ':', &file) &&
	       lp_log_until(s, ':', &number) &&
	       lp_log_until(s, '(', function) && lp_log_take_text(s, "))");
}

/*
 * 00000100:00080000:0.0F:1573931992.455299:0:4835:0:(pinger.c:217:ping()) text
 */
static bool parse(struct lp_log_memory *memory, const char *text, size_t n,
		  struct lp_log_line *line)
{
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text skipped;
	unsigned subsystem, mask;

	(void)memory;
	if (!hexadecimal(&s, &subsystem) || !hexadecimal(&s, &mask) ||
	    !lp_log_until(&s, ':', &skipped) ||
	    !lp_log_epoch(&s, &line->time_ns) || !lp_log_take(&s, ':') ||
	    !lp_log_until(&s, ':', &skipped) ||
	    !lp_log_until(&s, ':', &skipped) ||
	    !lp_log_until(&s, ':', &skipped) || !place(&s, &line->function))
		return false;
	lp_log_blanks(&s);
	line->level = level_of(mask);
	line->message = lp_log_rest(&s);
	return true;
}

const struct lp_log_format lp_log_format_lustre = {
	.name = "lustre",
	.title = "Lustre debug buffer",
	.parse = parse,
};

/* "LustreError: 11-0: text", "Lustre: 4835:0:(file.c:12:ping()) text" */
static bool parse_console(struct lp_log_memory *memory, const char *text,
			  size_t n, struct lp_log_line *line)
{
	static const struct {
		const char *text;
		enum lp_log_level level;
	} heads[] = {
		{ "LustreError: ", LP_LOG_ERROR },
		{ "LNetError: ", LP_LOG_ERROR },
		{ "Lustre: ", LP_LOG_NOTICE },
		{ "LNet: ", LP_LOG_NOTICE },
	};
	struct lp_log_scan s = { text, text + n };
	struct lp_log_text pid, cpu;
	size_t i = 0;

	(void)memory;
	while (i < 4 && !lp_log_take_text(&s, heads[i].text))
		i++;
	if (i == 4)
		return false;
	line->level = heads[i].level;
	line->message = lp_log_rest(&s);
	if (s.at < s.end && lp_log_is_digit(*s.at) &&
	    lp_log_until(&s, ':', &pid) && lp_log_until(&s, ':', &cpu) &&
	    place(&s, &line->function)) {
		lp_log_blanks(&s);
		line->message = lp_log_rest(&s);
	}
	return true;
}

const struct lp_log_format lp_log_format_lustre_console = {
	.name = "lustre-console",
	.title = "Lustre console lines",
	.parse = parse_console,
};
