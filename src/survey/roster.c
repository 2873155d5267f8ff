/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/roster.h"

#include "base/number.h"
#include "survey/cadence.h"
#include "survey/seats.h"
#include "survey/sighting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough to know the usual time between samples. */
#define MOST_GAPS 512

struct lp_roster_gaps {
	int64_t *gap_ns;
	size_t count;
	int64_t before_ns;
	bool has_before;
	struct lp_seating seating;
};

/* ---- hosts and items ---- */

static uint32_t find_host(struct lp_roster *c, const char *name)
{
	uint32_t number = lp_names_add(&c->host_names, name);

	if (number == LP_NAME_NONE || number < c->n_hosts)
		return number;
	if (lp_grow(&c->hosts, &c->hosts_capacity, c->n_hosts + 1,
		    sizeof(*c->hosts)) < 0 ||
	    lp_grow(&c->gaps, &c->gaps_capacity, c->n_hosts + 1,
		    sizeof(*c->gaps)) < 0)
		return LP_NAME_NONE;
	c->hosts[number] =
		(struct lp_roster_host){ .name = c->host_names.text[number] };
	c->gaps[number] = (struct lp_roster_gaps){ 0 };
	c->gaps[number].gap_ns = malloc(MOST_GAPS * sizeof(int64_t));
	c->n_hosts++;
	return c->gaps[number].gap_ns ? number : LP_NAME_NONE;
}

/* "7\ndisk\nnsda", in decimal; snprintf would take most of the time. */
static size_t write_key(char *key, uint32_t host, const char *class_name,
			size_t class_length, char what, const char *text,
			size_t length)
{
	char digits[10], *at = key;
	size_t n = 0;

	do
		digits[n++] = (char)('0' + host % 10);
	while (host /= 10);
	while (n > 0)
		*at++ = digits[--n];
	*at++ = '\n';
	at = mempcpy(at, class_name, class_length);
	*at++ = '\n';
	*at++ = what;
	at = mempcpy(at, text, length);
	return (size_t)(at - key);
}

/* The key of an item; `what` keeps names and ids apart. */
static uint32_t make_key(struct lp_roster *c, uint32_t host,
			 const char *class_name, char what, const char *text)
{
	char short_key[256];
	lp_auto_free char *long_key = NULL;
	char *key = short_key;
	size_t class_length = strlen(class_name), length = strlen(text);
	size_t most = class_length + length + 16, n, old = c->key_capacity;
	uint32_t number;

	if (most > sizeof(short_key)) {
		key = long_key = malloc(most);
		if (!key)
			return LP_NAME_NONE;
	}
	n = write_key(key, host, class_name, class_length, what, text, length);
	number = lp_names_add_n(&c->keys, key, n);
	if (number == LP_NAME_NONE || number < c->key_capacity)
		return number;
	/* What is grown ahead is marked as unused. */
	if (lp_grow(&c->key_items, &c->key_capacity, number + 1,
		    sizeof(*c->key_items)) < 0)
		return LP_NAME_NONE;
	memset(c->key_items + old, 0xff,
	       (c->key_capacity - old) * sizeof(*c->key_items));
	return number;
}

static uint32_t add_item(struct lp_roster *c, uint32_t host,
			 const char *class_name)
{
	struct lp_roster_item item = {
		.host = host,
		.class_name = lp_arena_string(&c->arena, class_name),
		.class = lp_class_find(class_name),
		.layer = "",
	};

	if (!item.class_name || lp_grow(&c->items, &c->items_capacity,
					c->n_items + 1, sizeof(item)) < 0)
		return LP_NAME_NONE;
	c->items[c->n_items] = item;
	return (uint32_t)c->n_items++;
}

/*
 * The item that bears this name now. With an id, the item of that id, whatever
 * it was called before; an item met by its name alone takes the id on.
 */
