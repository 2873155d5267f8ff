/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/svg.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT 240
/* The largest values are let go if they would flatten all others. */
#define QUANTILE_SHOWN 0.99
#define TOO_FAR 3

/* ---- how high the picture is ---- */

struct extent {
	double *v; /* what is drawn */
	size_t n;
	double least, most;
};

static void extend(struct extent *extent, const struct lp_picture *p,
		   const struct lp_picture_line *line)
{
	double x[LP_PICTURE_POINTS], y[LP_PICTURE_POINTS];
	size_t n = lp_picture_draw(p, line, x, y);

	for (size_t k = 0; k < n; k++) {
		if (isnan(y[k]))
			continue;
		extent->v[extent->n++] = y[k];
		extent->least = fmin(extent->least, y[k]);
		extent->most = fmax(extent->most, y[k]);
	}
}

/* The suspect's own values in its time are not let go. */
static double shown_most(const struct extent *extent,
			 const struct lp_picture *p)
{
	double most = fmax(lp_quantile(extent->v, extent->n, QUANTILE_SHOWN),
			   isnan(p->own_high) ? -INFINITY : p->own_high);

	return extent->most > TOO_FAR * most && most > 0 ? 1.2 * most
							 : extent->most;
}

static int set_height(const struct lp_picture *p, struct lp_svg_chart *chart,
		      double *beyond)
{
	struct extent extent = { .least = INFINITY, .most = -INFINITY };
	double most;

	extent.v = calloc((p->n_drawn + 1) * LP_PICTURE_POINTS, sizeof(double));
	if (!extent.v)
		return -ENOMEM;
	extend(&extent, p, &p->own);
	for (size_t i = 0; i < p->n_drawn; i++)
		extend(&extent, p, &p->peers[i]);
	most = shown_most(&extent, p);
	chart->y = lp_svg_range(extent.least, most);
	*beyond = chart->y.hi < extent.most ? extent.most : NAN;
	free(extent.v);
	return 0;
}

/* ---- the series ---- */

static void put_series(FILE *out, const struct lp_picture *p,
		       const struct lp_svg_chart *chart,
		       const struct lp_picture_line *line,
		       const char *class_name)
{
	double x[LP_PICTURE_POINTS], y[LP_PICTURE_POINTS];
	size_t n = lp_picture_draw(p, line, x, y);

	lp_svg_line(out, chart, class_name, line->name, x, y, n);
}

static void middles(const struct lp_picture *p, double x[LP_PICTURE_POINTS])
{
	for (size_t i = 0; i < p->slots; i++)
		x[i] = lp_picture_middle(p, i);
}

/* What was put together: its mean in the colour, its extremes behind. */
static void put_suspect(FILE *out, const struct lp_picture *p,
			const struct lp_svg_chart *chart)
{
	double x[LP_PICTURE_POINTS], lo[LP_PICTURE_POINTS];
	double hi[LP_PICTURE_POINTS];
	const float *y = p->own.y;

	if (!lp_picture_shortened(p)) {
		put_series(out, p, chart, &p->own, "suspect");
		return;
	}
	middles(p, x);
	for (size_t i = 0; i < p->slots; i++) {
		lo[i] = (double)fminf(y[2 * i], y[2 * i + 1]);
		hi[i] = (double)fmaxf(y[2 * i], y[2 * i + 1]);
	}
	lp_svg_band(out, chart, "reach", "its smallest and largest values", x,
		    lo, hi, p->slots);
	lp_svg_line(out, chart, "suspect", p->own.name, x, p->own_mean,
		    p->slots);
}

static bool is_many(const struct lp_picture *p)
{
	return p->n_peers > LP_PICTURE_LINES;
}

static void put_lines(FILE *out, const struct lp_picture *p,
		      const struct lp_svg_chart *chart)
{
	const char *peer = lp_picture_shortened(p) ? "peer dense" : "peer";
	double x[LP_PICTURE_POINTS];

	middles(p, x);
	lp_svg_span(out, chart, (double)p->since - 0.5, (double)p->until - 0.5,
		    "the time of the finding");
	if (is_many(p))
		lp_svg_band(out, chart, "iqr", "half of the peers", x, p->low,
			    p->high, p->slots);
	for (size_t i = 0; i < p->n_drawn; i++)
		put_series(out, p, chart, &p->peers[i], peer);
	for (size_t i = 0; i < p->n_others_drawn; i++)
		put_series(out, p, chart, &p->others[i], "also");
	lp_svg_line(out, chart, "middle", "peers' median", x, p->median,
		    p->slots);
	put_suspect(out, p, chart);
}

