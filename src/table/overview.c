/* SPDX-License-Identifier: Apache-2.0 */
#include "table/overview.h"

#include "base/number.h"
#include "table/delta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KEY_TEXT 512

static void make_key(char key[KEY_TEXT], const char *host,
		     const char *class_name, const char *name)
{
	snprintf(key, KEY_TEXT, "%s %s %s", class_name, host, name);
}

static struct lp_overview_host *host_of(struct lp_overview *o, const char *name)
{
	uint32_t before = o->hosts.count, n;

	if (lp_grow(&o->host, &o->host_capacity, (size_t)before + 1,
		    sizeof(*o->host)) < 0)
		return NULL;
	n = lp_names_add(&o->hosts, name);
	if (n == LP_NAME_NONE)
		return NULL;
	if (o->hosts.count > before)
		o->host[n] = (struct lp_overview_host){ 0 };
	return &o->host[n];
}

static struct lp_overview_component *component_of(struct lp_overview *o,
						  const char *key)
{
	uint32_t before = o->components.count, n;

	if (lp_grow(&o->component, &o->component_capacity, (size_t)before + 1,
		    sizeof(*o->component)) < 0)
		return NULL;
	n = lp_names_add(&o->components, key);
	if (n == LP_NAME_NONE)
		return NULL;
	if (o->components.count > before)
		o->component[n] = (struct lp_overview_component){ 0 };
	return &o->component[n];
}

/* Counters that rise are the same at both ends only if they never moved. */
static uint64_t print_of(const struct lp_panel *panel,
			 const struct lp_series *series, size_t sample)
{
	uint64_t h = 0;

	for (size_t c = 0; c < panel->n_columns; c++)
		if (lp_delta_counts(&panel->columns[c]) &&
		    lp_values_has(&series->values[c], sample))
			h = (h ^ series->values[c].bits[sample]) *
			    UINT64_C(0x9E3779B97F4A7C15);
	return h;
}

static bool any_level(const struct lp_panel *panel,
		      const struct lp_series *series, size_t n)
{
	for (size_t c = 0; c < panel->n_columns; c++) {
		const struct lp_column *column = &panel->columns[c];

		if (column->kind != LP_GAUGE && column->kind != LP_WEIGHTED)
			continue;
		for (size_t i = 0; i < n; i++)
			if (lp_values_number(&series->values[c], column->type,
					     i) > 0)
				return true;
	}
	return false;
}

static void look_at_series(struct lp_overview_component *component,
			   const struct lp_panel *panel,
			   const struct lp_series *series, size_t n)
{
	size_t first = 0, last = n;

	while (first < n && !lp_series_has(panel, series, first))
		first++;
	while (last > first && !lp_series_has(panel, series, last - 1))
		last--;
	if (first == last)
		return;
	if (!component->seen)
		component->print = print_of(panel, series, first);
	component->seen = true;
	component->active =
		print_of(panel, series, first) != component->print ||
		print_of(panel, series, last - 1) != component->print ||
		any_level(panel, series, n);
}

