/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When each component differed: components × time.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[LP_STATES] = {
	[LP_STATE_NONE] = "not compared (idle, or no samples)",
	[LP_STATE_OK] = "like its peers",
	[LP_STATE_SPLIT] = "too many of the group differ: cannot tell",
	[LP_STATE_FLAG] = "differs",
	[LP_STATE_BAD] = "differs persistently",
	[LP_STATE_ABSENT] = "absent",
};

#define ROW_HEIGHT 15
#define ROW_HEIGHT_MANY 13
#define MANY 40

static void put_legend(FILE *out)
{
	char class_name[8];

	fputs("<div class=\"legend\">", out);
	for (unsigned level = 0; level < LP_STATES; level++) {
		snprintf(class_name, sizeof(class_name), "l%u", level);
		lp_html_key(out, class_name, true, words[level]);
	}
	fputs("</div>\n", out);
}

static void open_figure(FILE *out)
{
	fputs("<section id=\"map\"><h2>When each component differed</h2>\n"
	      "<figure data-levels='[",
	      out);
	for (unsigned level = 0; level < LP_STATES; level++)
		fprintf(out, "%s\"%s\"", level ? "," : "", words[level]);
	fputs("]'>", out);
}

static void put_caption(FILE *out, const struct lp_map *map)
{
	char text[LP_TIME_TEXT];

	fprintf(out,
		"<figcaption>Each row is a component; findings come first. "
		"Each of the %zu columns covers %s (times are UTC) and shows "
		"the worst result of any metric. A component counts as "
		"persistently different only after several windows of "
		"samples, so the colours may start and end up to a few "
		"windows before or after the fault itself.",
		map->columns,
		lp_duration_format((map->end_ns - map->begin_ns) /
					   (int64_t)map->columns,
				   text));
	if (map->n_rows < map->of_rows)
		fprintf(out,
			" %zu of %zu rows are shown; the last row is the worst "
			"of all others.",
			map->n_rows - 1, map->of_rows);
	fputs("</figcaption></figure></section>\n", out);
}

int lp_html_map(struct lp_page *page)
{
	const struct lp_map *map = page->findings->map;
	size_t n = map ? map->n_rows : 0;
	lp_auto_free uint8_t *levels = calloc(n, map ? map->columns : 1);
	lp_auto_free const char **names = calloc(n + 1, sizeof(*names));
	lp_auto_free size_t *findings = calloc(n + 1, sizeof(*findings));
	struct lp_svg_map svg = {
		.title = "When each component differed",
		.description = "Rows are components, columns are time; the "
			       "darkest cells differ persistently or are "
			       "absent.",
		.rows = names,
		.findings = findings,
		.n_rows = n,
		.levels = levels,
		.n_levels = LP_STATES,
		.row_height = n > MANY ? ROW_HEIGHT_MANY : ROW_HEIGHT,
	};

	if (!map)
		return 0;
	if (!levels || !names || !findings)
		return -ENOMEM;
	svg.id = ++page->id;
	svg.n_columns = map->columns;
	svg.begin_ns = map->begin_ns;
	svg.end_ns = map->end_ns;
	for (size_t r = 0; r < n; r++) {
		names[r] = map->rows[r].name;
		findings[r] = map->rows[r].finding;
		memcpy(levels + r * map->columns, map->rows[r].states,
		       map->columns);
	}
	open_figure(page->out);
	put_legend(page->out);
	lp_svg_map(page->out, &svg);
	put_caption(page->out, map);
	return 0;
}
