/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/timestamp.h"
#include "report/markup.h"
#include "report/svg_axis.h"
#include "report/ticks.h"

#include <math.h>

/* Whole numbers are drawn: fine enough, and short. */
#define WIDE 1200
#define HIGH 600

#define MARKS_Y 6

struct lp_svg_range lp_svg_range(double least, double most)
{
	struct lp_svg_range range = { 0, 1 };
	struct lp_ticks ticks;

	if (!isfinite(least) || !isfinite(most) || least > most)
		return range;
	if (least > 0 && least < 0.6 * most)
		least = 0;
	if (least == most) {
		range.lo = most > 0 ? 0 : most - 1;
		range.hi = most > 0 ? most * 1.25 : most + 1;
		return range;
	}
	ticks = lp_value_ticks(least, most, MARKS_Y);
	range.lo = floor(least / ticks.step + 1e-9) * ticks.step;
	range.hi = ceil(most / ticks.step - 1e-9) * ticks.step;
	return range;
}

static double share(const struct lp_svg_range *range, double v)
{
	double width = range->hi - range->lo;

	return width > 0 ? (v - range->lo) / width : 0.5;
}

static long to_x(const struct lp_svg_chart *chart, double x)
{
	return lround(fmin(fmax(share(&chart->x, x), -1), 2) * WIDE);
}

static long to_y(const struct lp_svg_chart *chart, double y)
{
	return lround((1 - fmin(fmax(share(&chart->y, y), -1), 2)) * HIGH);
}

/* ---- axes ---- */

void lp_svg_time_axis(FILE *out, int64_t begin_ns, double length_ns, int y)
{
	struct lp_time_ticks ticks =
		lp_time_ticks(begin_ns, begin_ns + (int64_t)length_ns, 9);
	char text[LP_TICK_TEXT];

	for (size_t i = 0; i < ticks.n && length_ns > 0; i++) {
		int64_t t = ticks.first_ns + (int64_t)i * ticks.step_ns;
		double at = 100 * (double)(t - begin_ns) / length_ns;

		/* Every other one is left out where there is no room. */
		fprintf(out,
			"<text class=\"tx%s\" x=\"%.2f%%\" y=\"%d\">%s</text>",
			t / ticks.step_ns % 2 ? " odd" : "", at, y,
			lp_tick_time(t, ticks.step_ns, text));
	}
}

static const char *name_of(const char *(*name)(double, char *), double v,
			   char text[LP_SVG_NAME])
{
	return name ? name(v, text) : lp_people_number(v, text);
}

static void value_axis(FILE *out, const struct lp_svg_chart *chart)
{
	struct lp_ticks ticks = lp_value_ticks(chart->x.lo, chart->x.hi, 7);
	char text[LP_PEOPLE_TEXT];

	for (size_t i = 0; i < ticks.n; i++) {
		double v = ticks.first + (double)i * ticks.step;

		fprintf(out,
			"<text class=\"tx%s\" x=\"%.2f%%\" y=\"%u\">%s</text>",
			i % 2 ? " odd" : "", 100 * share(&chart->x, v),
			chart->height + 16, name_of(chart->x_name, v, text));
	}
}

static void y_axis(FILE *out, const struct lp_svg_chart *chart)
{
	struct lp_ticks ticks =
		lp_value_ticks(chart->y.lo, chart->y.hi, MARKS_Y);
	char text[LP_PEOPLE_TEXT];

	for (size_t i = 0; i < ticks.n; i++) {
		double v = ticks.first + (double)i * ticks.step;
		double y = (1 - share(&chart->y, v)) * chart->height;

		fprintf(out,
			"<line class=\"grid\" x1=\"0\" x2=\"100%%\" "
			"y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text class=\"ty\" x=\"-6\" y=\"%.1f\">%s</text>\n",
			y, y, y + 4,
			name_of(chart->y_name,
				fabs(v) < ticks.step / 1e6 ? 0 : v, text));
	}
}

static void axis_label(FILE *out, const char *class_name, const char *x,
		       double y, const char *text)
{
	fprintf(out, "<text class=\"%s\" x=\"%s\" y=\"%.0f\">", class_name, x,
		y);
	lp_markup_text(out, text);
	fputs("</text>", out);
}

/* ---- the frame ---- */

void lp_svg_head(FILE *out, unsigned id, const char *title,
		 const char *description)
{
	fprintf(out,
		" role=\"img\" aria-labelledby=\"t%u d%u\">"
		"<title id=\"t%u\">",
		id, id, id);
	lp_markup_text(out, title);
	fprintf(out, "</title><desc id=\"d%u\">", id);
	lp_markup_text(out, description);
	fputs("</desc>\n", out);
}

/* What the script needs to tell values under the pointer. */
static void scales(FILE *out, const struct lp_svg_chart *chart)
{
	fprintf(out, " data-x=\"%.17g %.17g\" data-y=\"%.17g %.17g\"",
		chart->x.lo, chart->x.hi, chart->y.lo, chart->y.hi);
	if (chart->time)
		fprintf(out, " data-time=\"%.3f %.9g\"",
			(double)chart->begin_ns / 1e9,
			(double)chart->step_ns / 1e9);
	if (chart->unit && *chart->unit) {
		fputs(" data-unit=\"", out);
		lp_markup_text(out, chart->unit);
		fputs("\"", out);
	}
}