static uint32_t find_item(struct lp_roster *c, uint32_t host,
			  const char *class_name, const char *name,
			  const char *id)
{
	uint32_t by_name = make_key(c, host, class_name, 'n', name), by_id;
	uint32_t item;

	if (by_name == LP_NAME_NONE)
		return LP_NAME_NONE;
	item = c->key_items[by_name];
	if (id) {
		by_id = make_key(c, host, class_name, 'i', id);
		if (by_id == LP_NAME_NONE)
			return LP_NAME_NONE;
		if (c->key_items[by_id] != LP_NAME_NONE)
			item = c->key_items[by_id];
		else if (item != LP_NAME_NONE && c->items[item].id)
			item = LP_NAME_NONE;
	}
	if (item == LP_NAME_NONE)
		item = add_item(c, host, class_name);
	if (item == LP_NAME_NONE)
		return LP_NAME_NONE;
	c->key_items[by_name] = item;
	if (id) {
		c->key_items[by_id] = item;
		c->items[item].id = c->keys.text[by_id] +
				    strcspn(c->keys.text[by_id], "\n") +
				    strlen(class_name) + 3;
	}
	c->items[item].name = c->keys.text[by_name] +
			      strcspn(c->keys.text[by_name], "\n") +
			      strlen(class_name) + 3;
	return item;
}

/* ---- inventories ---- */

static size_t size_of_labels(const struct lp_labels *labels)
{
	size_t size = 0;

	for (size_t i = 0; i < labels->count; i++)
		size += strlen(labels->items[i].key) +
			strlen(labels->items[i].value) + 2;
	return size;
}

static int copy_labels(struct lp_roster *c, struct lp_labels *to,
		       const struct lp_labels *from)
{
	char *at = lp_arena_alloc_raw(&c->arena, size_of_labels(from));

	to->count = 0;
	if (!at || lp_grow(&to->items, &to->capacity, from->count + 1,
			   sizeof(*to->items)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < from->count; i++) {
		struct lp_label *label = &to->items[to->count++];

		label->key = at;
		at = stpcpy(at, from->items[i].key) + 1;
		label->value = at;
		at = stpcpy(at, from->items[i].value) + 1;
	}
	return 0;
}

static int put_inventory(struct lp_roster *c,
			 const struct lp_inventory *inventory)
{
	uint32_t host = find_host(c, inventory->host), item;

	if (host == LP_NAME_NONE ||
	    copy_labels(c, &c->hosts[host].labels, &inventory->labels) < 0)
		return -ENOMEM;
	lp_seating_clear(&c->gaps[host].seating);
	if (c->with_cadence)
		lp_cadence_inventory(&c->hosts[host], inventory);
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *from = &inventory->components[i];
		const char *layer;

		item = find_item(c, host, from->class_name, from->name,
				 lp_labels_get(&from->labels, "id"));
		if (item == LP_NAME_NONE ||
		    copy_labels(c, &c->items[item].labels, &from->labels) < 0)
			return -ENOMEM;
		layer = lp_labels_get(&c->items[item].labels, "layer");
		c->items[item].layer = layer ? layer : "";
	}
	return 0;
}

/* ---- samples ---- */

static int put_panel(struct lp_roster *c, uint32_t host,
		     struct lp_sighting *sighting, const struct lp_panel *panel)
{
	struct lp_seats *seats =
		lp_seating_get(&c->gaps[host].seating, panel->class_name,
			       panel->n_series, &c->arena);

	if (!seats || lp_sighting_panel(sighting, panel) < 0)
		return -ENOMEM;
	for (size_t s = 0; s < panel->n_series; s++) {
		const struct lp_series *series = &panel->series[s];
		uint32_t item = s < seats->n ? seats->items[s] : LP_NAME_NONE;

		if (item == LP_NAME_NONE ||
		    strcmp(c->items[item].name, series->name) != 0)
			item = find_item(c, host, panel->class_name,
					 series->name, NULL);
		if (item == LP_NAME_NONE ||
		    lp_sighting_note(sighting, series, &c->items[item]) < 0)
			return -ENOMEM;
		seats->items[s] = item;
	}
	seats->n = panel->n_series;
	return 0;
}

