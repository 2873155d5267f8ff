/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/cluster.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The first column of a metric, if it is a mean with a weight. */
static const char *weight_column(const struct lp_class *class,
				 const struct lp_metric *metric)
{
	int c = metric->above[0] && !metric->above[1] && !metric->below[0]
			? lp_class_column(class, metric->above[0])
			: -1;

	return c >= 0 && class->columns[c].kind == LP_WEIGHTED
		       ? class->columns[c].partner
		       : NULL;
}

const struct lp_metric *lp_peer_weight(const struct lp_class *class,
				       const struct lp_metric *metric)
{
	const char *column = weight_column(class, metric);

	for (size_t i = 0; column && i < class->n_metrics; i++)
		if (class->metrics[i].above[0] &&
		    strcmp(class->metrics[i].above[0], column) == 0)
			return &class->metrics[i];
	return NULL;
}

/* The index of a metric in the matrix, or -1. */
static long find(const struct lp_matrix *matrix, const struct lp_class *class,
		 const struct lp_metric *metric)
{
	const struct lp_matrix_metric *all = lp_matrix_metrics(matrix);

	for (long i = 0; metric && all[i].class; i++)
		if (all[i].class == class && all[i].metric == metric)
			return i;
	return -1;
}

/* At most so many metrics tell which parts of a pool work. */
#define ACTIVE_BY 2

/* How several components become one number. */
struct blend {
	const struct lp_matrix *matrix;
	size_t metric;
	bool mean;              /* else a sum */
	long weight;            /* metric, or -1: all alike */
	long active[ACTIVE_BY]; /* metrics that tell who works, or -1 */
	size_t active_points;
};

static double value_of(const struct blend *b, long metric, size_t component,
		       size_t k)
{
	return metric < 0 ? NAN
			  : lp_matrix_value(b->matrix, (size_t)metric,
					    component, k);
}

/* Above 0: it worked at point k, by the first that was recorded. */
static double work_at(const struct blend *b, size_t component, size_t k)
{
	double work = NAN;

	for (size_t i = 0; i < ACTIVE_BY && isnan(work); i++)
		work = value_of(b, b->active[i], component, k);
	return work;
}

/* Whether it worked in the points up to k; unknown: yes. */
static bool is_active(const struct blend *b, size_t component, size_t k)
{
	size_t first = k + 1 > b->active_points ? k + 1 - b->active_points : 0;
	bool known = false;

	if (b->active_points == 0)
		return true;
	for (size_t i = k + 1; i-- > first;) {
		double work = work_at(b, component, i);

		if (work > 0)
			return true;
		known = known || !isnan(work);
	}
	return !known;
}

/* Where nobody counted them, a row is one socket. */
static double weight_of(const struct blend *b, size_t component, size_t k)
{
	double weight = value_of(b, b->weight, component, k);

	return isnan(weight) ? 1 : weight;
}

static double blended(const struct blend *b, const struct lp_peer *peer,
		      size_t k)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < peer->n_parts; i++) {
		double v = lp_matrix_value(b->matrix, b->metric, peer->parts[i],
					   k);
		double w = weight_of(b, peer->parts[i], k);

		if (isnan(v) || !(w > 0) || !is_active(b, peer->parts[i], k))
			continue;
		sum += v * (b->mean ? w : 1);
		weights += w;
	}
	if (!(weights > 0))
		return NAN;
	return b->mean ? sum / weights : sum;
}

static void find_active(struct blend *b, const struct lp_class *class)
{
	const char *const *names = class->active_by;
	size_t n = 0;

	for (; b->mean && names && names[n]; n++) {
		assert(n < ACTIVE_BY);
		b->active[n] = find(b->matrix, class,
				    lp_class_metric(class, names[n]));
	}
	while (n < ACTIVE_BY)
		b->active[n++] = -1;
}

static struct blend make_blend(const struct lp_matrix *matrix, size_t metric,
			       size_t active_points)
{
	const struct lp_matrix_metric *m = &lp_matrix_metrics(matrix)[metric];
	struct blend b = { .matrix = matrix,
			   .metric = metric,
			   .active_points = active_points };

	b.mean = weight_column(m->class, m->metric) != NULL;
	b.weight = b.mean ? find(matrix, m->class,
				 lp_peer_weight(m->class, m->metric))
			  : -1;
	find_active(&b, m->class);
	return b;
}

void lp_peer_rows(const struct lp_peer_group *group,
		  const struct lp_matrix *matrix, size_t metric,
		  size_t active_points, size_t k, size_t n_rows, double *rows)
{
	struct blend b;

	if (group->sockets == LP_SOCKETS_NONE) {
		lp_matrix_rows(matrix, metric, group->components, group->n, k,
			       n_rows, rows);
		return;
	}
	b = make_blend(matrix, metric, active_points);
	for (size_t r = 0; r < n_rows; r++)
		for (size_t i = 0; i < group->n; i++)
			rows[r * group->n + i] =
				blended(&b, &group->peers[i], k + r);
}

void lp_peer_values(const struct lp_peer_group *group,
		    const struct lp_matrix *matrix, size_t metric,
		    const size_t *peers, size_t n, size_t k, double *values)
{
	struct blend b;

	if (group->sockets != LP_SOCKETS_NONE)
		b = make_blend(matrix, metric, 0);
	for (size_t i = 0; i < n; i++)
		values[i] = group->sockets == LP_SOCKETS_NONE
				    ? lp_matrix_value(
					      matrix, metric,
					      group->components[peers[i]], k)
				    : blended(&b, &group->peers[peers[i]], k);
}