void lp_svg_open(FILE *out, const struct lp_svg_chart *chart)
{
	fprintf(out, "<svg class=\"chart %s\" height=\"%u\"", chart->kind,
		chart->height);
	scales(out, chart);
	lp_svg_head(out, chart->id, chart->title, chart->description);
	y_axis(out, chart);
	axis_label(out, "label", "-50", -8, chart->y_label);
	fprintf(out,
		"<svg class=\"plot\" width=\"100%%\" height=\"%u\" "
		"viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">\n",
		chart->height, WIDE, HIGH);
}

void lp_svg_close(FILE *out, const struct lp_svg_chart *chart)
{
	fputs("</svg>\n", out);
	if (chart->time)
		lp_svg_time_axis(
			out,
			chart->begin_ns +
				(int64_t)(chart->x.lo * (double)chart->step_ns),
			(chart->x.hi - chart->x.lo) * (double)chart->step_ns,
			(int)chart->height + 16);
	else
		value_axis(out, chart);
	axis_label(out, "label end", "100%", chart->height + 32,
		   chart->x_label);
	fputs("</svg>\n", out);
}

/* ---- what is drawn ---- */

static void name_it(FILE *out, const char *name)
{
	if (!name)
		return;
	fputs("<title>", out);
	lp_markup_text(out, name);
	fputs("</title>", out);
}

void lp_svg_span(FILE *out, const struct lp_svg_chart *chart, double from,
		 double to, const char *name)
{
	double lo = fmax(from, chart->x.lo), hi = fmin(to, chart->x.hi);

	if (!(hi > lo))
		return;
	fprintf(out,
		"<rect class=\"span\" x=\"%ld\" y=\"0\" width=\"%ld\" "
		"height=\"%d\">",
		to_x(chart, lo), to_x(chart, hi) - to_x(chart, lo), HIGH);
	name_it(out, name);
	fputs("</rect>\n", out);
}

struct pen {
	FILE *out;
	bool down;
	long x, y;
};

/* Relative moves, which are the shortest; nothing where nothing moves. */
static void pen_to(struct pen *pen, long x, long y)
{
	if (!pen->down)
		fprintf(pen->out, "M%ld %ldl0 0", x, y);
	else if (x == pen->x && y == pen->y)
		return;
	else if (y == pen->y)
		fprintf(pen->out, "h%ld", x - pen->x);
	else if (x == pen->x)
		fprintf(pen->out, "v%ld", y - pen->y);
	else
		fprintf(pen->out, "l%ld%s%ld", x - pen->x,
			y > pen->y ? " " : "", y - pen->y);
	pen->down = true;
	pen->x = x;
	pen->y = y;
}

static struct pen path_open(FILE *out, const char *class_name)
{
	fprintf(out, "<path class=\"%s\" d=\"", class_name);
	return (struct pen){ .out = out };
}

static void path_close(FILE *out, const char *name)
{
	fputs("\">", out);
	name_it(out, name);
	fputs("</path>\n", out);
}

void lp_svg_line(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *y, size_t n)
{
	struct pen pen = path_open(out, class_name);

	for (size_t i = 0; i < n; i++)
		if (isnan(y[i]))
			pen.down = false;
		else
			pen_to(&pen, to_x(chart, x[i]), to_y(chart, y[i]));
	path_close(out, name);
}

static bool is_inside(const struct lp_svg_range *range, double v)
{
	return v >= range->lo && v <= range->hi;
}

void lp_svg_dots(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *y, size_t n)
{
	struct pen pen = path_open(out, class_name);

	/* A line of no length is a dot, by the round ends of lines. */
	for (size_t i = 0; i < n; i++)
		if (is_inside(&chart->x, x[i]) && is_inside(&chart->y, y[i]))
			fprintf(pen.out, "M%ld %ldh0", to_x(chart, x[i]),
				to_y(chart, y[i]));
	path_close(out, name);
}

/* From the first to the last point without a gap, and back below. */
static void one_band(struct pen *pen, const struct lp_svg_chart *chart,
		     const double *x, const double *lo, const double *hi,
		     size_t n)
{
	pen->down = false;
	for (size_t i = 0; i < n; i++)
		pen_to(pen, to_x(chart, x[i]), to_y(chart, hi[i]));
	for (size_t i = n; i-- > 0;)
		pen_to(pen, to_x(chart, x[i]), to_y(chart, lo[i]));
	fputc('z', pen->out);
}

void lp_svg_band(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *lo, const double *hi, size_t n)
{
	struct pen pen = path_open(out, class_name);
	size_t end;

	for (size_t i = 0; i < n; i = end + 1) {
		for (end = i; end < n && !isnan(lo[end]) && !isnan(hi[end]);)
			end++;
		if (end > i)
			one_band(&pen, chart, x + i, lo + i, hi + i, end - i);
	}
	path_close(out, name);
}
