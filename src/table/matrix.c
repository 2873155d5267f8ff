/* SPDX-License-Identifier: Apache-2.0 */
#include "table/matrix.h"

#include "base/names.h"
#include "table/metric_value.h"
#include "table/slice.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A component's values; it begins where its first sample was. */
struct series {
	int64_t first; /* grid index of value[0] */
	float *value;
	size_t n, capacity;
};

struct row {
	struct lp_matrix_component component;
	struct series *series; /* by metric */
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
		     matrix->rows[i].series && m < matrix->n_metrics; m++)
			free(matrix->rows[i].series[m].value);
		free(matrix->rows[i].series);
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

static struct row *row_of(struct lp_matrix *matrix, const struct lp_span *span)
{
	uint32_t known = matrix->keys.count, key;
	struct row *row;

	/* Room comes first: there are never more keys than rows. */
	if (lp_grow(&matrix->rows, &matrix->rows_capacity, (size_t)known + 1,
		    sizeof(*row)) < 0)
		return NULL;
	matrix->rows[known].series = NULL;
	key = key_of(matrix, span);
	if (key == LP_NAME_NONE)
		return NULL;
	row = &matrix->rows[key];
	if (row->series)
		return row;
	*row = (struct row){ .series = calloc(matrix->n_metrics + 1,
					      sizeof(*row->series)) };
	if (!row->series)
		return NULL;
	row->component.host_number = lp_names_add(&matrix->hosts, span->host);
	if (row->component.host_number != LP_NAME_NONE)
		row->component.host =
			matrix->hosts.text[row->component.host_number];
	row->component.class = span->class;
	row->component.id = keep(matrix, span->id);
	return row;
}

/*
 * Room for so many values. There are thousands of series, so doubling would
 * waste as much as it saves: up to the end, if that is known, or an eighth more
 * than is needed.
 */
static int grow(struct series *s, size_t need, size_t expected)
{
	size_t room = need < expected ? expected : need + need / 8;
	float *value;

	if (need <= s->capacity)
		return 0;
	value = reallocarray(s->value, room, sizeof(*value));
	if (!value)
		return -ENOMEM;
	s->value = value;
	s->capacity = room;
	return 0;
}

/* Make room for the grid indices [from, to]; new ones are missing. */
static int reserve(struct series *s, int64_t from, int64_t to, int64_t end)
{
	int64_t first = s->n && s->first < from ? s->first : from;
	int64_t last = s->first + (int64_t)s->n - 1;
	size_t shift, need;

	if (!s->n || last < to)
		last = to;
	shift = s->n ? (size_t)(s->first - first) : 0;
	need = (size_t)(last - first) + 1;
	if (grow(s, need, end > first ? (size_t)(end - first) : 0) < 0)
		return -ENOMEM;
	if (shift)
		memmove(s->value + shift, s->value, s->n * sizeof(*s->value));
	for (size_t i = 0; i < shift; i++)
		s->value[i] = NAN;
	for (size_t i = shift + s->n; i < need; i++)
		s->value[i] = NAN;
	s->first = first;
	s->n = need;
	return 0;
}

/* Where the points of a span lie on the grid. */
struct place {
	int64_t at[LP_SLICE_SLOTS];
	int64_t low, high; /* of those that are not closed; low > high: none */
};

static void find_place(const struct lp_matrix *matrix,
		       const struct lp_span *span, struct place *place)
{
	int64_t step = matrix->options.step_ns;

	assert(span->n_points <= LP_SLICE_SLOTS);
	place->low = INT64_MAX;
	place->high = INT64_MIN;
	for (size_t i = 0; i < span->n_points; i++) {
		int64_t at = span->point_ns[i] / step;

		place->at[i] = at;
		if (at <= matrix->closed)
			continue;
		place->low = at < place->low ? at : place->low;
		place->high = at > place->high ? at : place->high;
	}
}

static int store(const struct lp_matrix *matrix, struct series *s,
		 const struct place *place, const double *value, size_t n)
{
	int64_t end = matrix->options.last_ns / matrix->options.step_ns + 2;

	if (reserve(s, place->low, place->high, end) < 0)
		return -ENOMEM;
	/* A time may come twice, of two files of one host: a value stays. */
	for (size_t i = 0; i < n; i++)
		if (!isnan(value[i]) && place->at[i] > matrix->closed)
			s->value[place->at[i] - s->first] = (float)value[i];
	return 0;
}

