/* SPDX-License-Identifier: Apache-2.0 */
#include "table/metric_value.h"

#include "table/delta.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Points that are worked on together. */
#define BLOCK 128

static int find(const struct lp_column *columns, size_t n, const char *name,
		bool level_only)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(columns[i].name, name) == 0 &&
		    !(level_only && lp_delta_counts(&columns[i])))
			return (int)i;
	return -1;
}

static void resolve(struct lp_metric_terms *terms, const char *const *names,
		    const struct lp_column *columns, size_t n)
{
	*terms = (struct lp_metric_terms){ 0 };
	for (size_t i = 0; i < LP_METRIC_TERMS && names[i]; i++) {
		int c = find(columns, n, names[i], false);

		terms->column[i] = c;
		terms->optional[i] = c >= 0 && columns[c].optional;
		terms->n++;
	}
}

void lp_metric_plan(struct lp_metric_plan *plan, const struct lp_metric *metric,
		    const struct lp_column *columns, size_t n)
{
	int first;

	plan->metric = metric;
	plan->n_columns = n;
	resolve(&plan->above, metric->above, columns, n);
	resolve(&plan->instead_above, metric->instead_above, columns, n);
	resolve(&plan->below, metric->below, columns, n);
	resolve(&plan->instead_below, metric->instead_below, columns, n);
	first = plan->above.n ? plan->above.column[0] : -1;
	plan->per_second = !plan->below.n && first >= 0 &&
			   lp_delta_counts(&columns[first]);
	plan->direct = find(columns, n, metric->name, true);
}

static const struct lp_span_column *column_of(const struct lp_span *span,
					      int column)
{
	const struct lp_span_column *c =
		column < 0 ? NULL : &span->values[column];

	return c && c->value ? c : NULL;
}

/* What a kernel does not have is 0 beside what it has, and missing alone. */
static bool recorded(const struct lp_metric_terms *terms,
		     const struct lp_span *span)
{
	bool any = false;

	for (size_t i = 0; i < terms->n; i++) {
		bool has = column_of(span, terms->column[i]);

		if (!terms->optional[i] && !has)
			return false;
		any |= has;
	}
	return any;
}

static void fill(double *out, size_t n, double v)
{
	for (size_t i = 0; i < n; i++)
		out[i] = v;
}

/* The sum of the terms at points [from, from + n). */
static void add_terms(const struct lp_metric_terms *terms,
		      const struct lp_span *span, size_t from, size_t n,
		      double *out)
{
	fill(out, n, 0);
	for (size_t t = 0; t < terms->n; t++) {
		const struct lp_span_column *c =
			column_of(span, terms->column[t]);
		const double *v = c ? c->value + from : NULL;

		if (!v)
			continue;
		if (terms->optional[t])
			for (size_t i = 0; i < n; i++)
				out[i] += isnan(v[i]) ? 0 : v[i];
		else
			for (size_t i = 0; i < n; i++)
				out[i] += v[i];
	}
}

/* The largest of the terms; missing if any is. */
static void take_largest(const struct lp_metric_terms *terms,
			 const struct lp_span *span, size_t from, size_t n,
			 double *out)
{
	for (size_t t = 0; t < terms->n; t++) {
		const double *v = span->values[terms->column[t]].value + from;

		for (size_t i = 0; i < n; i++)
			if (t == 0 || isnan(v[i]) || v[i] > out[i])
				out[i] = isnan(out[i]) && t > 0 ? NAN : v[i];
	}
}

/* The sum, or where that is missing the sum of the alternative. */
static void add_either(const struct lp_metric_terms *terms,
		       const struct lp_metric_terms *instead,
		       const struct lp_span *span, size_t from, size_t n,
		       double *out)
{
	double other[BLOCK];

	if (recorded(terms, span))
		add_terms(terms, span, from, n, out);
	else
		fill(out, n, NAN);
	if (!recorded(instead, span))
		return;
	add_terms(instead, span, from, n, other);
	for (size_t i = 0; i < n; i++)
		if (isnan(out[i]))
			out[i] = other[i];
}

/* The seconds that the first recorded term covers. */
static const double *seconds_of(const struct lp_metric_plan *plan,
				const struct lp_span *span)
{
	const struct lp_metric_terms *either[] = { &plan->above,
						   &plan->instead_above };

	for (size_t e = 0; e < 2; e++)
		for (size_t i = 0; i < either[e]->n; i++) {
			const struct lp_span_column *c =
				column_of(span, either[e]->column[i]);

			if (c)
				return c->seconds;
		}
	return NULL;
}

