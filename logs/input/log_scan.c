/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/input/log_scan.h"

#define DAY_NS (86400 * LP_NS_PER_S)
#define HALF_YEAR_NS (183 * DAY_NS)

bool lp_log_digits(struct lp_log_scan *s, unsigned n, int *value)
{
	int sum = 0;

	if ((size_t)(s->end - s->at) < n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (!lp_log_is_digit(s->at[i]))
			return false;
		sum = sum * 10 + (s->at[i] - '0');
	}
	s->at += n;
	*value = sum;
	return true;
}

bool lp_log_number(struct lp_log_scan *s, int64_t *value)
{
	const char *begin = s->at;
	int64_t sum = 0;

	while (s->at < s->end && lp_log_is_digit(*s->at) && s->at - begin < 18)
		sum = sum * 10 + (*s->at++ - '0');
	*value = sum;
	return s->at > begin;
}

/* ".455299", ",455": what is finer than a nanosecond is dropped. */
static int64_t decimals(struct lp_log_scan *s)
{
	int64_t ns = 0, worth = LP_NS_PER_S / 10;

	if (s->at == s->end || (*s->at != '.' && *s->at != ','))
		return 0;
	for (s->at++; s->at < s->end && lp_log_is_digit(*s->at); s->at++) {
		ns += worth * (*s->at - '0');
		worth /= 10;
	}
	return ns;
}

