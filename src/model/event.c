/* SPDX-License-Identifier: Apache-2.0 */
#include "model/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum lp_severity severity;
} kinds[LP_EVENT_KINDS] = {
	[LP_EVENT_START] = { "start", LP_SEVERITY_INFO },
	[LP_EVENT_STOP] = { "stop", LP_SEVERITY_INFO },
	[LP_EVENT_BOOT] = { "boot", LP_SEVERITY_NOTICE },
	[LP_EVENT_LOST] = { "lost", LP_SEVERITY_WARNING },
	[LP_EVENT_READER] = { "reader", LP_SEVERITY_WARNING },
	[LP_EVENT_CLOCK] = { "clock", LP_SEVERITY_NOTICE },
};

const char *lp_event_kind_name(enum lp_event_kind kind)
{
	return kind < LP_EVENT_KINDS ? kinds[kind].name : "unknown";
}

enum lp_severity lp_event_kind_severity(enum lp_event_kind kind)
{
	return kind < LP_EVENT_KINDS ? kinds[kind].severity : LP_SEVERITY_INFO;
}

const char *lp_severity_name(enum lp_severity severity)
{
	static const char *const names[LP_SEVERITIES] = {
		[LP_SEVERITY_INFO] = "info",
		[LP_SEVERITY_NOTICE] = "notice",
		[LP_SEVERITY_WARNING] = "warning",
		[LP_SEVERITY_ERROR] = "error",
		[LP_SEVERITY_CRITICAL] = "critical",
	};

	return severity < LP_SEVERITIES ? names[severity] : "unknown";
}

const char *lp_event_get(const struct lp_event *event, const char *key)
{
	for (size_t i = 0; i < event->n_pairs; i++)
		if (strcmp(event->pairs[i].key, key) == 0)
			return event->pairs[i].value;
	return NULL;
}

bool lp_event_is(const struct lp_event *event, const char *key,
		 const char *value)
{
	const char *has = lp_event_get(event, key);

	return has && strcmp(has, value) == 0;
}

bool lp_event_number(const struct lp_event *event, const char *key,
		     int64_t *value)
{
	const char *text = lp_event_get(event, key);
	long long number;
	char *end;

	if (!text || !*text)
		return false;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || *end)
		return false;
	*value = number;
	return true;
}

const char *lp_event_text(const struct lp_event *event)
{
	const char *text = lp_event_get(event, "text");

	return text ? text : "";
}

/* NULL stays NULL; false: out of memory. */
static bool copy_string(const char **copy, const char *text,
			struct lp_arena *arena)
{
	*copy = text ? lp_arena_string(arena, text) : NULL;
	return !text || *copy;
}

int lp_event_copy(struct lp_event *copy, const struct lp_event *event,
		  struct lp_arena *arena)
{
	struct lp_event made = *event;
	struct lp_label *pairs =
		lp_arena_alloc(arena, event->n_pairs * sizeof(*pairs));

	if (!pairs || !copy_string(&made.host, event->host, arena) ||
	    !copy_string(&made.source, event->source, arena) ||
	    !copy_string(&made.class_name, event->class_name, arena) ||
	    !copy_string(&made.component, event->component, arena))
		return -ENOMEM;
	for (size_t i = 0; i < event->n_pairs; i++)
		if (!copy_string(&pairs[i].key, event->pairs[i].key, arena) ||
		    !copy_string(&pairs[i].value, event->pairs[i].value, arena))
			return -ENOMEM;
	made.pairs = pairs;
	*copy = made;
	return 0;
}

static bool same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool lp_event_equal(const struct lp_event *a, const struct lp_event *b)
{
	if (!same(a->host, b->host) || a->time_ns != b->time_ns ||
	    a->kind != b->kind || !same(a->source, b->source) ||
	    a->severity != b->severity || !same(a->class_name, b->class_name) ||
	    !same(a->component, b->component) || a->n_pairs != b->n_pairs)
		return false;
	for (size_t i = 0; i < a->n_pairs; i++)
		if (!same(a->pairs[i].key, b->pairs[i].key) ||
		    !same(a->pairs[i].value, b->pairs[i].value))
			return false;
	return true;
}