static struct lp_svg_chart series_chart(struct lp_page *page,
					const struct lp_evidence *e)
{
	const struct lp_picture *p = e->picture;

	return (struct lp_svg_chart){
		.id = ++page->id,
		.kind = "series",
		.unit = e->metric->unit,
		.height = HEIGHT,
		.x = { 0, p->points > 1 ? (double)p->points - 1 : 1 },
		.time = true,
		.begin_ns = p->begin_ns,
		.step_ns = p->step_ns,
	};
}

/* "UTC, 2026-11-15" or "UTC, 2026-11-14 to 2026-11-15" */
static const char *days(const struct lp_picture *p,
			char text[2 * LP_PEOPLE_TEXT])
{
	char from[LP_PEOPLE_TEXT], to[LP_PEOPLE_TEXT];
	int64_t end_ns = p->begin_ns + (int64_t)(p->points - 1) * p->step_ns;

	lp_people_time(p->begin_ns, from);
	lp_people_time(end_ns, to);
	from[10] = to[10] = '\0';
	snprintf(text, 2 * LP_PEOPLE_TEXT,
		 strcmp(from, to) == 0 ? "UTC, %s" : "UTC, %s to %s", from, to);
	return text;
}

static void describe(const struct lp_evidence *e, char *text, size_t size)
{
	char own[LP_PEOPLE_TEXT], peers[LP_PEOPLE_TEXT], iqr[LP_PEOPLE_TEXT];
	char since[LP_PEOPLE_TEXT], until[LP_PEOPLE_TEXT];

	snprintf(text, size,
		 "From %s to %s its median was %s %s; the median of its %zu "
		 "peers was %s, their interquartile range %s.",
		 lp_people_time(e->since_ns, since),
		 lp_people_time(e->until_ns, until),
		 lp_people_number(e->value, own), e->metric->unit, e->n_peers,
		 lp_people_number(e->peers_median, peers),
		 lp_people_number(e->peers_iqr, iqr));
}

static const char *metric_label(const struct lp_metric *metric, char text[96])
{
	snprintf(text, 96, *metric->unit ? "%s, %s" : "%s", metric->name,
		 metric->unit);
	return text;
}

static int put_series_chart(struct lp_page *page, const struct lp_evidence *e,
			    double *beyond)
{
	struct lp_svg_chart chart = series_chart(page, e);
	char title[256], text[512], label[96], day[2 * LP_PEOPLE_TEXT];

	if (set_height(e->picture, &chart, beyond) < 0)
		return -ENOMEM;
	snprintf(title, sizeof(title), "%s of %s and its peers over time",
		 e->metric->name, e->component);
	describe(e, text, sizeof(text));
	chart.title = title;
	chart.description = text;
	chart.y_label = metric_label(e->metric, label);
	chart.x_label = days(e->picture, day);
	lp_svg_open(page->out, &chart);
	put_lines(page->out, e->picture, &chart);
	lp_svg_close(page->out, &chart);
	return 0;
}

/* ---- the distribution ---- */

static void put_curve(FILE *out, const struct lp_svg_chart *chart,
		      const char *class_name, const char *name,
		      const double *curve)
{
	double y[LP_PICTURE_CURVE + 1];

	if (!curve)
		return;
	for (size_t i = 0; i <= LP_PICTURE_CURVE; i++)
		y[i] = 100 * ((double)i / LP_PICTURE_CURVE);
	lp_svg_line(out, chart, class_name, name, curve, y,
		    LP_PICTURE_CURVE + 1);
}

static struct lp_svg_range values(const struct lp_picture *p)
{
	double least = p->curve[0], most = p->curve_high;

	if (p->own.curve) {
		least = fmin(least, p->own.curve[0]);
		most = fmax(most, p->own_high);
	}
	return lp_svg_range(least, most);
}

