/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines in the middle of the gaps between factors. Which factor comes next is
 * said by the lines through the limits: single limits are noisy, and of two
 * factors that overlap now this and now that one ends later.
 */
#include "io/model/trainer.h"

#include <errno.h>
#include <math.h>

/* Where the factors up to one end, at one size, and the next begins; with no
   gap both are where they end. */
struct gap {
	double from_ns, to_ns;
};

/* The largest size that was measured up to this one, or the least of all. */
static const struct lp_io_size *size_below(const struct lp_io_factor *f,
					   int64_t bytes)
{
	size_t i = f->n_sizes - 1;

	while (i > 0 && f->size[i].bytes > bytes)
		i--;
	return &f->size[i];
}

/*
 * What was measured at a size, or (a slow disk gave too few operations of it)
 * what its line makes of the size below.
 */
static double at_size(const struct lp_io_factor *f, const struct lp_io_size *s,
		      double measured, int64_t bytes)
{
	return s->bytes == bytes ? measured
				 : measured * lp_io_limit(f, bytes) /
					   lp_io_limit(f, s->bytes);
}

static struct gap gap_above(const struct lp_io_model *m,
			    const struct lp_io_factor *f,
			    const struct lp_io_size *s)
{
	double own = lp_io_limit(f, s->bytes), next = INFINITY;
	struct gap gap = { s->limit_ns, 0 };

	for (size_t i = 0; i < m->n_factors; i++) {
		const struct lp_io_factor *other = &m->factor[i];
		const struct lp_io_size *o = size_below(other, s->bytes);
		double line = lp_io_limit(other, s->bytes);

		if (other->kind != f->kind)
			continue;
		if (line <= own) {
			gap.from_ns =
				fmax(gap.from_ns,
				     at_size(other, o, o->limit_ns, s->bytes));
		} else if (line < next) {
			next = line;
			gap.to_ns = at_size(other, o, o->begin_ns, s->bytes);
		}
	}
	gap.to_ns = fmax(gap.from_ns, gap.to_ns);
	return gap;
}

/* Never nearer to the limit than the margin. */
static double edge_of(const struct lp_io_size *s, struct gap gap)
{
	double limit = (1 + LP_IO_MARGIN) * s->limit_ns;

	return gap.to_ns > gap.from_ns
		       ? fmax(sqrt(gap.from_ns) * sqrt(gap.to_ns), limit)
		       : limit;
}

/* How many sizes have their line outside of their gap. */
static size_t outside(const struct lp_io_factor *f, const struct gap *gap)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_sizes; i++) {
		double d = lp_io_limit(f, f->size[i].bytes);

		if (f->size[i].use == LP_IO_USED)
			n += d < f->size[i].limit_ns ||
			     (gap[i].to_ns > gap[i].from_ns &&
			      d > gap[i].to_ns);
	}
	return n;
}

/*
 * A straight line may miss the gaps of a factor that is bent: then the limits
 * were the better guide. Both lines or none, since the large one begins where
 * the small one ends.
 */
static int move(struct lp_io_factor *f, const struct gap *gap,
		enum lp_io_weights weights, struct lp_arena *arena)
{
	double *edge_ns = lp_arena_alloc(arena, f->n_sizes * sizeof(*edge_ns));
	struct lp_io_factor before = *f;

	if (!edge_ns)
		return -ENOMEM;
	for (size_t i = 0; i < f->n_sizes; i++)
		edge_ns[i] = edge_of(&f->size[i], gap[i]);
	lp_io_fit_lines(f, edge_ns, weights, false);
	if (outside(f, gap) > outside(&before, gap))
		*f = before;
	return 0;
}

/* gap[n_factors][n_sizes of it], or NULL. */
static struct gap **find_gaps(const struct lp_io_model *m,
			      struct lp_arena *arena)
{
	struct gap **gap = lp_arena_alloc(arena, m->n_factors * sizeof(*gap));

	for (size_t i = 0; gap && i < m->n_factors; i++) {
		const struct lp_io_factor *f = &m->factor[i];

		gap[i] = lp_arena_alloc(arena, f->n_sizes * sizeof(**gap));
		if (!gap[i])
			return NULL;
		for (size_t k = 0; k < f->n_sizes; k++)
			gap[i][k] = gap_above(m, f, &f->size[k]);
	}
	return gap;
}

int lp_io_move_lines(struct lp_io_model *m, enum lp_io_weights weights)
{
	struct lp_arena arena = { 0 };
	struct gap **gap = find_gaps(m, &arena);
	int status = gap ? 0 : -ENOMEM;

	for (size_t i = 0; i < m->n_factors && status == 0; i++)
		status = move(&m->factor[i], gap[i], weights, &arena);
	lp_arena_done(&arena);
	return status;
}