static double scale_of(const struct lp_metric *metric,
		       const struct lp_span *span)
{
	return metric->per_speed ? metric->scale / span->speed_mbit
				 : metric->scale;
}

static void divide(const struct lp_metric_plan *plan,
		   const struct lp_span *span, size_t from, size_t n,
		   double *value)
{
	double scale = scale_of(plan->metric, span), below[BLOCK];
	const double *seconds = seconds_of(plan, span);

	if (plan->below.n) {
		add_either(&plan->below, &plan->instead_below, span, from, n,
			   below);
		for (size_t i = 0; i < n; i++)
			value[i] = below[i] == 0 && !isnan(value[i])
					   ? 0
					   : scale * value[i] / below[i];
	} else if (plan->per_second && seconds) {
		for (size_t i = 0; i < n; i++)
			value[i] = scale * value[i] / seconds[from + i];
	} else {
		for (size_t i = 0; i < n; i++)
			value[i] *= scale;
	}
}

static void use_direct(const double *direct, size_t from, size_t n,
		       double *value)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(value[i]))
			value[i] = direct[from + i];
}

static bool are_named(const struct lp_metric_terms *terms,
		      const char *const *names, const struct lp_span *span)
{
	for (size_t i = 0; i < terms->n; i++)
		if (terms->column[i] >= 0 &&
		    strcmp(span->columns[terms->column[i]].name, names[i]) != 0)
			return false;
	return true;
}

/* Was the plan made for the columns of this span? */
static bool fits(const struct lp_metric_plan *plan, const struct lp_span *span)
{
	const struct lp_metric *m = plan->metric;

	return plan->n_columns == span->n_columns &&
	       (plan->direct < 0 ||
		strcmp(span->columns[plan->direct].name, m->name) == 0) &&
	       are_named(&plan->above, m->above, span) &&
	       are_named(&plan->instead_above, m->instead_above, span) &&
	       are_named(&plan->below, m->below, span) &&
	       are_named(&plan->instead_below, m->instead_below, span);
}

static bool is_computable(const struct lp_metric_plan *plan,
			  const struct lp_span *span)
{
	return (recorded(&plan->above, span) ||
		recorded(&plan->instead_above, span)) &&
	       (plan->below.n == 0 || recorded(&plan->below, span) ||
		recorded(&plan->instead_below, span)) &&
	       !(plan->metric->per_speed && !(span->speed_mbit > 0));
}

bool lp_metric_evaluate(const struct lp_metric_plan *plan,
			const struct lp_span *span, double *value)
{
	const struct lp_span_column *direct = column_of(span, plan->direct);
	bool computable = is_computable(plan, span);

	assert(fits(plan, span));
	if (!computable && !direct)
		return false;
	for (size_t from = 0; from < span->n_points; from += BLOCK) {
		size_t left = span->n_points - from;
		size_t n = left < BLOCK ? left : BLOCK;

		if (computable) {
			if (plan->metric->largest)
				take_largest(&plan->above, span, from, n,
					     value + from);
			else
				add_either(&plan->above, &plan->instead_above,
					   span, from, n, value + from);
			divide(plan, span, from, n, value + from);
		} else {
			fill(value + from, n, NAN);
		}
		if (direct)
			use_direct(direct->value, from, n, value + from);
	}
	return true;
}

/*
 * Whether the sum of the terms is 0, and missing where any counter is, or not
 * used at all. Of optional terms alone it would be 0 where they are missing.
 */
static bool stand_still(const struct lp_metric_terms *terms,
			const struct lp_span *span)
{
	bool firm = false;

	if (!recorded(terms, span))
		return true;
	for (size_t i = 0; i < terms->n; i++) {
		const struct lp_span_column *c =
			column_of(span, terms->column[i]);

		if (c && !c->still)
			return false;
		firm |= !terms->optional[i];
	}
	return firm;
}

const double *lp_metric_rest(const struct lp_metric_plan *plan,
			     const struct lp_span *span)
{
	const struct lp_metric_terms *above = recorded(&plan->above, span)
						      ? &plan->above
						      : &plan->instead_above;

	if (column_of(span, plan->direct) || !is_computable(plan, span) ||
	    !stand_still(&plan->above, span) ||
	    !stand_still(&plan->instead_above, span) ||
	    !stand_still(&plan->below, span) ||
	    !stand_still(&plan->instead_below, span))
		return NULL;
	for (size_t i = 0; i < above->n; i++)
		if (column_of(span, above->column[i]))
			return span->values[above->column[i]].value;
	return NULL;
}
