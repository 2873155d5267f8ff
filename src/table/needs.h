/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which columns a pass over recordings reads: fewer make it cheap.
 */
#ifndef LP_TABLE_NEEDS_H
#define LP_TABLE_NEEDS_H

#include "table/matrix.h"

/* Zero-initialise. Names, each once, ended by NULL: for lp_query.columns. */
struct lp_needs {
	const char **columns;
	size_t n, capacity;
};

void lp_needs_done(struct lp_needs *needs);

/* Add what tells who there is and how much each moved. 0 or -ENOMEM. */
int lp_needs_survey(struct lp_needs *needs);

/*
 * Add what these metrics (ended by a class of NULL) are made of, or are called
 * where a recording holds them as levels. 0 or -ENOMEM.
 */
int lp_needs_metrics(struct lp_needs *needs,
		     const struct lp_matrix_metric *metrics);

/* The names of all classes that are compared, ended by NULL. */
#define LP_COMPARED_MAX 16
void lp_compared_classes(const char *names[LP_COMPARED_MAX]);
/* Of those the ones of which samples with a loss are counted. */
void lp_counted_classes(const char *names[LP_COMPARED_MAX]);

#endif
