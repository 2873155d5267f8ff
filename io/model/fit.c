/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two straight lines through what the sizes say.
 */
#include "base/number.h"
#include "io/model/clusters.h"
#include "io/model/trainer.h"

#include <math.h>
#include <stdlib.h>

/* A sweep has some 25 sizes. Of more than these, as a program may have them,
   every so many is taken. */
#define POINTS_MAX 128

struct points {
	double x[POINTS_MAX], y[POINTS_MAX], weight[POINTS_MAX];
	struct lp_io_size *size[POINTS_MAX];
	size_t n;
};

static bool is_wanted(const struct lp_io_size *size, bool large)
{
	return (size->bytes > LP_IO_PAGE) == large && size->use == LP_IO_USED;
}

static void take(struct points *p, struct lp_io_size *size, double y,
		 enum lp_io_weights weights)
{
	p->x[p->n] = (double)size->bytes;
	p->y[p->n] = y;
	p->weight[p->n] = weights == LP_IO_RELATIVE ? 1 / (y * y) : 1;
	p->size[p->n++] = size;
}

/* Sizes of one segment that are to be fitted. */
static void collect(struct points *p, struct lp_io_factor *factor,
		    const double *edge_ns, bool large,
		    enum lp_io_weights weights)
{
	size_t wanted = 0, seen = 0, stride;

	for (size_t i = 0; i < factor->n_sizes; i++)
		wanted += is_wanted(&factor->size[i], large);
	stride = wanted / POINTS_MAX + 1;
	p->n = 0;
	for (size_t i = 0; i < factor->n_sizes; i++)
		if (is_wanted(&factor->size[i], large) && seen++ % stride == 0)
			take(p, &factor->size[i], edge_ns[i], weights);
}

/* ---- sizes that misbehave ---- */

/* The median of |log(y / line)|: half of the sizes may be anything. */
static double misfit(const struct points *p, const struct lp_line *line)
{
	double off[POINTS_MAX];

	for (size_t i = 0; i < p->n; i++) {
		double d = lp_line_at(line, p->x[i]);

		off[i] = d > 0 ? fabs(log(p->y[i] / d)) : INFINITY;
	}
	qsort(off, p->n, sizeof(*off), lp_compare_double);
	return off[p->n / 2];
}

static void keep_better(const struct points *p, struct lp_line line,
			struct lp_line *best, double *least)
{
	double m = misfit(p, &line);

	if (line.slope >= 0 && m < *least) {
		*least = m;
		*best = line;
	}
}

/* Of all lines through two sizes, or through one and the intercept, the one
   that fits most of the sizes best. */
static struct lp_line robust(const struct points *p, const double *intercept)
{
	struct lp_line best = { .intercept = NAN };
	double least = INFINITY;

	for (size_t i = 0; i < p->n; i++) {
		if (intercept) {
			struct lp_line line = { *intercept, 0 };

			line.slope = (p->y[i] - *intercept) / p->x[i];
			keep_better(p, line, &best, &least);
			continue;
		}
		keep_better(p, (struct lp_line){ p->y[i], 0 }, &best, &least);
		for (size_t j = 0; j < i; j++) {
			struct lp_line line;

			line.slope = (p->y[i] - p->y[j]) / (p->x[i] - p->x[j]);
			line.intercept = p->y[i] - line.slope * p->x[i];
			keep_better(p, line, &best, &least);
		}
	}
	return best;
}

/* Three sizes at least, or nobody knows which one is odd. */
static void leave_out_odd(struct points *p, const double *intercept)
{
	struct lp_line line;
	size_t kept = 0;

	if (p->n < 3)
		return;
	line = robust(p, intercept);
	if (isnan(line.intercept))
		return;
	for (size_t i = 0; i < p->n; i++) {
		if (p->y[i] > LP_IO_ODD_FACTOR * lp_line_at(&line, p->x[i])) {
			p->size[i]->use = LP_IO_ODD;
			continue;
		}
		p->x[kept] = p->x[i];
		p->y[kept] = p->y[i];
		p->weight[kept] = p->weight[i];
		p->size[kept++] = p->size[i];
	}
	p->n = kept;
}

/* ---- lines ---- */

/* Noise can let a line fall (writes to /dev/null take no time per byte). */
static struct lp_line not_falling(struct lp_line line, const struct points *p)
{
	double sum = 0, weights = 0;

	if (line.slope >= 0 && line.intercept >= 0)
		return line;
	if (line.slope >= 0)
		return lp_line_fit_from(p->x, p->y, p->weight, p->n, 0);
	for (size_t i = 0; i < p->n; i++) {
		sum += p->weight[i] * p->y[i];
		weights += p->weight[i];
	}
	return (struct lp_line){ sum / weights, 0 };
}

static struct lp_line free_line(struct points *p, bool find_odd)
{
	if (find_odd)
		leave_out_odd(p, NULL);
	return not_falling(lp_line_fit(p->x, p->y, p->weight, p->n), p);
}

static struct lp_line line_from(struct points *p, double intercept,
				bool find_odd)
{
	struct lp_line line;

	if (find_odd)
		leave_out_odd(p, &intercept);
	line = lp_line_fit_from(p->x, p->y, p->weight, p->n, intercept);
	line.slope = fmax(line.slope, 0);
	return line;
}

void lp_io_fit_lines(struct lp_io_factor *factor, const double *edge_ns,
		     enum lp_io_weights weights, bool find_odd)
{
	struct points small, large;

	collect(&small, factor, edge_ns, false, weights);
	collect(&large, factor, edge_ns, true, weights);
	if (small.n > 0) {
		double end;

		factor->small.line = free_line(&small, find_odd);
		end = lp_line_at(&factor->small.line, LP_IO_PAGE);
		/* The large one begins, at size 0, where the small one ends. */
		factor->large.line = large.n > 0
					     ? line_from(&large, end, find_odd)
					     : factor->small.line;
	} else {
		factor->large.line = free_line(&large, find_odd);
		factor->small.line = (struct lp_line){
			lp_line_at(&factor->large.line, LP_IO_PAGE), 0
		};
	}
}
