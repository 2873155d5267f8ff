/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/budget.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_ALARMS 1
#define DEFAULT_HOURS 100
#define SERVER "/server"
/* More often than that, chance is all that is seen. */
#define MOST_PER_HOUR 1
/* Nobody has measured how healthy servers behave in so many years. */
#define LEAST_PER_HOUR 1e-7

static const struct {
	const char *name;
	double hours;
} spans[] = {
	{ "hour", 1 },        { "day", 24 },        { "week", 7 * 24 },
	{ "month", 30 * 24 }, { "year", 365 * 24 },
};

struct lp_budget lp_budget_of(const struct lp_budget *budget)
{
	if (budget->alarms > 0)
		return *budget;
	return (struct lp_budget){ .alarms = DEFAULT_ALARMS,
				   .hours = DEFAULT_HOURS,
				   .per_server = true };
}

/* A word, or a duration as everywhere: 100h, 30d. */
static bool parse_span(const char *text, double *hours)
{
	int64_t ns;

	for (size_t i = 0; i < lp_array_size(spans); i++)
		if (strcmp(text, spans[i].name) == 0) {
			*hours = spans[i].hours;
			return true;
		}
	if (lp_duration_parse(text, &ns) < 0 || ns <= 0)
		return false;
	*hours = (double)ns / (3600.0 * (double)LP_NS_PER_S);
	return true;
}

static bool parse(const char *text, struct lp_budget *budget)
{
	const char *slash = strchr(text, '/');
	char span[64];
	size_t n;

	if (!slash ||
	    lp_parse_double(text, (size_t)(slash - text), &budget->alarms) < 0)
		return false;
	n = strlen(slash + 1);
	budget->per_server =
		n > strlen(SERVER) &&
		strcmp(slash + 1 + n - strlen(SERVER), SERVER) == 0;
	n -= budget->per_server ? strlen(SERVER) : 0;
	if (n >= sizeof(span))
		return false;
	snprintf(span, sizeof(span), "%.*s", (int)n, slash + 1);
	return parse_span(span, &budget->hours);
}

int lp_budget_parse(const char *text, struct lp_budget *budget,
		    struct lp_error *err)
{
	struct lp_budget b;
	double rate;

	if (!parse(text, &b) || !(b.alarms > 0) || isinf(b.alarms))
		return lp_fail(err, EINVAL,
			       "'%s' is not a number of false alarms above 0 "
			       "in a time; expected for example 1/month, "
			       "2/week or 1/100h/server",
			       text);
	rate = b.alarms / b.hours;
	if (rate > MOST_PER_HOUR || rate < LEAST_PER_HOUR)
		return lp_fail(err, EINVAL,
			       "'%s' is too %s: expected one false alarm per "
			       "hour at most, and one in 1000 years at least",
			       text, rate > MOST_PER_HOUR ? "many" : "few");
	*budget = b;
	return 0;
}

double lp_budget_rate(const struct lp_budget *budget, size_t servers)
{
	struct lp_budget b = lp_budget_of(budget);
	double rate = b.alarms / b.hours;

	return b.per_server || !servers ? rate : rate / (double)servers;
}

/* "month", "100 hours" */
static const char *span_text(double hours, char text[LP_BUDGET_TEXT])
{
	for (size_t i = 0; i < lp_array_size(spans); i++)
		if (hours == spans[i].hours)
			return spans[i].name;
	snprintf(text, LP_BUDGET_TEXT, "%.4g hours", hours);
	return text;
}

const char *lp_budget_text(const struct lp_budget *budget,
			   char text[LP_BUDGET_TEXT])
{
	struct lp_budget b = lp_budget_of(budget);
	char span[LP_BUDGET_TEXT];

	snprintf(text, LP_BUDGET_TEXT, "%.4g false %s per %.32s %s", b.alarms,
		 b.alarms == 1 ? "alarm" : "alarms", span_text(b.hours, span),
		 b.per_server ? "of each server" : "of the whole system");
	return text;
}
