/* SPDX-License-Identifier: Apache-2.0 */
#include "source/metricline.h"

#include "base/number.h"
#include "base/timestamp.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Larger times are in milliseconds: these seconds are the year 5138. */
#define MOST_SECONDS INT64_C(100000000000)

const char *lp_metric_series_get(const struct lp_metric_series *series,
				 const char *key)
{
	for (size_t i = 0; i < series->n_labels; i++)
		if (strcmp(series->labels[i].key, key) == 0)
			return series->labels[i].value;
	return NULL;
}

static bool is_word(const char *text, size_t n, const char *word)
{
	return n == strlen(word) && strncasecmp(text, word, n) == 0;
}

bool lp_metric_number(const char *text, size_t n, double *value)
{
	bool minus = n > 0 && *text == '-';
	size_t sign = n > 0 && (minus || *text == '+');

	if (is_word(text + sign, n - sign, "nan")) {
		*value = NAN;
		return true;
	}
	if (is_word(text + sign, n - sign, "inf") ||
	    is_word(text + sign, n - sign, "infinity")) {
		*value = minus ? -INFINITY : INFINITY;
		return true;
	}
	/* The parser knows no plus. */
	if (sign && !minus) {
		text++;
		n--;
	}
	return lp_parse_double(text, n, value) == 0;
}

/* "25" behind the point is 250,000,000 ns; what is beyond a ns is dropped. */
static bool fraction_of(const char *text, const char *end, int64_t *ns)
{
	int64_t digit = LP_NS_PER_S / 10;

	*ns = 0;
	for (; text < end; text++, digit /= 10) {
		if (!isdigit((unsigned char)*text))
			return false;
		*ns += (*text - '0') * digit;
	}
	return true;
}

bool lp_metric_seconds(const char *text, size_t n, int64_t *time_ns)
{
	const char *at = text, *end = text + n;
	uint64_t whole;
	int64_t ns = 0;
	double seconds;

	if (lp_scan_u64(&at, end, &whole) && at > text && *text != ' ' &&
	    whole <= MOST_SECONDS / 20 &&
	    (at == end || (*at == '.' && fraction_of(at + 1, end, &ns)))) {
		*time_ns = (int64_t)whole * LP_NS_PER_S + ns;
		return true;
	}
	/* "1.794775514e+09", or before 1970 */
	if (!lp_metric_number(text, n, &seconds) ||
	    !(fabs(seconds) <= (double)MOST_SECONDS / 20))
		return false;
	*time_ns = (int64_t)(seconds * (double)LP_NS_PER_S);
	return true;
}

/* Of a line: seconds as OpenMetrics has them, milliseconds as Prometheus has.
 */
static bool time_of(const char *text, size_t n, int64_t *time_ns)
{
	const char *at = text;
	uint64_t ms;

	if (lp_scan_u64(&at, text + n, &ms) && at == text + n &&
	    ms >= (uint64_t)MOST_SECONDS) {
		if (ms > INT64_MAX / (uint64_t)LP_NS_PER_MS)
			return false;
		*time_ns = (int64_t)ms * LP_NS_PER_MS;
		return true;
	}
	return lp_metric_seconds(text, n, time_ns);
}

static bool is_name(char c, bool first)
{
	return isalpha((unsigned char)c) || c == '_' || c == ':' ||
	       (!first && isdigit((unsigned char)c));
}

static char *skip_blanks(char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static char *skip_name(char *at)
{
	bool first = true;

	while (is_name(*at, first)) {
		at++;
		first = false;
	}
	return at;
}

/* Behind the opening quote: unescaped in place. NULL: it has no end. */
static char *read_quoted(char *at)
{
	char *to = at;

	for (; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1]) {
			at++;
			*to++ = *at == 'n' ? '\n' : *at;
		} else {
			*to++ = *at;
		}
	}
	if (*at != '"')
		return NULL;
	*to = '\0';
	return at + 1;
}

/* device="sda" of {device="sda",port="1"}; NULL: it is none. */
static char *read_label(char *at, struct lp_metric_series *series)
{
	struct lp_label *label = &series->labels[series->n_labels];
	char *end = skip_name(at), *equals = skip_blanks(end);

	if (end == at || *equals != '=')
		return NULL;
	label->key = at;
	at = skip_blanks(equals + 1);
	if (*at != '"')
		return NULL;
	*end = '\0';
	label->value = ++at;
	series->n_labels++;
	return read_quoted(at);
}

/* Behind the opening brace. NULL: not as it should be. */
static char *read_labels(char *at, struct lp_metric_series *series,
			 const char **what)
{
	*what = "its labels are not as {NAME=\"VALUE\",...}";
	for (at = skip_blanks(at); *at != '}'; at = skip_blanks(at)) {
		if (series->n_labels == LP_METRIC_LABELS) {
			*what = "it has more than 64 labels";
			return NULL;
		}
		at = read_label(at, series);
		if (!at)
			return NULL;
		at = skip_blanks(at);
		if (*at == ',')
			at++;
		else if (*at != '}')
			return NULL;
	}
	return at + 1;
}

/* The value, perhaps a time, perhaps " # " and an exemplar. */
static bool read_values(char *at, struct lp_metric_line *line,
			const char **what)
{
	size_t n;

	at = skip_blanks(at);
	n = strcspn(at, " \t");
	*what = "its value is no number";
	if (n == 0 || !lp_metric_number(at, n, &line->value))
		return false;
	at = skip_blanks(at + n);
	n = strcspn(at, " \t");
	if (n == 0 || *at == '#')
		return true;
	*what = "its time is no number of seconds or milliseconds";
	line->timed = time_of(at, n, &line->time_ns);
	at = skip_blanks(at + n);
	return line->timed && (*at == '\0' || *at == '#');
}

enum lp_metric_outcome lp_metric_line_parse(char *text, size_t n,
					    struct lp_metric_line *line,
					    const char **what)
{
	struct lp_metric_series *series = &line->series;
	char *at, *end;

	if (n > 0 && text[n - 1] == '\r')
		n--;
	text[n] = '\0';
	*what = "it holds a zero byte";
	if (strlen(text) != n)
		return LP_METRIC_BAD;
	at = skip_blanks(text);
	if (strcmp(at, "# EOF") == 0)
		return LP_METRIC_EOF;
	if (*at == '#' || *at == '\0')
		return LP_METRIC_NOTHING;
	*what = "it begins with no name of a metric";
	line->timed = false;
	series->n_labels = 0;
	series->metric = at;
	end = skip_name(at);
	if (end == at)
		return LP_METRIC_BAD;
	at = skip_blanks(end);
	if (*at != '{' && at == end)
		return LP_METRIC_BAD;
	if (*at == '{') {
		at = read_labels(at + 1, series, what);
		if (!at)
			return LP_METRIC_BAD;
	}
	*end = '\0';
	return read_values(at, line, what) ? LP_METRIC_SAMPLE : LP_METRIC_BAD;
}
