/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of a matrix, as a table: for each set of nodes and failure what the
 * recovery tools said and what work met, over all repeats.
 */
#ifndef LAB_FAILURE_CELLS_H
#define LAB_FAILURE_CELLS_H

#include "base/error.h"
#include "base/memory.h"
#include "verify/selfblock.h"

#include <stdbool.h>
#include <stdio.h>

/* PFault's columns (TOS 2022, tables 4 and 5), and those after undoing. */
enum lab_column {
	LAB_COLUMN_TOOL,
	LAB_COLUMN_WARM,
	LAB_COLUMN_COLD,
	LAB_COLUMN_ASYNC,
	LAB_COLUMN_SYNC,
	LAB_COLUMN_UNDONE_TOOL,
	LAB_COLUMN_UNDONE,
	LAB_COLUMNS
};

#define LAB_CELL_RUNS 100
#define LAB_CELL_WORD 96

/* One column of a cell. */
struct lab_cell_value {
	unsigned
		count[LAB_VERDICTS]; /* runs by word; tools' words come first */
	unsigned bad, files;         /* files that were not ok, of all */
	double seconds[LAB_CELL_RUNS];
	size_t n;
};

struct lab_cell {
	const char *set, *failure; /* with what came then, or beside it */
	unsigned runs, no_lab, no_effect, not_undone;
	struct lab_cell_value value[LAB_COLUMNS];
	double stalled[LAB_CELL_RUNS]; /* slowest file of the writers */
	size_t n_stalled;
	const char *tool_why, *first_bad, *died; /* of the last run that had */
	unsigned latent; /* runs in which the tool said normal, and data was
			    wrong all the same */
};

struct lab_cells {
	struct lab_cell *cell;
	size_t n, capacity, runs;
	const char *title;
	struct lp_arena arena;
};

/* "tool", "cold read" */
const char *lab_column_name(enum lab_column column);
/* The word of an index in `count`. */
const char *lab_column_word(enum lab_column column, size_t index);
/* The worst word that was met; 0: normal, or ok. */
size_t lab_cell_worst(const struct lab_cell *cell, enum lab_column column);
/* "ok", or "ok 2, hang 1"; "-" if there was none. */
void lab_cell_text(const struct lab_cell *cell, enum lab_column column,
		   char text[LAB_CELL_WORD]);
/* NaN of none. */
double lab_cell_median(const double *values, size_t n);

/* All runs in a directory, sorted. lab_cells_done in any case. */
int lab_cells_read(const char *dir, struct lab_cells *cells,
		   struct lp_error *err);
/* One outcome.json; the name is for messages. */
int lab_cells_take(struct lab_cells *cells, const char *name, const char *text,
		   size_t n, struct lp_error *err);
void lab_cells_done(struct lab_cells *cells);

const struct lab_cell *lab_cells_find(const struct lab_cells *cells,
				      const char *set, const char *failure);

/*
 * How cells of `now` differ from those of `before`: a line each is printed (out
 * may be NULL); the number of columns that are worse.
 */
size_t lab_cells_compare(const struct lab_cells *now,
			 const struct lab_cells *before, FILE *out);

void lab_cells_print_text(const struct lab_cells *cells, FILE *out);
void lab_cells_print_json(const struct lab_cells *cells, FILE *out);
void lab_cells_print_html(const struct lab_cells *cells,
			  const struct lab_cells *before, FILE *out);

#endif
