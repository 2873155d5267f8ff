/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was gathered, given out as ticks of hosts: all values of one time are
 * one tick. Prometheus gives all series of a scrape the time of the scrape.
 */
#include "source/gather_parts.h"

#include "base/bytes.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chunk: as the archive compresses best, and bounded in memory. */
#define CHUNK_TICKS 600
#define CHUNK_VALUES ((size_t)4 << 20)
/* A replica's sample counts where the other's are farther away than this part
 * of their interval. */
#define GAP 0.75
/* The kernel's boot time wavers by a second when its clock is set. */
#define SAME_BOOT_NS (10 * LP_NS_PER_S)

static int by_time(const void *a, const void *b)
{
	const struct lp_gather_point *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* In order, and one for each time. */
static void sort_points(struct lp_gather_series *series)
{
	size_t kept = 0;

	if (!series->unsorted)
		return;
	qsort(series->points, series->n, sizeof(*series->points), by_time);
	for (size_t i = 0; i < series->n; i++)
		if (kept == 0 || series->points[i].time_ns !=
					 series->points[kept - 1].time_ns)
			series->points[kept++] = series->points[i];
		else
			series->points[kept - 1] = series->points[i];
	series->n = kept;
	series->unsorted = false;
}

/* ---- replicas ---- */

/* The labels of a series, which replicas differ in: behind the metric. */
static const char *labels_of(const struct lp_gather *g, uint32_t number)
{
	const char *key = g->keys.text[number];
	const char *rest = strchr(key, '\x1f');

	return rest ? rest : "";
}

/* Values of the component with these labels. */
static size_t weight(const struct lp_gather *g,
		     const struct lp_gather_component *component,
		     const char *labels)
{
	size_t sum = 0;

	for (size_t c = 0; c < component->class->n_columns; c++)
		for (uint32_t s = component->series[c]; s != LP_GATHER_NONE;
		     s = g->series[s].next)
			if (strcmp(labels_of(g, s), labels) == 0)
				sum += g->series[s].n;
	return sum;
}

/* The one of a column that counts: all columns of a component agree. */
static uint32_t first_of(const struct lp_gather *g,
			 const struct lp_gather_component *component, size_t c)
{
	uint32_t best = LP_GATHER_NONE;
	size_t best_weight = 0;

	for (uint32_t s = component->series[c]; s != LP_GATHER_NONE;
	     s = g->series[s].next) {
		size_t w = g->series[s].n
				   ? weight(g, component, labels_of(g, s))
				   : 0;

		if (w > best_weight ||
		    (w > 0 && w == best_weight &&
		     strcmp(labels_of(g, s), labels_of(g, best)) < 0)) {
			best = s;
			best_weight = w;
		}
	}
	return best;
}

static int64_t median_step(const struct lp_gather_series *series)
{
	size_t n = series->n - 1;
	int64_t *steps, median;

	if (series->n < 2)
		return 0;
	steps = malloc(n * sizeof(*steps));
	if (!steps)
		return -1;
	for (size_t i = 0; i < n; i++)
		steps[i] = series->points[i + 1].time_ns -
			   series->points[i].time_ns;
	qsort(steps, n, sizeof(*steps), lp_compare_i64);
	median = steps[n / 2];
	free(steps);
	return median;
}

/* What the other has where this one has a gap. 0 or -ENOMEM. */
static int fill_gaps(struct lp_gather_series *series,
		     const struct lp_gather_series *other)
{
	int64_t step = median_step(series);
	size_t n = series->n, at = 0;

	if (step < 0 || lp_grow(&series->points, &series->capacity,
				n + other->n, sizeof(*series->points)) < 0)
		return -ENOMEM;
	step = (int64_t)(GAP * (double)step);
	for (size_t i = 0; i < other->n; i++) {
		int64_t t = other->points[i].time_ns;

		while (at < n && series->points[at].time_ns <= t)
			at++;
		if ((at == 0 || t - series->points[at - 1].time_ns > step) &&
		    (at == n || series->points[at].time_ns - t > step))
			series->points[series->n++] = other->points[i];
	}
	series->unsorted = series->n > n;
	sort_points(series);
	return 0;
}

/* Put the one that counts, whole, at the head of its chain. */
static int settle_column(struct lp_gather *g,
			 struct lp_gather_component *component, size_t c)
{
	uint32_t *link = &component->series[c], best;

	if (*link == LP_GATHER_NONE || g->series[*link].next == LP_GATHER_NONE)
		return 0;
	best = first_of(g, component, c);
	if (best == LP_GATHER_NONE)
		return 0;
	while (*link != best)
		link = &g->series[*link].next;
	*link = g->series[best].next;
	g->series[best].next = component->series[c];
	component->series[c] = best;
	for (uint32_t s = g->series[best].next; s != LP_GATHER_NONE;
	     s = g->series[s].next)
		if (fill_gaps(&g->series[best], &g->series[s]) < 0)
			return -ENOMEM;
	return 0;
}

static int settle(struct lp_gather *g)
{
	for (uint32_t s = 0; s < g->n_series; s++)
		sort_points(&g->series[s]);
	for (uint32_t i = 0; i < g->n_components; i++) {
		struct lp_gather_component *component = &g->components[i];

		/* Weights are of what came: before any gap is filled. */
		for (size_t c = 0; c < component->class->n_columns; c++)
			if (settle_column(g, component, c) < 0)
				return -ENOMEM;
	}
	return 0;
}

/* ---- ticks ---- */

static bool same_times(const struct lp_gather_series *a,
		       const struct lp_gather_series *b)
{
	if (!a || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->points[i].time_ns != b->points[i].time_ns)
			return false;
	return true;
}

static int add_times(struct lp_gather_host *host, size_t *capacity,
		     const struct lp_gather_series *series)
{
	if (lp_grow(&host->ticks, capacity, host->n_ticks + series->n,
		    sizeof(*host->ticks)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < series->n; i++)
		host->ticks[host->n_ticks++] = series->points[i].time_ns;
	return 0;
}

/* All times of a host, each once. Most series have those of the one before. */
static int find_ticks(struct lp_gather *g, struct lp_gather_host *host)
{
	const struct lp_gather_series *last = NULL;
	size_t capacity = 0, kept = 0;

	for (size_t i = 0; i < host->n_components; i++) {
		const struct lp_gather_component *component =
			&g->components[host->components[i]];

		for (size_t c = 0; c < component->class->n_columns; c++) {
			const struct lp_gather_series *series;

			if (component->series[c] == LP_GATHER_NONE)
				continue;
			series = &g->series[component->series[c]];
			if (series->n == 0 || same_times(last, series))
				continue;
			if (add_times(host, &capacity, series) < 0)
				return -ENOMEM;
			last = series;
		}
	}
	if (host->n_ticks > 0)
		qsort(host->ticks, host->n_ticks, sizeof(*host->ticks),
		      lp_compare_i64);
	for (size_t i = 0; i < host->n_ticks; i++)
		if (kept == 0 || host->ticks[i] != host->ticks[kept - 1])
			host->ticks[kept++] = host->ticks[i];
	host->n_ticks = kept;
	return 0;
}

/* ---- chunks ---- */

/* A column of a class goes where in the builder; LP_BUILDER_NONE: nowhere. */
struct places {
	size_t panel;
	size_t columns[64];
};

static bool find_places(const struct lp_gather *g,
			const struct lp_gather_host *host,
			const struct lp_class *class, struct places *places)
{
	places->panel = LP_BUILDER_NONE;
	for (size_t c = 0; c < lp_array_size(places->columns); c++)
		places->columns[c] = LP_BUILDER_NONE;
	for (size_t i = 0; i < host->n_components; i++) {
		const struct lp_gather_component *component =
			&g->components[host->components[i]];

		for (size_t c = 0;
		     component->class == class && c < class->n_columns &&
		     c < lp_array_size(places->columns);
		     c++) {
			if (component->series[c] == LP_GATHER_NONE ||
			    places->columns[c] != LP_BUILDER_NONE)
				continue;
			places->panel = lp_builder_bare_panel(host->builder,
							      class->name);
			if (places->panel == LP_BUILDER_NONE)
				return false;
			places->columns[c] =
				lp_builder_column(host->builder, places->panel,
						  &class->columns[c]);
			if (places->columns[c] == LP_BUILDER_NONE)
				return false;
		}
	}
	return true;
}

/* The value of this time, if there is one; then it is done with. */
static bool take(struct lp_gather_series *series, int64_t time_ns,
		 uint64_t *bits)
{
	while (series->at < series->n &&
	       series->points[series->at].time_ns < time_ns)
		series->at++;
	return series->at < series->n &&
	       series->points[series->at].time_ns == time_ns &&
	       lp_exported_bits(&series->exported,
				series->points[series->at++].value, bits);
}

static bool put_row(struct lp_gather *g, struct lp_gather_host *host,
		    const struct lp_gather_component *component,
		    const struct places *places, int64_t time_ns)
{
	bool made = false;
	struct lp_row row;
	uint64_t bits;

	for (size_t c = 0; c < component->class->n_columns &&
			   c < lp_array_size(places->columns);
	     c++) {
		uint32_t s = component->series[c];

		if (s == LP_GATHER_NONE || !take(&g->series[s], time_ns, &bits))
			continue;
		if (!made && !lp_builder_row(host->builder, places->panel,
					     component->name,
					     strlen(component->name), &row))
			return false;
		made = true;
		if (component->class->columns[c].type == LP_F64)
			lp_row_f64(&row, places->columns[c],
				   lp_bits_double(bits));
		else
			lp_row_u64(&row, places->columns[c], bits);
	}
	return true;
}

/* The rows of a class in one tick. */
static bool put_class(struct lp_gather *g, struct lp_gather_host *host,
		      const struct lp_class *class, const struct places *places,
		      int64_t time_ns)
{
	if (places->panel == LP_BUILDER_NONE)
		return true;
	for (size_t i = 0; i < host->n_components; i++) {
		const struct lp_gather_component *component =
			&g->components[host->components[i]];

		if (component->class == class &&
		    !put_row(g, host, component, places, time_ns))
			return false;
	}
	return true;
}

#define MOST_CLASSES 16

/* The next ticks of the host as a chunk. 0 or -ENOMEM. */
static int fill_chunk(struct lp_gather *g, struct lp_gather_host *host)
{
	struct places places[MOST_CLASSES];
	size_t most = CHUNK_VALUES / (host->n_components * 16 + 1) + 1;
	size_t end = host->at + (most < CHUNK_TICKS ? most : CHUNK_TICKS);

	if (!host->builder)
		host->builder = lp_builder_new(host->name);
	if (!host->builder)
		return -ENOMEM;
	lp_builder_clear(host->builder);
	for (size_t k = 0; k < MOST_CLASSES && lp_classes[k]; k++)
		if (!find_places(g, host, lp_classes[k], &places[k]))
			return -ENOMEM;
	for (; host->at < end && host->at < host->n_ticks; host->at++) {
		int64_t time_ns = host->ticks[host->at];

		if (lp_builder_tick(host->builder, time_ns) < 0)
			return -ENOMEM;
		for (size_t k = 0; k < MOST_CLASSES && lp_classes[k]; k++)
			if (!put_class(g, host, lp_classes[k], &places[k],
				       time_ns))
				return -ENOMEM;
	}
	return 0;
}

/* ---- boots ---- */

/* Whether the host says before its next tick that it booted again. */
static bool find_boot(struct lp_gather *g, struct lp_gather_host *host)
{
	struct lp_gather_series *series;

	if (host->boot == LP_GATHER_NONE)
		return false;
	series = &g->series[host->boot];
	while (series->at < series->n) {
		double seconds = series->points[series->at++].value;
		int64_t boot_ns;

		if (!(seconds > 0 && seconds < 4e9))
			continue;
		boot_ns = (int64_t)(seconds * (double)LP_NS_PER_S);
		if (boot_ns - host->boot_ns < SAME_BOOT_NS)
			continue;
		host->boot_ns = boot_ns;
		g->event = (struct lp_event){
			.host = host->name,
			.time_ns = boot_ns,
			.kind = LP_EVENT_BOOT,
			.source = "node_exporter",
			.severity = lp_event_kind_severity(LP_EVENT_BOOT),
		};
		return true;
	}
	return false;
}

/* ---- giving ---- */

static int begin(struct lp_gather *g)
{
	if (lp_gather_name_hosts(g) < 0 || settle(g) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < g->n_hosts; i++)
		if (find_ticks(g, &g->hosts[i]) < 0)
			return -ENOMEM;
	g->giving = true;
	g->turn = 0;
	return 0;
}

static void end(struct lp_gather *g)
{
	for (uint32_t i = 0; i < g->n_hosts; i++) {
		struct lp_gather_host *host = &g->hosts[i];

		lp_builder_free(host->builder);
		free(host->ticks);
		host->builder = NULL;
		host->ticks = NULL;
		host->n_ticks = host->at = 0;
	}
	lp_gather_clear(g);
	g->giving = false;
}

/* The next host in turn that has ticks left; NULL: none has. */
static struct lp_gather_host *whose_turn(struct lp_gather *g)
{
	for (uint32_t i = 0; i < g->n_hosts; i++, g->turn++) {
		struct lp_gather_host *host = &g->hosts[g->turn % g->n_hosts];

		if (host->at < host->n_ticks)
			return host;
	}
	return NULL;
}

static int give(struct lp_gather *g, struct lp_gather_host *host,
		struct lp_item *item)
{
	*item = (struct lp_item){ .kind = LP_ITEM_INVENTORY };
	/* First, so that it stands before all samples where files are merged.
	 */
	if (find_boot(g, host)) {
		item->kind = LP_ITEM_EVENT;
		item->event = &g->event;
		return 1;
	}
	if (host->changed) {
		host->changed = false;
		host->inventory->time_ns = host->ticks[host->at];
		item->inventory = host->inventory;
		return 1;
	}
	if (fill_chunk(g, host) < 0)
		return -ENOMEM;
	item->kind = LP_ITEM_CHUNK;
	item->chunk = lp_builder_chunk(host->builder);
	g->turn++;
	return 1;
}

int lp_gather_next(struct lp_gather *g, struct lp_item *item,
		   struct lp_error *err)
{
	struct lp_gather_host *host;
	int status;

	if (!g->giving && begin(g) < 0)
		return lp_fail_memory(err);
	host = whose_turn(g);
	if (!host) {
		end(g);
		return 0;
	}
	status = give(g, host, item);
	return status < 0 ? lp_fail_memory(err) : status;
}
