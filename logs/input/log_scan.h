/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small pieces of log lines: characters, numbers, dates.
 */
#ifndef LP_LOGS_SCAN_H
#define LP_LOGS_SCAN_H

#include "logs/input/log_format.h"

#include <string.h>

/* What is left of a line. */
struct lp_log_scan {
	const char *at, *end;
};

static inline bool lp_log_is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

/* The character is next: go behind it. */
static inline bool lp_log_take(struct lp_log_scan *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static inline bool lp_log_take_text(struct lp_log_scan *s, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n) != 0)
		return false;
	s->at += n;
	return true;
}

/* Up to the character, and go behind it; false: it does not come. */
static inline bool lp_log_until(struct lp_log_scan *s, char c,
				struct lp_log_text *text)
{
	const char *found = memchr(s->at, c, (size_t)(s->end - s->at));

	if (!found)
		return false;
	*text = (struct lp_log_text){ s->at, (size_t)(found - s->at) };
	s->at = found + 1;
	return true;
}

static inline void lp_log_blanks(struct lp_log_scan *s)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
}

static inline struct lp_log_text lp_log_rest(const struct lp_log_scan *s)
{
	return (struct lp_log_text){ s->at, (size_t)(s->end - s->at) };
}

static inline bool lp_log_text_is(struct lp_log_text text, const char *what)
{
	return text.n == strlen(what) && memcmp(text.at, what, text.n) == 0;
}

/* Exactly n digits. */
bool lp_log_digits(struct lp_log_scan *s, unsigned n, int *value);
/* 1 to 18 digits. */
bool lp_log_number(struct lp_log_scan *s, int64_t *value);
/* "1573931992.455299" */
bool lp_log_epoch(struct lp_log_scan *s, int64_t *time_ns);
/*
 * "2026-11-18T20:26:38.123456+0000": T or a blank, decimals behind a point or
 * a comma, and the zone may be left out: then it is the memory's.
 */
bool lp_log_iso(struct lp_log_memory *memory, struct lp_log_scan *s,
		int64_t *time_ns);
/*
 * "Feb07 20:16:38", "Nov  8 20:26:38": the year is guessed by the line before,
 * or by when the file was last written.
 */
bool lp_log_yearless(struct lp_log_memory *memory, struct lp_log_scan *s,
		     int64_t *time_ns);
/* "Wed Nov 18 20:26:38 2026", as `dmesg -T` writes it. */
bool lp_log_ctime(struct lp_log_memory *memory, struct lp_log_scan *s,
		  int64_t *time_ns);

#endif
