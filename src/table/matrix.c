/* SPDX-License-Identifier: Apache-2.0 */
#include "table/matrix.h"

#include "base/names.h"
#include "table/metric_value.h"
#include "table/slice.h"
#include "table/strip.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
	struct lp_matrix_component component;
	struct lp_strip *strips; /* by metric */
};

struct lp_matrix {
	struct lp_matrix_options options;
	size_t n_metrics;
	struct lp_metric_plan *plans; /* by metric, of the stream taken */
	struct lp_names strings, hosts, keys; /* key: host, class, track */
	struct row *rows;                     /* by number of the key */
	size_t rows_capacity;
	int64_t first, last;    /* grid indices; last < first: none */
	int64_t closed;         /* up to this one; INT64_MIN: none is */
	struct lp_steps *steps; /* of what is put; NULL: nothing yet */
	const struct lp_steps *plans_of; /* whose columns the plans are about */
};

static size_t count_metrics(const struct lp_matrix_metric *metrics)
{
	size_t n = 0;

	while (metrics[n].class)
		n++;
	return n;
}

struct lp_matrix *lp_matrix_new(const struct lp_matrix_options *options)
{
	struct lp_matrix *matrix = calloc(1, sizeof(*matrix));

	if (!matrix)
		return NULL;
	matrix->options = *options;
	matrix->n_metrics = count_metrics(options->metrics);
	matrix->first = INT64_MAX;
	matrix->last = INT64_MIN;
	matrix->closed = INT64_MIN;
	matrix->plans = calloc(matrix->n_metrics + 1, sizeof(*matrix->plans));
	if (!matrix->plans) {
		lp_matrix_free(matrix);
		return NULL;
	}
	return matrix;
}

void lp_matrix_free(struct lp_matrix *matrix)
{
	if (!matrix)
		return;
	for (size_t i = 0; i < matrix->keys.count; i++) {
		for (size_t m = 0;
		     matrix->rows[i].strips && m < matrix->n_metrics; m++)
			lp_strip_done(&matrix->rows[i].strips[m]);
		free(matrix->rows[i].strips);
	}
	lp_steps_free(matrix->steps);
	free(matrix->rows);
	free(matrix->plans);
	lp_names_done(&matrix->strings);
	lp_names_done(&matrix->hosts);
	lp_names_done(&matrix->keys);
	free(matrix);
}

static const char *keep(struct lp_matrix *matrix, const char *text)
{
	uint32_t id =
		text ? lp_names_add(&matrix->strings, text) : LP_NAME_NONE;

	return id == LP_NAME_NONE ? NULL : matrix->strings.text[id];
}

/* Tracks are numbered anew in every stream, so the key goes by identity. */
static uint32_t key_of(struct lp_matrix *matrix, const struct lp_span *span)
{
	char key[1024];
	int n = snprintf(key, sizeof(key), "%s\n%s\n%s\n%s", span->host,
			 span->class_name, span->id ? "id" : "name",
			 span->id ? span->id : span->name);

	if (n < 0 || (size_t)n >= sizeof(key))
		return LP_NAME_NONE;
	return lp_names_add(&matrix->keys, key);
}

/* The row of a component that was not met before, at least in this stream. */
static struct row *new_row(struct lp_matrix *matrix, const struct lp_span *span)
{
	uint32_t known = matrix->keys.count, key;
	struct row *row;

	/* Room comes first: there are never more keys than rows. */
	if (lp_grow(&matrix->rows, &matrix->rows_capacity, (size_t)known + 1,
		    sizeof(*row)) < 0)
		return NULL;
	matrix->rows[known].strips = NULL;
	key = key_of(matrix, span);
	if (key == LP_NAME_NONE)
		return NULL;
	*span->number = key;
	row = &matrix->rows[key];
	if (row->strips)
		return row;
	*row = (struct row){ .strips = calloc(matrix->n_metrics + 1,
					      sizeof(*row->strips)) };
	if (!row->strips)
		return NULL;
	row->component.host_number = lp_names_add(&matrix->hosts, span->host);
	if (row->component.host_number != LP_NAME_NONE)
		row->component.host =
			matrix->hosts.text[row->component.host_number];
	row->component.class = span->class;
	row->component.id = keep(matrix, span->id);
	return row;
}

/* Where the points of a span lie on the grid. */
struct place {
	int64_t at[LP_SLICE_SLOTS];
	bool in_a_row;
	int64_t low, high; /* of those that are not closed; low > high: none */
};

