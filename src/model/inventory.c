/* SPDX-License-Identifier: Apache-2.0 */
#include "model/inventory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lp_inventory *lp_inventory_new(const char *host, int64_t time_ns)
{
	struct lp_inventory *inventory = calloc(1, sizeof(*inventory));

	if (!inventory)
		return NULL;
	inventory->time_ns = time_ns;
	inventory->host = lp_arena_string(&inventory->arena, host);
	if (!inventory->host) {
		lp_inventory_free(inventory);
		return NULL;
	}
	return inventory;
}

void lp_inventory_free(struct lp_inventory *inventory)
{
	if (!inventory)
		return;
	for (size_t i = 0; i < inventory->n_components; i++)
		free(inventory->components[i].labels.items);
	free(inventory->components);
	free(inventory->labels.items);
	lp_arena_done(&inventory->arena);
	free(inventory);
}

struct lp_component *lp_inventory_add(struct lp_inventory *inventory,
				      const char *class_name, const char *name)
{
	size_t n = inventory->n_components;
	struct lp_component component = {
		.class_name = lp_arena_string(&inventory->arena, class_name),
		.name = lp_arena_string(&inventory->arena, name),
	};

	if (!component.class_name || !component.name ||
	    lp_grow(&inventory->components, &inventory->components_capacity,
		    n + 1, sizeof(component)) < 0)
		return NULL;
	inventory->components[n] = component;
	inventory->n_components++;
	return &inventory->components[n];
}

int lp_inventory_label(struct lp_inventory *inventory, struct lp_labels *labels,
		       const char *key, const char *value)
{
	struct lp_label label;

	if (!value || !*value)
		return 0;
	label.key = lp_arena_string(&inventory->arena, key);
	label.value = lp_arena_string(&inventory->arena, value);
	if (!label.key || !label.value)
		return -ENOMEM;
	for (size_t i = 0; i < labels->count; i++)
		if (strcmp(labels->items[i].key, key) == 0) {
			labels->items[i] = label;
			return 0;
		}
	if (lp_grow(&labels->items, &labels->capacity, labels->count + 1,
		    sizeof(label)) < 0)
		return -ENOMEM;
	labels->items[labels->count++] = label;
	return 0;
}

const char *lp_labels_get(const struct lp_labels *labels, const char *key)
{
	for (size_t i = 0; i < labels->count; i++)
		if (strcmp(labels->items[i].key, key) == 0)
			return labels->items[i].value;
	return NULL;
}

const char *lp_labels_text(const struct lp_labels *labels, const char *key)
{
	const char *value = lp_labels_get(labels, key);

	return value ? value : "";
}

bool lp_label_lists(const char *value, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = value; n > 0 && (at = strstr(at, name)) != NULL;
	     at += n)
		if ((at == value || at[-1] == ' ') &&
		    (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

const struct lp_component *lp_inventory_find(
	const struct lp_inventory *inventory, const char *class_name,
	const char *name)
{
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];

		if (strcmp(c->name, name) == 0 &&
		    strcmp(c->class_name, class_name) == 0)
			return c;
	}
	return NULL;
}

static int same_labels(const struct lp_labels *a, const struct lp_labels *b)
{
	if (a->count != b->count)
		return 0;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i].key, b->items[i].key) != 0 ||
		    strcmp(a->items[i].value, b->items[i].value) != 0)
			return 0;
	return 1;
}

int lp_inventory_same(const struct lp_inventory *a,
		      const struct lp_inventory *b)
{
	if (strcmp(a->host, b->host) != 0 ||
	    a->n_components != b->n_components ||
	    !same_labels(&a->labels, &b->labels))
		return 0;
	for (size_t i = 0; i < a->n_components; i++) {
		const struct lp_component *x = &a->components[i];
		const struct lp_component *y = &b->components[i];

		if (strcmp(x->class_name, y->class_name) != 0 ||
		    strcmp(x->name, y->name) != 0 ||
		    !same_labels(&x->labels, &y->labels))
			return 0;
	}
	return 1;
}
