/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The likely cause of an operation's duration (Kunkel 2015, 4.2): of the
 * factors, sorted by what they predict for its size, the first that predicts no
 * less than was observed; if there is none, what lies beyond them all.
 */
#ifndef LP_IO_MODEL_CLASSIFY_H
#define LP_IO_MODEL_CLASSIFY_H

#include "io/model/iomodel.h"

#define LP_IO_NOT_JUDGED UINT8_MAX
/* The trace's clock is too coarse to say which of two classes it is. */
#define LP_IO_UNCLEAR (UINT8_MAX - 1)

/* The lines of one segment, for the one-by-one way. */
struct lp_io_lines {
	double intercept[LP_IO_FACTORS_MAX], slope[LP_IO_FACTORS_MAX];
	uint8_t class[LP_IO_FACTORS_MAX + 1]; /* the last is beyond */
	/* No two cross: they stand from fast to slow, else as in the model. */
	bool ordered;
};

struct lp_io_kind_factors {
	const struct lp_io_factor *factor[LP_IO_FACTORS_MAX];
	uint8_t class[LP_IO_FACTORS_MAX];
	size_t n;
	struct lp_io_lines lines[2]; /* to a page, above */
};

struct lp_io_classifier {
	/* Classes: names of factors, from fast to slow; the last is beyond. */
	const char *name[LP_IO_FACTORS_MAX + 1];
	size_t n_classes;
	struct lp_io_kind_factors kind[2]; /* reads, writes */
};

/* The model must stay. */
void lp_io_classifier_init(struct lp_io_classifier *classifier,
			   const struct lp_io_model *model);

/* By the definition, for one: a class, or LP_IO_NOT_JUDGED when it is no read
   or write that moved a byte, or the model has none of its kind. */
uint8_t lp_io_class_plain(const struct lp_io_classifier *classifier,
			  const struct lp_io_operation *operation);
/* The same for many, faster: lines that do not cross are sorted once. */
void lp_io_classify(const struct lp_io_classifier *classifier,
		    const struct lp_io_operation *operation, size_t n,
		    uint8_t *class);
/*
 * The same by a clock with a resolution: a class only where the shortest and
 * the longest that the operation can have taken give the same, else
 * LP_IO_UNCLEAR.
 */
void lp_io_classify_coarse(const struct lp_io_classifier *classifier,
			   const struct lp_io_operation *operation, size_t n,
			   int64_t resolution_ns, uint8_t *class);

#endif