static int look_at_columns(struct lp_overview *o, const struct lp_panel *panel,
			   const struct lp_series *series)
{
	char key[KEY_TEXT];

	for (size_t c = 0; c < panel->n_columns; c++) {
		if (!series->values[c].bits)
			continue;
		snprintf(key, sizeof(key), "%s %s", panel->class_name,
			 panel->columns[c].name);
		if (lp_names_add(&o->columns, key) == LP_NAME_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int look_at_panel(struct lp_overview *o, const struct lp_chunk *chunk,
			 const struct lp_panel *panel)
{
	char key[KEY_TEXT];

	for (size_t s = 0; s < panel->n_series; s++) {
		struct lp_overview_component *component;

		make_key(key, chunk->host, panel->class_name,
			 panel->series[s].name);
		component = component_of(o, key);
		if (!component ||
		    look_at_columns(o, panel, &panel->series[s]) < 0)
			return -ENOMEM;
		if (!component->active)
			look_at_series(component, panel, &panel->series[s],
				       chunk->n_samples);
	}
	return 0;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Beyond that it is no interval, and sums of it would overflow. */
#define INTERVAL_MAX (366 * 86400 * LP_NS_PER_S)

/* Samples are taken at round times; what is measured is not. */
static int64_t round_interval(int64_t ns)
{
	int64_t unit = ns >= 950 * LP_NS_PER_MS  ? LP_NS_PER_S
		       : ns >= 50 * LP_NS_PER_MS ? 10 * LP_NS_PER_MS
						 : 1;

	if (ns > INTERVAL_MAX)
		return INTERVAL_MAX;
	return (ns + unit / 2) / unit * unit;
}

/* The times between samples, or between those with a value. */
struct gaps {
	int64_t ns[256];
	size_t n;
};

static void find_gaps(const struct lp_chunk *chunk,
		      const struct lp_values *values, struct gaps *gaps)
{
	size_t last = chunk->n_samples;
	int64_t ns;

	gaps->n = 0;
	for (size_t i = 0; i < chunk->n_samples; i++) {
		if (values && !lp_values_has(values, i))
			continue;
		if (last < i && gaps->n < lp_array_size(gaps->ns) &&
		    !__builtin_sub_overflow(chunk->time_ns[i],
					    chunk->time_ns[last], &ns) &&
		    ns > 0)
			gaps->ns[gaps->n++] = ns;
		last = i;
	}
	qsort(gaps->ns, gaps->n, sizeof(*gaps->ns), by_size);
}

/* Fewer gaps than these may be holes as well. */
#define GAPS_ENOUGH 4

/*
 * How often a counter is there: the lower quartile of the gaps, as some of its
 * samples may be missing. 0: cannot tell.
 */
static int64_t counter_interval(const struct lp_chunk *chunk,
				const struct lp_values *values)
{
	struct gaps gaps;

	if (!values->bits || !values->present)
		return 0; /* never, or always: as often as any sample */
	find_gaps(chunk, values, &gaps);
	return gaps.n < GAPS_ENOUGH ? 0 : round_interval(gaps.ns[gaps.n / 4]);
}

static int64_t panel_interval(const struct lp_chunk *chunk,
			      const struct lp_panel *panel)
{
	int64_t longest = 0, ns;

	for (size_t c = 0; panel->n_series && c < panel->n_columns; c++) {
		if (panel->columns[c].kind > LP_SATURATING)
			continue;
		ns = counter_interval(chunk, &panel->series[0].values[c]);
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/*
 * The median of the times between samples; 0: cannot tell. PCP logs some
 * metrics more often than others, each at its own times: then that of the
 * counters that are logged least often, which have no increase at less.
 */
static int64_t guess_interval(const struct lp_chunk *chunk)
{
	struct gaps gaps;
	int64_t longest, ns;

	find_gaps(chunk, NULL, &gaps);
	longest = gaps.n ? round_interval(gaps.ns[gaps.n / 2]) : 0;
	for (size_t p = 0; p < chunk->n_panels; p++) {
		ns = panel_interval(chunk, &chunk->panels[p]);
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* Recorders wake up a little after the second that they wait for. */
#define AT_SECOND_NS (50 * LP_NS_PER_MS)

static bool is_between_seconds(int64_t time_ns)
{
	int64_t off = time_ns % LP_NS_PER_S;

	off = off < 0 ? off + LP_NS_PER_S : off;
	return off > AT_SECOND_NS && off < LP_NS_PER_S - AT_SECOND_NS;
}

static int look_at_chunk(struct lp_overview *o, const struct lp_chunk *chunk)
{
	struct lp_overview_host *host = host_of(o, chunk->host);
	size_t n = chunk->n_samples;

	if (!host)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int64_t t = chunk->time_ns[i];

		if (host->n_samples == 0 || t < host->first_ns)
			host->first_ns = t;
		if (host->n_samples == 0 || t > host->last_ns)
			host->last_ns = t;
		host->n_samples++;
		host->n_between += is_between_seconds(t);
	}
	if (!host->interval_ns)
		host->interval_ns = guess_interval(chunk);
	for (size_t p = 0; p < chunk->n_panels; p++)
		if (look_at_panel(o, chunk, &chunk->panels[p]) < 0)
			return -ENOMEM;
	return 0;
}

static int look_at_aliases(struct lp_overview *o,
			   const struct lp_inventory *inventory)
{
	char key[KEY_TEXT];

	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];
		const char *alias = lp_labels_get(&c->labels, "alias");
		struct lp_overview_component *component;

		o->has_speeds |= !!lp_labels_get(&c->labels, "speed_mbit");
		if (!alias)
			continue;
		make_key(key, inventory->host, c->class_name, c->name);
		component = component_of(o, key);
		if (!component)
			return -ENOMEM;
		component->alias_length = strlen(alias);
	}
	return 0;
}

/* The recorder says how often it samples. */
static int look_at_inventory(struct lp_overview *o,
			     const struct lp_inventory *inventory)
{
	struct lp_overview_host *host = host_of(o, inventory->host);
	const char *text = lp_labels_get(&inventory->labels, "interval_ns");
	uint64_t ns;

	if (!host)
		return -ENOMEM;
	if (text && lp_parse_u64(text, strlen(text), &ns) == 0 && ns > 0 &&
	    ns <= INTERVAL_MAX && (int64_t)ns > host->interval_ns)
		host->interval_ns = (int64_t)ns;
	return look_at_aliases(o, inventory);
}

int lp_overview_read(struct lp_overview *o, struct lp_stream *stream,
		     struct lp_error *err)
{
	struct lp_item item;
	int r;

	while ((r = lp_stream_next(stream, &item, err)) > 0) {
		int looked = 0;

		if (item.chunk)
			looked = look_at_chunk(o, item.chunk);
		else if (item.inventory)
			looked = look_at_inventory(o, item.inventory);
		if (looked < 0)
			return lp_fail_memory(err);
	}
	return r;
}

void lp_overview_done(struct lp_overview *o)
{
	lp_names_done(&o->hosts);
	lp_names_done(&o->components);
	lp_names_done(&o->columns);
	free(o->host);
	free(o->component);
	*o = (struct lp_overview){ 0 };
}

int64_t lp_overview_interval(const struct lp_overview *o)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < o->hosts.count; i++)
		if (o->host[i].interval_ns > longest)
			longest = o->host[i].interval_ns;
	return longest;
}

bool lp_overview_active(const struct lp_overview *o, const char *host,
			const char *class_name, const char *name)
{
	char key[KEY_TEXT];
	uint32_t n;

	make_key(key, host, class_name, name);
	n = lp_names_find(&o->components, key);
	return n != LP_NAME_NONE && o->component[n].active;
}

static bool has_column(const struct lp_overview *o,
		       const struct lp_class *class, const char *name)
{
	char key[KEY_TEXT];

	snprintf(key, sizeof(key), "%s %s", class->name, name);
	return lp_names_find(&o->columns, key) != LP_NAME_NONE;
}

static bool has_any(const struct lp_overview *o, const struct lp_class *class,
		    const char *const *terms)
{
	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++)
		if (has_column(o, class, terms[i]))
			return true;
	return false;
}

bool lp_overview_has_metric(const struct lp_overview *o,
			    const struct lp_class *class,
			    const struct lp_metric *metric)
{
	if (has_column(o, class, metric->name))
		return true;
	if (metric->per_speed && !o->has_speeds)
		return false;
	return has_any(o, class, metric->above) ||
	       has_any(o, class, metric->instead_above);
}
