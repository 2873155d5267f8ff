/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts as SVG: a frame with axes, and what is drawn in it.
 *
 * A chart is as wide as its place: the plot is stretched, the text is not.
 * Colours are classes of the page's style sheet. Everything goes to a stream;
 * errors are the stream's, check ferror() at the end.
 */
#ifndef LP_REPORT_SVG_H
#define LP_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LP_SVG_NAME 32

struct lp_svg_range {
	double lo, hi;
};

struct lp_svg_chart {
	unsigned id;             /* unique on the page */
	const char *title;       /* what it is, for those who cannot see it */
	const char *description; /* what it shows */
	const char *kind;        /* a class: "series", "cumulative" */
	unsigned height;         /* of the plot, in pixels */
	struct lp_svg_range x, y;
	bool time; /* x is in steps after begin_ns */
	int64_t begin_ns, step_ns;
	const char *x_label, *y_label; /* with the unit */
	const char *unit;              /* of the values; NULL: none */
	/* What a mark of the axis is called; NULL: its number. */
	const char *(*x_name)(double v, char text[LP_SVG_NAME]);
	const char *(*y_name)(double v, char text[LP_SVG_NAME]);
};

/* 0, or a bit below the least if that is far from 0, to a round number. */
struct lp_svg_range lp_svg_range(double least, double most);

void lp_svg_open(FILE *out, const struct lp_svg_chart *chart);
/* A shaded interval of x; cut to the frame, nothing if it is outside. */
void lp_svg_span(FILE *out, const struct lp_svg_chart *chart, double from,
		 double to, const char *name);
/* A line through n points; NaN in y is a gap. The name may be NULL. */
void lp_svg_line(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *y, size_t n);
/* A dot at each of n points; those outside are left out. */
void lp_svg_dots(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *y, size_t n);
/* What lies between two lines; a point with NaN is a gap. */
void lp_svg_band(FILE *out, const struct lp_svg_chart *chart,
		 const char *class_name, const char *name, const double *x,
		 const double *lo, const double *hi, size_t n);
/* The axes are drawn here. */
void lp_svg_close(FILE *out, const struct lp_svg_chart *chart);

/* ---- a map of rows × time ---- */

struct lp_svg_map {
	unsigned id;
	const char *title, *description;
	const char *const *rows; /* names */
	const size_t *findings;  /* a row's name links to #fN; 0 or NULL: no */
	size_t n_rows, n_columns;
	const uint8_t *levels;    /* [n_rows][n_columns]; 0: nothing drawn */
	size_t n_levels;          /* of them */
	int64_t begin_ns, end_ns; /* of all columns */
	unsigned row_height;      /* in pixels */
};

/* Cells of level L are of class "lL". */
void lp_svg_map(FILE *out, const struct lp_svg_map *map);

#endif
