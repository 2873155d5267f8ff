/* SPDX-License-Identifier: Apache-2.0 */
#include "io/report/io_figures.h"

#include "base/number.h"
#include "io/model/trace.h"
#include "io/report/io_words.h"
#include "report/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HEIGHT 260
#define DENSITY_POINTS 400
#define MODEL_POINTS 80
/* Dots fall into boxes, of which each is drawn once: 1e7 operations are as
   many dots as there is room for. */
#define BOXES_X 500
#define BOXES_Y 130

const char *lp_io_colour(size_t class, size_t n)
{
	static const char *const colours[] = { "f0", "f1", "f2", "f3",
					       "f4", "f5", "f6" };

	return class + 1 == n ? "f7" : colours[class % lp_array_size(colours)];
}

static size_t n_colours(const struct lp_io_judgement *j)
{
	return j->class ? j->classifier.n_classes : 2;
}

/* Axes are of decimal logarithms. */
static const char *time_name(double v, char text[LP_SVG_NAME])
{
	return lp_io_time_text(pow(10, v), text);
}

static const char *size_name(double v, char text[LP_SVG_NAME])
{
	return lp_io_size_text((int64_t)llround(exp2(v)), text);
}

/* ---- durations over time ---- */

struct timeline {
	struct lp_svg_chart chart;
	uint8_t *seen; /* [BOXES_Y][BOXES_X] */
	double *x, *y;
	size_t n;
};

static struct lp_svg_range duration_range(const struct lp_io_judgement *j)
{
	struct lp_svg_range range = { INFINITY, -INFINITY };

	for (size_t i = 0; i < j->durations.n; i++)
		for (size_t k = 0; k < j->durations.series[i].n; k++) {
			double v = j->durations.series[i].log_ns[k] / M_LN10;

			range.lo = fmin(range.lo, v);
			range.hi = fmax(range.hi, v);
		}
	if (range.lo > range.hi)
		return (struct lp_svg_range){ 2, 3 };
	return (struct lp_svg_range){ floor(range.lo * 4) / 4,
				      floor(range.hi * 4) / 4 + 0.25 };
}

static void take_dot(struct timeline *t, double x, double y)
{
	const struct lp_svg_range *rx = &t->chart.x, *ry = &t->chart.y;
	size_t bx = (size_t)((x - rx->lo) / (rx->hi - rx->lo) * (BOXES_X - 1));
	size_t by = (size_t)((y - ry->lo) / (ry->hi - ry->lo) * (BOXES_Y - 1));
	uint8_t *box;

	if (bx >= BOXES_X || by >= BOXES_Y)
		return;
	box = &t->seen[by * BOXES_X + bx];
	if (*box)
		return;
	*box = 1;
	t->x[t->n] = x;
	t->y[t->n++] = y;
}

/* 0: usual; 1: unexpectedly slow, where there is no model. */
static size_t colour_of(const struct lp_io_judgement *j, size_t i)
{
	const struct lp_io_operation *o = &j->trace->operation[i];
	const struct lp_io_group *group;

	if (j->class)
		return j->class[i];
	group = lp_io_group_of(j, o);
	return group && o->duration_ns > group->limit_ns;
}

static void put_dots(FILE *out, struct timeline *t,
		     const struct lp_io_judgement *j, size_t class)
{
	const struct lp_io_operation *o = j->trace->operation;
	char css[16];

	t->n = 0;
	for (size_t i = 0; i < (size_t)BOXES_X * BOXES_Y; i++)
		t->seen[i] = 0;
	for (size_t i = 0; i < j->trace->n_operations; i++)
		if (lp_io_is_judged(&o[i]) && colour_of(j, i) == class)
			take_dot(t, (double)o[i].start_ns / 1e9,
				 lp_io_log_coarse(o[i].duration_ns,
						  j->trace->resolution_ns) /
					 M_LN10);
	snprintf(css, sizeof(css), "dots %s",
		 lp_io_colour(class, n_colours(j)));
	lp_svg_dots(out, &t->chart, css,
		    j->class ? j->classifier.name[class] : NULL, t->x, t->y,
		    t->n);
}

