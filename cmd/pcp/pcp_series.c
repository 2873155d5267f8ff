/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_series.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lp_pcp_labels_set(struct lp_pcp_labels *labels, const char *key,
		      const char *value)
{
	struct lp_pcp_label *label = labels->items;
	char *copy;

	for (size_t i = 0; i < labels->count; i++, label++)
		if (strcmp(label->key, key) == 0)
			break;
	if (labels->count > 0 && label < labels->items + labels->count &&
	    strcmp(label->value, value) == 0)
		return 0;
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	if (labels->count > 0 && label < labels->items + labels->count) {
		free(label->value);
		label->value = copy;
		return 1;
	}
	if (lp_grow(&labels->items, &labels->capacity, labels->count + 1,
		    sizeof(*labels->items)) < 0) {
		free(copy);
		return -ENOMEM;
	}
	label = &labels->items[labels->count];
	*label = (struct lp_pcp_label){ strdup(key), copy };
	if (!label->key) {
		free(copy);
		return -ENOMEM;
	}
	labels->count++;
	return 1;
}

void lp_pcp_labels_done(struct lp_pcp_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++) {
		free(labels->items[i].key);
		free(labels->items[i].value);
	}
	free(labels->items);
	*labels = (struct lp_pcp_labels){ 0 };
}

static void series_free(struct lp_pcp_series *series)
{
	if (!series)
		return;
	lp_pcp_labels_done(&series->labels);
	free(series->instance);
	free(series->values);
	free(series->set);
	free(series->socket);
	free(series);
}

static struct lp_pcp_series *series_new(const struct lp_pcp_family *family,
					const char *instance)
{
	struct lp_pcp_series *series = calloc(1, sizeof(*series));
	size_t n = family->class->n_columns;

	if (!series)
		return NULL;
	series->family = family;
	series->instance = strdup(instance);
	series->values = calloc(n, sizeof(*series->values));
	series->set = calloc(n, 1);
	if (!series->instance || !series->values || !series->set ||
	    (family->layer &&
	     lp_pcp_labels_set(&series->labels, "layer", family->layer) < 0) ||
	    (family->aliased &&
	     lp_pcp_labels_set(&series->labels, "alias", instance) < 0)) {
		series_free(series);
		return NULL;
	}
	return series;
}

int lp_pcp_panel_init(struct lp_pcp_panel *panel, const struct lp_class *class,
		      struct lp_builder *builder)
{
	*panel = (struct lp_pcp_panel){ .class = class };
	panel->number = lp_builder_bare_panel(builder, class->name);
	panel->columns = calloc(class->n_columns, sizeof(*panel->columns));
	if (panel->number == LP_BUILDER_NONE || !panel->columns) {
		free(panel->columns);
		return -ENOMEM;
	}
	for (size_t c = 0; c < class->n_columns; c++)
		panel->columns[c] = LP_BUILDER_NONE;
	return 0;
}

void lp_pcp_panel_done(struct lp_pcp_panel *panel)
{
	for (size_t i = 0; i < panel->count; i++)
		series_free(panel->series[i]);
	free(panel->series);
	free(panel->columns);
	lp_names_done(&panel->names);
}

struct lp_pcp_series *lp_pcp_panel_series(struct lp_pcp_panel *panel,
					  const struct lp_pcp_family *family,
					  const char *instance, bool *made)
{
	uint32_t id = lp_names_find(&panel->names, instance);
	struct lp_pcp_series *series;

	*made = false;
	if (id != LP_NAME_NONE)
		return panel->series[id];
	if (lp_grow(&panel->series, &panel->capacity, panel->count + 1,
		    sizeof(*panel->series)) < 0)
		return NULL;
	series = series_new(family, instance);
	if (!series || lp_names_add(&panel->names, instance) == LP_NAME_NONE) {
		series_free(series);
		return NULL;
	}
	panel->series[panel->count++] = series;
	*made = true;
	return series;
}

int lp_pcp_panel_forget(struct lp_pcp_panel *panel, uint64_t tick)
{
	struct lp_names names = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < panel->count; i++)
		if (panel->series[i]->tick >= tick &&
		    lp_names_add(&names, panel->series[i]->instance) ==
			    LP_NAME_NONE) {
			lp_names_done(&names);
			return -ENOMEM;
		}
	for (size_t i = 0; i < panel->count; i++) {
		if (panel->series[i]->tick >= tick)
			panel->series[kept++] = panel->series[i];
		else
			series_free(panel->series[i]);
	}
	panel->count = kept;
	lp_names_done(&panel->names);
	panel->names = names;
	return 0;
}

/* A socket needs its other end for a name, and counts only when it is open. */
static const char *row_name(const struct lp_pcp_series *series)
{
	if (!series->family->sockets)
		return series->instance;
	return series->closed ? NULL : series->socket;
}

void lp_pcp_series_emit(struct lp_pcp_series *series,
			const struct lp_pcp_panel *panel,
			struct lp_builder *builder)
{
	const char *name = row_name(series);
	bool row_made = false;
	struct lp_row row;

	if (name)
		row_made = lp_builder_row(builder, panel->number, name,
					  strlen(name), &row);
	for (size_t c = 0; c < panel->class->n_columns; c++) {
		if (!(series->set[c] & LP_PCP_NOW))
			continue;
		if (row_made)
			lp_row_u64(&row, panel->columns[c], series->values[c]);
		series->set[c] = LP_PCP_BEFORE;
	}
}

static int survey_series(const struct lp_pcp_series *series,
			 const struct lp_class *class,
			 struct lp_inventory *inventory)
{
	struct lp_component *component =
		lp_inventory_add(inventory, class->name, series->instance);

	if (!component)
		return -ENOMEM;
	for (size_t i = 0; i < series->labels.count; i++)
		if (lp_inventory_label(inventory, &component->labels,
				       series->labels.items[i].key,
				       series->labels.items[i].value) < 0)
			return -ENOMEM;
	return 0;
}

int lp_pcp_panel_survey(const struct lp_pcp_panel *panel,
			struct lp_inventory *inventory)
{
	if (lp_class_is_host(panel->class) || panel->class->pooled)
		return 0;
	for (size_t i = 0; i < panel->count; i++)
		if (survey_series(panel->series[i], panel->class, inventory) <
		    0)
			return -ENOMEM;
	return 0;
}
