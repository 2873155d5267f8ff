/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Components × grid, per metric: what is compared.
 *
 * Put in the items of a stream; afterwards every component that was met has,
 * for every metric wanted of its class, a series of values on the common grid,
 * NaN where missing. Values are kept as floats; everything after is double.
 *
 * For files: take their streams. For what is still being recorded: put items
 * as they come, of each host in their order; close the points of which no more
 * is waited for; drop those that nobody will look at again.
 */
#ifndef LP_TABLE_MATRIX_H
#define LP_TABLE_MATRIX_H

#include "table/steps.h"

/* A metric of a class; a list ends with a class of NULL. */
struct lp_matrix_metric {
	const struct lp_class *class;
	const struct lp_metric *metric;
};

struct lp_matrix_options {
	int64_t step_ns;            /* above 0 */
	int64_t since_ns, until_ns; /* of the points, both inclusive */
	int64_t last_ns; /* of the samples, as far as known: room is made for
			    them at once; 0: not known */
	const struct lp_matrix_metric *metrics; /* must outlive the matrix */
};

struct lp_matrix_component {
	const char *host;
	uint32_t host_number; /* 0 to lp_matrix_hosts - 1 */
	const struct lp_class *class;
	const char *name; /* the latest, as in the samples */
	const char *id;   /* stable identity, or NULL */
};

struct lp_matrix;

/* NULL: out of memory. */
struct lp_matrix *lp_matrix_new(const struct lp_matrix_options *options);
void lp_matrix_free(struct lp_matrix *matrix);

/* Take everything that a stream gives. May be called for several streams. */
int lp_matrix_take(struct lp_matrix *matrix, struct lp_stream *stream,
		   struct lp_error *err);

int lp_matrix_put(struct lp_matrix *matrix, const struct lp_item *item,
		  struct lp_error *err);
/*
 * Points up to this time will not change: a value that comes later for one of
 * them is left out. Once called, only closed points are counted by
 * lp_matrix_points. LP_TIME_MAX: nothing comes any more.
 */
int lp_matrix_close(struct lp_matrix *matrix, int64_t until_ns,
		    struct lp_error *err);
/* Forget the points before this time, which are closed. */
void lp_matrix_drop(struct lp_matrix *matrix, int64_t before_ns);

/* The options' list: the index in it is the metric's everywhere below. */
const struct lp_matrix_metric *lp_matrix_metrics(
	const struct lp_matrix *matrix);

size_t lp_matrix_components(const struct lp_matrix *matrix);
const struct lp_matrix_component *lp_matrix_component(
	const struct lp_matrix *matrix, size_t component);

size_t lp_matrix_hosts(const struct lp_matrix *matrix);
/* The number of the host of this name; lp_matrix_hosts: there is none. */
size_t lp_matrix_host(const struct lp_matrix *matrix, const char *name);

/* The options' step. */
int64_t lp_matrix_step(const struct lp_matrix *matrix);

/*
 * The first point and the number of points that any component has; 0: none.
 * Only those that are closed, if lp_matrix_close was called.
 */
size_t lp_matrix_points(const struct lp_matrix *matrix, int64_t *first_ns);

/*
 * The value of a component in the metric of that index at the point
 * first + k * step; NaN: missing, or there is no such component.
 */
double lp_matrix_value(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k);
/*
 * How many points from k on, at most n, have no value above 0; *known: how
 * many of these, from k on, have one.
 */
size_t lp_matrix_quiet(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k, size_t n, size_t *known);
/*
 * The same for a list of components at n_rows points from k on: row r is
 * rows[r * n], and rows[r * n + i] is of components[i]. Several rows at once
 * are cheaper than one by one.
 */
void lp_matrix_rows(const struct lp_matrix *matrix, size_t metric,
		    const size_t *components, size_t n, size_t k, size_t n_rows,
		    double *rows);

/* The n points of one component from k on. Returns whether all are 0. */
bool lp_matrix_series(const struct lp_matrix *matrix, size_t metric,
		      size_t component, size_t k, size_t n, double *values);
/* Whether all values of these components at these points are 0 or missing. */
bool lp_matrix_rests(const struct lp_matrix *matrix, size_t metric,
		     const size_t *components, size_t n, size_t k,
		     size_t n_rows);

#endif