static void put_distribution(struct lp_page *page, const struct lp_evidence *e)
{
	const struct lp_picture *p = e->picture;
	char title[256], text[512], label[96];
	struct lp_svg_chart chart = {
		.unit = e->metric->unit,
		.id = ++page->id,
		.title = title,
		.description = text,
		.kind = "cumulative",
		.height = HEIGHT,
		.x = values(p),
		.y = { 0, 100 },
		.x_label = metric_label(e->metric, label),
		.y_label = "% of samples at or below",
	};

	snprintf(title, sizeof(title), "Distribution of %s of %s and its peers",
		 e->metric->name, e->component);
	describe(e, text, sizeof(text));
	lp_svg_open(page->out, &chart);
	for (size_t i = 0; i < p->n_drawn; i++)
		put_curve(page->out, &chart, "peer", p->peers[i].name,
			  p->peers[i].curve);
	put_curve(page->out, &chart, "middle", "all peers", p->curve);
	put_curve(page->out, &chart, "suspect", p->own.name, p->own.curve);
	lp_svg_close(page->out, &chart);
}

/* ---- words ---- */

void lp_html_key(FILE *out, const char *class_name, bool filled,
		 const char *text)
{
	fprintf(out,
		"<span class=\"key\"><svg viewBox=\"0 0 22 12\" "
		"aria-hidden=\"true\"><path class=\"%s\" d=\"%s\"/></svg>",
		class_name, filled ? "M0 1h22v10h-22z" : "M0 6h22");
	lp_markup_text(out, text);
	fputs("</span>\n", out);
}

static void put_legend(FILE *out, const struct lp_picture *p)
{
	char text[96];

	fputs("<div class=\"legend\">", out);
	lp_html_key(out, "suspect", false, p->own.name);
	if (p->n_others)
		lp_html_key(out, "also", false, "others of this finding");
	if (is_many(p)) {
		snprintf(text, sizeof(text), "%zu of its %zu peers", p->n_drawn,
			 p->n_peers);
		lp_html_key(out, "peer", false, text);
		lp_html_key(out, "iqr", true, "the middle half of all peers");
	} else {
		snprintf(text, sizeof(text), "its %zu peers", p->n_peers);
		lp_html_key(out, "peer", false, text);
	}
	lp_html_key(out, "middle", false, "median of all peers");
	fputs("<span class=\"key\"><svg viewBox=\"0 0 22 12\" "
	      "aria-hidden=\"true\"><rect class=\"span\" width=\"22\" "
	      "height=\"12\"/></svg>time of the finding</span></div>\n",
	      out);
}

static void put_caption(FILE *out, const struct lp_picture *p, double beyond)
{
	char text[LP_TIME_TEXT], number[LP_PEOPLE_TEXT];

	fprintf(out,
		"<figcaption>The first picture shows all values%s, one every "
		"%s. The second shows their distribution during the finding.",
		p->whole ? "" : " around the time of the finding",
		lp_duration_format(p->step_ns, text));
	if (lp_picture_shortened(p))
		fprintf(out,
			" Instead of %zu points, each line has %zu pairs of "
			"the smallest and the largest value. The line of the "
			"accused component also shows their mean.",
			p->points, p->slots);
	if (p->stride > 1)
		fprintf(out, " The distributions use one value of every %zu.",
			p->stride);
	if (!isnan(beyond))
		fprintf(out,
			" The picture cuts off large values. The largest was "
			"%s.",
			lp_people_number(beyond, number));
	if (p->n_samples == 0)
		fputs(" The component has no values during that time.", out);
	fputs("</figcaption>", out);
}

static void put_heading(FILE *out, const struct lp_evidence *e)
{
	fputs("<h3>", out);
	lp_markup_text(out, e->metric->name);
	fputs(" of <span class=\"name\">", out);
	lp_markup_text(out, e->component);
	fputs("</span> <span class=\"soft\">(", out);
	lp_markup_text(out, e->metric->help);
	fputs(")</span></h3>\n", out);
}

int lp_html_figures(struct lp_page *page, const struct lp_evidence *e)
{
	FILE *out = page->out;
	double beyond = NAN;
	int status;

	put_heading(out, e);
	fputs("<figure><div class=\"pair\"><div>", out);
	status = put_series_chart(page, e, &beyond);
	fputs("</div><div>", out);
	if (status == 0)
		put_distribution(page, e);
	fputs("</div></div>", out);
	put_legend(out, e->picture);
	put_caption(out, e->picture, beyond);
	fputs("</figure>\n", out);
	return status;
}
