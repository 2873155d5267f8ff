/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of detectors that see all metrics of a group at once: one unit for each
 * quantity, of which the first pushes rows for all of them. Their windows are
 * the detector's blocks.
 */
#include "diagnose/unit.h"

#include "detect/score.h"

#include "stats/quantile.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Accusations with less than this between them are one peak. */
#define PEAK_GAP_NS (60 * LP_NS_PER_S)
/*
 * Medians of the others hold as long as few are ill: if more than a third of
 * the group is accused at a time, nobody can tell who is right.
 */
#define SPLIT_PART 3
/* Rows that are fetched from the matrix at once. */
#define BLOCK 16

/* What the units of a group remember from row to row. */
struct lp_joint_run {
	const struct lp_joint *joint;
	void *state;
	const struct lp_metric *metrics[LP_INPUTS];
	size_t index[LP_INPUTS]; /* of these in the matrix */
	size_t n_metrics;
	const struct lp_metric **quantities;
	size_t n_quantities;
	size_t *open; /* [quantity][n]: the latest peak and one, 0: none */
	struct lp_ground *grounds; /* [quantity][n] */
	double *rows;              /* [metric][BLOCK][n] */
	double *values;            /* [n], for a while */
	double largest;            /* value of anything */
	int64_t next_ns;           /* rows before this time were pushed */
	struct lp_arena arena;
};

/* ---- planning ---- */

static bool find_metric(const struct lp_diagnose_input *input,
			const struct lp_class *class, const char *name,
			size_t *index)
{
	for (*index = 0; input->metrics[*index].class; ++*index)
		if (input->metrics[*index].class == class &&
		    strcmp(input->metrics[*index].metric->name, name) == 0)
			return true;
	return false;
}

static int add_quantity(const struct lp_diagnose_input *input,
			const struct lp_diagnose_options *options,
			const struct lp_detector *detector, size_t group,
			const struct lp_metric *quantity,
			struct lp_units *units, struct lp_error *err)
{
	struct lp_unit unit = {
		.detector = detector,
		.class = input->plan->groups[group].class,
		.metric = quantity,
		.group = &input->plan->groups[group],
		.group_index = group,
		.largest = NAN,
		.least_level = NAN,
		.least_change = NAN,
		.params = lp_detector_params_at(detector, &options->params,
						input->step_ns),
	};

	if (!lp_unit_wanted(options, quantity) ||
	    !find_metric(input, unit.class, quantity->shown_by,
			 &unit.metric_index))
		return 0;
	lp_unit_set_limit(&unit, units, options);
	return lp_units_add(units, &unit, options, err);
}

/* Whether a component is gone, or idle, is seen in one of its metrics. */
static int add_presence(const struct lp_diagnose_input *input,
			const struct lp_diagnose_options *options, size_t group,
			struct lp_units *units, struct lp_error *err)
{
	struct lp_unit unit = units->items[units->n - 1];
	static const struct lp_detector_params usual;

	for (size_t m = 0; input->metrics[m].class; m++) {
		const struct lp_metric *metric = input->metrics[m].metric;

		if (input->metrics[m].class != unit.class || !metric->indicts)
			continue;
		unit.metric_index = m;
		unit.metric = metric;
		if (metric->role == LP_LATENCY)
			break;
	}
	if (unit.class->pooled || lp_metric_is_quantity(unit.metric))
		return 0;
	unit.detector = &lp_presence;
	unit.group_index = group;
	unit.together = 0;
	unit.params =
		lp_detector_params_at(&lp_presence, &usual, input->step_ns);
	return lp_units_add(units, &unit, options, err);
}

int lp_units_plan_jointly(const struct lp_diagnose_input *input,
			  const struct lp_diagnose_options *options,
			  const struct lp_detector *detector, size_t group,
			  struct lp_units *units, struct lp_error *err)
{
	const struct lp_class *class = input->plan->groups[group].class;
	size_t first = units->n;
	int status = 0;

	for (size_t q = 0; q < class->n_quantities && status == 0; q++)
		status = add_quantity(input, options, detector, group,
				      &class->quantities[q], units, err);
	if (status < 0 || units->n == first)
		return status;
	units->items[first].together = units->n - first;
	return add_presence(input, options, group, units, err);
}

