/* SPDX-License-Identifier: Apache-2.0 */
#include "base/timestamp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define S_PER_DAY 86400

struct scanner {
	const char *at, *end;
};

static bool accept(struct scanner *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

/* Between min and max decimal digits; -1 when there are fewer. */
static int64_t digits(struct scanner *s, int min, int max)
{
	int64_t v = 0;
	int n = 0;

	while (n < max && s->at < s->end && *s->at >= '0' && *s->at <= '9') {
		v = v * 10 + (*s->at++ - '0');
		n++;
	}
	return n >= min ? v : -1;
}

/* ".25" as nanoseconds, rounded down; 0 when there is none; -1 bad. */
static int64_t fraction(struct scanner *s)
{
	int64_t v = 0, unit = LP_NS_PER_S / 10;
	int n = 0;

	if (!accept(s, '.'))
		return 0;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
		v += (*s->at - '0') * unit;
		unit /= 10;
		n++;
	}
	return n ? v : -1;
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar. */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	int64_t era, year_of_era, day_of_year;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	year_of_era = y - era * 400;
	day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 -
	       year_of_era / 100 + day_of_year - 719468;
}

static int days_in_month(int64_t y, int64_t m)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return m == 2 && leap ? 29 : days[m - 1];
}

static bool scan_date(struct scanner *s, int64_t *seconds)
{
	int64_t y, m, d;

	if ((y = digits(s, 4, 4)) < 0 || !accept(s, '-') ||
	    (m = digits(s, 2, 2)) < 1 || m > 12 || !accept(s, '-') ||
	    (d = digits(s, 2, 2)) < 1 || d > days_in_month(y, m))
		return false;
	*seconds = days_from_civil(y, m, d) * S_PER_DAY;
	return true;
}

static bool scan_clock(struct scanner *s, int64_t *seconds, int64_t *ns)
{
	int64_t hour, minute, second = 0;

	if ((hour = digits(s, 2, 2)) < 0 || hour > 23 || !accept(s, ':') ||
	    (minute = digits(s, 2, 2)) < 0 || minute > 59)
		return false;
	if (accept(s, ':')) {
		/* 60 is a leap second. */
		if ((second = digits(s, 2, 2)) < 0 || second > 60)
			return false;
		if ((*ns = fraction(s)) < 0)
			return false;
	}
	*seconds += hour * 3600 + minute * 60 + second;
	return true;
}

/* "Z", "+01:00", "-0530", "+01" or nothing. */
static bool scan_zone(struct scanner *s, int64_t *seconds)
{
	int64_t hour, minute = 0, sign;

	if (accept(s, 'Z') || s->at == s->end)
		return true;
	sign = accept(s, '+') ? 1 : accept(s, '-') ? -1 : 0;
	if (!sign || (hour = digits(s, 2, 2)) < 0 || hour > 23)
		return false;
	if ((accept(s, ':') || s->at != s->end) &&
	    ((minute = digits(s, 2, 2)) < 0 || minute > 59))
		return false;
	*seconds -= sign * (hour * 3600 + minute * 60);
	return true;
}

static bool scan_iso(struct scanner *s, int64_t *seconds, int64_t *ns)
{
	if (!scan_date(s, seconds))
		return false;
	if (!accept(s, 'T') && !accept(s, ' '))
		return true;
	return scan_clock(s, seconds, ns) && scan_zone(s, seconds);
}

static bool scan_epoch(struct scanner *s, int64_t *seconds, int64_t *ns)
{
	bool negative = accept(s, '-');

	if ((*seconds = digits(s, 1, 18)) < 0 || (*ns = fraction(s)) < 0)
		return false;
	if (negative) {
		*seconds = -*seconds;
		*ns = -*ns;
	}
	return true;
}

/* Both of one sign first, so that no step is further out than the sum. */
static bool join(int64_t seconds, int64_t ns, int64_t *time_ns)
{
	int64_t whole, sum;

	if (seconds < 0 && ns > 0) {
		seconds++;
		ns -= LP_NS_PER_S;
	}
	if (__builtin_mul_overflow(seconds, LP_NS_PER_S, &whole) ||
	    __builtin_add_overflow(whole, ns, &sum))
		return false;
	*time_ns = sum;
	return true;
}

int64_t lp_time_add(int64_t time_ns, int64_t by_ns)
{
	int64_t sum;

	if (__builtin_add_overflow(time_ns, by_ns, &sum))
		return time_ns < 0 ? LP_TIME_MIN : LP_TIME_MAX;
	return sum;
}

int lp_time_parse(const char *text, size_t n, int64_t *time_ns)
{
	struct scanner s = { text, text + n };
	int64_t seconds = 0, ns = 0;
	bool iso = n >= 8 && text[4] == '-';

	if (iso ? !scan_iso(&s, &seconds, &ns) : !scan_epoch(&s, &seconds, &ns))
		return -EINVAL;
	if (s.at != s.end)
		return -EINVAL;
	return join(seconds, ns, time_ns) ? 0 : -ERANGE;
}

