/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/prose.h"

#include "base/timestamp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text itself, and three that a start has. */
#define MOST_PAIRS 4

struct prose {
	struct lp_event *event;
	struct lp_arena *arena;
	struct lp_label *pairs;
	bool failed;
};

static void put_n(struct prose *p, const char *key, const char *value, size_t n)
{
	char *copy = lp_arena_string_n(p->arena, value, n);

	if (!copy)
		p->failed = true;
	else if (n > 0)
		p->pairs[p->event->n_pairs++] = (struct lp_label){ key, copy };
}

static void put(struct prose *p, const char *key, const char *value)
{
	put_n(p, key, value, strlen(value));
}

/* What follows the words, or NULL where the text does not begin with them. */
static const char *behind(const char *text, const char *words)
{
	size_t n = strlen(words);

	return strncmp(text, words, n) == 0 ? text + n : NULL;
}

/* "2 min 5 s", as lp_duration_format writes it, up to a comma or the end. */
static void put_duration(struct prose *p, const char *key, const char *text)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "s", 1e9 },
		{ "min", 60e9 },
		{ "h", 3600e9 },
		{ "days", 86400e9 },
	};
	char unit[8], number[32];
	double part, sum = 0;
	int used;

	while (sscanf(text, "%lf %7[a-z]%n", &part, unit, &used) == 2) {
		size_t u = 0;

		while (u < 4 && strcmp(unit, units[u].name) != 0)
			u++;
		if (u == 4)
			return;
		sum += part * units[u].ns;
		text += used;
	}
	if ((*text && *text != ',') || !(sum > 0 && sum < (double)INT64_MAX))
		return;
	snprintf(number, sizeof(number), "%" PRId64, (int64_t)(sum + 0.5));
	put(p, key, number);
}

/* "interval 1 s, limpid 0.1.0, boot 8c6e...", "sysstat", "pmlogger" */
static void read_start(struct prose *p, const char *text)
{
	static const char *const others[] = { "sysstat", "pmlogger" };
	const char *interval = behind(text, "interval ");
	const char *version = strstr(text, ", limpid ");
	const char *boot = strstr(text, ", boot ");

	for (size_t i = 0; i < lp_array_size(others); i++)
		if (behind(text, others[i]))
			p->event->source = others[i];
	if (interval)
		put_duration(p, "interval_ns", interval);
	if (version && (!boot || version < boot)) {
		version += strlen(", limpid ");
		p->event->source = "limpid";
		put_n(p, "version", version, strcspn(version, ","));
	}
	if (boot)
		put(p, "boot", boot + strlen(", boot "));
}

/* "12 samples could not be written", "cut off after 2026-11-15T20:45:14Z" */
static void read_lost(struct prose *p, const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (behind(text, "cut off after"))
		put(p, "why", "cut");
	if (digits && behind(text + digits, " samples "))
		put_n(p, "samples", text, digits);
}

/* "diskstats: works again", "diskstats: no answer; ..." */
static void read_reader(struct prose *p, const char *text)
{
	const char *colon = strstr(text, ": ");
	bool works = colon && strcmp(colon, ": works again") == 0;

	if (!colon)
		return;
	put_n(p, "reader", text, (size_t)(colon - text));
	put(p, "state", works ? "works" : "fails");
	if (works)
		p->event->severity = LP_SEVERITY_INFO;
}

/* "set forward by 1 h", "set back by 1.5 s" */
static void read_clock(struct prose *p, const char *text)
{
	const char *forward = behind(text, "set forward by ");
	const char *by = forward ? forward : behind(text, "set back by ");

	if (!by)
		return;
	put(p, "set", forward ? "forward" : "back");
	put_duration(p, "by_ns", by);
}

int lp_prose_event(struct lp_event *event, const char *text,
		   struct lp_arena *arena)
{
	struct prose p = { .event = event, .arena = arena };

	p.pairs = lp_arena_alloc(arena, MOST_PAIRS * sizeof(*p.pairs));
	if (!p.pairs)
		return -ENOMEM;
	event->severity = lp_event_kind_severity(event->kind);
	event->pairs = p.pairs;
	put(&p, "text", text);
	if (event->kind == LP_EVENT_START)
		read_start(&p, text);
	else if (event->kind == LP_EVENT_BOOT)
		put(&p, "boot", text);
	else if (event->kind == LP_EVENT_LOST)
		read_lost(&p, text);
	else if (event->kind == LP_EVENT_READER)
		read_reader(&p, text);
	else if (event->kind == LP_EVENT_CLOCK)
		read_clock(&p, text);
	return p.failed ? -ENOMEM : 0;
}
