/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_metric.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256

static size_t place_of(const struct lp_pcp_metrics *metrics, pmID pmid)
{
	size_t i = (pmid * 2654435761u) & (metrics->size - 1);

	while (metrics->table[i] && metrics->table[i]->pmid != pmid)
		i = (i + 1) & (metrics->size - 1);
	return i;
}

static int grow_table(struct lp_pcp_metrics *metrics)
{
	struct lp_pcp_metrics larger = {
		.size = metrics->size ? metrics->size * 2 : FIRST_SIZE,
		.count = metrics->count,
	};

	larger.table = calloc(larger.size, sizeof(struct lp_pcp_metric *));
	if (!larger.table)
		return -ENOMEM;
	for (size_t i = 0; i < metrics->size; i++)
		if (metrics->table[i])
			larger.table[place_of(&larger,
					      metrics->table[i]->pmid)] =
				metrics->table[i];
	free(metrics->table);
	*metrics = larger;
	return 0;
}

/* Whether the archive holds this metric of the family. */
static bool is_recorded(const struct lp_pcp_family *family, const char *metric,
			pmID *pmid)
{
	char name[128];
	const char *names[1] = { name };

	snprintf(name, sizeof(name), "%s%s", family->prefix, metric);
	return pmLookupName(1, names, pmid) == 1;
}

/* Whether the archive holds the metric that makes this one needless. */
static bool is_outdone(const struct lp_pcp_family *family,
		       const struct lp_pcp_rule *rule)
{
	pmID pmid;

	return rule->better && is_recorded(family, rule->better, &pmid);
}

/* A metric may have several names; the first that limpid knows counts. */
static void find_rule(struct lp_pcp_metric *metric)
{
	char **names;
	int n = pmNameAll(metric->pmid, &names);

	for (int i = 0; i < n && !metric->rule; i++)
		metric->rule = lp_pcp_find(names[i], &metric->family);
	if (n > 0)
		free(names);
}

static bool is_usable(struct lp_pcp_metric *metric)
{
	return pmLookupDesc(metric->pmid, &metric->desc) >= 0 &&
	       lp_pcp_scale_init(&metric->scale, &metric->desc.units,
				 metric->rule->unit) &&
	       !is_outdone(metric->family, metric->rule);
}

/* At which power of two the column wraps by this rule; 0: it says nothing. */
static uint8_t rule_width(const struct lp_pcp_family *family,
			  const struct lp_pcp_rule *rule,
			  const struct lp_column *column)
{
	struct lp_pcp_scale scale;
	pmDesc desc;
	pmID pmid;

	if (rule->target != LP_PCP_COLUMN || strcmp(rule->to, column->name) ||
	    !is_recorded(family, rule->name, &pmid) ||
	    is_outdone(family, rule) || pmLookupDesc(pmid, &desc) < 0 ||
	    !lp_pcp_scale_init(&scale, &desc.units, rule->unit))
		return 0;
	return lp_pcp_width(desc.type, &scale,
			    family->accumulated ? 64 : column->width);
}

/*
 * Families share the columns of their class, and their agents do not always
 * give them the same type (disk.dm.read_bytes has 32 bits, disk.dev.read_bytes
 * 64). The widest counts: a narrow counter that wraps is then taken for one
 * that began anew, and one interval is missing; the other way round would make
 * numbers up.
 */
static uint8_t widest(const struct lp_class *class,
		      const struct lp_column *column)
{
	uint8_t width = 0, other;

	for (const struct lp_pcp_family *f = lp_pcp_families; f->prefix; f++) {
		if (f->class != class)
			continue;
		for (size_t i = 0; i < f->n_rules; i++) {
			other = rule_width(f, &f->rules[i], column);
			width = other > width ? other : width;
		}
	}
	return width;
}

static int declare_column(struct lp_pcp_metric *metric,
			  struct lp_pcp_sink *sink)
{
	const struct lp_class *class = metric->family->class;
	const struct lp_column *column;

	metric->column = lp_class_column(class, metric->rule->to);
	if (metric->column < 0) {
		metric->rule = NULL;
		return 0;
	}
	column = &class->columns[metric->column];
	metric->real = column->type == LP_F64;
	return lp_pcp_sink_column(sink, metric->family, metric->column,
				  widest(class, column));
}

static int look_up(struct lp_pcp_metric *metric, struct lp_pcp_sink *sink)
{
	find_rule(metric);
	if (metric->rule && !is_usable(metric))
		metric->rule = NULL;
	if (!metric->rule || (metric->rule->target != LP_PCP_COLUMN &&
			      metric->rule->target != LP_PCP_PEER))
		return 0;
	return declare_column(metric, sink);
}