static void split(int64_t time_ns, struct tm *tm, int64_t *ns)
{
	time_t seconds = (time_t)(time_ns / LP_NS_PER_S);

	*ns = time_ns % LP_NS_PER_S;
	if (*ns < 0) {
		*ns += LP_NS_PER_S;
		seconds--;
	}
	gmtime_r(&seconds, tm);
}

const char *lp_time_format(int64_t time_ns, char text[LP_TIME_TEXT])
{
	struct tm tm;
	int64_t ns;
	size_t n;

	split(time_ns, &tm, &ns);
	n = strftime(text, LP_TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
	if (ns % 1000 != 0)
		snprintf(text + n, LP_TIME_TEXT - n, ".%09" PRId64 "Z", ns);
	else if (ns % LP_NS_PER_MS != 0)
		snprintf(text + n, LP_TIME_TEXT - n, ".%06" PRId64 "Z",
			 ns / 1000);
	else if (ns != 0)
		snprintf(text + n, LP_TIME_TEXT - n, ".%03" PRId64 "Z",
			 ns / LP_NS_PER_MS);
	else
		snprintf(text + n, LP_TIME_TEXT - n, "Z");
	return text;
}

const char *lp_time_format_compact(int64_t time_ns, char text[LP_TIME_TEXT])
{
	struct tm tm;
	int64_t ns;

	split(time_ns, &tm, &ns);
	strftime(text, LP_TIME_TEXT, "%Y%m%dT%H%M%SZ", &tm);
	return text;
}

static int64_t unit_ns(const char *unit, size_t n)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "", LP_NS_PER_S },
		{ "ms", LP_NS_PER_MS },
		{ "s", LP_NS_PER_S },
		{ "m", 60 * LP_NS_PER_S },
		{ "min", 60 * LP_NS_PER_S },
		{ "h", 3600 * LP_NS_PER_S },
		{ "d", S_PER_DAY * LP_NS_PER_S },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == n &&
		    memcmp(units[i].name, unit, n) == 0)
			return units[i].ns;
	return -1;
}

int lp_duration_parse(const char *text, int64_t *duration_ns)
{
	struct scanner s = { text, text + strlen(text) };
	int64_t whole = 0, ns, unit, fraction_ns;

	/* ".5" is what some write for "0.5". */
	if ((text[0] != '.' && (whole = digits(&s, 1, 9)) < 0) ||
	    (ns = fraction(&s)) < 0)
		return -EINVAL;
	unit = unit_ns(s.at, (size_t)(s.end - s.at));
	if (unit <= 0 || whole > INT64_MAX / unit - 1)
		return -EINVAL;
	/* Milliseconds are the only unit below one second. */
	fraction_ns = unit < LP_NS_PER_S ? ns / (LP_NS_PER_S / unit)
					 : ns * (unit / LP_NS_PER_S);
	*duration_ns = whole * unit + fraction_ns;
	return 0;
}

/* "2 h 5 min"; "2 h" where nothing is left for the smaller unit. */
static const char *two_units(char text[LP_TIME_TEXT], int64_t n, int64_t per,
			     const char *large, const char *small)
{
	if (n % per)
		snprintf(text, LP_TIME_TEXT, "%" PRId64 " %s %" PRId64 " %s",
			 n / per, large, n % per, small);
	else
		snprintf(text, LP_TIME_TEXT, "%" PRId64 " %s", n / per, large);
	return text;
}

const char *lp_duration_format(int64_t duration_ns, char text[LP_TIME_TEXT])
{
	int64_t s = (duration_ns + LP_NS_PER_S / 2) / LP_NS_PER_S;
	int64_t minutes = (s + 30) / 60, hours = (minutes + 30) / 60;

	if (s < 120)
		snprintf(text, LP_TIME_TEXT, "%.3g s",
			 (double)duration_ns / (double)LP_NS_PER_S);
	else if (s < 3600)
		two_units(text, s, 60, "min", "s");
	else if (minutes < 48 * 60)
		two_units(text, minutes, 60, "h", "min");
	else if (hours < 240)
		two_units(text, hours, 24, "days", "h");
	else
		snprintf(text, LP_TIME_TEXT, "%" PRId64 " days",
			 (hours + 12) / 24);
	return text;
}

static int64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * LP_NS_PER_S + now.tv_nsec;
}

int64_t lp_time_now(void)
{
	return clock_now(CLOCK_REALTIME);
}

int64_t lp_monotonic_now(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

int64_t lp_boottime_now(void)
{
	return clock_now(CLOCK_BOOTTIME);
}
