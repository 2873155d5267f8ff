/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/cells.h"

#include <math.h>
#include <string.h>

/* How wide each column must be. */
static void measure(const struct lab_cells *cells, int width[LAB_COLUMNS + 2])
{
	for (int c = 0; c < LAB_COLUMNS + 2; c++)
		width[c] = c < 2 ? 7
				 : (int)strlen(lab_column_name(
					   (enum lab_column)(c - 2)));
	for (size_t i = 0; i < cells->n; i++) {
		const struct lab_cell *cell = &cells->cell[i];

		if ((int)strlen(cell->set) > width[0])
			width[0] = (int)strlen(cell->set);
		if ((int)strlen(cell->failure) > width[1])
			width[1] = (int)strlen(cell->failure);
		for (int c = 0; c < LAB_COLUMNS; c++) {
			char text[LAB_CELL_WORD];

			lab_cell_text(cell, (enum lab_column)c, text);
			if ((int)strlen(text) > width[c + 2])
				width[c + 2] = (int)strlen(text);
		}
	}
}

static void print_table(const struct lab_cells *cells, FILE *out)
{
	int width[LAB_COLUMNS + 2];

	measure(cells, width);
	fprintf(out, "%-*s  %-*s  runs", width[0], "set", width[1], "failure");
	for (int c = 0; c < LAB_COLUMNS; c++)
		fprintf(out, "  %-*s", width[c + 2],
			lab_column_name((enum lab_column)c));
	fputc('\n', out);
	for (size_t i = 0; i < cells->n; i++) {
		const struct lab_cell *cell = &cells->cell[i];

		fprintf(out, "%-*s  %-*s  %4u", width[0], cell->set, width[1],
			cell->failure, cell->runs);
		for (int c = 0; c < LAB_COLUMNS; c++) {
			char text[LAB_CELL_WORD];

			lab_cell_text(cell, (enum lab_column)c, text);
			fprintf(out, "  %-*s", width[c + 2], text);
		}
		fputc('\n', out);
	}
}

static void print_seconds(FILE *out, const double *values, size_t n)
{
	double median = lab_cell_median(values, n);

	if (isnan(median))
		fprintf(out, "  %10s", "-");
	else
		fprintf(out, "  %8.1f s", median);
}

static void print_times(const struct lab_cells *cells, FILE *out)
{
	fprintf(out,
		"\nTimes (medians): the tool with the failure, the tool "
		"after it was undone, the\nlongest wait of a writer while "
		"it happened. Files: not ok, of all that were read.\n\n"
		"%-12s  %-28s  %10s  %10s  %10s  %12s  %12s\n",
		"set", "failure", "tool", "undone", "writer", "cold", "undone");
	for (size_t i = 0; i < cells->n; i++) {
		const struct lab_cell *c = &cells->cell[i];
		const struct lab_cell_value *v = c->value;
		char cold[32], undone[32];

		fprintf(out, "%-12s  %-28s", c->set, c->failure);
		print_seconds(out, v[LAB_COLUMN_TOOL].seconds,
			      v[LAB_COLUMN_TOOL].n);
		print_seconds(out, v[LAB_COLUMN_UNDONE_TOOL].seconds,
			      v[LAB_COLUMN_UNDONE_TOOL].n);
		print_seconds(out, c->stalled, c->n_stalled);
		snprintf(cold, sizeof(cold), "%u/%u", v[LAB_COLUMN_COLD].bad,
			 v[LAB_COLUMN_COLD].files);
		snprintf(undone, sizeof(undone), "%u/%u",
			 v[LAB_COLUMN_UNDONE].bad, v[LAB_COLUMN_UNDONE].files);
		fprintf(out, "  %12s  %12s\n", cold, undone);
	}
}

static void print_notes(const struct lab_cells *cells, FILE *out)
{
	for (size_t i = 0; i < cells->n; i++) {
		const struct lab_cell *c = &cells->cell[i];

		if (c->latent)
			fprintf(out,
				"\n%s, %s: LATENT DAMAGE in %u of %u runs: the "
				"tool said normal, and readers\nget something "
				"else than was written, or nothing.",
				c->set, c->failure, c->latent, c->runs);
		if (c->tool_why)
			fprintf(out, "\n%s, %s: the tool said: %s", c->set,
				c->failure, c->tool_why);
		if (c->first_bad)
			fprintf(out, "\n%s, %s: a file that was not ok: %s",
				c->set, c->failure, c->first_bad);
		if (c->died)
			fprintf(out, "\n%s, %s: daemon died: %s", c->set,
				c->failure, c->died);
		if (c->no_lab)
			fprintf(out,
				"\n%s, %s: in %u of %u runs the lab did "
				"not come up",
				c->set, c->failure, c->no_lab, c->runs);
		if (c->no_effect)
			fprintf(out,
				"\n%s, %s: in %u of %u runs nothing met "
				"the failure until the tools began",
				c->set, c->failure, c->no_effect, c->runs);
		if (c->not_undone)
			fprintf(out,
				"\n%s, %s: in %u of %u runs the failure "
				"could not be undone",
				c->set, c->failure, c->not_undone, c->runs);
	}
	fputc('\n', out);
}

void lab_cells_print_text(const struct lab_cells *cells, FILE *out)
{
	fprintf(out, "%zu runs in %s\n\n", cells->runs, cells->title);
	print_table(cells, out);
	print_times(cells, out);
	print_notes(cells, out);
}
