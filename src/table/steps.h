/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From raw samples to increases and levels on one grid.
 *
 * Put in the items of a stream; out come spans: one component over some
 * consecutive points, with the increase of each counter and the mean of each
 * level. Any step is exact, as counters are differenced at the step's own
 * times, with the true seconds between the two samples used. Nothing is ever
 * interpolated: what is not known is NaN.
 *
 *  - Step 0: every sample as it was recorded.
 *  - Step S: the points are the multiples of S since the epoch, and a sample
 *    belongs to the nearest. The sample nearest to a point stands for it. The
 *    value at a point covers the step that ends there. A point without a
 *    sample is missing, and so is the increase at the next.
 *  - A counter that began anew (reboot, re-plugged device) makes all
 *    increases of its component across that moment missing.
 *  - When the clock is set back, points come again: the later span counts. No
 *    increase is known across the moment.
 *
 * Memory: a few hundred bytes per component and column, and one slice.
 */
#ifndef LP_TABLE_STEPS_H
#define LP_TABLE_STEPS_H

#include "model/stream.h"

struct lp_span_column {
	const double *value;   /* [n_points]; NULL: none at all */
	const double *seconds; /* [n_points]: of counters; NaN: missing */
	bool still; /* a counter that did not move: 0 where it is known. Values
		       and seconds are those of all such of the component. */
};

/* The number of a component that the sink was not told of before. */
#define LP_SPAN_NEW UINT32_MAX

/* Valid during the call of the sink. */
struct lp_span {
	const char *host;
	const char *class_name;
	const struct lp_class *class; /* NULL: not in the catalogue */
	/*
	 * The catalogue's columns of the class in its order, then others as
	 * they were met: an index once given stays.
	 */
	const struct lp_column *columns;
	size_t n_columns;
	const char *name;  /* of the component, the latest */
	const char *id;    /* its stable identity, or NULL */
	const char *alias; /* what an operator calls it, or NULL: the name */
	double speed_mbit; /* of a full-duplex link; 0: not known */
	uint32_t host_number, track; /* small numbers, for the sink's use;
					track within the host's class */
	uint32_t *number; /* what the sink calls the component: its to set,
			     LP_SPAN_NEW before, also when the identity has
			     become known */
	bool first;       /* the component was never seen before points[0] */
	size_t n_points;
	const int64_t *point_ns;
	const int64_t *sample_ns; /* the latest of the samples that stand for
				     the point, if it is present */
	const uint8_t *present;   /* 1: a sample of the component is there */
	const struct lp_span_column *values; /* [n_columns] */
};

/* 0, or -errno, which lp_steps_put hands on. */
typedef int lp_steps_sink(void *user, const struct lp_span *span,
			  struct lp_error *err);

struct lp_steps_options {
	int64_t step_ns;            /* 0: as recorded */
	int64_t since_ns, until_ns; /* of the points, both inclusive */
	const char *const *classes; /* as in struct lp_query */
	const char *const *columns; /* resets are seen in these only */
	lp_steps_sink *sink;
	void *user;
};

struct lp_steps;

/*
 * Options for all that the query wants. The query's own `since` must lie at
 * least a step and a half before that of the options.
 */
struct lp_steps_options lp_steps_options(const struct lp_query *query,
					 int64_t step_ns);

/* NULL: out of memory. The lists in the options must outlive it. */
struct lp_steps *lp_steps_new(const struct lp_steps_options *options);
void lp_steps_free(struct lp_steps *steps);

int lp_steps_put(struct lp_steps *steps, const struct lp_item *item,
		 struct lp_error *err);
/*
 * Close the points that are open, up to this time: no sample that belongs to
 * one of them will come. With a step only.
 */
int lp_steps_close(struct lp_steps *steps, int64_t until_ns,
		   struct lp_error *err);
/* The stream ended: close all points that are open. */
int lp_steps_finish(struct lp_steps *steps, struct lp_error *err);

/* Put everything that a stream gives, and finish. */
int lp_steps_run(struct lp_steps *steps, struct lp_stream *stream,
		 struct lp_error *err);

#endif
