/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame.h"

#include "base/memory.h"
#include "report/markup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1200.0
#define ROW 18.0
#define HEAD 64.0
/* Narrower frames are left out: nobody could see them. */
#define LEAST_WIDTH 0.4
#define CHARACTER 6.6
#define MOST_DEPTH 64
#define MOST_LISTED 20
/* Within so many standard deviations a difference is chance. */
#define CHANCE 3.0

static const char *const beginnings[] = { "<svg ", NULL };
const struct lp_outkind lp_flame_outkind = {
	.name = "a flame graph by limpid",
	.beginnings = beginnings,
	.holds = "limpid profile",
};

struct frame {
	const char *name;
	size_t length, next, child; /* of the nodes; 0: none */
	double own, other;
};

struct tree {
	const struct lp_flame *flame;
	struct frame *frames; /* the first is the root */
	size_t n, capacity, depth;
	FILE *out;
};

static size_t child_of(struct tree *t, size_t parent, const char *name,
		       size_t length)
{
	size_t *link, i;

	for (i = t->frames[parent].child; i; i = t->frames[i].next)
		if (t->frames[i].length == length &&
		    memcmp(t->frames[i].name, name, length) == 0)
			return i;
	if (lp_grow(&t->frames, &t->capacity, t->n + 1, sizeof(*t->frames)) < 0)
		return 0;
	i = t->n++;
	link = &t->frames[parent].child;
	t->frames[i] = (struct frame){ name, length, *link, 0, 0, 0 };
	*link = i;
	return i;
}

static int add(struct tree *t, size_t path)
{
	const char *at = t->flame->paths[path];
	double own = t->flame->own[path];
	double other = t->flame->other ? t->flame->other[path] : 0;
	size_t frame = 0, depth = 0;

	t->frames[0].own += own;
	t->frames[0].other += other;
	while (*at && depth++ < MOST_DEPTH) {
		size_t length = strcspn(at, ";");

		frame = child_of(t, frame, at, length);
		if (!frame)
			return -ENOMEM;
		t->frames[frame].own += own;
		t->frames[frame].other += other;
		at += length + (at[length] == ';');
	}
	if (depth > t->depth)
		t->depth = depth;
	return 0;
}

/* ---- drawing ---- */

/* Red: more than the other side, by share of all; grey: chance. */
static void put_colour(const struct tree *t, const struct frame *f)
{
	const struct lp_flame *g = t->flame;
	const struct frame *all = &t->frames[0];
	double own, other, by, chance;

	if (!g->other) {
		/* By its name, so that equal names look alike. */
		unsigned hash = 0;

		for (size_t i = 0; i < f->length; i++)
			hash = hash * 31 + (unsigned char)f->name[i];
		fprintf(t->out, "hsl(%u,70%%,%u%%)", 10 + hash % 45,
			62 + hash / 45 % 14);
		return;
	}
	own = all->own > 0 ? f->own / all->own : 0;
	other = all->other > 0 ? f->other / all->other : 0;
	by = own - other;
	chance = CHANCE * sqrt(own / fmax(1, g->rate * all->own) +
			       other / fmax(1, g->rate * all->other));
	if (fabs(by) <= chance)
		fputs("#d5d5d5", t->out);
	else
		fprintf(t->out, "hsl(%d,75%%,%.0f%%)", by > 0 ? 8 : 215,
			92 - 45 * fmin(1, fabs(by) / 0.2));
}

static void put_name(const struct tree *t, const struct frame *f)
{
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)f->length, f->name);
	lp_markup_text(t->out, name);
}

