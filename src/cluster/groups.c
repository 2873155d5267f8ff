/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/groups.h"

#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes and speeds within a tenth are alike, and so are a quarter more or
   fewer components on a host: one that lost a disk still has its peers. */
#define SIZE_RATIO 1.1
#define COUNT_RATIO 1.25

/* ---- what is alike ---- */

/* One component that is to be grouped. */
struct candidate {
	uint32_t item;
	uint32_t host;
	const char *class_name, *layer;
	enum lp_kin kin;
	const char *kind; /* model, port, rotational: equal or not */
	bool loop;        /* a file, on one of the host's other disks perhaps */
	double size;      /* bytes or Mbit/s; 0: not known */
	uint32_t like;    /* number of its class, layer, kind and size */
	double count;     /* how many of these its host has */
	bool idle;        /* part of the layout, but of no group */
};

static double number(const char *text)
{
	double v;

	return lp_parse_double(text, strlen(text), &v) == 0 ? v : 0;
}

static double size_of(const struct lp_roster_item *item)
{
	enum lp_kin kin = lp_kin_of(item);

	return kin == LP_KIN_DISKS
		       ? number(lp_labels_text(&item->labels, "size_bytes"))
	       : kin == LP_KIN_LINKS
		       ? number(lp_labels_text(&item->labels, "speed_mbit"))
		       : 0;
}

static const char *kind_of(struct lp_arena *arena,
			   const struct lp_roster_item *item)
{
	const char *rotational = lp_labels_text(&item->labels, "rotational");

	if (lp_kin_of(item) == LP_KIN_LINKS)
		return lp_labels_text(&item->labels, "rate");
	if (lp_kin_of(item) == LP_KIN_SOCKETS)
		return lp_arena_string_n(arena, item->name,
					 strcspn(item->name, ">"));
	if (lp_kin_of(item) != LP_KIN_DISKS)
		return "";
	if (*lp_labels_text(&item->labels, "model"))
		return lp_labels_text(&item->labels, "model");
	return strcmp(rotational, "0") == 0   ? "solid state"
	       : strcmp(rotational, "1") == 0 ? "rotational"
					      : "";
}

static int compare_kind(const struct candidate *x, const struct candidate *y)
{
	int order = strcmp(x->class_name, y->class_name);

	if (order == 0)
		order = strcmp(x->layer, y->layer);
	if (order == 0)
		order = x->loop - y->loop;
	return order ? order : strcmp(x->kind, y->kind);
}

static int by_size(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = compare_kind(x, y);

	if (order == 0)
		order = (x->size > y->size) - (x->size < y->size);
	return order ? order : (x->item > y->item) - (x->item < y->item);
}

static int by_like(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = (x->like > y->like) - (x->like < y->like);

	if (order == 0)
		order = (x->host > y->host) - (x->host < y->host);
	return order ? order : (x->item > y->item) - (x->item < y->item);
}

static int by_count(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = (x->like > y->like) - (x->like < y->like);

	if (order == 0)
		order = (x->count > y->count) - (x->count < y->count);
	return order ? order : (x->item > y->item) - (x->item < y->item);
}

/* Number what is alike but for the hosts. */
static void find_alike(struct candidate *all, size_t n)
{
	qsort(all, n, sizeof(*all), by_size);
	for (size_t i = 1; i < n; i++)
		all[i].like = all[i - 1].like +
			      (compare_kind(&all[i - 1], &all[i]) != 0 ||
			       all[i].size > all[i - 1].size * SIZE_RATIO);
}

/* How many of them each host has; for TCP that says nothing. */
static void count_on_hosts(struct candidate *all, size_t n)
{
	qsort(all, n, sizeof(*all), by_like);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && all[end].like == all[i].like &&
			      all[end].host == all[i].host;)
			end++;
		for (size_t j = i; j < end; j++)
			all[j].count = all[j].kin == LP_KIN_SOCKETS
					       ? 1
					       : (double)(end - i);
	}
}

/* ---- groups ---- */

const char *lp_size_format(double bytes, char text[LP_SIZE_TEXT])
{
	static const char *const units[] = { "B",  "kB", "MB", "GB",
					     "TB", "PB", "EB" };
	size_t unit = 0;

	while (bytes >= 999.5 && unit + 1 < lp_array_size(units)) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, LP_SIZE_TEXT,
		 bytes < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
		 units[unit]);
	return text;
}

