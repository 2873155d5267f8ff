/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs counted together: those of one fault, and those of one fault and
 * strength.
 */
#include "evaluate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void row_done(struct lp_eval_row *row)
{
	lp_tally_done(&row->tally);
}

void lp_eval_table_done(struct lp_eval_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		row_done(&t->rows[i]);
	free(t->rows);
	row_done(&t->all);
	*t = (struct lp_eval_table){ 0 };
}

static bool is_same(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

static bool is_of(const struct lp_eval_row *row, const struct lp_truth *truth,
		  double strength)
{
	return strcmp(row->fault, truth->fault) == 0 &&
	       is_same(row->strength, strength) &&
	       (isnan(strength) ||
		strcmp(row->unit, truth->strength_unit) == 0);
}

/* The row of the run, made if there is none; NULL: no memory. */
static struct lp_eval_row *find_row(struct lp_eval_table *t,
				    const struct lp_truth *truth,
				    double strength)
{
	for (size_t i = 0; i < t->n; i++)
		if (is_of(&t->rows[i], truth, strength))
			return &t->rows[i];
	if (lp_grow(&t->rows, &t->capacity, t->n + 1, sizeof(t->rows[0])) < 0)
		return NULL;
	t->rows[t->n] = (struct lp_eval_row){ .fault = truth->fault,
					      .strength = strength,
					      .unit = truth->strength_unit };
	return &t->rows[t->n++];
}

static int add_result(struct lp_eval_table *t, const struct lp_truth *truth,
		      double strength, const struct lp_eval_result *result)
{
	struct lp_eval_row *row = find_row(t, truth, strength);

	if (!row || lp_tally_add(&row->tally, &result->score) < 0)
		return -ENOMEM;
	return lp_tally_add(&t->all.tally, &result->score);
}

/* The weakest first; faults as they were met. */
static void sort_by_strength(struct lp_eval_table *t)
{
	for (size_t i = 1; i < t->n; i++)
		for (size_t k = i;
		     k > 0 &&
		     strcmp(t->rows[k].fault, t->rows[k - 1].fault) == 0 &&
		     t->rows[k].strength < t->rows[k - 1].strength;
		     k--) {
			struct lp_eval_row row = t->rows[k];

			t->rows[k] = t->rows[k - 1];
			t->rows[k - 1] = row;
		}
}

int lp_eval_by_fault(const struct lp_eval_runs *runs,
		     const struct lp_eval_result *results,
		     struct lp_eval_table *t, struct lp_error *err)
{
	*t = (struct lp_eval_table){ .all = { .fault = "aggregate" } };
	for (size_t i = 0; i < runs->n; i++)
		if (add_result(t, &runs->items[i].truth, NAN, &results[i]) <
		    0) {
			lp_eval_table_done(t);
			return lp_fail_memory(err);
		}
	return 0;
}

/* Whether another run has the same fault in another strength. */
static bool has_several(const struct lp_eval_runs *runs,
			const struct lp_truth *truth)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct lp_truth *other = &runs->items[i].truth;

		if (strcmp(other->fault, truth->fault) == 0 &&
		    !isnan(other->strength) && !isnan(truth->strength) &&
		    !is_same(other->strength, truth->strength))
			return true;
	}
	return false;
}

/* All runs of one fault, then those of the next that was met. */
static int add_fault(const struct lp_eval_runs *runs,
		     const struct lp_eval_result *results, const char *fault,
		     struct lp_eval_table *t)
{
	int status = 0;

	for (size_t i = 0; i < runs->n && status == 0; i++) {
		const struct lp_truth *truth = &runs->items[i].truth;

		if (strcmp(truth->fault, fault) == 0 &&
		    has_several(runs, truth))
			status = add_result(t, truth, truth->strength,
					    &results[i]);
	}
	return status;
}

static bool is_met(const struct lp_eval_table *t, const char *fault)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->rows[i].fault, fault) == 0)
			return true;
	return false;
}

int lp_eval_by_strength(const struct lp_eval_runs *runs,
			const struct lp_eval_result *results,
			struct lp_eval_table *t, struct lp_error *err)
{
	int status = 0;

	*t = (struct lp_eval_table){ .all = { .fault = "aggregate" } };
	for (size_t i = 0; i < runs->n && status == 0; i++)
		if (!is_met(t, runs->items[i].truth.fault))
			status = add_fault(runs, results,
					   runs->items[i].truth.fault, t);
	sort_by_strength(t);
	if (status < 0) {
		lp_eval_table_done(t);
		return lp_fail_memory(err);
	}
	return 0;
}