struct lp_pcp_metric *lp_pcp_metrics_get(struct lp_pcp_metrics *metrics,
					 pmID pmid, struct lp_pcp_sink *sink)
{
	struct lp_pcp_metric *metric;
	size_t i;

	if (metrics->count * 2 >= metrics->size && grow_table(metrics) < 0)
		return NULL;
	i = place_of(metrics, pmid);
	if (metrics->table[i])
		return metrics->table[i];
	metric = calloc(1, sizeof(*metric));
	if (!metric)
		return NULL;
	metric->pmid = pmid;
	if (look_up(metric, sink) < 0) {
		free(metric);
		return NULL;
	}
	metrics->table[i] = metric;
	metrics->count++;
	return metric;
}

void lp_pcp_metrics_done(struct lp_pcp_metrics *metrics)
{
	for (size_t i = 0; i < metrics->size; i++) {
		if (!metrics->table[i])
			continue;
		free(metrics->table[i]->slots);
		free(metrics->table[i]);
	}
	free(metrics->table);
	*metrics = (struct lp_pcp_metrics){ 0 };
}

static bool same_instances(const struct lp_pcp_metric *metric,
			   const pmValueSet *values)
{
	if (metric->n_slots != (size_t)values->numval)
		return false;
	for (size_t i = 0; i < metric->n_slots; i++)
		if (metric->slots[i].instance != values->vlist[i].inst)
			return false;
	return true;
}

/* The names of an instance domain at the time of the current record. */
struct domain {
	int *instances;
	char **names;
	int count;
};

/*
 * Records list instances in the order of their domain nearly always, so the
 * search goes on where the last one ended.
 */
static const char *name_of(const struct domain *domain, int instance, int *next)
{
	for (int i = 0; i < domain->count; i++) {
		int at = (*next + i) % domain->count;

		if (domain->instances[at] == instance) {
			*next = at + 1;
			return domain->names[at];
		}
	}
	return NULL;
}

/*
 * An instance without a name at this time may have one at another: the
 * archive's metadata need not be as complete as its data.
 */
static int any_series(const struct lp_pcp_metric *metric,
		      struct lp_pcp_slot *slot, struct lp_pcp_sink *sink)
{
	char *name;

	if (pmNameInDomArchive(metric->desc.indom, slot->instance, &name) < 0)
		return 0;
	slot->series = lp_pcp_sink_series(sink, metric->family, name);
	free(name);
	return slot->series ? 0 : -ENOMEM;
}

static int fill_slots(struct lp_pcp_metric *metric, const pmValueSet *values,
		      const struct domain *domain, struct lp_pcp_sink *sink)
{
	bool singular = metric->desc.indom == PM_INDOM_NULL;
	int next = 0;

	for (int i = 0; i < values->numval; i++) {
		struct lp_pcp_slot *slot = &metric->slots[i];
		const char *name = LP_HOST_INSTANCE;

		*slot = (struct lp_pcp_slot){ values->vlist[i].inst, NULL };
		if (!singular)
			name = name_of(domain, slot->instance, &next);
		if (!metric->family->class)
			continue;
		if (!name) {
			if (any_series(metric, slot, sink) < 0)
				return -ENOMEM;
			continue;
		}
		slot->series = lp_pcp_sink_series(sink, metric->family, name);
		if (!slot->series)
			return -ENOMEM;
	}
	metric->n_slots = (size_t)values->numval;
	metric->generation = lp_pcp_sink_generation(sink);
	return 0;
}

int lp_pcp_metric_slots(struct lp_pcp_metric *metric, const pmValueSet *values,
			bool anew, struct lp_pcp_sink *sink)
{
	struct domain domain = { 0 };
	int status;

	if (!anew && metric->generation == lp_pcp_sink_generation(sink) &&
	    same_instances(metric, values))
		return 0;
	if (lp_grow(&metric->slots, &metric->slots_capacity,
		    (size_t)values->numval, sizeof(*metric->slots)) < 0)
		return -ENOMEM;
	metric->n_slots = 0;
	if (metric->desc.indom != PM_INDOM_NULL)
		domain.count = pmGetInDom(metric->desc.indom, &domain.instances,
					  &domain.names);
	status = fill_slots(metric, values, &domain, sink);
	if (domain.count > 0) {
		free(domain.instances);
		free(domain.names);
	}
	return status;
}
