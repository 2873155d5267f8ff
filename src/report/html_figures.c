/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "report/figure.h"
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
/* Points of a cumulative curve. */
#define CURVE 60

struct band {
	double x[LP_SLOT_POINTS], lo[LP_SLOT_POINTS], mid[LP_SLOT_POINTS],
		hi[LP_SLOT_POINTS];
	size_t n;
};

/* Median and quartiles of the peers' means in each slot. */
static int make_band(const struct lp_figure *f, struct band *band)
{
	lp_auto_free double *means = calloc(f->group->n, sizeof(*means));

	if (!means)
		return -ENOMEM;
	band->n = f->slots.n;
	for (size_t s = 0; s < band->n; s++) {
		size_t n = 0;

		for (size_t i = 0; i < f->group->n; i++) {
			means[n] = lp_slots_mean(&f->slots, i, s);
			n += f->part[i] == LP_PART_PEER && !isnan(means[n]);
		}
		qsort(means, n, sizeof(*means), lp_compare_double);
		band->x[s] = lp_slots_middle(&f->slots, s);
		band->lo[s] = lp_quantile_sorted(means, n, 0.25);
		band->mid[s] = lp_quantile_sorted(means, n, 0.5);
		band->hi[s] = lp_quantile_sorted(means, n, 0.75);
	}
	return 0;
}

/* ---- how high the picture is ---- */

struct extent {
	double *v; /* what is drawn */
	size_t n;
	double least, most;
};

static void extend(struct extent *extent, const struct lp_figure *f, size_t i)
{
	double x[LP_SLOT_POINTS], y[LP_SLOT_POINTS];
	size_t n = lp_slots_line(&f->slots, i, x, y);

	for (size_t k = 0; k < n; k++) {
		if (isnan(y[k]))
			continue;
		extent->v[extent->n++] = y[k];
		extent->least = fmin(extent->least, y[k]);
		extent->most = fmax(extent->most, y[k]);
	}
}

/* The suspect's own values in its time are not let go. */
static double shown_most(const struct extent *extent, const struct lp_figure *f)
{
	double own = lp_quantile_sorted(lp_figure_samples(f, f->suspect),
					f->counts[f->suspect], QUANTILE_SHOWN);
	double most = fmax(lp_quantile(extent->v, extent->n, QUANTILE_SHOWN),
			   isnan(own) ? -INFINITY : own);

	return extent->most > TOO_FAR * most && most > 0 ? 1.2 * most
							 : extent->most;
}

static int set_height(const struct lp_figure *f, struct lp_svg_chart *chart,
		      double *beyond)
{
	struct extent extent = { .least = INFINITY, .most = -INFINITY };
	double most;

	extent.v = calloc((f->n_drawn + 1) * LP_SLOT_POINTS, sizeof(double));
	if (!extent.v)
		return -ENOMEM;
	extend(&extent, f, f->suspect);
	for (size_t i = 0; i < f->n_drawn; i++)
		extend(&extent, f, f->drawn[i]);
	most = shown_most(&extent, f);
	chart->y = lp_svg_range(extent.least, most);
	*beyond = chart->y.hi < extent.most ? extent.most : NAN;
	free(extent.v);
	return 0;
}

/* ---- the series ---- */

static void put_series(FILE *out, const struct lp_figure *f,
		       const struct lp_svg_chart *chart, size_t i,
		       const char *class_name)
{
	double x[LP_SLOT_POINTS], y[LP_SLOT_POINTS];
	size_t n = lp_slots_line(&f->slots, i, x, y);

	lp_svg_line(out, chart, class_name, f->group->labels[i], x, y, n);
}

/* What was put together: its mean in the colour, its extremes behind. */
static void put_suspect(FILE *out, const struct lp_figure *f,
			const struct lp_svg_chart *chart, struct band *own)
{
	const struct lp_slots *slots = &f->slots;

	if (!lp_slots_shortened(slots)) {
		put_series(out, f, chart, f->suspect, "suspect");
		return;
	}
	for (size_t i = 0; i < slots->n; i++) {
		own->x[i] = lp_slots_middle(slots, i);
		own->mid[i] = lp_slots_mean(slots, f->suspect, i);
		lp_slots_extremes(slots, f->suspect, i, &own->lo[i],
				  &own->hi[i]);
	}
	lp_svg_band(out, chart, "reach", "its smallest and largest values",
		    own->x, own->lo, own->hi, slots->n);
	lp_svg_line(out, chart, "suspect", f->group->labels[f->suspect], own->x,
		    own->mid, slots->n);
}

