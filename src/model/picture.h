/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pictures show, short enough to be drawn, stored and sent: the values of
 * a component and of its peers around the time of a finding, and when each
 * component differed. Points are counted from the begin of the picture.
 */
#ifndef LP_MODEL_PICTURE_H
#define LP_MODEL_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points of a line, at most: ten minutes at 1 s are drawn as they are. */
#define LP_PICTURE_POINTS 602
/* Lines of peers, and of others of the same finding. */
#define LP_PICTURE_LINES 20
/* A distribution is so many quantiles and one: of 0, 1/60 ... 1. */
#define LP_PICTURE_CURVE 60
/* Findings with pictures, and pictures of each. */
#define LP_PICTURE_FINDINGS 10
#define LP_PICTURE_EACH 3

/*
 * A line has a value for each point. Where there are more points than may be
 * drawn, time is cut into fewer slots, and a line has two values for each: the
 * smallest and the largest, in the order in which they came. NaN: nothing was
 * present; of a single value the second is NaN.
 */
struct lp_picture_line {
	const char *name;
	const float *y;      /* [slots], or [2 * slots] */
	const double *curve; /* [LP_PICTURE_CURVE + 1]; NULL: no samples */
};

struct lp_picture {
	int64_t begin_ns, step_ns; /* of the first point; between points */
	size_t points;
	size_t slots;        /* fewer than points: it is shortened */
	size_t since, until; /* points of the finding; exclusive */
	bool whole;          /* all of the recording is shown */
	size_t stride;       /* every so many points is in the curves */
	size_t n_samples;    /* of the component, in its curve */
	size_t n_peers;      /* that are compared; some are drawn */
	size_t n_others;     /* of the same finding in the group; so, too */
	struct lp_picture_line own;
	const double *own_mean; /* [slots] if shortened, else NULL */
	double own_high;        /* the quantile 0.99 of its samples */
	const struct lp_picture_line *peers; /* by their medians */
	size_t n_drawn;
	const struct lp_picture_line *others; /* without curves */
	size_t n_others_drawn;
	/* Quartiles of all peers' means, [slots] each. */
	const double *low, *median, *high;
	const double *curve; /* of all peers' samples, as of a line */
	double curve_high;   /* their quantile 0.99 */
};

bool lp_picture_shortened(const struct lp_picture *picture);
/* Values of a line. */
size_t lp_picture_values(const struct lp_picture *picture);
/* The middle of slot i, in points. */
double lp_picture_middle(const struct lp_picture *picture, size_t i);
/*
 * A line as it is drawn: x[] in points (0 to points - 1), y[] with NaN for
 * gaps. Room for LP_PICTURE_POINTS each; returns how many.
 */
size_t lp_picture_draw(const struct lp_picture *picture,
		       const struct lp_picture_line *line, double *x,
		       double *y);

/* ---- when each component differed ---- */

#define LP_MAP_ROWS 100 /* of those that were never flagged fewer */
#define LP_MAP_ROWS_LEAST 30
#define LP_MAP_COLUMNS 240
#define LP_MAP_FINDINGS 200 /* with rows of their own */

/* What a cell shows: the worst that was. */
enum lp_map_state {
	LP_STATE_NONE,
	LP_STATE_OK,
	LP_STATE_SPLIT,
	LP_STATE_FLAG,
	LP_STATE_BAD,
	LP_STATE_ABSENT,
	LP_STATES,
};

struct lp_map_row {
	const char *name;
	size_t finding;        /* whose row it is, from 1; 0: none */
	const uint8_t *states; /* [columns] of enum lp_map_state */
};

/* First a row for each finding, then the components that differed most. */
struct lp_map {
	int64_t begin_ns, end_ns; /* of all columns */
	size_t columns;
	const struct lp_map_row *rows;
	size_t n_rows; /* shown; if some are not, the last is all of those */
	size_t of_rows;
};

#endif
