/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/differ.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A function is foreign to the peers if they have no more than this share of
   it, and it is more than chance. */
#define FOREIGN_SHARE 0.05
#define FOREIGN_LEAST 10

struct row {
	size_t column;
	double own, median, low, high;
};

/* The farther from the median node, the earlier (S3). */
static int farther(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	double da = fabs(a->own - a->median), db = fabs(b->own - b->median);

	if (da != db)
		return da > db ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

static struct row row_of(const struct lp_profile_span *s, size_t row,
			 size_t column, double *scratch)
{
	struct row r = { .column = column, .low = INFINITY, .high = 0 };
	size_t n = 0;

	for (size_t h = 0; h < s->n_hosts; h++) {
		double v = s->value[h * s->n_functions + column];

		if (h == row) {
			r.own = v;
			continue;
		}
		scratch[n++] = v;
		r.low = v < r.low ? v : r.low;
		r.high = v > r.high ? v : r.high;
	}
	r.median = n ? lp_median(scratch, n) : NAN;
	return r;
}

static double total_of(const struct lp_profile_span *s, size_t row)
{
	double sum = 0;

	for (size_t f = 0; f < s->n_functions; f++)
		sum += s->value[row * s->n_functions + f];
	return sum;
}

int lp_behavior_differ(const struct lp_profile_span *s,
		       const struct lp_collection *c, size_t row,
		       struct lp_behavior_window *w)
{
	double seconds = (double)(w->end_ns - w->begin_ns) / 1e9;
	double per = 1 / (s->rate * seconds), foreign = 0, own;
	struct row *rows = malloc((s->n_functions + 1) * sizeof(*rows));
	double *scratch = malloc((s->n_hosts + 1) * sizeof(*scratch));
	size_t n = 0;

	if (!rows || !scratch) {
		free(rows);
		free(scratch);
		return -ENOMEM;
	}
	for (size_t f = 0; f < s->n_functions; f++) {
		rows[f] = row_of(s, row, f, scratch);
		if (rows[f].own >= FOREIGN_LEAST &&
		    rows[f].high <= FOREIGN_SHARE * rows[f].own)
			foreign += rows[f].own;
	}
	for (size_t h = 0; h < s->n_hosts; h++)
		if (h != row)
			scratch[n++] = total_of(s, h);
	own = total_of(s, row);
	w->own_cpu = own * per;
	w->peers_cpu = n ? lp_median(scratch, n) * per : NAN;
	w->foreign = own > 0 ? foreign / own : 0;
	w->n_peers = n;
	qsort(rows, s->n_functions, sizeof(*rows), farther);
	for (w->n_top = 0;
	     w->n_top < LP_BEHAVIOR_TOP && w->n_top < s->n_functions &&
	     rows[w->n_top].own != rows[w->n_top].median;
	     w->n_top++) {
		const struct row *r = &rows[w->n_top];

		w->top[w->n_top] = (struct lp_behavior_function){
			.key = c->functions.text[s->functions[r->column]],
			.own = r->own * per,
			.peers = r->median * per,
			.low = r->low * per,
			.high = r->high * per,
		};
	}
	free(rows);
	free(scratch);
	return 0;
}