static void note_time(struct lp_roster *c, uint32_t host, int64_t time)
{
	struct lp_roster_host *h = &c->hosts[host];
	struct lp_roster_gaps *gaps = &c->gaps[host];
	int64_t gap;

	/* Absurd times in a file must not overflow. */
	if (gaps->has_before && gaps->count < MOST_GAPS &&
	    !__builtin_sub_overflow(time, gaps->before_ns, &gap) && gap > 0)
		gaps->gap_ns[gaps->count++] = gap;
	gaps->before_ns = time;
	gaps->has_before = true;
	if (h->n_samples == 0 || time < h->first_ns)
		h->first_ns = time;
	if (h->n_samples == 0 || time > h->last_ns)
		h->last_ns = time;
	h->n_samples++;
}

static int put_chunk(struct lp_roster *c, const struct lp_chunk *chunk)
{
	uint32_t host = find_host(c, chunk->host);
	struct lp_sighting sighting;
	int status = 0;

	if (host == LP_NAME_NONE)
		return -ENOMEM;
	for (size_t i = 0; i < chunk->n_samples; i++)
		note_time(c, host, chunk->time_ns[i]);
	if (c->with_cadence)
		lp_cadence_chunk(&c->hosts[host], chunk);
	sighting = lp_sighting_of(chunk);
	for (size_t p = 0; p < chunk->n_panels && status == 0; p++)
		status = put_panel(c, host, &sighting, &chunk->panels[p]);
	lp_sighting_done(&sighting);
	return status;
}

int lp_roster_put(struct lp_roster *roster, const struct lp_item *item,
		  struct lp_error *err)
{
	int status = 0;

	if (item->kind == LP_ITEM_CHUNK)
		status = put_chunk(roster, item->chunk);
	else if (item->kind == LP_ITEM_INVENTORY)
		status = put_inventory(roster, item->inventory);
	return status < 0 ? lp_fail_memory(err) : 0;
}

/* ---- the end ---- */

/*
 * The usual time between samples: what the recorder said, or the median of
 * what was seen, without the jitter of a busy machine.
 */
static int64_t interval_of(const struct lp_roster_host *host,
			   struct lp_roster_gaps *gaps)
{
	const char *said = lp_labels_get(&host->labels, "interval_ns");
	int64_t unit, median;
	uint64_t ns;

	if (said && lp_parse_u64(said, strlen(said), &ns) == 0 && ns > 0 &&
	    ns < INT64_MAX)
		return (int64_t)ns;
	if (gaps->count == 0)
		return 0;
	qsort(gaps->gap_ns, gaps->count, sizeof(*gaps->gap_ns), lp_compare_i64);
	median = gaps->gap_ns[gaps->count / 2];
	unit = median >= 10 * LP_NS_PER_S ? LP_NS_PER_S
	       : median >= LP_NS_PER_S    ? LP_NS_PER_S / 10
					  : LP_NS_PER_S / 100;
	if (median < unit || median > LP_TIME_MAX - unit)
		return median;
	return (median + unit / 2) / unit * unit;
}

static void finish_host(struct lp_roster *c, size_t i)
{
	struct lp_roster_host *host = &c->hosts[i];

	host->interval_ns = interval_of(host, &c->gaps[i]);
	if (host->n_samples > 0 && host->first_ns < c->first_ns)
		c->first_ns = host->first_ns;
	if (host->n_samples > 0 && host->last_ns > c->last_ns)
		c->last_ns = host->last_ns;
}

static int order_of(const struct lp_roster *r, const struct lp_roster_item *x,
		    const struct lp_roster_item *y)
{
	int order = 0;

	if (x->host != y->host)
		order = strverscmp(r->hosts[x->host].name,
				   r->hosts[y->host].name);
	if (order == 0)
		order = strcmp(x->class_name, y->class_name);
	return order ? order : strverscmp(x->name, y->name);
}

static int compare_items(const void *a, const void *b, void *roster)
{
	return order_of(roster, a, b);
}

