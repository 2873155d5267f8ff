/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/classify.h"

#include "io/model/durations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the classes ---- */

static uint8_t class_named(struct lp_io_classifier *c, const char *name)
{
	uint8_t i = 0;

	while (i < c->n_classes && strcmp(c->name[i], name) != 0)
		i++;
	if (i == c->n_classes)
		c->name[c->n_classes++] = name;
	return i;
}

static int by_limit(const void *a, const void *b)
{
	const struct lp_io_factor *const *x = a, *const *y = b;
	double dx = lp_io_limit(*x, LP_IO_PAGE);
	double dy = lp_io_limit(*y, LP_IO_PAGE);

	if (dx != dy)
		return dx < dy ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Names in the order of what they predict for a page. */
static void name_classes(struct lp_io_classifier *c,
			 const struct lp_io_model *model)
{
	const struct lp_io_factor *sorted[LP_IO_FACTORS_MAX];

	for (size_t i = 0; i < model->n_factors; i++)
		sorted[i] = &model->factor[i];
	qsort(sorted, model->n_factors, sizeof(*sorted), by_limit);
	for (size_t i = 0; i < model->n_factors; i++)
		class_named(c, sorted[i]->name);
}

/* ---- lines in order ---- */

struct numbered_line {
	struct lp_line line;
	double begin, end; /* predicted for the least and the largest size; of
			      sizes without end the slope */
	size_t number;     /* in the model */
	uint8_t class;
};

/* Of two that are the same the first in the model comes first. */
static int by_prediction(const void *a, const void *b)
{
	const struct numbered_line *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/*
 * Whether y predicts no less than x for all sizes, and if as much, stands
 * behind it in the model: there the first counts. Rounding must not spoil it:
 * it keeps the order of what grows with both coefficients, and is far less than
 * a billionth.
 */
static bool is_above(const struct numbered_line *y,
		     const struct numbered_line *x)
{
	const double apart = 1 + 1e-9;

	if (y->number > x->number && y->line.intercept >= x->line.intercept &&
	    y->line.slope >= x->line.slope)
		return true;
	return y->begin >= apart * x->begin && y->end >= apart * x->end &&
	       y->begin > 0 && y->end > 0;
}

static void put_lines(struct lp_io_lines *lines,
		      const struct numbered_line *line, size_t n)
{
	for (size_t i = 0; i < LP_IO_FACTORS_MAX; i++) {
		/* Nothing takes longer than a line that is not there says. */
		lines->intercept[i] = i < n ? line[i].line.intercept : INFINITY;
		lines->slope[i] = i < n ? line[i].line.slope : 0;
		lines->class[i] = i < n ? line[i].class : 0;
	}
}

static struct numbered_line numbered(const struct lp_io_kind_factors *kind,
				     size_t i, bool large)
{
	const struct lp_io_factor *f = kind->factor[i];
	struct numbered_line l = { .line = large ? f->large.line
						 : f->small.line,
				   .number = i,
				   .class = kind->class[i] };

	l.begin = lp_line_at(&l.line, large ? LP_IO_PAGE + 1 : 1);
	l.end = large ? l.line.slope : lp_line_at(&l.line, LP_IO_PAGE);
	return l;
}

static void set_lines(struct lp_io_kind_factors *kind, bool large,
		      uint8_t beyond)
{
	struct lp_io_lines *lines = &kind->lines[large];
	struct numbered_line line[LP_IO_FACTORS_MAX];
	size_t n = kind->n;

	for (size_t i = 0; i < n; i++)
		line[i] = numbered(kind, i, large);
	put_lines(lines, line, n);
	qsort(line, n, sizeof(*line), by_prediction);
	lines->ordered = true;
	for (size_t i = 1; i < n; i++)
		lines->ordered &= is_above(&line[i], &line[i - 1]);
	if (lines->ordered)
		put_lines(lines, line, n);
	lines->class[n] = beyond;
}

void lp_io_classifier_init(struct lp_io_classifier *c,
			   const struct lp_io_model *model)
{
	*c = (struct lp_io_classifier){ .n_classes = 0 };
	name_classes(c, model);
	for (size_t i = 0; i < model->n_factors; i++) {
		const struct lp_io_factor *f = &model->factor[i];
		struct lp_io_kind_factors *kind = &c->kind[f->kind];

		kind->factor[kind->n] = f;
		kind->class[kind->n++] = class_named(c, f->name);
	}
	for (int kind = 0; kind < 2; kind++)
		for (int large = 0; large < 2; large++)
			set_lines(&c->kind[kind], large, (uint8_t)c->n_classes);
	c->name[c->n_classes++] = model->beyond;
}

/* ---- as it is defined ---- */

static inline bool is_judged(const struct lp_io_classifier *c,
			     const struct lp_io_operation *o)
{
	return lp_io_is_judged(o) && c->kind[o->kind].n > 0;
}

uint8_t lp_io_class_plain(const struct lp_io_classifier *c,
			  const struct lp_io_operation *o)
{
	const struct lp_io_kind_factors *kind;
	uint8_t class = (uint8_t)(c->n_classes - 1);
	double least = INFINITY;

	if (!is_judged(c, o))
		return LP_IO_NOT_JUDGED;
	kind = &c->kind[o->kind];
	for (size_t i = 0; i < kind->n; i++) {
		double limit = lp_io_limit(kind->factor[i], o->result);

		if ((double)o->duration_ns <= limit && limit < least) {
			least = limit;
			class = kind->class[i];
		}
	}
	return class;
}

/* ---- many ---- */

/* Lines that cross: all are looked at, without a branch. */
static inline uint8_t least_above(const struct lp_io_lines *lines, size_t n,
				  double bytes, double duration)
{
	double least = INFINITY;
	uint8_t class = lines->class[n];

	for (size_t i = 0; i < n; i++) {
		double limit = lines->intercept[i] + lines->slope[i] * bytes;
		bool better = (duration <= limit) & (limit < least);

		least = better ? limit : least;
		class = better ? lines->class[i] : class;
	}
	return class;
}

static inline int exceeds(const struct lp_io_lines *lines, size_t i,
			  double bytes, double duration)
{
	return duration > lines->intercept[i] + lines->slope[i] * bytes;
}

/* Lines in order: how many are exceeded says which is next. */
static inline uint8_t next_above(const struct lp_io_lines *lines, size_t n,
				 double bytes, double duration)
{
	int exceeded = 0;

	for (size_t i = 0; i < n; i += 4)
		exceeded += exceeds(lines, i, bytes, duration) +
			    exceeds(lines, i + 1, bytes, duration) +
			    exceeds(lines, i + 2, bytes, duration) +
			    exceeds(lines, i + 3, bytes, duration);
	return lines->class[exceeded];
}

static inline uint8_t one(const struct lp_io_classifier *c,
			  const struct lp_io_operation *o)
{
	const struct lp_io_kind_factors *kind = &c->kind[o->kind];
	const struct lp_io_lines *lines = &kind->lines[o->result > LP_IO_PAGE];
	double bytes = (double)o->result, duration = (double)o->duration_ns;

	return lines->ordered ? next_above(lines, kind->n, bytes, duration)
			      : least_above(lines, kind->n, bytes, duration);
}

void lp_io_classify(const struct lp_io_classifier *c,
		    const struct lp_io_operation *o, size_t n, uint8_t *class)
{
	for (size_t i = 0; i < n; i++)
		class[i] =
			is_judged(c, &o[i]) ? one(c, &o[i]) : LP_IO_NOT_JUDGED;
}

static uint8_t one_coarse(const struct lp_io_classifier *c,
			  const struct lp_io_operation *o,
			  int64_t resolution_ns)
{
	struct lp_io_operation least = *o, most = *o;
	uint8_t class;

	if (!is_judged(c, o))
		return LP_IO_NOT_JUDGED;
	least.duration_ns = o->duration_ns > resolution_ns
				    ? o->duration_ns - resolution_ns
				    : 0;
	most.duration_ns = o->duration_ns + resolution_ns;
	class = one(c, &least);
	return class == one(c, &most) ? class : LP_IO_UNCLEAR;
}

void lp_io_classify_coarse(const struct lp_io_classifier *c,
			   const struct lp_io_operation *o, size_t n,
			   int64_t resolution_ns, uint8_t *class)
{
	for (size_t i = 0; i < n; i++)
		class[i] = one_coarse(c, &o[i], resolution_ns);
}
