/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures of limpid io: durations over time, their density with the
 * classes in it, and the lines of a model (Kunkel 2015, figures 2, 5 and 6).
 */
#ifndef LP_REPORT_IO_FIGURES_H
#define LP_REPORT_IO_FIGURES_H

#include "io/report/io_reports.h"

/* The style sheet's class of the class-th of n causes: the last, what none
   explains, has a colour of its own; many others share theirs. */
const char *lp_io_colour(size_t class, size_t n);

/* Durations of all reads and writes over time, coloured by cause. 0, -ENOMEM */
int lp_io_draw_timeline(FILE *out, unsigned id,
			const struct lp_io_judgement *judgement);
/* The density of one kind and size: where it is parted, what is slow, and, if
   there is a classifier (NULL: none), the limits of the model. */
void lp_io_draw_density(FILE *out, unsigned id, const char *title,
			const struct lp_io_clusters *clusters,
			const struct lp_io_classifier *classifier,
			unsigned kind, int64_t bytes);
/* The lines of all factors of one kind over the size, and what was measured. */
void lp_io_draw_model(FILE *out, unsigned id,
		      const struct lp_io_classifier *classifier, unsigned kind);

#endif
