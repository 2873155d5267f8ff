/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence of what a server executes or waits for. Its data:
 *
 *     { "functions": [ { "name": "PROGRAM\tIMAGE\tFUNCTION",
 *         "own": 0.11, "peers": 0.01, "low": 0, "high": 0.02 }, ... ], ... }
 *
 * with the seconds of CPU time per second, of this server, the median, the
 * least and the most of its peers.
 */
#include "report/evidence_kind.h"

#include "report/html_page.h"
#include "report/markup.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define ROW 24.0
#define BARS 400.0 /* wide */
#define NAMES 420.0

struct function {
	char name[200];
	double own, peers, low, high;
};

static double number(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : 0;
}

/* Whatever is no function of that form is left out. */
static bool read_function(const json_t *item, struct function *f)
{
	const char *name = json_string_value(json_object_get(item, "name"));

	if (!name)
		return false;
	snprintf(f->name, sizeof(f->name), "%s", name);
	for (char *at = f->name; *at; at++)
		if (*at == '\t')
			*at = ' ';
	f->own = number(item, "own");
	f->peers = number(item, "peers");
	f->low = number(item, "low");
	f->high = number(item, "high");
	return true;
}

static void put_bar(FILE *out, const struct function *f, double y, double per)
{
	fprintf(out, "<text x=\"0\" y=\"%.0f\" fill=\"currentColor\">", y + 15);
	lp_markup_text_cut(out, f->name, 62);
	fprintf(out,
		"</text><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" "
		"height=\"12\" fill=\"var(--suspect)\"><title>%.2f %% of a "
		"CPU; peers %.2f %% (%.2f to %.2f)</title></rect>",
		NAMES, y + 4, fmax(0, f->own) * per, 100 * f->own,
		100 * f->peers, 100 * f->low, 100 * f->high);
	/* From the least to the most of the peers, and their median. */
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"3\" "
		"fill=\"var(--peer)\"/><rect x=\"%.1f\" y=\"%.0f\" "
		"width=\"2\" height=\"9\" fill=\"var(--middle)\"/>\n",
		NAMES + fmax(0, f->low) * per, y + 17,
		fmax(1, (f->high - f->low) * per),
		NAMES + fmax(0, f->peers) * per, y + 14);
}

static int put_figure(const struct lp_evidence *e, struct lp_page *page)
{
	json_t *root = e->data ? json_loads(e->data, 0, NULL) : NULL;
	const json_t *list = json_object_get(root, "functions"), *item;
	double most = 0, n = (double)json_array_size(list);
	struct function f;
	size_t i;

	json_array_foreach(list, i, item) if (read_function(item, &f)) most =
		fmax(most, fmax(f.own, f.high));
	if (most > 0) {
		fprintf(page->out,
			"<figure><svg viewBox=\"0 0 %.0f %.0f\" "
			"font-size=\"12\" role=\"img\"><title>Functions that "
			"differ most from the peers</title>\n",
			NAMES + BARS + 10, ROW * n + 4);
		json_array_foreach(list, i, item) if (read_function(item, &f))
			put_bar(page->out, &f, ROW * (double)i, BARS / most);
		fputs("</svg><figcaption>The functions that differ most, in "
		      "CPU time of ",
		      page->out);
		lp_markup_text(page->out, e->component);
		fprintf(page->out,
			" (bar; the longest scale is %.1f %% of a CPU). Below "
			"each bar: from the least to the most of its peers, "
			"with their median.</figcaption></figure>\n",
			100 * most);
	}
	json_decref(root);
	return 0;
}

const struct lp_evidence_kind lp_evidence_software = {
	.name = "software",
	.figure = put_figure,
};

const struct lp_evidence_kind lp_evidence_waits = {
	.name = "waits",
	.figure = put_figure,
};