static void put_also(FILE *out, const struct lp_figure *f,
		     const struct lp_svg_chart *chart)
{
	size_t count = 0;

	for (size_t i = 0; i < f->group->n && count < LP_HTML_PEERS; i++)
		if (f->part[i] == LP_PART_ALSO) {
			put_series(out, f, chart, i, "also");
			count++;
		}
}

static bool is_many(const struct lp_figure *f)
{
	return f->n_peers > LP_HTML_PEERS;
}

static void put_lines(FILE *out, const struct lp_figure *f,
		      const struct lp_svg_chart *chart, struct band *band)
{
	const char *peer =
		lp_slots_shortened(&f->slots) ? "peer dense" : "peer";

	lp_svg_span(out, chart, (double)f->since - 0.5, (double)f->until - 0.5,
		    "the time of the finding");
	if (is_many(f))
		lp_svg_band(out, chart, "iqr", "half of the peers", band->x,
			    band->lo, band->hi, band->n);
	for (size_t i = 0; i < f->n_drawn; i++)
		put_series(out, f, chart, f->drawn[i], peer);
	put_also(out, f, chart);
	lp_svg_line(out, chart, "middle", "peers' median", band->x, band->mid,
		    band->n);
	put_suspect(out, f, chart, band);
}

static struct lp_svg_chart series_chart(struct lp_page *page,
					const struct lp_figure *f)
{
	return (struct lp_svg_chart){
		.id = ++page->id,
		.kind = "series",
		.unit = f->metric->unit,
		.height = HEIGHT,
		.x = { 0, f->points > 1 ? (double)f->points - 1 : 1 },
		.time = true,
		.begin_ns = f->begin_ns,
		.step_ns = page->input->step_ns,
	};
}

