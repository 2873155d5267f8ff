/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a recording holds: classes and the columns that have values. Formats
 * that name their columns first need to know before they write.
 */
#ifndef LP_EXPORT_SURVEY_H
#define LP_EXPORT_SURVEY_H

#include "survey/selection.h"

#include "base/memory.h"

/* Its strings are its own. */
struct lp_survey_class {
	const char *name;
	const struct lp_class *class; /* NULL: from a later limpid */
	struct lp_column *columns;    /* in the catalogue's order */
	size_t n_columns, capacity;
};

/* Zero-initialise to begin. */
struct lp_survey {
	struct lp_arena arena;
	struct lp_survey_class *classes; /* in the catalogue's order */
	size_t n_classes, capacity;
};

/* Add what is selected of the chunk. 0 or -ENOMEM. */
int lp_survey_add(struct lp_survey *survey,
		  const struct lp_selection *selection,
		  const struct lp_chunk *chunk);
/* Bring classes and columns into their order. */
void lp_survey_finish(struct lp_survey *survey);
/* NULL: no such class. */
const struct lp_survey_class *lp_survey_find(const struct lp_survey *survey,
					     const char *name);
/* "disk, net, host" */
void lp_survey_list(const struct lp_survey *survey, char *text, size_t size);
void lp_survey_done(struct lp_survey *survey);

#endif
