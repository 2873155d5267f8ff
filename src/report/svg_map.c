/* SPDX-License-Identifier: Apache-2.0 */
#include "report/markup.h"
#include "report/svg.h"
#include "report/svg_axis.h"

#define NAME_CHARACTERS 22

static size_t same_until(const uint8_t *row, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && row[end] == row[i])
		end++;
	return end;
}

/* All cells of one level in a row: one path, a little lower than the row. */
static void put_level(FILE *out, const uint8_t *row, size_t n, size_t y,
		      unsigned level)
{
	bool any = false;

	for (size_t i = 0, end; i < n; i = end) {
		end = same_until(row, n, i);
		if (row[i] != level)
			continue;
		if (!any)
			fprintf(out, "<path class=\"l%u\" d=\"", level);
		any = true;
		fprintf(out, "M%zu %zu.08h%zuv.84h-%zuz", i, y, end - i,
			end - i);
	}
	if (any)
		fputs("\"/>", out);
}

static void put_row(FILE *out, const struct lp_svg_map *map, size_t r)
{
	const uint8_t *row = map->levels + r * map->n_columns;

	fputs("<g><title>", out);
	lp_markup_text(out, map->rows[r]);
	fputs("</title>", out);
	for (unsigned level = 1; level < map->n_levels; level++)
		put_level(out, row, map->n_columns, r, level);
	fputs("</g>\n", out);
}

static void put_name(FILE *out, const struct lp_svg_map *map, size_t r)
{
	bool linked = map->findings && map->findings[r];

	if (linked)
		fprintf(out, "<a href=\"#f%zu\">", map->findings[r]);
	fprintf(out, "<text class=\"ty\" x=\"-6\" y=\"%.1f\">",
		((double)r + 0.5) * map->row_height + 4);
	lp_markup_text_cut(out, map->rows[r], NAME_CHARACTERS);
	fputs("<title>", out);
	lp_markup_text(out, map->rows[r]);
	fprintf(out, "</title></text>%s\n", linked ? "</a>" : "");
}

void lp_svg_map(FILE *out, const struct lp_svg_map *map)
{
	size_t height = map->n_rows * map->row_height;

	fprintf(out,
		"<svg class=\"chart map\" height=\"%zu\" "
		"data-columns=\"%zu\" data-time=\"%.3f %.3f\"",
		height, map->n_columns, (double)map->begin_ns / 1e9,
		(double)map->end_ns / 1e9);
	lp_svg_head(out, map->id, map->title, map->description);
	lp_svg_time_axis(out, map->begin_ns,
			 (double)(map->end_ns - map->begin_ns), -6);
	for (size_t r = 0; r < map->n_rows; r++)
		put_name(out, map, r);
	fprintf(out,
		"<svg class=\"plot\" width=\"100%%\" height=\"%zu\" "
		"viewBox=\"0 0 %zu %zu\" preserveAspectRatio=\"none\">\n",
		height, map->n_columns, map->n_rows);
	for (size_t r = 0; r < map->n_rows; r++)
		put_row(out, map, r);
	fputs("</svg></svg>\n", out);
}
