/* SPDX-License-Identifier: Apache-2.0 */
#include "iomodel/classify.h"

#include "iomodel/durations.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 8
#define SLOTS ((size_t)1 << SLOT_BITS)
/* A model of more factors of one operation is judged one by one. */
#define QUICK 12

/* Two lines of a cache, for one operation and size. */
struct lp_io_slot {
	int64_t bytes; /* 0: nothing yet */
	int64_t asked; /* the size that was last looked for in vain */
	/* Ascending; unused ones are the largest number. */
	int64_t limit[QUICK];
	/* By how many limits are exceeded. */
	uint8_t class[QUICK + 1];
} __attribute__((aligned(64)));

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

int lp_io_classifier_init(struct lp_io_classifier *classifier,
			  const struct lp_io_model *model)
{
	struct lp_io_classifier c = { .n_classes = 0 };

	name_classes(&c, model);
	for (size_t i = 0; i < model->n_factors; i++) {
		const struct lp_io_factor *f = &model->factor[i];
		struct lp_io_kind_factors *kind = &c.kind[f->kind];

		kind->factor[kind->n] = f;
		kind->line[0][kind->n] = f->small.line;
		kind->line[1][kind->n] = f->large.line;
		kind->class[kind->n++] = class_named(&c, f->name);
	}
	c.name[c.n_classes++] = model->beyond;
	c.slots = aligned_alloc(64, 2 * SLOTS * sizeof(*c.slots));
	if (!c.slots)
		return -ENOMEM;
	memset(c.slots, 0, 2 * SLOTS * sizeof(*c.slots));
	*classifier = c;
	return 0;
}

void lp_io_classifier_done(struct lp_io_classifier *classifier)
{
	free(classifier->slots);
	*classifier = (struct lp_io_classifier){ .n_classes = 0 };
}

/* ---- one by one ---- */

static inline uint8_t one(const struct lp_io_classifier *c,
			  const struct lp_io_operation *o)
{
	const struct lp_io_kind_factors *kind = &c->kind[o->kind];
	const struct lp_line *line = kind->line[o->result > LP_IO_PAGE];
	double least = INFINITY, bytes = (double)o->result;
	double duration = (double)o->duration_ns;
	uint8_t class = (uint8_t)(c->n_classes - 1);

	for (size_t i = 0; i < kind->n; i++) {
		double limit = line[i].intercept + line[i].slope * bytes;
		bool better = (duration <= limit) & (limit < least);

		least = better ? limit : least;
		class = better ? kind->class[i] : class;
	}
	return class;
}

uint8_t lp_io_class_plain(const struct lp_io_classifier *c,
			  const struct lp_io_operation *o)
{
	if (!lp_io_is_judged(o) || c->kind[o->kind].n == 0)
		return LP_IO_NOT_JUDGED;
	return one(c, o);
}

/* ---- many ---- */

static int64_t whole(double ns)
{
	/* The largest double below 2^63. */
	return ns < 9223372036854774784.0 ? (int64_t)ns : INT64_MAX;
}

/* Insert behind all that are no larger: equal ones stay in order. */
static void insert(struct lp_io_slot *slot, double *sorted, size_t n,
		   double limit, uint8_t class)
{
	while (n > 0 && sorted[n - 1] > limit) {
		sorted[n] = sorted[n - 1];
		slot->class[n] = slot->class[n - 1];
		n--;
	}
	sorted[n] = limit;
	slot->class[n] = class;
}

static void fill(const struct lp_io_classifier *c, struct lp_io_slot *slot,
		 unsigned kind, int64_t bytes)
{
	const struct lp_io_kind_factors *factors = &c->kind[kind];
	double sorted[QUICK];

	slot->bytes = bytes;
	for (size_t i = 0; i < factors->n; i++)
		insert(slot, sorted, i, lp_io_limit(factors->factor[i], bytes),
		       factors->class[i]);
	for (size_t i = 0; i < QUICK; i++)
		slot->limit[i] = i < factors->n ? whole(sorted[i]) : INT64_MAX;
	slot->class[factors->n] = (uint8_t)(c->n_classes - 1);
}

static size_t slot_of(unsigned kind, int64_t bytes)
{
	uint64_t mixed = (uint64_t)bytes * UINT64_C(0x9e3779b97f4a7c15);

	return kind * SLOTS + (size_t)(mixed >> (64 - SLOT_BITS));
}

/* n is the number of factors, a constant where it pays. */
static inline uint8_t quick(struct lp_io_classifier *c,
			    const struct lp_io_operation *o, size_t n)
{
	struct lp_io_slot *slot = &c->slots[slot_of(o->kind, o->result)];
	size_t exceeded = 0;

	if (slot->bytes != o->result) {
		/* It pays for a size that comes again. */
		if (slot->asked != o->result) {
			slot->asked = o->result;
			return one(c, o);
		}
		fill(c, slot, o->kind, o->result);
	}
	for (size_t i = 0; i < n; i++)
		exceeded += o->duration_ns > slot->limit[i];
	return slot->class[exceeded];
}

static size_t most_factors(const struct lp_io_classifier *c)
{
	return c->kind[0].n > c->kind[1].n ? c->kind[0].n : c->kind[1].n;
}

void lp_io_classify(struct lp_io_classifier *c, const struct lp_io_operation *o,
		    size_t n, uint8_t *class)
{
	size_t most = most_factors(c);

	for (size_t i = 0; i < n; i++) {
		if (!lp_io_is_judged(&o[i]) || c->kind[o[i].kind].n == 0)
			class[i] = LP_IO_NOT_JUDGED;
		else if (most <= 6)
			class[i] = quick(c, &o[i], 6);
		else if (most <= QUICK)
			class[i] = quick(c, &o[i], QUICK);
		else
			class[i] = lp_io_class_plain(c, &o[i]);
	}
}