/* The series of the span's component; its columns are planned. */
static struct series *meet(struct lp_matrix *matrix, const struct lp_span *span)
{
	struct row *row = row_of(matrix, span);

	if (!row)
		return NULL;
	row->component.name = keep(matrix, span->name);
	if (!row->component.name || !row->component.host)
		return NULL;
	for (size_t m = 0; m < matrix->n_metrics; m++)
		if (matrix->options.metrics[m].class == span->class &&
		    matrix->plans[m].n_columns != span->n_columns)
			lp_metric_plan(&matrix->plans[m],
				       matrix->options.metrics[m].metric,
				       span->columns, span->n_columns);
	return row->series;
}

static void extend(struct lp_matrix *matrix, const struct place *place)
{
	if (place->low < matrix->first)
		matrix->first = place->low;
	if (place->high > matrix->last)
		matrix->last = place->high;
}

static int sink(void *user, const struct lp_span *span, struct lp_error *err)
{
	struct lp_matrix *matrix = user;
	struct series *series;
	double value[LP_SLICE_SLOTS];
	struct place place;
	bool any = false;

	if (!span->n_points)
		return 0;
	series = meet(matrix, span);
	if (!series)
		return lp_fail_memory(err);
	find_place(matrix, span, &place);
	for (size_t m = 0; place.low <= place.high && m < matrix->n_metrics;
	     m++) {
		if (matrix->options.metrics[m].class != span->class ||
		    !lp_metric_evaluate(&matrix->plans[m], span, value))
			continue;
		if (store(matrix, &series[m], &place, value, span->n_points) <
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

static void drop(struct series *s, int64_t before)
{
	size_t n;

	if (s->first >= before)
		return;
	n = (size_t)(before - s->first) < s->n ? (size_t)(before - s->first)
					       : s->n;
	if (n < s->n)
		memmove(s->value, s->value + n, (s->n - n) * sizeof(*s->value));
	s->n -= n;
	s->first = before;
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
		     matrix->rows[i].series && m < matrix->n_metrics; m++)
			if (matrix->rows[i].series[m].n)
				drop(&matrix->rows[i].series[m], before);
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

double lp_matrix_value(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k)
{
	const struct series *s;
	int64_t at;

	if (component >= matrix->keys.count)
		return NAN;
	s = &matrix->rows[component].series[metric];
	at = matrix->first + (int64_t)k - s->first;
	return at < 0 || at >= (int64_t)s->n ? NAN : (double)s->value[at];
}

size_t lp_matrix_quiet(const struct lp_matrix *matrix, size_t metric,
		       size_t component, size_t k, size_t n, size_t *known)
{
	const struct series *s;
	int64_t at;
	size_t quiet = 0;

	*known = 0;
	if (component >= matrix->keys.count)
		return n;
	s = &matrix->rows[component].series[metric];
	at = matrix->first + (int64_t)k - s->first;
	if (at < 0 || at >= (int64_t)s->n)
		return at < 0 && -at < (int64_t)n ? (size_t)-at : n;
	while (quiet < n && at + (int64_t)quiet < (int64_t)s->n &&
	       s->value[at + (int64_t)quiet] == 0)
		quiet++;
	*known = quiet;
	while (quiet < n && at + (int64_t)quiet < (int64_t)s->n &&
	       !(s->value[at + (int64_t)quiet] > 0))
		quiet++;
	return at + (int64_t)quiet >= (int64_t)s->n ? n : quiet;
}

/* Points of a series from grid index `at` on, a stride apart in `out`. */
static void copy_points(const struct series *s, int64_t at, size_t n_rows,
			double *out, size_t stride)
{
	int64_t from = at - s->first;

	for (size_t r = 0; r < n_rows; r++, from++)
		out[r * stride] = from < 0 || from >= (int64_t)s->n
					  ? NAN
					  : (double)s->value[from];
}

void lp_matrix_rows(const struct lp_matrix *matrix, size_t metric,
		    const size_t *components, size_t n, size_t k, size_t n_rows,
		    double *rows)
{
	static const struct series none = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct series *s =
			components[i] < matrix->keys.count
				? &matrix->rows[components[i]].series[metric]
				: &none;

		copy_points(s, matrix->first + (int64_t)k, n_rows, rows + i, n);
	}
}