/* "12 TB, ST12000NM0127", "25 Gbit/s", "port 2049", "opened by the host" */
static const char *describe(struct lp_arena *arena, const struct candidate *one)
{
	char text[256], size[LP_SIZE_TEXT] = "";

	if (one->kin == LP_KIN_SOCKETS) {
		if (strcmp(one->kind, "-") == 0)
			return "opened by the host";
		snprintf(text, sizeof(text), "port %s", one->kind);
		return lp_arena_string(arena, text);
	}
	if (one->size > 0 && one->kin == LP_KIN_LINKS)
		snprintf(size, sizeof(size), "%g Gbit/s", one->size / 1000);
	else if (one->size > 0)
		lp_size_format(one->size, size);
	snprintf(text, sizeof(text), "%s%s%s", size,
		 *size && *one->kind ? ", " : "", one->kind);
	return lp_arena_string(arena, text);
}

static size_t count_hosts(const struct lp_grouping *g,
			  const struct lp_roster *c, uint32_t group)
{
	uint32_t before = UINT32_MAX;
	size_t n = 0;

	/* Items stand by host. */
	for (size_t i = 0; i < c->n_items; i++) {
		if (g->group_of[i] != group || c->items[i].host == before)
			continue;
		before = c->items[i].host;
		n++;
	}
	return n;
}

static int add_group(struct lp_grouping *g, const struct lp_roster *c,
		     const struct candidate *alike, size_t n)
{
	struct lp_group group = {
		.class_name = alike->class_name,
		.layer = alike->layer,
		.what = describe(&g->arena, alike),
	};

	for (size_t i = 0; i < n; i++) {
		if (alike[i].idle)
			continue;
		g->group_of[alike[i].item] = (uint32_t)g->n_groups;
		group.n_members++;
	}
	if (group.n_members == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		g->kin_of[alike[i].item] = (uint32_t)g->n_groups;
	group.compared = group.n_members >= LP_GROUP_LEAST;
	if (!group.what || lp_grow(&g->groups, &g->groups_capacity,
				   g->n_groups + 1, sizeof(group)) < 0)
		return -ENOMEM;
	group.n_hosts = count_hosts(g, c, (uint32_t)g->n_groups);
	g->groups[g->n_groups++] = group;
	return 0;
}

/* Hosts with about as many share a layout; between them groups are cut. */
static int cut_groups(struct lp_grouping *g, const struct lp_roster *c,
		      struct candidate *all, size_t n)
{
	int status = 0;

	qsort(all, n, sizeof(*all), by_count);
	for (size_t i = 0, end; i < n && status == 0; i = end) {
		for (end = i + 1;
		     end < n && all[end].like == all[i].like &&
		     all[end].count <= all[end - 1].count * COUNT_RATIO;)
			end++;
		status = add_group(g, c, all + i, end - i);
	}
	return status;
}

static int make_groups(struct lp_grouping *g, const struct lp_roster *c)
{
	lp_auto_free struct candidate *all =
		calloc(c->n_items + 1, sizeof(*all));
	size_t n = 0;

	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; i < c->n_items; i++) {
		const struct lp_roster_item *item = &c->items[i];

		g->group_of[i] = g->kin_of[i] = LP_GROUP_NONE;
		g->left_out[i] = lp_left_out_why(c, item);
		if (g->left_out[i] != LP_LEFT_NOT &&
		    g->left_out[i] != LP_LEFT_IDLE)
			continue;
		all[n] = (struct candidate){ .item = i,
					     .host = item->host,
					     .class_name = item->class_name,
					     .kin = lp_kin_of(item),
					     .layer = item->layer,
					     .kind = kind_of(&g->arena, item),
					     .size = size_of(item),
					     .loop = lp_left_out_is_loop(item),
					     .idle = g->left_out[i] ==
						     LP_LEFT_IDLE };
		if (!all[n++].kind)
			return -ENOMEM;
	}
	find_alike(all, n);
	count_on_hosts(all, n);
	return cut_groups(g, c, all, n);
}

int lp_grouping_make(const struct lp_roster *roster,
		     struct lp_grouping *grouping)
{
	struct lp_grouping g = { 0 };

	g.group_of = calloc(roster->n_items + 1, sizeof(*g.group_of));
	g.left_out = calloc(roster->n_items + 1, sizeof(*g.left_out));
	g.kin_of = calloc(roster->n_items + 1, sizeof(*g.kin_of));
	if (!g.group_of || !g.left_out || !g.kin_of ||
	    make_groups(&g, roster) < 0) {
		lp_grouping_done(&g);
		return -ENOMEM;
	}
	*grouping = g;
	return 0;
}

void lp_grouping_done(struct lp_grouping *g)
{
	free(g->groups);
	free(g->group_of);
	free(g->left_out);
	free(g->kin_of);
	lp_arena_done(&g->arena);
	*g = (struct lp_grouping){ 0 };
}
