/* SPDX-License-Identifier: Apache-2.0 */
#include "model/catalogue.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS(name) &lp_class_##name,
const struct lp_class *const lp_classes[] = {
	LP_CLASSES(ADDRESS) NULL,
};

const struct lp_class *lp_class_find(const char *name)
{
	for (size_t i = 0; lp_classes[i]; i++)
		if (strcmp(lp_classes[i]->name, name) == 0)
			return lp_classes[i];
	return NULL;
}

const struct lp_class *lp_class_of_kin(enum lp_kin kin)
{
	size_t i = 0;

	while (lp_classes[i]->kin != kin)
		i++;
	return lp_classes[i];
}

int lp_class_column(const struct lp_class *class, const char *name)
{
	for (size_t i = 0; i < class->n_columns; i++)
		if (strcmp(class->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

const struct lp_metric *lp_class_metric(const struct lp_class *class,
					const char *name)
{
	for (size_t i = 0; i < class->n_metrics; i++)
		if (strcmp(class->metrics[i].name, name) == 0)
			return &class->metrics[i];
	return NULL;
}

const struct lp_metric *lp_class_quantity(const struct lp_class *class,
					  const char *name)
{
	for (size_t i = 0; i < class->n_quantities; i++)
		if (strcmp(class->quantities[i].name, name) == 0)
			return &class->quantities[i];
	return NULL;
}

static bool is_called(const char *have, const char *name, size_t length)
{
	return have && strlen(have) == length &&
	       memcmp(have, name, length) == 0;
}

bool lp_metric_is_named(const struct lp_metric *metric, const char *name,
			size_t length)
{
	return is_called(metric->name, name, length) ||
	       is_called(metric->sar_name, name, length);
}

bool lp_metric_is_listed(const struct lp_metric *metric, const char *list)
{
	for (;;) {
		size_t n = strcspn(list, ",");

		if (lp_metric_is_named(metric, list, n))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

const char *lp_metric_shown(const struct lp_metric *metric, bool sar,
			    const char **unit, double *factor)
{
	bool differs = sar && metric->sar_name;

	*unit = differs ? metric->sar_unit : metric->unit;
	*factor = differs ? metric->sar_factor : 1;
	return differs ? metric->sar_name : metric->name;
}

struct lp_column lp_metric_column(const struct lp_metric *metric,
				  const char *weight)
{
	return (struct lp_column){
		.name = metric->name,
		.unit = metric->unit,
		.kind = weight ? LP_WEIGHTED : LP_GAUGE,
		.type = LP_F64,
		.partner = weight,
		.help = metric->help,
	};
}

/* Of a metric that other tools recorded as a level: a rate of what moved. */
static double metric_bytes(const struct lp_class *class, const char *name)
{
	const struct lp_metric *m = lp_class_metric(class, name);
	int c = m && m->role == LP_LOAD && !m->below[0]
			? lp_class_column(class, m->above[0])
			: -1;

	return c < 0 ? 0 : class->columns[c].bytes / m->scale;
}

double lp_class_column_bytes(const struct lp_class *class, const char *column)
{
	int c = lp_class_column(class, column);

	return c < 0 ? metric_bytes(class, column) : class->columns[c].bytes;
}

/* Interfaces and ports share names. */
static bool is_accusing_before(const struct lp_class *const *end,
			       const char *name, bool quantities)
{
	for (const struct lp_class *const *c = lp_classes; c < end; c++) {
		const struct lp_metric *m =
			quantities ? lp_class_quantity(*c, name)
				   : lp_class_metric(*c, name);

		if (m && m->indicts)
			return true;
	}
	return false;
}

const char *lp_accusing_names(bool quantities, char text[LP_ACCUSING_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (const struct lp_class *const *c = lp_classes; *c; c++) {
		size_t n = quantities ? (*c)->n_quantities : (*c)->n_metrics;
		const struct lp_metric *list =
			quantities ? (*c)->quantities : (*c)->metrics;

		for (const struct lp_metric *m = list; m < list + n; m++)
			if (m->indicts && used < LP_ACCUSING_TEXT &&
			    !is_accusing_before(c, m->name, quantities))
				used += (size_t)snprintf(
					text + used, LP_ACCUSING_TEXT - used,
					"%s%s", used ? ", " : "", m->name);
	}
	return text;
}

const char *lp_kind_name(enum lp_kind kind)
{
	static const char *const names[LP_KINDS] = {
		[LP_COUNTER] = "counter", [LP_SATURATING] = "saturating",
		[LP_GAUGE] = "gauge",     [LP_WEIGHTED] = "weighted",
		[LP_MOMENTS] = "moments", [LP_HISTOGRAM] = "histogram",
		[LP_STATE] = "state",
	};

	return kind < LP_KINDS ? names[kind] : "unknown";
}

const char *lp_metric_role_name(enum lp_metric_role role)
{
	static const char *const names[LP_METRIC_ROLES] = {
		[LP_LEVEL] = "level",           [LP_LOAD] = "load",
		[LP_LATENCY] = "latency",       [LP_SERVICE] = "service",
		[LP_QUEUE] = "queue",           [LP_LOSS] = "loss",
		[LP_CONGESTION] = "congestion", [LP_ERROR] = "error",
	};

	return role < LP_METRIC_ROLES ? names[role] : "unknown";
}

const char *lp_resource_name(enum lp_resource resource)
{
	static const char *const names[LP_RESOURCES] = {
		[LP_STORAGE] = "storage",
		[LP_NETWORK] = "network",
		[LP_CPU] = "cpu",
		[LP_MEMORY] = "memory",
	};

	return resource < LP_RESOURCES ? names[resource] : "unknown";
}

bool lp_metric_alternative(const struct lp_metric *metric,
			   struct lp_metric *other)
{
	if (!metric->instead_above[0] && !metric->instead_below[0])
		return false;
	*other = *metric;
	if (metric->instead_above[0])
		memcpy(other->above, metric->instead_above,
		       sizeof(other->above));
	if (metric->instead_below[0])
		memcpy(other->below, metric->instead_below,
		       sizeof(other->below));
	return true;
}

static bool counts_up(const struct lp_class *class, const char *name)
{
	int column = lp_class_column(class, name);

	return column >= 0 && class->columns[column].kind <= LP_SATURATING;
}

/* "Δ(a + b)" for counters, "a" for levels. */
static void put_terms(const struct lp_class *class, const char *const *terms,
		      char *text, size_t size)
{
	bool counts = counts_up(class, terms[0]);
	size_t used = (size_t)snprintf(text, size, counts ? "Δ(" : "");

	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i ? " + " : "", terms[i]);
	snprintf(text + used, size - used, counts ? ")" : "");
}

/* "max(Δ(a), Δ(b))" */
static void put_largest(const char *const *terms, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "max(");

	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++)
		used += (size_t)snprintf(text + used, size - used, "%sΔ(%s)",
					 i ? ", " : "", terms[i]);
	snprintf(text + used, size - used, ")");
}

const char *lp_metric_formula(const struct lp_class *class,
			      const struct lp_metric *metric,
			      char text[LP_FORMULA_TEXT])
{
	char above[112], below[112] = "", scale[24] = "";

	if (metric->largest)
		put_largest(metric->above, above, sizeof(above));
	else
		put_terms(class, metric->above, above, sizeof(above));
	if (metric->below[0])
		put_terms(class, metric->below, below, sizeof(below));
	else if (counts_up(class, metric->above[0]))
		snprintf(below, sizeof(below), "s");
	if (metric->scale != 1)
		snprintf(scale, sizeof(scale), "%g · ", metric->scale);
	snprintf(text, LP_FORMULA_TEXT, "%s%s%s%s%s", scale, above,
		 below[0] ? " / " : "", below,
		 metric->per_speed ? " / speed" : "");
	return text;
}
