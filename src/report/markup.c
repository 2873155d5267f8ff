/* SPDX-License-Identifier: Apache-2.0 */
#include "report/markup.h"

#include "base/timestamp.h"
#include "base/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: a name that holds them
   could rearrange what stands around it. */
static bool turns_direction(const char *text, size_t n)
{
	unsigned char last = n == 3 ? (unsigned char)text[2] : 0;

	if (n != 3)
		return false;
	if (memcmp(text, "\xe2\x80", 2) == 0)
		return last == 0x8e || last == 0x8f ||
		       (last >= 0xaa && last <= 0xae);
	return memcmp(text, "\xe2\x81", 2) == 0 && last >= 0xa6 && last <= 0xa9;
}

/* U+0080 to U+009F are control characters, too. */
static bool is_control(const char *text, size_t n)
{
	if (n == 1)
		return ((unsigned char)*text < 0x20 && *text != '\t' &&
			*text != '\n') ||
		       *text == 0x7f;
	return n == 2 && text[0] == '\xc2' && (unsigned char)text[1] < 0xa0;
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Write the character at text; returns its bytes. */
static size_t put_character(FILE *out, const char *text)
{
	size_t n = lp_utf8_length(text);
	const char *instead = entity(*text);

	if (n == 0 || is_control(text, n) || turns_direction(text, n))
		instead = LP_UTF8_REPLACEMENT;
	if (instead)
		fputs(instead, out);
	else
		fwrite(text, 1, n, out);
	return n ? n : 1;
}

void lp_markup_text(FILE *out, const char *text)
{
	while (*text)
		text += put_character(out, text);
}

static size_t characters(const char *text)
{
	size_t count = 0;

	for (size_t n; *text; text += n ? n : 1, count++)
		n = lp_utf8_length(text);
	return count;
}

void lp_markup_text_cut(FILE *out, const char *text, size_t most)
{
	if (characters(text) <= most) {
		lp_markup_text(out, text);
		return;
	}
	for (size_t i = 0; i + 1 < most; i++)
		text += put_character(out, text);
	fputs("…", out);
}

/* The letter for 1000^power; beyond them the exponent says it. */
static const char suffixes[] = { 0, 'k', 'M', 'G', 'T', 'P' };

static int decimals_of(double magnitude)
{
	int digits = magnitude > 0 ? (int)floor(log10(magnitude)) : 0;

	return digits >= 2 ? 0 : digits < -3 ? 5 : 2 - digits;
}

const char *lp_people_number(double v, char text[LP_PEOPLE_TEXT])
{
	size_t power = 0;
	double a = fabs(v);
	char *end;

	if (isnan(v))
		return "–";
	if (a >= 999.5e15 || (a > 0 && a < 1e-5)) {
		snprintf(text, LP_PEOPLE_TEXT, "%.2e", v);
		return text;
	}
	/* Thousands stay as they are up to 9999: "1250 ms". */
	while (a >= (power ? 999.5 : 9999.5)) {
		a /= 1000;
		power++;
	}
	end = text + snprintf(text, LP_PEOPLE_TEXT, "%s%.*f", v < 0 ? "−" : "",
			      decimals_of(a), a);
	if (strchr(text, '.')) {
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			*--end = '\0';
	}
	end[0] = suffixes[power];
	end[1] = '\0';
	return text;
}

const char *lp_people_time(int64_t time_ns, char text[LP_PEOPLE_TEXT])
{
	time_t seconds = (time_t)(time_ns / LP_NS_PER_S);
	struct tm tm;

	if (time_ns % LP_NS_PER_S < 0)
		seconds--;
	gmtime_r(&seconds, &tm);
	strftime(text, LP_PEOPLE_TEXT, "%Y-%m-%d %H:%M:%S UTC", &tm);
	return text;
}
