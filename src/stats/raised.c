/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/raised.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/*
 * The constants were chosen on the kept runs of the lab, see
 * docs/methods/own-detector.md.
 */
/* An edge is as good as the best one within this, of log-likelihoods. */
#define TOLERANCE 8
/* One value says at most so much, in effects below and above the base. */
#define CLIP_BELOW 1
#define CLIP_ABOVE 2
/* A level scatters at least by this part of the effect. */
#define SCATTER_LEAST 0.3

/* Sums of some values, from which their scatter about any level follows. */
struct sums {
	double n, x, xx;
};

struct fit {
	size_t n;
	double middle, floor;  /* between the levels; least variance */
	struct sums *upto;     /* [n + 1] */
	double *since, *until; /* [n + 1]: the best with this edge */
	double best;
	size_t begin, end; /* of the best */
};

static struct sums between(const struct fit *f, size_t from, size_t to)
{
	const struct sums *a = &f->upto[from], *b = &f->upto[to];

	return (struct sums){ b->n - a->n, b->x - a->x, b->xx - a->xx };
}

/* Of values about a level, which is their mean or the nearest allowed. */
static double likelihood(const struct sums *s, double floor, double at_least,
			 double at_most)
{
	double level, squares;

	if (s->n <= 0)
		return 0;
	level = fmin(fmax(s->x / s->n, at_least), at_most);
	squares = fmax(s->xx - 2 * level * s->x + s->n * level * level, 0);
	return -0.5 * s->n * log(squares / s->n + floor);
}

static double likelihood_of(const struct fit *f, size_t begin, size_t end)
{
	struct sums in = between(f, begin, end);
	struct sums all = between(f, 0, f->n);
	struct sums out = { all.n - in.n, all.x - in.x, all.xx - in.xx };

	return likelihood(&in, f->floor, f->middle, INFINITY) +
	       likelihood(&out, f->floor, -INFINITY, f->middle);
}

static void add_up(struct fit *f, const double *values,
		   const struct lp_raised_model *m)
{
	double low = m->base - CLIP_BELOW * m->effect;
	double high = m->base + CLIP_ABOVE * m->effect;

	f->middle = m->base + m->effect / 2;
	f->floor = SCATTER_LEAST * m->effect * SCATTER_LEAST * m->effect;
	for (size_t i = 0; i < f->n; i++) {
		double x = fmin(fmax(values[i], low), high);

		f->upto[i + 1] = f->upto[i];
		if (isnan(values[i]))
			continue;
		f->upto[i + 1].n++;
		f->upto[i + 1].x += x;
		f->upto[i + 1].xx += x * x;
	}
}

static void try_all(struct fit *f, const struct lp_raised_model *m)
{
	for (size_t i = 0; i <= f->n; i++)
		f->since[i] = f->until[i] = -INFINITY;
	f->best = -INFINITY;
	for (size_t a = 0; a <= m->latest && a + m->least <= f->n; a++)
		for (size_t b = a + m->least; b <= f->n; b++) {
			double l = likelihood_of(f, a, b);

			f->since[a] = fmax(f->since[a], l);
			f->until[b] = fmax(f->until[b], l);
			if (!(l > f->best))
				continue;
			f->best = l;
			f->begin = a;
			f->end = b;
		}
}

/*
 * Around missing values several edges are equally good: the one in the middle
 * is taken.
 */
static struct lp_raised_edge edge(const struct fit *f, const double *profile,
				  size_t best, size_t without)
{
	struct lp_raised_edge e = { .low = best, .high = best, .seen = true };
	size_t first = best, last = best;
	double same = f->best - 1e-9 * fmax(fabs(f->best), 1);

	while (first > 0 && profile[first - 1] >= same)
		first--;
	while (last < f->n && profile[last + 1] >= same)
		last++;
	e.at = (first + last) / 2;
	for (size_t i = 0; i <= f->n; i++)
		if (profile[i] >= f->best - TOLERANCE) {
			e.low = i < e.low ? i : e.low;
			e.high = i > e.high ? i : e.high;
		}
	if (profile[without] >= f->best - TOLERANCE) {
		e.at = without;
		e.seen = false;
	}
	return e;
}

int lp_raised_find(const double *values, size_t n,
		   const struct lp_raised_model *model, struct lp_raised *span)
{
	lp_auto_free struct sums *upto = calloc(n + 1, sizeof(*upto));
	lp_auto_free double *since = calloc(n + 1, sizeof(*since));
	lp_auto_free double *until = calloc(n + 1, sizeof(*until));
	struct fit f = {
		.n = n, .upto = upto, .since = since, .until = until, .end = n
	};

	assert(model->effect > 0 && model->least > 0);
	if (!upto || !since || !until)
		return -ENOMEM;
	add_up(&f, values, model);
	try_all(&f, model);
	span->since = edge(&f, since, f.begin, 0);
	span->until = edge(&f, until, f.end, n);
	return 0;
}
