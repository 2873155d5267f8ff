/* SPDX-License-Identifier: Apache-2.0 */
#include "base/visible.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

#define ESCAPED 16 /* bytes of one character, at most */

/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
static bool turns_direction(const unsigned char *c)
{
	if (c[0] != 0xe2)
		return false;
	if (c[1] == 0x80)
		return c[2] == 0x8e || c[2] == 0x8f ||
		       (c[2] >= 0xaa && c[2] <= 0xae);
	return c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9;
}

static bool is_plain(const unsigned char *c, size_t n)
{
	switch (n) {
	case 1:
		return *c >= 0x20 && *c != 0x7f;
	case 2: /* U+0080 to U+009F are control characters, too. */
		return c[0] != 0xc2 || c[1] >= 0xa0;
	case 3:
		return !turns_direction(c);
	default:
		return n == 4;
	}
}

/* The character at text as it is shown; returns its bytes in text. */
static size_t show(const char *text, char to[ESCAPED])
{
	static const char names[] = "abtnvfr"; /* of 7 to 13 */
	const unsigned char *c = (const unsigned char *)text;
	size_t n = lp_utf8_length(text);
	int at = 0;

	if (is_plain(c, n)) {
		memcpy(to, text, n);
		to[n] = '\0';
		return n;
	}
	n = n ? n : 1;
	if (n == 1 && *c >= 7 && *c <= 13) {
		snprintf(to, ESCAPED, "\\%c", names[*c - 7]);
		return n;
	}
	for (size_t i = 0; i < n; i++)
		at += snprintf(to + at, (size_t)(ESCAPED - at), "\\x%02x",
			       c[i]);
	return n;
}

void lp_visible_put(FILE *out, const char *text)
{
	char shown[ESCAPED];

	while (*text) {
		text += show(text, shown);
		fputs(shown, out);
	}
}

const char *lp_visible_text(char *to, size_t size, const char *text)
{
	char shown[ESCAPED];
	size_t at = 0;

	while (*text) {
		text += show(text, shown);
		if (strlen(shown) >= size - at)
			break;
		memcpy(to + at, shown, strlen(shown));
		at += strlen(shown);
	}
	to[at] = '\0';
	return to;
}
