/* SPDX-License-Identifier: Apache-2.0 */
#include "source/jsontext.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

int lp_json_text_put(struct lp_json_text *text, unsigned char c,
		     const char **what)
{
	*what = "a text is longer than 16 KiB";
	if (text->n == LP_JSON_TEXT_MOST)
		return -EINVAL;
	/* A zero would end the text for all who read it. */
	text->bytes[text->n++] = (char)(c ? c : '?');
	return 0;
}

/* A character as UTF-8. */
static int put_unicode(struct lp_json_text *text, unsigned c, const char **what)
{
	static const unsigned heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	int status = lp_json_text_put(
		text, (unsigned char)(heads[n] | c >> 6 * (n - 1)), what);

	for (n--; n > 0 && status == 0; n--)
		status = lp_json_text_put(
			text, (unsigned char)(0x80 | (c >> 6 * (n - 1) & 0x3f)),
			what);
	return status;
}

/* The last of four digits: perhaps the first half of a character. */
static int end_unicode(struct lp_json_text *text, const char **what)
{
	unsigned u = text->unicode;

	text->state = LP_JSON_PLAIN;
	if (u >= 0xd800 && u < 0xdc00) {
		text->high = u;
		return 0;
	}
	if (u >= 0xdc00 && u < 0xe000)
		u = text->high ? 0x10000 + ((text->high - 0xd800) << 10) +
					 (u - 0xdc00)
			       : 0xfffd;
	text->high = 0;
	return put_unicode(text, u, what);
}

static int in_unicode(struct lp_json_text *text, unsigned char c,
		      const char **what)
{
	*what = "\\u without four digits";
	if (!isxdigit(c))
		return -EINVAL;
	text->unicode =
		text->unicode * 16 +
		(unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
	return ++text->digits < 4 ? 0 : end_unicode(text, what);
}

static int in_escape(struct lp_json_text *text, unsigned char c,
		     const char **what)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at = c ? strchr(from, c) : NULL;

	text->state = LP_JSON_PLAIN;
	if (c == 'u') {
		text->state = LP_JSON_UNICODE;
		text->unicode = text->digits = 0;
		return 0;
	}
	*what = "an unknown escape in a text";
	return at ? lp_json_text_put(text, (unsigned char)to[at - from], what)
		  : -EINVAL;
}

int lp_json_text_feed(struct lp_json_text *text, unsigned char c,
		      const char **what)
{
	if (text->state == LP_JSON_ESCAPE)
		return in_escape(text, c, what);
	if (text->state == LP_JSON_UNICODE)
		return in_unicode(text, c, what);
	if (c == '\\') {
		text->state = LP_JSON_ESCAPE;
		return 0;
	}
	if (c != '"')
		return lp_json_text_put(text, c, what);
	text->bytes[text->n] = '\0';
	text->high = 0;
	return 1;
}
