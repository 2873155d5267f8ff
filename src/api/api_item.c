/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include <math.h>

enum limpid_item_kind limpid_item_kind(const struct limpid_item *item)
{
	static const enum limpid_item_kind kinds[] = {
		[LP_ITEM_CHUNK] = LIMPID_SAMPLES,
		[LP_ITEM_INVENTORY] = LIMPID_INVENTORY,
		[LP_ITEM_EVENT] = LIMPID_EVENT,
		[LP_ITEM_COUNTS] = LIMPID_COUNTS,
	};

	return kinds[item->is.kind];
}

const char *limpid_item_host(const struct limpid_item *item)
{
	return lp_item_host(&item->is);
}

int64_t limpid_item_time(const struct limpid_item *item)
{
	const struct lp_chunk *chunk = item->is.chunk;

	return chunk && chunk->n_samples == 0 ? 0 : lp_item_time(&item->is);
}

/* ---- samples ---- */

size_t limpid_item_samples(const struct limpid_item *item)
{
	return item->is.chunk ? item->is.chunk->n_samples : 0;
}

int64_t limpid_item_sample_time(const struct limpid_item *item, size_t sample)
{
	return sample < limpid_item_samples(item)
		       ? item->is.chunk->time_ns[sample]
		       : 0;
}

static const struct lp_panel *panel_at(const struct limpid_item *item, size_t i)
{
	const struct lp_chunk *chunk = item->is.chunk;

	return chunk && i < chunk->n_panels ? &chunk->panels[i] : NULL;
}

const char *limpid_item_class(const struct limpid_item *item, size_t of_class)
{
	const struct lp_panel *panel = panel_at(item, of_class);

	return panel ? panel->class_name : NULL;
}

const char *limpid_item_column(const struct limpid_item *item, size_t of_class,
			       size_t column)
{
	const struct lp_panel *panel = panel_at(item, of_class);

	return panel && column < panel->n_columns ? panel->columns[column].name
						  : NULL;
}

const char *limpid_item_series(const struct limpid_item *item, size_t of_class,
			       size_t series)
{
	const struct lp_panel *panel = panel_at(item, of_class);

	return panel && series < panel->n_series ? panel->series[series].name
						 : NULL;
}

double limpid_item_value(const struct limpid_item *item, size_t of_class,
			 size_t series, size_t column, size_t sample)
{
	const struct lp_panel *panel = panel_at(item, of_class);

	if (!panel || series >= panel->n_series || column >= panel->n_columns ||
	    sample >= item->is.chunk->n_samples)
		return NAN;
	return lp_values_number(&panel->series[series].values[column],
				panel->columns[column].type, sample);
}

/* ---- inventories ---- */

static const struct lp_component *component_at(const struct limpid_item *item,
					       size_t i)
{
	const struct lp_inventory *inventory = item->is.inventory;

	return inventory && i < inventory->n_components
		       ? &inventory->components[i]
		       : NULL;
}

const char *limpid_item_component(const struct limpid_item *item,
				  size_t component, const char **of_class)
{
	const struct lp_component *c = component_at(item, component);

	if (c && of_class)
		*of_class = c->class_name;
	return c ? c->name : NULL;
}

const char *limpid_item_label(const struct limpid_item *item, size_t component,
			      size_t label, const char **value)
{
	const struct lp_component *c = component_at(item, component);
	const struct lp_labels *labels = c ? &c->labels : NULL;

	if (component == LIMPID_HOST && item->is.inventory)
		labels = &item->is.inventory->labels;
	if (!labels || label >= labels->count)
		return NULL;
	*value = labels->items[label].value;
	return labels->items[label].key;
}

/* ---- events ---- */

const char *limpid_item_event(const struct limpid_item *item)
{
	return item->is.event ? lp_event_kind_name(item->is.event->kind) : NULL;
}

const char *limpid_item_event_get(const struct limpid_item *item,
				  const char *key)
{
	return item->is.event ? lp_event_get(item->is.event, key) : NULL;
}
