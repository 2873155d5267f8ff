/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/collection.h"

#include "base/memory.h"
#include "behavior/daemons.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More lost than one in twenty: what is left may not be alike. */
#define MOST_LOST 20
#define KEY_TEXT 1024

static struct lp_behavior_host *host_of(struct lp_collection *c,
					const char *name)
{
	struct lp_behavior_host *h;

	for (size_t i = 0; i < c->n_hosts; i++)
		if (strcmp(c->hosts[i].name, name) == 0)
			return &c->hosts[i];
	if (lp_grow(&c->hosts, &c->capacity, c->n_hosts + 1, sizeof(*h)) < 0)
		return NULL;
	h = &c->hosts[c->n_hosts];
	*h = (struct lp_behavior_host){ .name = strdup(name) };
	if (!h->name)
		return NULL;
	c->n_hosts++;
	return h;
}

/* How many slots begin before. */
static size_t slots_before(const struct lp_behavior_host *h, int64_t time_ns)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->slots[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct lp_behavior_slot *lp_behavior_slot_at(
	const struct lp_behavior_host *h, int64_t time_ns)
{
	size_t i = slots_before(h, time_ns);

	return i < h->n && h->slots[i].time_ns == time_ns ? &h->slots[i] : NULL;
}

/* The slot, made if it is new. */
static struct lp_behavior_slot *slot_of(struct lp_behavior_host *h,
					int64_t time_ns)
{
	size_t i = slots_before(h, time_ns);

	if (i < h->n && h->slots[i].time_ns == time_ns)
		return &h->slots[i];
	if (lp_grow(&h->slots, &h->capacity, h->n + 1, sizeof(*h->slots)) < 0)
		return NULL;
	memmove(&h->slots[i + 1], &h->slots[i], (h->n - i) * sizeof(*h->slots));
	h->n++;
	h->slots[i] = (struct lp_behavior_slot){ .time_ns = time_ns,
						 .daemon = LP_NO_DAEMON };
	return &h->slots[i];
}

bool lp_behavior_slot_counts(const struct lp_behavior_slot *s)
{
	return s && s->rate > 0 && s->lost * MOST_LOST <= s->taken + s->lost;
}

/* ---- adding ---- */

struct adding {
	struct lp_collection *c;
	struct lp_behavior_host *host;
	int64_t since_ns, until_ns;
};

static void note_mark(struct lp_behavior_slot *s, const char *name, uint64_t n)
{
	const struct {
		const char *name;
		uint64_t *field;
	} marks[] = {
		{ LP_PROFILE_RATE, &s->rate },
		{ LP_PROFILE_CPUS, &s->cpus },
		{ LP_PROFILE_TAKEN, &s->taken },
		{ LP_PROFILE_LOST, &s->lost },
		{ LP_PROFILE_THROTTLED, &s->throttled },
		{ LP_PROFILE_MOVED, &s->moved },
	};

	for (size_t i = 0; i < lp_array_size(marks); i++)
		if (strcmp(name, marks[i].name) == 0)
			*marks[i].field = n;
}

static int note_build(struct adding *a, const struct lp_function_parts *p)
{
	char text[KEY_TEXT];

	if (p->n_build == 0)
		return 0;
	snprintf(text, sizeof(text), "%s\t%.*s\t%.*s", a->host->name,
		 (int)p->n_image, p->image, (int)p->n_build, p->build);
	return lp_names_add(&a->c->builds, text) == LP_NAME_NONE ? -ENOMEM : 0;
}

/* Functions that differ in their build only are one. */
static int put_count(struct lp_behavior_slot *s, uint32_t function, uint64_t n)
{
	size_t at = s->n;

	while (at > 0 && s->items[at - 1].function > function)
		at--;
	if (at > 0 && s->items[at - 1].function == function) {
		s->items[at - 1].count += n;
		return 0;
	}
	if (lp_grow(&s->items, &s->capacity, s->n + 1, sizeof(*s->items)) < 0)
		return -ENOMEM;
	memmove(&s->items[at + 1], &s->items[at],
		(s->n - at) * sizeof(*s->items));
	s->items[at] = (struct lp_function_count){ function, n };
	s->n++;
	return 0;
}

static int add_count(void *user, const char *text, int64_t slot_ns, uint64_t n)
{
	struct adding *a = user;
	struct lp_function_parts parts;
	struct lp_behavior_slot *s;
	char key[KEY_TEXT];
	uint32_t function;
	size_t daemon;

	if (slot_ns < a->since_ns || slot_ns > a->until_ns)
		return 0;
	s = slot_of(a->host, slot_ns);
	if (!s)
		return -ENOMEM;
	if (text[0] == '#') {
		note_mark(s, text, n);
		return 0;
	}
	if (!lp_function_split(text, &parts))
		return -EINVAL;
	/* Where in the kernel it waits differs from time to time. */
	if (strcmp(a->c->kind, LP_PROFILE_WAITS) == 0)
		parts.function = "";
	lp_function_key(&parts, key, sizeof(key));
	function = lp_names_add(&a->c->functions, key);
	if (function == LP_NAME_NONE || note_build(a, &parts) < 0)
		return -ENOMEM;
	daemon = lp_daemon_find(parts.program, parts.n_program);
	if (daemon < s->daemon)
		s->daemon = daemon;
	return put_count(s, function, n);
}

int lp_collection_add(struct lp_collection *c, const struct lp_counts *counts,
		      int64_t since_ns, int64_t until_ns)
{
	struct adding a = { c, NULL, since_ns, until_ns };

	if (strcmp(counts->kind, c->kind) != 0 || counts->class_name)
		return 0;
	a.host = host_of(c, counts->host ? counts->host : "");
	return a.host ? lp_profile_walk(counts, add_count, &a) : -ENOMEM;
}

void lp_collection_forget(struct lp_collection *c, int64_t before_ns)
{
	for (size_t h = 0; h < c->n_hosts; h++) {
		struct lp_behavior_host *host = &c->hosts[h];
		size_t n = slots_before(host, before_ns);

		for (size_t i = 0; i < n; i++)
			free(host->slots[i].items);
		if (n)
			memmove(host->slots, host->slots + n,
				(host->n - n) * sizeof(*host->slots));
		host->n -= n;
	}
}

void lp_collection_done(struct lp_collection *c)
{
	lp_collection_forget(c, INT64_MAX);
	for (size_t h = 0; h < c->n_hosts; h++) {
		free(c->hosts[h].slots);
		free(c->hosts[h].name);
	}
	free(c->hosts);
	lp_names_done(&c->functions);
	lp_names_done(&c->builds);
	c->hosts = NULL;
	c->n_hosts = c->capacity = 0;
}