/* "UTC, 2026-11-15" or "UTC, 2026-11-14 to 2026-11-15" */
static const char *days(const struct lp_figure *f, int64_t step_ns,
			char text[2 * LP_PEOPLE_TEXT])
{
	char from[LP_PEOPLE_TEXT], to[LP_PEOPLE_TEXT];
	int64_t end_ns = f->begin_ns + (int64_t)(f->points - 1) * step_ns;

	lp_people_time(f->begin_ns, from);
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

static int put_series_chart(struct lp_page *page, const struct lp_figure *f,
			    const struct lp_evidence *e, double *beyond)
{
	struct lp_svg_chart chart = series_chart(page, f);
	lp_auto_free struct band *band = calloc(1, sizeof(*band));
	char title[256], text[512], label[96], day[2 * LP_PEOPLE_TEXT];

	if (!band || make_band(f, band) < 0 ||
	    set_height(f, &chart, beyond) < 0)
		return -ENOMEM;
	snprintf(title, sizeof(title), "%s of %s and its peers over time",
		 e->metric->name, e->component);
	describe(e, text, sizeof(text));
	chart.title = title;
	chart.description = text;
	chart.y_label = metric_label(e->metric, label);
	chart.x_label = days(f, page->input->step_ns, day);
	lp_svg_open(page->out, &chart);
	put_lines(page->out, f, &chart, band);
	lp_svg_close(page->out, &chart);
	return 0;
}

/* ---- the distribution ---- */

static void put_curve(FILE *out, const struct lp_svg_chart *chart,
		      const char *class_name, const char *name,
		      const double *sorted, size_t n)
{
	double x[CURVE + 1], y[CURVE + 1];

	if (n == 0)
		return;
	for (size_t i = 0; i <= CURVE; i++) {
		double p = (double)i / CURVE;

		x[i] = lp_quantile_sorted(sorted, n, p);
		y[i] = 100 * p;
	}
	lp_svg_line(out, chart, class_name, name, x, y, CURVE + 1);
}

/* All samples of all peers, sorted; *n of them. You own them; NULL: none. */
static double *pool(const struct lp_figure *f, size_t *n)
{
	double *all = calloc(f->group->n * f->room + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; all && i < f->group->n; i++) {
		if (f->part[i] != LP_PART_PEER || f->counts[i] == 0)
			continue;
		memcpy(all + *n, lp_figure_samples(f, i),
		       f->counts[i] * sizeof(*all));
		*n += f->counts[i];
	}
	if (all)
		qsort(all, *n, sizeof(*all), lp_compare_double);
	return all;
}

static struct lp_svg_range values(const struct lp_figure *f,
				  const double *peers, size_t n)
{
	const double *own = lp_figure_samples(f, f->suspect);
	size_t n_own = f->counts[f->suspect];
	double least = peers[0], most;

	most = lp_quantile_sorted(peers, n, QUANTILE_SHOWN);
	if (n_own > 0) {
		least = fmin(least, own[0]);
		most = fmax(most,
			    lp_quantile_sorted(own, n_own, QUANTILE_SHOWN));
	}
	return lp_svg_range(least, most);
}

static void put_curves(FILE *out, const struct lp_figure *f,
		       const struct lp_svg_chart *chart, const double *peers,
		       size_t n)
{
	for (size_t i = 0; i < f->n_drawn; i++)
		put_curve(out, chart, "peer", f->group->labels[f->drawn[i]],
			  lp_figure_samples(f, f->drawn[i]),
			  f->counts[f->drawn[i]]);
	put_curve(out, chart, "middle", "all peers", peers, n);
	put_curve(out, chart, "suspect", f->group->labels[f->suspect],
		  lp_figure_samples(f, f->suspect), f->counts[f->suspect]);
}

static int put_distribution(struct lp_page *page, const struct lp_figure *f,
			    const struct lp_evidence *e)
{
	char title[256], text[512], label[96];
	size_t n;
	lp_auto_free double *peers = pool(f, &n);
	struct lp_svg_chart chart = {
		.unit = f->metric->unit,
		.id = ++page->id,
		.title = title,
		.description = text,
		.kind = "cumulative",
		.height = HEIGHT,
		.y = { 0, 100 },
		.x_label = metric_label(e->metric, label),
		.y_label = "% of samples at or below",
	};

	if (!peers)
		return -ENOMEM;
	snprintf(title, sizeof(title), "Distribution of %s of %s and its peers",
		 e->metric->name, e->component);
	describe(e, text, sizeof(text));
	chart.x = values(f, peers, n);
	lp_svg_open(page->out, &chart);
	put_curves(page->out, f, &chart, peers, n);
	lp_svg_close(page->out, &chart);
	return 0;
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

static void put_legend(FILE *out, const struct lp_figure *f)
{
	char text[96];

	fputs("<div class=\"legend\">", out);
	lp_html_key(out, "suspect", false, f->group->labels[f->suspect]);
	if (f->n_peers + 1 < f->group->n)
		lp_html_key(out, "also", false, "others of this finding");
	if (is_many(f)) {
		snprintf(text, sizeof(text), "%zu of its %zu peers", f->n_drawn,
			 f->n_peers);
		lp_html_key(out, "peer", false, text);
		lp_html_key(out, "iqr", true, "the middle half of all peers");
	} else {
		snprintf(text, sizeof(text), "its %zu peers", f->n_peers);
		lp_html_key(out, "peer", false, text);
	}
	lp_html_key(out, "middle", false, "median of all peers");
	fputs("<span class=\"key\"><svg viewBox=\"0 0 22 12\" "
	      "aria-hidden=\"true\"><rect class=\"span\" width=\"22\" "
	      "height=\"12\"/></svg>time of the finding</span></div>\n",
	      out);
}

static void put_caption(FILE *out, const struct lp_page *page,
			const struct lp_figure *f, double beyond)
{
	char text[LP_TIME_TEXT], number[LP_PEOPLE_TEXT];

	fprintf(out,
		"<figcaption>The first picture shows all values%s, one every "
		"%s. The second shows their distribution during the finding.",
		f->whole ? "" : " around the time of the finding",
		lp_duration_format(page->input->step_ns, text));
	if (lp_slots_shortened(&f->slots))
		fprintf(out,
			" Instead of %zu points, each line has %zu pairs of "
			"the smallest and the largest value. The line of the "
			"accused component also shows their mean.",
			f->points, f->slots.n);
	if (f->stride > 1)
		fprintf(out, " The distributions use one value of every %zu.",
			f->stride);
	if (!isnan(beyond))
		fprintf(out,
			" The picture cuts off large values. The largest was "
			"%s.",
			lp_people_number(beyond, number));
	if (f->counts[f->suspect] == 0)
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

static int put_figure(struct lp_page *page, const struct lp_figure *f,
		      const struct lp_evidence *e)
{
	FILE *out = page->out;
	double beyond = NAN;
	int status;

	put_heading(out, e);
	fputs("<figure><div class=\"pair\"><div>", out);
	status = put_series_chart(page, f, e, &beyond);
	fputs("</div><div>", out);
	if (status == 0)
		status = put_distribution(page, f, e);
	fputs("</div></div>", out);
	put_legend(out, f);
	put_caption(out, page, f, beyond);
	fputs("</figure>\n", out);
	return status;
}

int lp_html_figures(struct lp_page *page, const struct lp_finding *finding,
		    const struct lp_evidence *evidence)
{
	struct lp_figure figure;
	int status = lp_figure_make(&figure, page->input, finding, evidence,
				    LP_HTML_PEERS);

	if (status <= 0)
		return status;
	status = put_figure(page, &figure, evidence);
	lp_figure_done(&figure);
	return status;
}