static double last_start_s(const struct lp_io_trace *t)
{
	return t->n_operations
		       ? (double)t->operation[t->n_operations - 1].start_ns /
				 1e9
		       : 1;
}

int lp_io_draw_timeline(FILE *out, unsigned id, const struct lp_io_judgement *j)
{
	size_t boxes = (size_t)BOXES_X * BOXES_Y;
	struct timeline t = {
		.seen = malloc(boxes),
		.x = malloc(boxes * sizeof(double)),
		.y = malloc(boxes * sizeof(double)),
	};
	bool enough = t.seen && t.x && t.y;

	t.chart = (struct lp_svg_chart){
		.id = id,
		.title = "Durations of reads and writes over time",
		.description = "Each operation is a dot, coloured by its "
			       "likely cause.",
		.kind = "durations",
		.height = HEIGHT,
		.x = { 0, fmax(last_start_s(j->trace), 1e-9) },
		.y = duration_range(j),
		.x_label = "start, s",
		.y_label = "duration",
		.y_name = time_name,
	};
	if (enough) {
		lp_svg_open(out, &t.chart);
		for (size_t i = 0; i < n_colours(j); i++)
			put_dots(out, &t, j, i);
		lp_svg_close(out, &t.chart);
	}
	free(t.seen);
	free(t.x);
	free(t.y);
	return enough ? 0 : -ENOMEM;
}

/* ---- a density ---- */

static void upright(FILE *out, const struct lp_svg_chart *chart,
		    const char *css, const char *name, double x)
{
	const double xs[] = { x, x }, ys[] = { chart->y.lo, chart->y.hi };

	if (x >= chart->x.lo && x <= chart->x.hi)
		lp_svg_line(out, chart, css, name, xs, ys, 2);
}

static void put_limits(FILE *out, const struct lp_svg_chart *chart,
		       const struct lp_io_classifier *c, unsigned kind,
		       int64_t bytes)
{
	const struct lp_io_kind_factors *factors = &c->kind[kind];

	for (size_t i = 0; i < factors->n; i++) {
		double ns = lp_io_limit(factors->factor[i], bytes);
		char css[24];

		snprintf(css, sizeof(css), "limit %s",
			 lp_io_colour(factors->class[i], c -> n_classes));
		upright(out, chart, css, factors->factor[i]->name,
			log10(fmax(ns, 1)));
	}
}

/* From a bit before the fastest to a bit after the slowest. */
static void curve_of(const struct lp_io_clusters *c, double x[DENSITY_POINTS],
		     double y[DENSITY_POINTS], double *highest)
{
	lp_density_grid(&c->density, DENSITY_POINTS, x, y);
	*highest = 0;
	for (size_t i = 0; i < DENSITY_POINTS; i++) {
		/* Per decade, as the axis has them. */
		x[i] /= M_LN10;
		y[i] *= M_LN10;
		*highest = fmax(*highest, y[i]);
	}
}

void lp_io_draw_density(FILE *out, unsigned id, const char *title,
			const struct lp_io_clusters *c,
			const struct lp_io_classifier *classifier,
			unsigned kind, int64_t bytes)
{
	double x[DENSITY_POINTS], y[DENSITY_POINTS], highest;
	char text[128];
	struct lp_svg_chart chart = {
		.id = id,
		.title = title,
		.description = text,
		.kind = "density",
		.height = HEIGHT,
		.x_label = "duration",
		.y_label = "density per decade",
		.x_name = time_name,
	};

	snprintf(text, sizeof(text),
		 "%zu %s in %zu %s; %zu %s unexpectedly slow.", c->density.n,
		 lp_plural(c->density.n, "operation", "operations"), c->n,
		 lp_plural(c->n, "cluster", "clusters"), c->n_slow,
		 lp_plural(c->n_slow, "is", "are"));
	curve_of(c, x, y, &highest);
	chart.x = (struct lp_svg_range){ x[0], x[DENSITY_POINTS - 1] };
	chart.y = lp_svg_range(0, highest);
	lp_svg_open(out, &chart);
	lp_svg_span(out, &chart, c->limit / M_LN10, chart.x.hi,
		    "unexpectedly slow");
	if (classifier)
		put_limits(out, &chart, classifier, kind, bytes);
	for (size_t i = 1; i < c->n; i++)
		upright(out, &chart, "split", "divides two classes",
			c->cluster[i].from / M_LN10);
	lp_svg_line(out, &chart, "curve", NULL, x, y, DENSITY_POINTS);
	lp_svg_close(out, &chart);
}