bool lp_log_epoch(struct lp_log_scan *s, int64_t *time_ns)
{
	int64_t seconds;

	if (!lp_log_number(s, &seconds) || seconds > INT64_C(9000000000))
		return false;
	*time_ns = seconds * LP_NS_PER_S + decimals(s);
	return true;
}

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t days_of(int year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = y / 400, of_era = y % 400;
	int64_t of_year =
		(153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

/* What clocks of the memory's zone showed, as a time. */
static int64_t in_zone(const struct lp_log_memory *m, int64_t clocks_ns)
{
	int64_t found[2];

	if (m->zone.kind == LP_ZONE_UTC)
		return clocks_ns;
	lp_zone_times(&m->zone, clocks_ns, found);
	return found[0];
}

/* "20:26:38" and decimals. */
static bool clock_of(struct lp_log_scan *s, int64_t *ns)
{
	int h, m, sec;

	if (!lp_log_digits(s, 2, &h) || !lp_log_take(s, ':') ||
	    !lp_log_digits(s, 2, &m) || !lp_log_take(s, ':') ||
	    !lp_log_digits(s, 2, &sec) || h > 24 || m > 59 || sec > 60)
		return false;
	*ns = (h * 3600 + m * 60 + sec) * LP_NS_PER_S + decimals(s);
	return true;
}

static bool month_of(struct lp_log_scan *s, int *month)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (s->end - s->at < 3)
		return false;
	for (int i = 0; i < 12; i++)
		if (memcmp(s->at, names + 3 * i, 3) == 0) {
			*month = i + 1;
			s->at += 3;
			return true;
		}
	return false;
}

/* "Z", "+00:00", " +0000"; false: none is there. */
static bool zone_of(struct lp_log_scan *s, int64_t *offset_ns)
{
	struct lp_log_scan t = *s;
	int sign, h, m;

	lp_log_blanks(&t);
	if (lp_log_take(&t, 'Z')) {
		*offset_ns = 0;
		*s = t;
		return true;
	}
	if (t.at == t.end || (*t.at != '+' && *t.at != '-'))
		return false;
	sign = *t.at++ == '-' ? -1 : 1;
	if (!lp_log_digits(&t, 2, &h))
		return false;
	(void)lp_log_take(&t, ':');
	if (!lp_log_digits(&t, 2, &m))
		return false;
	*offset_ns = sign * (h * 3600 + m * 60) * LP_NS_PER_S;
	*s = t;
	return true;
}

/* "2026-11-18"; the last one is remembered. */
static bool iso_day(struct lp_log_memory *memory, struct lp_log_scan *s,
		    int64_t *day_ns)
{
	int year, month, day;

	if (s->end - s->at >= 10 && memcmp(s->at, memory->day, 10) == 0) {
		s->at += 10;
		*day_ns = memory->day_ns;
		return true;
	}
	const char *begin = s->at;

	if (!lp_log_digits(s, 4, &year) || !lp_log_take(s, '-') ||
	    !lp_log_digits(s, 2, &month) || !lp_log_take(s, '-') ||
	    !lp_log_digits(s, 2, &day) || year < 1970 || year > 2200 ||
	    month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	*day_ns = days_of(year, month, day) * DAY_NS;
	memcpy(memory->day, begin, 10);
	memory->day_ns = *day_ns;
	return true;
}

bool lp_log_iso(struct lp_log_memory *memory, struct lp_log_scan *s,
		int64_t *time_ns)
{
	int64_t day_ns, clock_ns, offset_ns;

	if (!iso_day(memory, s, &day_ns) ||
	    (!lp_log_take(s, 'T') && !lp_log_take(s, ' ')) ||
	    !clock_of(s, &clock_ns))
		return false;
	*time_ns = zone_of(s, &offset_ns) ? day_ns + clock_ns - offset_ns
					  : in_zone(memory, day_ns + clock_ns);
	return true;
}

static int year_of(int64_t time_ns)
{
	/* Right but for hours around New Year, where both years are tried. */
	return (int)(1970 + time_ns / (INT64_C(31556952) * LP_NS_PER_S));
}

static int64_t distance(int64_t a, int64_t b)
{
	return a < b ? b - a : a - b;
}

/*
 * Beside the line before: the year that brings both together. First line: the
 * latest that is not after the file was written (a day is allowed for zones).
 */
static int64_t with_year(const struct lp_log_memory *memory, int month, int day,
			 int64_t clock_ns)
{
	bool has_last = memory->last_ns != LP_LOG_NO_TIME;
	int64_t by = has_last ? memory->last_ns : memory->written_ns;
	int year = year_of(by);
	int64_t best = 0;
	bool any = false;

	for (int y = year + 1; y >= year - 1; y--) {
		int64_t t = in_zone(memory,
				    days_of(y, month, day) * DAY_NS + clock_ns);

		if (!has_last && t > by + DAY_NS)
			continue;
		if (!any || (has_last && distance(t, by) < distance(best, by)))
			best = t;
		any = true;
		if (!has_last || distance(best, by) < HALF_YEAR_NS)
			break;
	}
	return best;
}

bool lp_log_yearless(struct lp_log_memory *memory, struct lp_log_scan *s,
		     int64_t *time_ns)
{
	int64_t clock_ns, day;
	int month;

	if (!month_of(s, &month))
		return false;
	lp_log_blanks(s);
	if (!lp_log_number(s, &day) || day < 1 || day > 31 ||
	    !lp_log_take(s, ' ') || !clock_of(s, &clock_ns))
		return false;
	*time_ns = with_year(memory, month, (int)day, clock_ns);
	return true;
}

bool lp_log_ctime(struct lp_log_memory *memory, struct lp_log_scan *s,
		  int64_t *time_ns)
{
	int64_t clock_ns, day;
	int month, year;

	if (s->end - s->at < 4 || s->at[3] != ' ')
		return false;
	s->at += 4;
	if (!month_of(s, &month))
		return false;
	lp_log_blanks(s);
	if (!lp_log_number(s, &day) || day < 1 || day > 31 ||
	    !lp_log_take(s, ' ') || !clock_of(s, &clock_ns) ||
	    !lp_log_take(s, ' ') || !lp_log_digits(s, 4, &year) || year < 1970)
		return false;
	*time_ns = in_zone(memory,
			   days_of(year, month, (int)day) * DAY_NS + clock_ns);
	return true;
}