static void find_place(const struct lp_matrix *matrix,
		       const struct lp_span *span, struct place *place)
{
	uint64_t step = (uint64_t)matrix->options.step_ns, before = 0;
	int64_t closed = matrix->closed, low = INT64_MAX, high = INT64_MIN;

	assert(span->n_points <= LP_SLICE_SLOTS);
	place->in_a_row = true;
	for (size_t i = 0; i < span->n_points; i++) {
		uint64_t now = (uint64_t)span->point_ns[i];
		bool next = i && now - before == step;
		int64_t at = next ? place->at[i - 1] + 1
				  : span->point_ns[i] / (int64_t)step;

		place->at[i] = at;
		place->in_a_row &= next || !i;
		before = now;
		if (at <= closed)
			continue;
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	place->low = low;
	place->high = high;
}

/* A time may come twice, of two files of one host: a value stays. */
static int store(const struct lp_matrix *matrix, struct lp_strip *strip,
		 const struct place *place, const double *value, size_t n)
{
	int64_t end = matrix->options.last_ns / matrix->options.step_ns + 2;
	int status = 0;

	if (place->in_a_row)
		return lp_strip_put(
			strip, place->low, value + (place->low - place->at[0]),
			(size_t)(place->high - place->low) + 1, end);
	for (size_t i = 0; i < n && status == 0; i++)
		if (!isnan(value[i]) && place->at[i] > matrix->closed)
			status = lp_strip_put(strip, place->at[i], &value[i], 1,
					      end);
	return status;
}

/* The strips of the span's component; its columns are planned. */
static struct lp_strip *meet(struct lp_matrix *matrix,
			     const struct lp_span *span)
{
	struct row *row = *span->number == LP_SPAN_NEW
				  ? new_row(matrix, span)
				  : &matrix->rows[*span->number];

	if (!row)
		return NULL;
	if (!row->component.name ||
	    strcmp(row->component.name, span->name) != 0)
		row->component.name = keep(matrix, span->name);
	if (!row->component.name || !row->component.host)
		return NULL;
	for (size_t m = 0; m < matrix->n_metrics; m++)
		if (matrix->options.metrics[m].class == span->class &&
		    matrix->plans[m].n_columns != span->n_columns)
			lp_metric_plan(&matrix->plans[m],
				       matrix->options.metrics[m].metric,
				       span->columns, span->n_columns);
	return row->strips;
}

static void extend(struct lp_matrix *matrix, const struct place *place)
{
	if (place->low < matrix->first)
		matrix->first = place->low;
	if (place->high > matrix->last)
		matrix->last = place->high;
}

/* The values of a span in a metric; NULL: it has none of its columns. */
static const double *evaluate(const struct lp_metric_plan *plan,
			      const struct lp_span *span, double *value)
{
	const double *rest = lp_metric_rest(plan, span);

	if (rest)
		return rest;
	return lp_metric_evaluate(plan, span, value) ? value : NULL;
}

static int sink(void *user, const struct lp_span *span, struct lp_error *err)
{
	struct lp_matrix *matrix = user;
	struct lp_strip *strips;
	double scratch[LP_SLICE_SLOTS];
	struct place place;
	bool any = false;

	if (!span->n_points)
		return 0;
	strips = meet(matrix, span);
	if (!strips)
		return lp_fail_memory(err);
	find_place(matrix, span, &place);
	for (size_t m = 0; place.low <= place.high && m < matrix->n_metrics;
	     m++) {
		const double *value =
			matrix->options.metrics[m].class == span->class
				? evaluate(&matrix->plans[m], span, scratch)
				: NULL;

		if (!value)
			continue;
		if (store(matrix, &strips[m], &place, value, span->n_points) <
		    0)
			return lp_fail_memory(err);
		any = true;
	}
	if (any)
		extend(matrix, &place);
	return 0;
}

static struct lp_steps *new_steps(struct lp_matrix *matrix)
{
	struct lp_steps_options options = {
		.step_ns = matrix->options.step_ns,
		.since_ns = matrix->options.since_ns,
		.until_ns = matrix->options.until_ns,
		.sink = sink,
		.user = matrix,
	};

	return lp_steps_new(&options);
}

/* Every lp_steps numbers its columns anew: no plan outlives one. */
static void plan_for(struct lp_matrix *matrix, const struct lp_steps *steps)
{
	if (matrix->plans_of != steps)
		memset(matrix->plans, 0,
		       matrix->n_metrics * sizeof(*matrix->plans));
	matrix->plans_of = steps;
}

int lp_matrix_take(struct lp_matrix *matrix, struct lp_stream *stream,
		   struct lp_error *err)
{
	struct lp_steps *steps = new_steps(matrix);
	int status;

	if (!steps)
		return lp_fail_memory(err);
	plan_for(matrix, steps);
	status = lp_steps_run(steps, stream, err);
	/* Another may get the same address. */
	plan_for(matrix, NULL);
	lp_steps_free(steps);
	return status;
}

int lp_matrix_put(struct lp_matrix *matrix, const struct lp_item *item,
		  struct lp_error *err)
{
	if (!matrix->steps)
		matrix->steps = new_steps(matrix);
	if (!matrix->steps)
		return lp_fail_memory(err);
	plan_for(matrix, matrix->steps);
	return lp_steps_put(matrix->steps, item, err);
}

int lp_matrix_close(struct lp_matrix *matrix, int64_t until_ns,
		    struct lp_error *err)
{
	int64_t until = until_ns == LP_TIME_MAX
				? INT64_MAX
				: until_ns / matrix->options.step_ns;
	int status = 0;

	assert(until_ns >= 0);
	if (until <= matrix->closed)
		return 0;
	if (matrix->steps) {
		plan_for(matrix, matrix->steps);
		status = lp_steps_close(matrix->steps, until_ns, err);
	}
	if (status == 0)
		matrix->closed = until;
	return status;
}

void lp_matrix_drop(struct lp_matrix *matrix, int64_t before_ns)
{
	int64_t before = before_ns / matrix->options.step_ns;

	assert(before <= matrix->closed);
	if (before <= matrix->first)
		return;
	matrix->first = before;
	for (size_t i = 0; i < matrix->keys.count; i++)
		for (size_t m = 0;
		     matrix->rows[i].strips && m < matrix->n_metrics; m++)
			lp_strip_drop(&matrix->rows[i].strips[m], before);
}

const struct lp_matrix_metric *lp_matrix_metrics(const struct lp_matrix *matrix)
{
	return matrix->options.metrics;
}

size_t lp_matrix_components(const struct lp_matrix *matrix)
{
	return matrix->keys.count;
}

const struct lp_matrix_component *lp_matrix_component(
	const struct lp_matrix *matrix, size_t component)
{
	return &matrix->rows[component].component;
}

size_t lp_matrix_hosts(const struct lp_matrix *matrix)
{
	return matrix->hosts.count;
}

size_t lp_matrix_host(const struct lp_matrix *matrix, const char *name)
{
	uint32_t n = lp_names_find(&matrix->hosts, name);

	return n == LP_NAME_NONE ? matrix->hosts.count : n;
}

int64_t lp_matrix_step(const struct lp_matrix *matrix)
{
	return matrix->options.step_ns;
}

size_t lp_matrix_points(const struct lp_matrix *matrix, int64_t *first_ns)
{
	int64_t last = matrix->last;

	if (matrix->closed != INT64_MIN && matrix->closed < last)
		last = matrix->closed;
	if (last < matrix->first)
		return 0;
	*first_ns = matrix->first * matrix->options.step_ns;
	return (size_t)(last - matrix->first) + 1;
}

/* A component's values in a metric; those of nobody are missing. */
static const struct lp_strip *strip_of(const struct lp_matrix *matrix,
				       size_t metric, size_t component)
{
	static const struct lp_strip none;

	return component < matrix->keys.count
		       ? &matrix->rows[component].strips[metric]
		       : &none;
}

double lp_matrix_value(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k)
{
	return lp_strip_at(strip_of(matrix, metric, component),
			   matrix->first + (int64_t)k);
}

size_t lp_matrix_quiet(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k, size_t n, size_t *known)
{
	return lp_strip_quiet(strip_of(matrix, metric, component),
			      matrix->first + (int64_t)k, n, known);
}

/* The least that can be said of all of them. */
static enum lp_strip_rest rest_of(const struct lp_matrix *matrix, size_t metric,
				  const size_t *components, size_t n, size_t k,
				  size_t n_rows, enum lp_strip_rest least)
{
	enum lp_strip_rest rest = LP_STRIP_ZERO;

	for (size_t i = 0; i < n && rest >= least; i++) {
		enum lp_strip_rest own =
			lp_strip_rest(strip_of(matrix, metric, components[i]),
				      matrix->first + (int64_t)k, n_rows);

		rest = own < rest ? own : rest;
	}
	return rest;
}

bool lp_matrix_rests(const struct lp_matrix *matrix, size_t metric,
		     const size_t *components, size_t n, size_t k,
		     size_t n_rows)
{
	return rest_of(matrix, metric, components, n, k, n_rows,
		       LP_STRIP_RESTS) >= LP_STRIP_RESTS;
}

void lp_matrix_rows(const struct lp_matrix *matrix, size_t metric,
		    const size_t *components, size_t n, size_t k, size_t n_rows,
		    double *rows)
{
	/* Spare paths, say: row by row in memory is quickest. */
	if (rest_of(matrix, metric, components, n, k, n_rows, LP_STRIP_ZERO) ==
	    LP_STRIP_ZERO) {
		memset(rows, 0, n_rows * n * sizeof(*rows));
		return;
	}
	for (size_t i = 0; i < n; i++)
		lp_strip_copy(strip_of(matrix, metric, components[i]),
			      matrix->first + (int64_t)k, n_rows, rows + i, n);
}

bool lp_matrix_series(const struct lp_matrix *matrix, size_t metric,
		      size_t component, size_t k, size_t n, double *values)
{
	const struct lp_strip *strip = strip_of(matrix, metric, component);
	int64_t at = matrix->first + (int64_t)k;

	if (lp_strip_rest(strip, at, n) == LP_STRIP_ZERO) {
		memset(values, 0, n * sizeof(*values));
		return true;
	}
	lp_strip_copy(strip, at, n, values, 1);
	return false;
}
