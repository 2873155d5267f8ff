/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Without a cluster file: which disks are the file system's, and which the
 * servers' own. By layer (groups.h leaves out what stands on other devices),
 * by size, and by how much they moved.
 */
#include "cluster/planner.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A kind of disks that moved less than this share of what the busiest kind
   did, per host, is not what the file system lives on. */
#define QUIET_SHARE 0.05
/* The same for much smaller disks that moved less than half. */
#define SMALL_SIZE 0.25
#define SMALL_SHARE 0.5

/* One group of the grouping. */
struct kind {
	size_t n, n_hosts;
	double size, bytes;
	bool has_bytes;
	uint32_t last_host;
};

static bool is_disk(const struct lp_roster_item *item)
{
	return lp_kin_of(item) == LP_KIN_DISKS;
}

static double size_of(const struct lp_roster_item *item)
{
	const char *text = lp_labels_get(&item->labels, "size_bytes");
	double v;

	return text && lp_parse_double(text, strlen(text), &v) == 0 ? v : 0;
}

static void measure(const struct lp_planner *p, struct kind *kinds)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_roster_item *item = &p->roster->items[i];
		uint32_t g = p->grouping.kin_of[i];
		struct kind *kind;

		if (g == LP_GROUP_NONE || !is_disk(item))
			continue;
		kind = &kinds[g];
		/* Items stand by host. */
		if (kind->n == 0 || kind->last_host != item->host)
			kind->n_hosts++;
		kind->last_host = item->host;
		kind->n++;
		kind->bytes += item->bytes;
		kind->has_bytes = kind->has_bytes || item->has_bytes;
		kind->size = size_of(item);
	}
}

static double per_host(const struct kind *kind)
{
	return kind->n_hosts ? kind->bytes / (double)kind->n_hosts : 0;
}

/* The kind that moves most; NULL: nothing tells. */
static const struct kind *busiest(const struct kind *kinds, size_t n)
{
	const struct kind *most = NULL;

	for (size_t i = 0; i < n; i++)
		if (kinds[i].has_bytes &&
		    (!most || per_host(&kinds[i]) > per_host(most)))
			most = &kinds[i];
	return most && most->bytes > 0 ? most : NULL;
}

static bool is_system(const struct kind *kind, const struct kind *most)
{
	double share;

	if (!most || kind == most || !kind->has_bytes)
		return false;
	share = per_host(kind) / per_host(most);
	return share < QUIET_SHARE || (share < SMALL_SHARE && kind->size > 0 &&
				       kind->size < SMALL_SIZE * most->size);
}

static const char *system_reason(struct lp_planner *p, const struct kind *kind,
				 const struct kind *most)
{
	char a[LP_SIZE_TEXT], b[LP_SIZE_TEXT];
	double percent = 100 * per_host(kind) / per_host(most);

	if (kind->size > 0 && most->size > 0)
		return lp_planner_text(
			p,
			"probably a disk of the host itself: its size is %s, "
			"and it moved %.1f %% as much data as the %s disks",
			lp_size_format(kind->size, a), percent,
			lp_size_format(most->size, b));
	return lp_planner_text(p,
			       "probably a disk of the host itself: it moved "
			       "%.1f %% as much data as the busiest disks",
			       percent);
}

static int set_kinds(struct lp_planner *p, const struct kind *kinds)
{
	const struct kind *most = busiest(kinds, p->grouping.n_groups);
	lp_auto_free const char **reason =
		calloc(p->grouping.n_groups + 1, sizeof(*reason));

	if (!reason)
		return -ENOMEM;
	for (size_t g = 0; g < p->grouping.n_groups; g++) {
		if (kinds[g].n == 0 || !is_system(&kinds[g], most))
			continue;
		reason[g] = system_reason(p, &kinds[g], most);
		if (!reason[g])
			return -ENOMEM;
	}
	for (size_t i = 0; i < p->roster->n_items; i++) {
		uint32_t g = p->grouping.kin_of[i];

		if (g == LP_GROUP_NONE || !is_disk(&p->roster->items[i]))
			continue;
		/* An idle disk that is its host's only one is no spare. */
		p->choices[i].counts =
			!reason[g] && (p->grouping.group_of[i] == g ||
				       kinds[g].n == kinds[g].n_hosts);
		if (reason[g])
			p->choices[i].reason = reason[g];
	}
	return 0;
}

/* ---- sda here, sda there ---- */

/* Disks of one kind and one name, on several hosts. */
struct namesake {
	uint32_t kind;
	size_t n;
	double bytes;
};

struct namesakes {
	struct lp_names names; /* "KIND NAME" */
	struct namesake *items;
	uint32_t *of; /* [roster items], or LP_NAME_NONE */
};

static int collect(const struct lp_planner *p, struct namesakes *s)
{
	lp_auto_free char *key = NULL;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_roster_item *item = &p->roster->items[i];
		uint32_t g = p->grouping.kin_of[i], number;

		s->of[i] = LP_NAME_NONE;
		if (!is_disk(item) || !p->choices[i].counts || !item->has_bytes)
			continue;
		free(key);
		if (asprintf(&key, "%u %s", g, item->name) < 0) {
			key = NULL;
			return -ENOMEM;
		}
		number = lp_names_add(&s->names, key);
		if (number == LP_NAME_NONE)
			return -ENOMEM;
		s->of[i] = number;
		s->items[number].kind = g;
		s->items[number].n++;
		s->items[number].bytes += item->bytes;
	}
	return 0;
}

static double mean_bytes(const struct namesake *n)
{
	return n->n ? n->bytes / (double)n->n : 0;
}

/* Names that most hosts of the kind have, and that hardly move anywhere. */
static bool is_quiet(const struct namesakes *s, const struct kind *kinds,
		     const struct namesake *one)
{
	double most = 0;

	if (one->n < 2 || 2 * one->n <= kinds[one->kind].n_hosts)
		return false;
	for (uint32_t i = 0; i < s->names.count; i++)
		if (s->items[i].kind == one->kind &&
		    mean_bytes(&s->items[i]) > most)
			most = mean_bytes(&s->items[i]);
	return mean_bytes(one) < QUIET_SHARE * most;
}

static int set_quiet(struct lp_planner *p, const struct namesakes *s,
		     const struct kind *kinds)
{
	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_roster_item *item = &p->roster->items[i];

		if (s->of[i] == LP_NAME_NONE ||
		    !is_quiet(s, kinds, &s->items[s->of[i]]))
			continue;
		p->choices[i].counts = false;
		p->choices[i].reason =
			lp_planner_text(p,
					"probably a disk of the host itself: "
					"%s moves little data on every host",
					item->name);
		if (!p->choices[i].reason)
			return -ENOMEM;
	}
	return 0;
}

static int find_quiet(struct lp_planner *p, const struct kind *kinds)
{
	struct namesakes s = { 0 };
	int status = -ENOMEM;

	s.items = calloc(p->roster->n_items + 1, sizeof(*s.items));
	s.of = calloc(p->roster->n_items + 1, sizeof(*s.of));
	if (s.items && s.of)
		status = collect(p, &s);
	if (status == 0)
		status = set_quiet(p, &s, kinds);
	lp_names_done(&s.names);
	free(s.items);
	free(s.of);
	return status;
}

int lp_plan_choose_disks(struct lp_planner *p)
{
	lp_auto_free struct kind *kinds =
		calloc(p->grouping.n_groups + 1, sizeof(*kinds));
	int status;

	if (!kinds)
		return -ENOMEM;
	measure(p, kinds);
	status = set_kinds(p, kinds);
	return status < 0 ? status : find_quiet(p, kinds);
}
