/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gather_parts.h"

#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between the parts of a key: no name has it. */
#define PART "\x1f"

struct lp_gather *lp_gather_new(const char *host_label)
{
	struct lp_gather *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->host_label = strdup(host_label);
	g->default_host = "localhost";
	if (!g->host_label) {
		free(g);
		return NULL;
	}
	return g;
}

static void host_done(struct lp_gather_host *host)
{
	lp_inventory_free(host->inventory);
	lp_builder_free(host->builder);
	free(host->components);
	free(host->ticks);
	free(host->name);
}

void lp_gather_free(struct lp_gather *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; i < g->n_series; i++)
		free(g->series[i].points);
	for (uint32_t i = 0; i < g->n_components; i++)
		free(g->components[i].series);
	for (uint32_t i = 0; i < g->n_hosts; i++)
		host_done(&g->hosts[i]);
	free(g->series);
	free(g->components);
	free(g->hosts);
	lp_names_done(&g->keys);
	lp_names_done(&g->names);
	lp_names_done(&g->raws);
	free(g->host_label);
	free(g);
}

void lp_gather_host(struct lp_gather *g, const char *host, bool firm)
{
	g->default_host = host;
	g->firm = firm;
}

size_t lp_gather_count(const struct lp_gather *g)
{
	return g->count;
}

uint64_t lp_gather_odd(const struct lp_gather *g)
{
	return g->odd;
}

void lp_gather_clear(struct lp_gather *g)
{
	for (uint32_t i = 0; i < g->n_series; i++) {
		g->series[i].n = g->series[i].at = 0;
		g->series[i].unsorted = false;
	}
	g->count = 0;
}

/* ---- who it is of ---- */

static int find_host(struct lp_gather *g, const struct lp_metric_series *series,
		     uint32_t *number)
{
	const char *raw = lp_metric_series_get(series, g->host_label);
	struct lp_gather_host *host;

	*number = lp_names_add(&g->raws, raw ? raw : "");
	if (*number == LP_NAME_NONE)
		return -ENOMEM;
	if (*number < g->n_hosts)
		return 0;
	if (lp_grow(&g->hosts, &g->hosts_capacity, *number + 1, sizeof(*host)) <
	    0)
		return -ENOMEM;
	host = &g->hosts[*number];
	*host = (struct lp_gather_host){ .raw = g->raws.text[*number],
					 .boot = LP_GATHER_NONE };
	g->n_hosts++;
	host->inventory = lp_inventory_new("", 0);
	return host->inventory ? 0 : -ENOMEM;
}

/* The inventory has those that can be found again. */
static int list_component(struct lp_gather *g,
			  struct lp_gather_component *component)
{
	struct lp_inventory *inventory = g->hosts[component->host].inventory;
	const struct lp_class *class = component->class;

	component->listed = LP_GATHER_NONE;
	if (lp_class_is_host(class) || class->pooled)
		return 0;
	if (!lp_inventory_add(inventory, class->name, component->name))
		return -ENOMEM;
	component->listed = (uint32_t)inventory->n_components - 1;
	g->hosts[component->host].changed = true;
	return 0;
}

static int add_component(struct lp_gather *g, uint32_t host,
			 const struct lp_class *class, const char *name)
{
	struct lp_gather_host *h = &g->hosts[host];
	struct lp_gather_component *component;

	if (lp_grow(&g->components, &g->components_capacity,
		    g->n_components + 1, sizeof(*component)) < 0 ||
	    lp_grow(&h->components, &h->capacity, h->n_components + 1,
		    sizeof(*h->components)) < 0)
		return -ENOMEM;
	component = &g->components[g->n_components];
	*component = (struct lp_gather_component){ .host = host,
						   .class = class,
						   .name = name };
	component->series =
		malloc(class->n_columns * sizeof(*component->series));
	h->components[h->n_components++] = g->n_components++;
	if (!component->series)
		return -ENOMEM;
	for (size_t c = 0; c < class->n_columns; c++)
		component->series[c] = LP_GATHER_NONE;
	return list_component(g, component);
}

static int find_component(struct lp_gather *g, uint32_t host,
			  const struct lp_class *class, const char *name,
			  uint32_t *number)
{
	lp_auto_free char *key = NULL;

	if (asprintf(&key, "%s" PART "%s" PART "%s", g->hosts[host].raw,
		     class->name, name) < 0) {
		key = NULL;
		return -ENOMEM;
	}
	*number = lp_names_add(&g->names, key);
	if (*number == LP_NAME_NONE)
		return -ENOMEM;
	if (*number < g->n_components)
		return 0;
	/* The name is the end of the key, which stays. */
	return add_component(g, host, class,
			     strrchr(g->names.text[*number], *PART) + 1);
}

