/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models from measurements whose cause is known (Kunkel 2015, 6): the density
 * of each size gives the limit beyond which operations are unexpectedly slow;
 * to these limits plus a tenth straight lines are fitted.
 *
 *     trainer = lp_io_trainer_new();
 *     lp_io_trainer_add(trainer, "discard", &zero);
 *     lp_io_trainer_add(trainer, "cached", &warm);
 *     lp_io_trainer_finish(trainer, &options, &model, err);
 *     lp_io_trainer_free(trainer);
 */
#ifndef LP_IO_MODEL_TRAINER_H
#define LP_IO_MODEL_TRAINER_H

#include "io/model/iomodel.h"

#define LP_IO_MARGIN 0.1 /* above the limits: Kunkel 2015, 6 */
/*
 * A size is odd whose limit is over so many times what the others say. Data
 * that no longer fits the processor's caches costs some 5 times as much a byte,
 * which is no fault; what Kunkel 2015 found one of was 100 times.
 */
#define LP_IO_ODD_FACTOR 10.0

struct lp_io_trainer;

enum lp_io_weights {
	/* All residuals in ns count alike, as by lm(): the largest sizes decide
	   (Kunkel 2015). */
	LP_IO_ABSOLUTE,
	/* All residuals in per cent count alike: every size decides. */
	LP_IO_RELATIVE,
};

enum lp_io_edges {
	/* Lines follow the limits plus a tenth (Kunkel 2015). */
	LP_IO_AT_LIMITS,
	/*
	 * Where a gap lies between a factor and the next, the line follows its
	 * middle, on a logarithmic scale. An operation in the gap was delayed
	 * by something that was not measured, an interrupt or another process;
	 * it is the one that it is nearer to.
	 */
	LP_IO_BETWEEN,
};

struct lp_io_training {
	enum lp_io_weights weights;
	enum lp_io_edges edges;
	struct lp_io_origin origin; /* copied; NULL texts are "" */
	const char *beyond;         /* NULL: see lp_io_trainer_finish() */
	const char *reference;      /* the same */
};

/* NULL: out of memory. */
struct lp_io_trainer *lp_io_trainer_new(void);
void lp_io_trainer_free(struct lp_io_trainer *trainer);

/*
 * The reads and writes of a trace belong to the factor; several traces of one
 * are pooled. 0, -EINVAL (a name that is none, no read or write in it) or
 * -ENOMEM.
 */
int lp_io_trainer_add(struct lp_io_trainer *trainer, const char *factor,
		      const struct lp_io_trace *trace, struct lp_error *err);

/*
 * What no factor explains is called "uncached", or "slow" when a factor's name
 * begins with "uncached". The reference, what all I/O could be like, is the
 * slowest factor whose name begins with "cached". The model is yours.
 */
int lp_io_trainer_finish(struct lp_io_trainer *trainer,
			 const struct lp_io_training *training,
			 struct lp_io_model *model, struct lp_error *err);

/* ---- parts of it ---- */

/* The two lines of a factor, through edge_ns[n_sizes] of the sizes that are not
   odd; find_odd: see first which are. */
void lp_io_fit_lines(struct lp_io_factor *factor, const double *edge_ns,
		     enum lp_io_weights weights, bool find_odd);

/* LP_IO_BETWEEN for all factors, whose lines follow their limits so far. 0 or
   -ENOMEM. */
int lp_io_move_lines(struct lp_io_model *model, enum lp_io_weights weights);

/* Printable, not empty, not too long. */
bool lp_io_is_name(const char *name);

#endif