/* ---- pushing ---- */

static bool counts_samples(const struct lp_unit *u)
{
	return u->detector->joint && lp_class_counts_samples(u->class);
}

bool lp_unit_takes(const struct lp_unit *u,
		   const struct lp_diagnose_input *input)
{
	int64_t step_ns = input->sample_ns && counts_samples(u)
				  ? input->sample_ns
				  : input->step_ns;

	return lp_matrix_step(input->matrix) == step_ns;
}

bool lp_units_count_samples(const struct lp_units *units,
			    const struct lp_diagnose_input *input)
{
	bool any = false;

	for (size_t i = 0; input->sample_ns && i < units->n; i++)
		any = any || counts_samples(&units->items[i]);
	return any;
}

void lp_joint_run_free(struct lp_joint_run *run)
{
	if (!run)
		return;
	if (run->state)
		run->joint->close(run->state);
	lp_arena_done(&run->arena);
	free(run);
}

size_t lp_unit_inputs(const struct lp_unit *u,
		      const struct lp_diagnose_input *input,
		      const struct lp_metric *metrics[LP_INPUTS],
		      size_t index[LP_INPUTS])
{
	bool found[LP_INPUTS] = { false };
	size_t n = 0;

	for (size_t m = 0; input->metrics[m].class; m++) {
		const struct lp_metric *metric = input->metrics[m].metric;

		if (input->metrics[m].class != u->class ||
		    metric->input == LP_INPUT_NONE || found[metric->input])
			continue;
		found[metric->input] = true;
		index[n] = m;
		metrics[n++] = metric;
	}
	return n;
}

static int prepare(struct lp_joint_run *run, const struct lp_unit *u,
		   const struct lp_diagnose_input *input, bool exact)
{
	size_t n = u->group->n, cells = u->together * n;
	struct lp_joint_setup setup = {
		.n = n,
		.step_ns = lp_matrix_step(input->matrix),
		.block_ns = (int64_t)u->params.window * input->step_ns,
		.limit = u->params.threshold,
		.exact = exact,
	};

	run->joint = u->detector->joint;
	run->next_ns = INT64_MIN;
	run->largest = NAN;
	run->n_quantities = u->together;
	run->n_metrics = lp_unit_inputs(u, input, run->metrics, run->index);
	run->quantities = lp_arena_alloc(
		&run->arena, u->together * sizeof(*run->quantities));
	run->open = lp_arena_alloc(&run->arena, cells * sizeof(*run->open));
	run->grounds =
		lp_arena_alloc(&run->arena, cells * sizeof(*run->grounds));
	run->rows = lp_arena_alloc(&run->arena, run->n_metrics * BLOCK * n *
							sizeof(*run->rows));
	run->values = lp_arena_alloc(&run->arena, n * sizeof(*run->values));
	if (!run->quantities || !run->open || !run->grounds || !run->rows ||
	    !run->values)
		return -ENOMEM;
	for (size_t q = 0; q < u->together; q++)
		run->quantities[q] = u[q].metric;
	setup.metrics = run->metrics;
	setup.n_metrics = run->n_metrics;
	setup.quantities = run->quantities;
	setup.n_quantities = run->n_quantities;
	run->state = run->joint->open(&setup);
	return run->state ? 0 : -ENOMEM;
}

static int add_peak(struct lp_unit *u, size_t *open, size_t peer,
		    int64_t end_ns, const struct lp_ground *ground)
{
	struct lp_peak *p = *open ? &u->peaks[*open - 1] : NULL;
	struct lp_ground before;

	if (!p || end_ns - p->last_ns > PEAK_GAP_NS) {
		if (lp_grow(&u->peaks, &u->peaks_capacity, u->n_peaks + 1,
			    sizeof(*p)) < 0)
			return -ENOMEM;
		p = &u->peaks[u->n_peaks++];
		*p = (struct lp_peak){ .peer = peer,
				       .first_ns = end_ns,
				       .first_window_ns = ground->window_ns,
				       .worst = *ground };
		*open = u->n_peaks;
	}
	p->last_ns = end_ns;
	p->last_window_ns = ground->window_ns;
	p->blocks++;
	before = p->worst;
	if (lp_score_exceeds(ground->distance, before.distance))
		p->worst = *ground;
	p->worst.weight = fmax(before.weight, ground->weight);
	p->worst.loaded = before.loaded || ground->loaded;
	return 0;
}