/*
 * A name that looks like a partition's is one if its disk is there too: a disk
 * may be called anything in a CSV file.
 */
static void guess_layer(struct lp_roster *c, struct lp_roster_item *item)
{
	const char *virtual = lp_labels_get(&item->labels, "virtual");
	size_t parent;
	const char *layer = lp_layer_guess(item->class, item->name, &parent);

	if (parent > 0 && !lp_roster_find(c, item->host, item->class_name,
					  item->name, parent))
		layer = "disk";
	item->layer_guessed = true;
	/* A recording may know that no hardware is beneath. */
	if (virtual && strcmp(layer, "port") == 0) {
		layer = "virtual";
		item->layer_guessed = false;
	}
	item->layer = layer;
}

void lp_roster_finish(struct lp_roster *c)
{
	c->first_ns = LP_TIME_MAX;
	c->last_ns = LP_TIME_MIN;
	for (size_t i = 0; i < c->n_hosts; i++)
		finish_host(c, i);
	if (c->n_items > 1)
		qsort_r(c->items, c->n_items, sizeof(*c->items), compare_items,
			c);
	for (size_t i = 0; i < c->n_items; i++)
		if (!*c->items[i].layer)
			guess_layer(c, &c->items[i]);
}

const struct lp_roster_item *lp_roster_find(const struct lp_roster *c,
					    uint32_t host,
					    const char *class_name,
					    const char *name, size_t n)
{
	struct lp_roster_item wanted = { .host = host,
					 .class_name = class_name };
	char copy[256];
	size_t low = 0, high = c->n_items;

	if (n >= sizeof(copy))
		return NULL;
	memcpy(copy, name, n);
	copy[n] = '\0';
	wanted.name = copy;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = order_of(c, &wanted, &c->items[middle]);

		if (order == 0)
			return &c->items[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static bool has_id(const struct lp_roster_item *item, const char *id)
{
	return !id || (item->id && strcmp(item->id, id) == 0);
}

const struct lp_roster_item *lp_roster_who(const struct lp_roster *c,
					   const char *host_name,
					   const char *class_name,
					   const char *name, const char *id)
{
	uint32_t host = lp_names_find(&c->host_names, host_name);
	const struct lp_roster_item *named;

	if (host == LP_NAME_NONE)
		return NULL;
	named = lp_roster_find(c, host, class_name, name, strlen(name));
	if (!id || (named && has_id(named, id)))
		return named;
	/* It is called otherwise by now. */
	for (size_t i = 0; i < c->n_items; i++)
		if (c->items[i].host == host && has_id(&c->items[i], id) &&
		    strcmp(c->items[i].class_name, class_name) == 0)
			return &c->items[i];
	return named;
}

void lp_roster_done(struct lp_roster *c)
{
	for (size_t i = 0; i < c->n_items; i++) {
		free(c->items[i].labels.items);
		free(c->items[i].last);
		free(c->items[i].has_last);
	}
	for (size_t i = 0; i < c->n_hosts; i++) {
		free(c->hosts[i].labels.items);
		lp_seating_done(&c->gaps[i].seating);
		free(c->gaps[i].gap_ns);
	}
	free(c->items);
	free(c->hosts);
	free(c->gaps);
	free(c->key_items);
	lp_names_done(&c->host_names);
	lp_names_done(&c->keys);
	lp_arena_done(&c->arena);
	*c = (struct lp_roster){ 0 };
}

int64_t lp_roster_recorded_ns(const struct lp_roster *roster)
{
	int64_t longest = 0;

	for (size_t i = 0; i < roster->n_hosts; i++) {
		const struct lp_roster_host *h = &roster->hosts[i];
		double sum = (double)h->n_samples * (double)h->interval_ns;
		int64_t span = h->n_samples ? h->last_ns - h->first_ns : 0;
		int64_t recorded = sum < (double)span ? (int64_t)sum : span;

		longest = recorded > longest ? recorded : longest;
	}
	return longest;
}
