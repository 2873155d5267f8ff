/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which classes and columns have values in a recording. Formats that name
 * their columns first need to know before they write; tables leave out what
 * nobody recorded.
 */
#ifndef LP_SURVEY_SEEN_H
#define LP_SURVEY_SEEN_H

#include "survey/selection.h"

#include "base/memory.h"

/* Its strings are its own. */
struct lp_seen_class {
	const char *name;
	const struct lp_class *class; /* NULL: from a later limpid */
	struct lp_column *columns;    /* in the catalogue's order */
	size_t n_columns, capacity;
};

/* Zero-initialise to begin. */
struct lp_seen {
	struct lp_arena arena;
	struct lp_seen_class *classes; /* in the catalogue's order */
	size_t n_classes, capacity;
};

/* Add what is selected of the chunk (NULL: all). 0 or -ENOMEM. */
int lp_seen_add(struct lp_seen *seen, const struct lp_selection *selection,
		const struct lp_chunk *chunk);
/* Bring classes and columns into their order. */
void lp_seen_finish(struct lp_seen *seen);
/* NULL: no such class. */
const struct lp_seen_class *lp_seen_find(const struct lp_seen *seen,
					 const char *name);
/* Whether a column of that name has values in the class. */
bool lp_seen_column(const struct lp_seen *seen, const struct lp_class *class,
		    const char *name);
/* "disk, net, host" */
void lp_seen_list(const struct lp_seen *seen, char *text, size_t size);
void lp_seen_done(struct lp_seen *seen);

#endif