/* Whether too many are accused of anything for a median to hold. */
static bool is_split(const struct lp_joint_run *run, size_t n)
{
	size_t compared = 0, accused = 0;

	for (size_t i = 0; i < n; i++) {
		bool is = false, has = false;

		for (size_t q = 0; q < run->n_quantities; q++) {
			is = is || run->grounds[q * n + i].accused;
			has = has || run->grounds[q * n + i].compared;
		}
		accused += is ? 1u : 0u;
		compared += has ? 1u : 0u;
	}
	return SPLIT_PART * accused > compared;
}

static int take_block(struct lp_unit *u, const struct lp_ground *grounds,
		      size_t *open, int64_t end_ns, bool split)
{
	size_t n = u->group->n;
	bool compared = false, told = false;
	uint8_t *row;

	if (lp_unit_reserve(u) < 0)
		return -ENOMEM;
	u->end_ns[u->windows] = end_ns;
	row = u->track + u->windows * n;
	for (size_t i = 0; i < n; i++) {
		row[i] = grounds[i].compared ? LP_TRACK_COMPARED : 0;
		compared = compared || grounds[i].compared;
		if (!grounds[i].accused)
			continue;
		told = true;
		row[i] |= LP_TRACK_FLAG |
			  (split ? LP_TRACK_SPLIT : LP_TRACK_ANOMALOUS);
		if (!split && add_peak(u, &open[i], i, end_ns, &grounds[i]) < 0)
			return -ENOMEM;
	}
	u->n_compared += compared;
	u->n_split += split && told;
	u->windows++;
	return 0;
}

static bool wants_blocks(const struct lp_unit *u,
			 const struct lp_diagnose_options *options)
{
	return options->blocks &&
	       (!options->wants ||
		options->wants(options->blocks_user, u->group));
}

static int hand_over(const struct lp_unit *u,
		     const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options, int64_t end_ns,
		     bool split)
{
	struct lp_joint_block block = {
		.units = u,
		.n_units = u->together,
		.end_ns = end_ns,
		.block_ns = (int64_t)u->params.window * input->step_ns,
		.grounds = u->joint_run->grounds,
		.split = split,
		.state = u->joint_run->state,
	};

	if (!wants_blocks(u, options) ||
	    (options->provisional && u->limit_by == LP_LIMIT_LAB))
		return 0;
	return options->blocks(options->blocks_user, &block);
}

/* The largest distance of each component, in any quantity. */
static int see_maxima(struct lp_unit *u, int64_t end_ns)
{
	struct lp_joint_run *run = u->joint_run;
	size_t n = u->group->n;

	for (size_t i = 0; i < n; i++) {
		double most = NAN;

		for (size_t q = 0; q < run->n_quantities; q++)
			most = fmax(most, run->grounds[q * n + i].most);
		if (!isnan(most) &&
		    lp_maxima_add(u->maxima, end_ns, i, most) < 0)
			return -ENOMEM;
	}
	return 0;
}

static double median_of(const struct lp_ground *grounds, size_t n, bool change,
			double *values)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		double least = change ? grounds[i].least_change
				      : grounds[i].least_level;

		if (!isnan(least))
			values[m++] = least;
	}
	return lp_median(values, m);
}

/* What would be seen now; while nothing can be said, what was seen last. */
static void see_least(struct lp_unit *u, const struct lp_ground *grounds,
		      double *values)
{
	double level = median_of(grounds, u->group->n, false, values);
	double change = median_of(grounds, u->group->n, true, values);

	u->least_level = isnan(level) ? u->least_level : level;
	u->least_change = isnan(change) ? u->least_change : change;
}