/* ---- a model ---- */

static void size_range(const struct lp_io_kind_factors *k,
		       struct lp_svg_range *x, struct lp_svg_range *y)
{
	*x = *y = (struct lp_svg_range){ INFINITY, -INFINITY };
	for (size_t i = 0; i < k->n; i++) {
		const struct lp_io_factor *f = k->factor[i];
		double lo = (double)f->size[0].bytes;
		double hi = (double)f->size[f->n_sizes - 1].bytes;

		x->lo = fmin(x->lo, log2(lo));
		x->hi = fmax(x->hi, log2(hi));
	}
	if (x->hi - x->lo < 1)
		*x = (struct lp_svg_range){ x->lo - 1, x->hi + 1 };
	for (size_t i = 0; i < k->n; i++)
		for (size_t p = 0; p < MODEL_POINTS; p++) {
			double at = x->lo + (x->hi - x->lo) * (double)p /
						    (MODEL_POINTS - 1);
			double ns =
				lp_io_limit(k->factor[i], (int64_t)exp2(at));

			y->lo = fmin(y->lo, log10(fmax(ns, 1)));
			y->hi = fmax(y->hi, log10(fmax(ns, 1)));
		}
	y->lo = floor(y->lo);
	y->hi = floor(y->hi) + 1;
}

static void put_line(FILE *out, const struct lp_svg_chart *chart,
		     const struct lp_io_factor *f, const char *colour)
{
	double x[MODEL_POINTS], y[MODEL_POINTS];
	char css[24];

	for (size_t p = 0; p < MODEL_POINTS; p++) {
		x[p] = chart->x.lo + (chart->x.hi - chart->x.lo) * (double)p /
					     (MODEL_POINTS - 1);
		y[p] = log10(fmax(lp_io_limit(f, (int64_t)exp2(x[p])), 1));
	}
	snprintf(css, sizeof(css), "line %s", colour);
	lp_svg_line(out, chart, css, f->name, x, y, MODEL_POINTS);
	snprintf(css, sizeof(css), "dots %s", colour);
	for (size_t i = 0; i < f->n_sizes; i++) {
		double at = log2((double)f->size[i].bytes);
		double ns = log10(fmax(f->size[i].limit_ns, 1));

		lp_svg_dots(out, chart, css, f->name, &at, &ns, 1);
	}
}

void lp_io_draw_model(FILE *out, unsigned id,
		      const struct lp_io_classifier *classifier, unsigned kind)
{
	const struct lp_io_kind_factors *k = &classifier->kind[kind];
	char title[64];
	struct lp_svg_chart chart = {
		.id = id,
		.title = title,
		.description = "Durations up to a line are explained by its "
			       "factor; dots are the limits that were "
			       "measured.",
		.kind = "model",
		.height = HEIGHT,
		.x_label = "size, bytes",
		.y_label = "duration",
		.x_name = size_name,
		.y_name = time_name,
	};

	snprintf(title, sizeof(title), "How long a %s takes at most",
		 lp_io_kind_name(kind));
	size_range(k, &chart.x, &chart.y);
	lp_svg_open(out, &chart);
	for (size_t i = 0; i < k->n; i++)
		put_line(out, &chart, k->factor[i],
			 lp_io_colour(k->class[i], classifier -> n_classes));
	lp_svg_close(out, &chart);
}