static void put_frame(const struct tree *t, const struct frame *f, double x,
		      double width, size_t depth)
{
	const struct frame *all = &t->frames[0];
	double y = HEAD + ROW * (double)depth;
	size_t letters = (size_t)(width / CHARACTER);
	char name[256];

	fprintf(t->out, "<g><title>");
	put_name(t, f);
	fprintf(t->out, ": %.2f s, %.2f %%", f->own,
		100 * f->own / fmax(all->own, 1e-12));
	if (t->flame->other)
		fprintf(t->out, "; peers: %.2f s, %.2f %%", f->other,
			100 * f->other / fmax(all->other, 1e-12));
	fprintf(t->out,
		"</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
		"height=\"%.1f\" fill=\"",
		x, y, width, ROW - 1);
	put_colour(t, f);
	fputs("\"/>", t->out);
	if (letters >= 3) {
		snprintf(name, sizeof(name), "%.*s", (int)f->length, f->name);
		fprintf(t->out, "<text x=\"%.2f\" y=\"%.1f\">", x + 3,
			y + ROW - 6);
		lp_markup_text_cut(t->out, name, letters);
		fputs("</text>", t->out);
	}
	fputs("</g>\n", t->out);
}

/* Children from left to right, the widest first. */
static void draw(struct tree *t, size_t parent, double x, double per,
		 size_t depth)
{
	double done = INFINITY;
	size_t last = 0;

	for (;;) {
		size_t best = 0;

		for (size_t i = t->frames[parent].child; i;
		     i = t->frames[i].next) {
			const struct frame *f = &t->frames[i];
			bool before =
				f->own > done || (f->own == done && i <= last);

			if (!before && f->own * per >= LEAST_WIDTH &&
			    (!best || f->own > t->frames[best].own))
				best = i;
		}
		if (!best)
			return;
		put_frame(t, &t->frames[best], x, t->frames[best].own * per,
			  depth);
		draw(t, best, x, per, depth + 1);
		x += t->frames[best].own * per;
		done = t->frames[best].own;
		last = best;
	}
}

/* What only the other side does cannot have a width here. */
static double list_missing(const struct tree *t, double y)
{
	const struct lp_flame *g = t->flame;
	size_t listed = 0;

	for (size_t i = 0; i < g->n && g->other && listed < MOST_LISTED; i++) {
		/* More than chance would leave out. */
		if (g->own[i] > 0 || g->other[i] * g->rate < CHANCE * CHANCE)
			continue;
		if (listed++ == 0) {
			fprintf(t->out,
				"<text x=\"4\" y=\"%.1f\" font-weight=\"bold\">"
				"Only the peers:</text>\n",
				y += ROW);
		}
		fprintf(t->out, "<text x=\"4\" y=\"%.1f\">%.2f s  ", y += ROW,
			g->other[i]);
		lp_markup_text(t->out, g->paths[i]);
		fputs("</text>\n", t->out);
	}
	return y;
}

static void draw_all(struct tree *t)
{
	const struct lp_flame *g = t->flame;
	double all = t->frames[0].own, bottom = HEAD + ROW * (double)t->depth;
	double height = bottom + (g->other ? ROW * (MOST_LISTED + 2) : ROW);

	fprintf(t->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
		"height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"sans-serif\" font-size=\"11\">\n"
		"<!-- limpid profile -->\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
		"<text x=\"4\" y=\"20\" font-size=\"15\">",
		WIDTH, height, WIDTH, height);
	lp_markup_text(t->out, g->title);
	fprintf(t->out, "</text>\n<text x=\"4\" y=\"38\">%.1f s of CPU time",
		all);
	if (g->other)
		fprintf(t->out,
			"; the peers: %.1f s. Red: a larger share than "
			"theirs; blue: a smaller one; grey: within chance",
			t->frames[0].other);
	fputs("</text>\n", t->out);
	if (g->subtitle) {
		fputs("<text x=\"4\" y=\"54\">", t->out);
		lp_markup_text(t->out, g->subtitle);
		fputs("</text>\n", t->out);
	}
	if (all > 0)
		draw(t, 0, 0, WIDTH / all, 0);
	list_missing(t, bottom);
	fputs("</svg>\n", t->out);
}

int lp_flame_write(FILE *out, const struct lp_flame *flame)
{
	struct tree t = { .flame = flame, .out = out };
	int status = 0;

	if (lp_grow(&t.frames, &t.capacity, 1, sizeof(*t.frames)) < 0)
		return -ENOMEM;
	t.frames[t.n++] = (struct frame){ .name = "" };
	for (size_t i = 0; i < flame->n && status == 0; i++)
		status = add(&t, i);
	if (status == 0)
		draw_all(&t);
	free(t.frames);
	return status;
}