static int end_block(struct lp_unit *u, const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options, int64_t end_ns)
{
	struct lp_joint_run *run = u->joint_run;
	size_t n = u->group->n;
	int status = run->joint->judge(run->state, end_ns, run->grounds);
	bool split = is_split(run, n);

	if (status == 0)
		status = see_maxima(u, end_ns);
	for (size_t q = 0; q < run->n_quantities && status == 0; q++) {
		u[q].largest = run->largest;
		see_least(&u[q], run->grounds + q * n, run->values);
		status = take_block(&u[q], run->grounds + q * n,
				    run->open + q * n, end_ns, split);
	}
	return status ? status : hand_over(u, input, options, end_ns, split);
}

static void see_largest(struct lp_joint_run *run, size_t cells)
{
	for (size_t i = 0; i < cells; i++)
		if (!(run->rows[i] <= run->largest) && !isnan(run->rows[i]))
			run->largest = run->rows[i];
}

static int push_rows(struct lp_unit *u, const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options,
		     int64_t first_ns, size_t k, size_t n_rows)
{
	struct lp_joint_run *run = u->joint_run;
	size_t n = u->group->n;
	int64_t block_ns = (int64_t)u->params.window * input->step_ns;
	int64_t row_ns = lp_matrix_step(input->matrix);
	const double *rows[LP_INPUTS];
	int status = 0;

	for (size_t m = 0; m < run->n_metrics; m++)
		lp_peer_rows(u->group, input->matrix, run->index[m], 0, k,
			     n_rows, run->rows + m * BLOCK * n);
	see_largest(run, (run->n_metrics - 1) * BLOCK * n + n_rows * n);
	for (size_t r = 0; r < n_rows && status == 0; r++) {
		int64_t time_ns = first_ns + (int64_t)(k + r) * row_ns;

		for (size_t m = 0; m < run->n_metrics; m++)
			rows[m] = run->rows + (m * BLOCK + r) * n;
		status = run->joint->push(run->state, time_ns, rows);
		if (status == 0 && time_ns % block_ns == 0)
			status = end_block(u, input, options, time_ns);
		run->next_ns = time_ns + row_ns;
	}
	return status;
}

int lp_unit_push_jointly(struct lp_unit *u,
			 const struct lp_diagnose_input *input,
			 const struct lp_diagnose_options *options)
{
	int64_t first = 0;
	size_t points = lp_matrix_points(input->matrix, &first), k = 0;
	int status = 0;

	if (!u->together)
		return 0;
	if (!u->joint_run) {
		u->joint_run = calloc(1, sizeof(*u->joint_run));
		u->maxima = lp_maxima_new(u->group->n);
		if (!u->joint_run || !u->maxima)
			return -ENOMEM;
		status = prepare(u->joint_run, u, input,
				 options->exact || wants_blocks(u, options));
	}
	if (status == 0 && u->joint_run->next_ns > first)
		k = (size_t)((u->joint_run->next_ns - first) /
			     lp_matrix_step(input->matrix));
	for (; k < points && status == 0; k += BLOCK)
		status = push_rows(u, input, options, first, k,
				   points - k < BLOCK ? points - k : BLOCK);
	return status;
}

static void restart(struct lp_unit *u)
{
	u->windows = u->n_compared = u->n_split = u->n_peaks = 0;
	u->least_level = u->least_change = NAN;
	u->over = false;
}

void lp_unit_restart(struct lp_unit *u)
{
	assert(u->together && !u->borrowed);
	lp_joint_run_free(u->joint_run);
	u->joint_run = NULL;
	lp_maxima_free(u->maxima);
	u->maxima = NULL;
	for (size_t q = 0; q < u->together; q++)
		restart(&u[q]);
}

/* ---- peaks ---- */

const struct lp_peak *lp_unit_peak(const struct lp_unit *u, size_t peer,
				   int64_t since_ns, int64_t until_ns)
{
	const struct lp_peak *worst = NULL;

	for (size_t i = 0; i < u->n_peaks; i++) {
		const struct lp_peak *p = &u->peaks[i];

		if (p->peer == peer && p->first_ns <= until_ns &&
		    p->last_ns >= since_ns &&
		    (!worst || p->worst.distance > worst->worst.distance))
			worst = p;
	}
	return worst;
}
