/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page that loads nothing.
 */
#include "failure/cells.h"

#include <math.h>

static const char head[] =
	"<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'\">"
	"<title>Failures</title><style>"
	"body{font:15px/1.5 system-ui,sans-serif;margin:2em "
	"auto;max-width:80em;"
	"padding:0 1em;color:#222}table{border-collapse:collapse;margin:1em 0}"
	"th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left}"
	"th{background:#f3f3f3}.good{background:#e6f4e6}.fair{background:"
	"#fdf3d8}.bad{background:#fbe3e0}.latent{font-weight:bold}"
	"</style>\n";

/* Text that stays text. */
static void put(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
}

/* A tool that is incomplete is no error; data that is missing for a while is
 * better than wrong data. */
static const char *colour(const struct lab_cell *cell, enum lab_column column)
{
	size_t worst = lab_cell_worst(cell, column);
	const bool tool =
		column == LAB_COLUMN_TOOL || column == LAB_COLUMN_UNDONE_TOOL;

	if (worst == 0)
		return cell->value[column].n ? "good" : "";
	return tool && worst == 1 ? "fair" : "bad";
}

static void put_row(FILE *out, const struct lab_cell *cell)
{
	fputs("<tr><td>", out);
	put(out, cell->set);
	fputs("<td>", out);
	put(out, cell->failure);
	fprintf(out, "<td>%u", cell->runs);
	for (int c = 0; c < LAB_COLUMNS; c++) {
		const struct lab_cell_value *v = &cell->value[c];
		double s = lab_cell_median(v->seconds, v->n);
		char text[LAB_CELL_WORD];

		lab_cell_text(cell, (enum lab_column)c, text);
		fprintf(out, "<td class=\"%s\">",
			colour(cell, (enum lab_column)c));
		put(out, text);
		if (v->bad)
			fprintf(out, "<br>%u of %u files", v->bad, v->files);
		if (!isnan(s))
			fprintf(out, "<br><small>%.1f s</small>", s);
	}
	fputs("\n", out);
}

static void put_notes(FILE *out, const struct lab_cell *cell)
{
	const struct {
		const char *what, *text;
	} notes[] = {
		{ "the tool said", cell->tool_why },
		{ "a file that was not ok", cell->first_bad },
		{ "daemon died", cell->died },
	};

	if (cell->latent)
		fprintf(out,
			"<li class=\"latent\">%s, %s: latent damage in %u of "
			"%u runs: the tool said normal, and readers get "
			"something else than was written, or nothing\n",
			cell->set, cell->failure, cell->latent, cell->runs);
	for (size_t i = 0; i < lp_array_size(notes); i++) {
		if (!notes[i].text)
			continue;
		fputs("<li>", out);
		put(out, cell->set);
		fputs(", ", out);
		put(out, cell->failure);
		fprintf(out, ": %s: ", notes[i].what);
		put(out, notes[i].text);
		fputs("\n", out);
	}
}

static void put_differences(const struct lab_cells *now,
			    const struct lab_cells *before, FILE *out)
{
	fputs("<h2>What differs from ", out);
	put(out, before->title);
	fputs("</h2><pre>", out);
	lab_cells_compare(now, before, out);
	fputs("</pre>\n", out);
}

void lab_cells_print_html(const struct lab_cells *cells,
			  const struct lab_cells *before, FILE *out)
{
	fputs(head, out);
	fputs("<h1>What failed, and what recovery repaired</h1><p>", out);
	fprintf(out, "%zu runs in ", cells->runs);
	put(out, cells->title);
	fputs("<table><tr><th>set<th>failure<th>runs", out);
	for (int c = 0; c < LAB_COLUMNS; c++)
		fprintf(out, "<th>%s", lab_column_name((enum lab_column)c));
	fputs("\n", out);
	for (size_t i = 0; i < cells->n; i++)
		put_row(out, &cells->cell[i]);
	fputs("</table><ul>\n", out);
	for (size_t i = 0; i < cells->n; i++)
		put_notes(out, &cells->cell[i]);
	fputs("</ul>\n", out);
	if (before)
		put_differences(cells, before, out);
}
