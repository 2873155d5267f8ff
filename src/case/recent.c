/* SPDX-License-Identifier: Apache-2.0 */
#include "case/recent.h"

#include "base/names.h"

#include <errno.h>
#include <stdlib.h>

/* What was said last of a host. */
struct last {
	struct lp_inventory *inventory; /* NULL: none yet */
	bool has_event;
	struct lp_event event; /* start or stop, without words */
	struct lp_event clock; /* the same; its host is NULL: none */
};

struct lp_recent {
	struct lp_survey older, newer;
	struct lp_names hosts;
	struct last *last; /* by host */
	size_t last_capacity;
	size_t n_items; /* components that were known when one was taken */
	bool changed;
};

struct lp_recent *lp_recent_new(void)
{
	struct lp_recent *r = calloc(1, sizeof(*r));

	if (r)
		r->older.parts = r->newer.parts = LP_SURVEY_PEERS;
	return r;
}

void lp_recent_free(struct lp_recent *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->hosts.count; i++)
		lp_inventory_free(r->last[i].inventory);
	free(r->last);
	lp_names_done(&r->hosts);
	lp_survey_done(&r->older);
	lp_survey_done(&r->newer);
	free(r);
}

static struct last *last_of(struct lp_recent *r, const char *host)
{
	uint32_t known = r->hosts.count, n;

	if (lp_grow(&r->last, &r->last_capacity, (size_t)known + 1,
		    sizeof(*r->last)) < 0)
		return NULL;
	r->last[known] = (struct last){ 0 };
	n = lp_names_add(&r->hosts, host);
	if (n == LP_NAME_NONE)
		return NULL;
	r->changed |= r->hosts.count > known;
	return &r->last[n];
}

/* ---- inventories ---- */

static int copy_labels(struct lp_inventory *copy, struct lp_labels *to,
		       const struct lp_labels *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (lp_inventory_label(copy, to, from->items[i].key,
				       from->items[i].value) < 0)
			return -ENOMEM;
	return 0;
}

static int copy_components(struct lp_inventory *copy,
			   const struct lp_inventory *from)
{
	for (size_t i = 0; i < from->n_components; i++) {
		const struct lp_component *c = &from->components[i];
		struct lp_component *to =
			lp_inventory_add(copy, c->class_name, c->name);

		if (!to || copy_labels(copy, &to->labels, &c->labels) < 0)
			return -ENOMEM;
	}
	return 0;
}

static struct lp_inventory *copy_inventory(const struct lp_inventory *from)
{
	struct lp_inventory *copy = lp_inventory_new(from->host, from->time_ns);

	if (copy && (copy_labels(copy, &copy->labels, &from->labels) < 0 ||
		     copy_components(copy, from) < 0)) {
		lp_inventory_free(copy);
		return NULL;
	}
	return copy;
}

static int note_inventory(struct lp_recent *r,
			  const struct lp_inventory *inventory)
{
	struct last *last = last_of(r, inventory->host);
	struct lp_inventory *copy;

	if (!last)
		return -ENOMEM;
	if (last->inventory && lp_inventory_same(last->inventory, inventory))
		return 0;
	copy = copy_inventory(inventory);
	if (!copy)
		return -ENOMEM;
	lp_inventory_free(last->inventory);
	last->inventory = copy;
	r->changed = true;
	return 0;
}

/* ---- putting ---- */

static int note_clock(struct lp_recent *r, const struct lp_event *event)
{
	static const struct lp_label yes = { "synchronised", "yes" },
				     no = { "synchronised", "no" };
	bool kept = lp_event_is(event, yes.key, yes.value);
	struct last *last;

	if (!kept && !lp_event_is(event, no.key, no.value))
		return 0;
	last = last_of(r, event->host);
	if (!last)
		return -ENOMEM;
	last->clock = (struct lp_event){ .host = r->hosts.text[last - r->last],
					 .time_ns = event->time_ns,
					 .kind = event->kind,
					 .pairs = kept ? &yes : &no,
					 .n_pairs = 1 };
	return 0;
}

static int note_event(struct lp_recent *r, const struct lp_event *event)
{
	struct last *last;

	if (event->kind == LP_EVENT_CLOCK)
		return note_clock(r, event);
	if (event->kind != LP_EVENT_START && event->kind != LP_EVENT_STOP)
		return 0;
	last = last_of(r, event->host);
	if (!last)
		return -ENOMEM;
	last->has_event = true;
	last->event = (struct lp_event){ .host = r->hosts.text[last - r->last],
					 .time_ns = event->time_ns,
					 .kind = event->kind };
	return 0;
}

int lp_recent_put(struct lp_recent *r, const struct lp_item *item,
		  struct lp_error *err)
{
	int status = 0;

	if (item->kind == LP_ITEM_INVENTORY)
		status = note_inventory(r, item->inventory);
	else if (item->kind == LP_ITEM_EVENT)
		status = note_event(r, item->event);
	if (status < 0)
		return lp_fail_memory(err);
	status = lp_survey_put(&r->older, item, err);
	return status ? status : lp_survey_put(&r->newer, item, err);
}

bool lp_recent_changed(const struct lp_recent *r)
{
	return r->changed || r->older.roster.n_items > r->n_items;
}

/* ---- taking ---- */

static int tell(struct lp_survey *recording, const struct last *last,
		struct lp_error *err)
{
	struct lp_item inventory = { .kind = LP_ITEM_INVENTORY,
				     .inventory = last->inventory };
	struct lp_item event = { .kind = LP_ITEM_EVENT, .event = &last->event };
	struct lp_item clock = { .kind = LP_ITEM_EVENT, .event = &last->clock };
	int status = 0;

	if (last->inventory)
		status = lp_survey_put(recording, &inventory, err);
	if (status == 0 && last->has_event)
		status = lp_survey_put(recording, &event, err);
	if (status == 0 && last->clock.host)
		status = lp_survey_put(recording, &clock, err);
	return status;
}

int lp_recent_take(struct lp_recent *r, struct lp_survey *recording,
		   struct lp_error *err)
{
	int status = 0;

	*recording = r->older;
	r->older = r->newer;
	r->newer = (struct lp_survey){ .parts = LP_SURVEY_PEERS };
	r->changed = false;
	r->n_items = recording->roster.n_items;
	lp_survey_finish(recording);
	for (size_t i = 0; i < r->hosts.count && status == 0; i++)
		status = tell(&r->newer, &r->last[i], err);
	return status;
}