/* ---- series ---- */

/* Metric and labels as one text. NULL: out of memory. */
static char *key_of(const struct lp_metric_series *series)
{
	char *key = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&key, &size);

	if (!out)
		return NULL;
	fputs(series->metric, out);
	for (size_t i = 0; i < series->n_labels; i++)
		fprintf(out, PART "%s=%s", series->labels[i].key,
			series->labels[i].value);
	if (fclose(out) != 0) {
		free(key);
		return NULL;
	}
	return key;
}

/* To the others of its component and column. */
static void chain(struct lp_gather *g, uint32_t number)
{
	struct lp_gather_series *series = &g->series[number];
	uint32_t *first;

	if (series->exported.kind != LP_EXPORTED_COLUMN)
		return;
	first = &g->components[series->component]
			 .series[series->exported.column];
	series->next = *first;
	*first = number;
}

/* What a metric of the host says, or nothing. */
static int place_host_series(struct lp_gather *g, uint32_t host,
			     const struct lp_metric_series *series,
			     struct lp_gather_series *made)
{
	if (made->exported.kind == LP_EXPORTED_BOOT &&
	    g->hosts[host].boot == LP_GATHER_NONE) {
		made->component = host;
		g->hosts[host].boot = g->n_series;
		return 0;
	}
	if (made->exported.kind == LP_EXPORTED_HOST)
		return lp_gather_labels(g, host, NULL, &made->exported, series);
	return 0;
}

/* Of which component it is; what it says of it. 1: of none; 0 or -ENOMEM. */
static int place_series(struct lp_gather *g,
			const struct lp_metric_series *series,
			struct lp_gather_series *made)
{
	char instance[LP_EXPORTED_INSTANCE];
	uint32_t host;
	int status;

	if (!lp_exported_find(series->metric, &made->exported) ||
	    !lp_exported_instance(&made->exported, series, instance))
		return 1;
	status = find_host(g, series, &host);
	if (status < 0 || !made->exported.class)
		return status < 0 ? status
				  : place_host_series(g, host, series, made);
	status = find_component(g, host, made->exported.class, instance,
				&made->component);
	if (status < 0)
		return status;
	return lp_gather_labels(g, host, &g->components[made->component],
				&made->exported, series);
}

/* One that limpid has no use for is remembered as such, in its place. */
static int add_series(struct lp_gather *g,
		      const struct lp_metric_series *series)
{
	struct lp_gather_series made = { .component = LP_GATHER_NONE,
					 .next = LP_GATHER_NONE };
	int status;

	if (lp_grow(&g->series, &g->series_capacity, g->n_series + 1,
		    sizeof(made)) < 0)
		return -ENOMEM;
	status = place_series(g, series, &made);
	if (status < 0)
		return status;
	g->series[g->n_series] = made;
	if (made.component != LP_GATHER_NONE)
		chain(g, g->n_series);
	g->n_series++;
	return 0;
}

int lp_gather_series(struct lp_gather *g, const struct lp_metric_series *series,
		     uint32_t *handle)
{
	lp_auto_free char *key = key_of(series);
	uint32_t number;

	number = key ? lp_names_add(&g->keys, key) : LP_NAME_NONE;
	if (number == LP_NAME_NONE)
		return -ENOMEM;
	if (number >= g->n_series && add_series(g, series) < 0)
		return -ENOMEM;
	*handle = g->series[number].component == LP_GATHER_NONE ? LP_GATHER_NONE
								: number;
	return 0;
}

/* Whether it is a value of its column, or of what else it is. */
static bool is_possible(const struct lp_exported *exported, double value)
{
	uint64_t bits;

	return exported->kind == LP_EXPORTED_COLUMN
		       ? lp_exported_bits(exported, value, &bits)
		       : isfinite(value);
}

int lp_gather_value(struct lp_gather *g, uint32_t handle, int64_t time_ns,
		    double value)
{
	struct lp_gather_series *series = &g->series[handle];

	/* NaN is how exporters say that there is none. */
	if (isnan(value) || series->exported.kind == LP_EXPORTED_INFO)
		return 0;
	if (!is_possible(&series->exported, value)) {
		g->odd++;
		return 0;
	}
	if (series->exported.kind == LP_EXPORTED_SPEED)
		return lp_gather_speed(g, &g->components[series->component],
				       value);
	if (lp_grow(&series->points, &series->capacity, series->n + 1,
		    sizeof(*series->points)) < 0)
		return -ENOMEM;
	if (series->n > 0 && time_ns <= series->points[series->n - 1].time_ns)
		series->unsorted = true;
	series->points[series->n++] =
		(struct lp_gather_point){ time_ns, value };
	g->count++;
	return 0;
}
