/* SPDX-License-Identifier: Apache-2.0 */
#include "table/needs.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lp_needs_done(struct lp_needs *needs)
{
	free(needs->columns);
	*needs = (struct lp_needs){ 0 };
}

static int add(struct lp_needs *needs, const char *name)
{
	for (size_t i = 0; i < needs->n; i++)
		if (strcmp(needs->columns[i], name) == 0)
			return 0;
	if (lp_grow(&needs->columns, &needs->capacity, needs->n + 2,
		    sizeof(*needs->columns)) < 0)
		return -ENOMEM;
	needs->columns[needs->n++] = name;
	needs->columns[needs->n] = NULL;
	return 0;
}

/* names NULL: there are none. */
static int add_all(struct lp_needs *needs, const char *const *names)
{
	for (; names && *names; names++)
		if (add(needs, *names) < 0)
			return -ENOMEM;
	return 0;
}

/* ---- survey ---- */

/*
 * What moved, and the names of metrics, which other tools' recordings hold as
 * levels. An archive has few of them, and the others cost nothing; but where a
 * counter has the name of a metric, it would be read for nothing.
 */
static int survey_class(struct lp_needs *needs, const struct lp_class *class)
{
	for (size_t i = 0; i < class->n_columns; i++)
		if (class->columns[i].bytes > 0 &&
		    add(needs, class->columns[i].name) < 0)
			return -ENOMEM;
	for (size_t i = 0; i < class->n_metrics; i++)
		if (lp_class_column(class, class->metrics[i].name) < 0 &&
		    add(needs, class->metrics[i].name) < 0)
			return -ENOMEM;
	return add_all(needs, class->present_by);
}

int lp_needs_survey(struct lp_needs *needs)
{
	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_class_is_compared(lp_classes[i]) &&
		    survey_class(needs, lp_classes[i]) < 0)
			return -ENOMEM;
	return 0;
}

/* ---- metrics ---- */

/* Columns with their weights. */
static int add_terms(struct lp_needs *needs, const struct lp_class *class,
		     const char *const *terms)
{
	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++) {
		int at = lp_class_column(class, terms[i]);
		const char *weight = at < 0 ? NULL : class->columns[at].partner;

		if (add(needs, terms[i]) < 0 ||
		    (weight && add(needs, weight) < 0))
			return -ENOMEM;
	}
	return 0;
}

int lp_needs_metrics(struct lp_needs *needs,
		     const struct lp_matrix_metric *metrics)
{
	for (; metrics->class; metrics++) {
		const struct lp_class *class = metrics->class;
		const struct lp_metric *m = metrics->metric;

		if (add_all(needs, class->reset_by) < 0 ||
		    add(needs, m->name) < 0 ||
		    add_terms(needs, class, m->above) < 0 ||
		    add_terms(needs, class, m->instead_above) < 0 ||
		    add_terms(needs, class, m->below) < 0 ||
		    add_terms(needs, class, m->instead_below) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void list_classes(bool counted, const char *names[LP_COMPARED_MAX])
{
	size_t n = 0;

	for (size_t i = 0; lp_classes[i]; i++)
		if (lp_class_is_compared(lp_classes[i]) &&
		    (!counted || lp_class_counts_samples(lp_classes[i]))) {
			assert(n + 1 < LP_COMPARED_MAX);
			names[n++] = lp_classes[i]->name;
		}
	names[n] = NULL;
}

void lp_compared_classes(const char *names[LP_COMPARED_MAX])
{
	list_classes(false, names);
}

void lp_counted_classes(const char *names[LP_COMPARED_MAX])
{
	list_classes(true, names);
}
