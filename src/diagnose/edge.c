/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/edge.h"

#include "detect/course.h"
#include "stats/raised.h"

#include <errno.h>
#include <stdlib.h>

/*
 * What is looked at around a peak, in blocks: before the window that first
 * accused, and after the last. If it was so from the first point on, longer.
 */
#define BLOCKS_BEFORE 24
#define BLOCKS_AFTER 30
#define BLOCKS_MOST 480
/* Signs that begin within so many blocks are of one onset; end likewise. */
#define BLOCKS_APART 30
/* Points are pooled if they are more; the fit takes the square of it. */
#define CELLS_MAX 600
/* Peers that a median is taken of. */
#define PEERS_MAX 64
/* Bounds are wider by so many cells: one may be half of either level. */
#define SLACK_CELLS 2
/* Suspects that are dated. */
#define DATED_MAX 64

/* What a peak is looked at in: points of the matrix, pooled to cells. */
struct view {
	const struct lp_unit *unit;
	const struct lp_peak *peak;
	const struct lp_diagnose_input *input;
	size_t first, points, pool; /* of the matrix; points of a cell */
	int64_t origin_ns, cell_ns; /* cell i begins at origin + i * cell */
	size_t cells;
	double *values; /* [cells] */
};

/* ---- values ---- */

/* The component first, then enough of its peers; returns how many. */
static size_t choose_peers(const struct lp_peer_group *g, size_t peer,
			   size_t chosen[PEERS_MAX + 2])
{
	size_t stride = g->n / PEERS_MAX + 1, n = 0;

	chosen[n++] = peer;
	for (size_t i = 0; i < g->n; i += stride)
		if (i != peer)
			chosen[n++] = i;
	return n;
}

static void take_point(const struct view *v, struct lp_course *course, size_t n,
		       const size_t *chosen, const size_t *index,
		       size_t n_metrics, size_t k)
{
	double rows[LP_INPUTS][PEERS_MAX + 2];
	const double *row[LP_INPUTS];

	for (size_t m = 0; m < n_metrics; m++) {
		row[m] = rows[m];
		lp_peer_values(v->unit->group, v->input->matrix, index[m],
			       chosen, n, k, rows[m]);
	}
	lp_course_take(course, row);
}

static int fill(struct view *v)
{
	const struct lp_metric *metrics[LP_INPUTS];
	size_t index[LP_INPUTS], chosen[PEERS_MAX + 2];
	size_t n_metrics = lp_unit_inputs(v->unit, v->input, metrics, index);
	size_t n = choose_peers(v->unit->group, v->peak->peer, chosen);
	struct lp_course *course = lp_course_new(
		n, v->unit->metric, metrics, n_metrics,
		(double)v->input->step_ns / (double)LP_NS_PER_S, v->pool);

	if (!course)
		return -ENOMEM;
	for (size_t k = 0; k < v->points; k++) {
		take_point(v, course, n, chosen, index, n_metrics,
			   v->first + k);
		if ((k + 1) % v->pool == 0 || k + 1 == v->points)
			v->values[k / v->pool] = lp_course_end(course);
	}
	lp_course_free(course);
	return 0;
}

static void set_pool(struct view *v, size_t pool)
{
	v->pool = pool;
	v->cells = (v->points + pool - 1) / pool;
	v->cell_ns = (int64_t)pool * v->input->step_ns;
}

static bool is_sparse(const struct view *v)
{
	size_t known = 0;

	for (size_t c = 0; c < v->cells; c++)
		known += isnan(v->values[c]) ? 0u : 1u;
	return 2 * known < v->cells;
}

/* Where little is done, of several points at once: up to half a block. */
static int fill_densely(struct view *v)
{
	int status;

	v->values = calloc(v->cells + 1, sizeof(*v->values));
	if (!v->values)
		return -ENOMEM;
	status = fill(v);
	while (status == 0 && is_sparse(v) &&
	       4 * v->pool <= v->unit->params.window) {
		set_pool(v, 2 * v->pool);
		status = fill(v);
	}
	return status;
}

/* ---- fits ---- */

static int64_t block_of(const struct lp_unit *u, int64_t step_ns)
{
	return (int64_t)u->params.window * step_ns;
}

/* Points after from_ns up to until_ns; false: fewer than two. */
static bool cut(struct view *v, int64_t from_ns, int64_t until_ns)
{
	int64_t begin = 0, step = v->input->step_ns, from, to;
	int64_t points = (int64_t)lp_matrix_points(v->input->matrix, &begin);

	from = from_ns < begin ? 0 : (from_ns - begin) / step + 1;
	to = until_ns < begin ? -1 : (until_ns - begin) / step;
	to = to >= points ? points - 1 : to;
	if (to < from + 1)
		return false;
	v->first = (size_t)from;
	v->points = (size_t)(to - from) + 1;
	set_pool(v, (v->points - 1) / CELLS_MAX + 1);
	v->origin_ns = begin + (from - 1) * step;
	return true;
}

/* The span in a view of which accused_ns is a time of accusation. */
static int fit(struct view *v, int64_t accused_ns, struct lp_raised *span)
{
	const struct lp_ground *g = &v->peak->worst;
	int64_t half = block_of(v->unit, v->input->step_ns) / 2;
	struct lp_raised_model model = {
		.base = isnan(g->before) ? 0 : g->before,
		.effect = g->effect,
	};
	int status = fill_densely(v);

	model.latest = (size_t)((accused_ns - v->origin_ns) / v->cell_ns);
	model.least = (size_t)(half / v->cell_ns);
	model.least += model.least == 0;
	if (status == 0)
		status = lp_raised_find(v->values, v->cells, &model, span);
	free(v->values);
	v->values = NULL;
	return status;
}

static struct lp_edge edge_of(const struct view *v,
			      const struct lp_raised_edge *e)
{
	int64_t slack = SLACK_CELLS * v->cell_ns;
	int64_t end = v->origin_ns + (int64_t)v->points * v->input->step_ns;
	int64_t low = v->origin_ns + (int64_t)e->low * v->cell_ns - slack;
	int64_t high = v->origin_ns + (int64_t)e->high * v->cell_ns + slack;
	int64_t at = v->origin_ns + (int64_t)e->at * v->cell_ns;

	return (struct lp_edge){
		.at_ns = lp_earlier(at, end),
		.low_ns = lp_later(low, v->origin_ns),
		.high_ns = lp_earlier(high, end),
		.seen = e->seen,
	};
}

/* When the peak began, by points between these times. 0 or -ENOMEM. */
static int find_begin(struct view *v, int64_t from_ns, int64_t until_ns,
		      struct lp_edge *edge)
{
	const struct lp_peak *p = v->peak;
	int64_t block = block_of(v->unit, v->input->step_ns);
	int64_t before = p->first_window_ns + BLOCKS_BEFORE * block;
	int64_t first = 0;
	struct lp_raised span;
	int status;

	*edge = (struct lp_edge){ p->first_ns, p->first_ns, p->first_ns, true };
	lp_matrix_points(v->input->matrix, &first);
	from_ns = lp_later(from_ns, first - v->input->step_ns);
	until_ns = lp_earlier(until_ns, p->first_ns + BLOCKS_AFTER * block);
	for (;; before *= 2) {
		int64_t begin = lp_later(p->first_ns - before, from_ns);

		if (!cut(v, begin, until_ns))
			return 0;
		status = fit(v, p->first_ns, &span);
		if (status < 0)
			return status;
		*edge = edge_of(v, &span.since);
		/* The recording starts with its first point, not before. */
		if (!edge->seen)
			edge->at_ns = lp_later(edge->at_ns, first);
		if (edge->seen || begin == from_ns ||
		    before > BLOCKS_MOST * block)
			return 0;
	}
}

/* When it ended; the end of the recording if that was not seen. */
static int find_end(struct view *v, struct lp_edge *edge)
{
	const struct lp_peak *p = v->peak;
	int64_t block = block_of(v->unit, v->input->step_ns), first = 0, last;
	size_t points = lp_matrix_points(v->input->matrix, &first);
	int64_t begin = p->last_ns - p->last_window_ns - BLOCKS_BEFORE * block;
	int64_t until = p->last_ns + BLOCKS_AFTER * block;
	struct lp_raised span;
	int status;

	*edge = (struct lp_edge){ p->last_ns, p->last_ns, p->last_ns, true };
	if (!cut(v, begin, until))
		return 0;
	last = first + ((int64_t)points - 1) * v->input->step_ns;
	status = fit(v, p->last_ns, &span);
	if (status < 0)
		return status;
	*edge = edge_of(v, &span.until);
	/* The accusations ended, and the samples do not show when. */
	if (!edge->seen && until < last)
		*edge = (struct lp_edge){ p->last_ns, edge->low_ns,
					  edge->high_ns, true };
	return 0;
}

/* ---- suspects ---- */

/* The first and the last peak of a sign during the episode. */
static void find_peaks(const struct lp_suspect *s, const struct lp_unit *u,
		       int64_t block_ns, const struct lp_peak **first,
		       const struct lp_peak **last)
{
	*first = *last = NULL;
	for (size_t i = 0; i < u->n_peaks; i++) {
		const struct lp_peak *p = &u->peaks[i];

		if (p->peer != s->peer ||
		    p->first_ns > s->until_ns + block_ns ||
		    p->last_ns < s->since_ns - block_ns)
			continue;
		if (!*first)
			*first = p;
		*last = p;
	}
}

/* Whoever sees an edge comes first, then who sees it sharpest. */
static bool is_sharper(const struct lp_edge *a, const struct lp_edge *b)
{
	if (a->seen != b->seen)
		return a->seen;
	return a->high_ns - a->low_ns < b->high_ns - b->low_ns;
}

/* What is dated together: when the first accusation was, and the last. */
struct dating {
	const struct lp_diagnosis *d;
	const struct lp_diagnose_input *input;
	struct lp_dates dates;
	int64_t first_ns, last_ns;
	bool gone; /* some of it by absence, which has no peaks */
};

typedef int sign_fn(struct dating *dating, const struct lp_suspect *s,
		    const struct lp_unit *u);

/* Of the suspect and of what it explains that is compared in the same way. */
static int each_sign(struct dating *dating, const struct lp_suspects *all,
		     const struct lp_suspect *of, sign_fn *look)
{
	int status = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct lp_suspect *s = &all->items[i];

		if (s != of && (s->into != of || s->class != of->class))
			continue;
		for (size_t k = 0; k < s->n_signs && status == 0; k++) {
			const struct lp_sign *sign = &s->signs[k];

			dating->gone |= sign->gone || !sign->peak;
			if (sign->peak)
				status = look(dating, s,
					      &dating->d->units[sign->unit]);
		}
	}
	return status;
}

static int extend(struct dating *dating, const struct lp_suspect *s,
		  const struct lp_unit *u)
{
	int64_t block = block_of(u, dating->input->step_ns);
	const struct lp_peak *first, *last;

	find_peaks(s, u, block, &first, &last);
	if (first) {
		dating->first_ns =
			lp_earlier(dating->first_ns, first->first_ns);
		dating->last_ns = lp_later(dating->last_ns, last->last_ns);
	}
	return 0;
}

static void take_sharper(struct lp_edge *best, const struct lp_edge *edge)
{
	if (is_sharper(edge, best))
		*best = *edge;
}

/* What one sign adds, if it is of the first onset, or of the last end. */
static int date_sign(struct dating *dating, const struct lp_suspect *s,
		     const struct lp_unit *u)
{
	int64_t block = block_of(u, dating->input->step_ns);
	int64_t apart = BLOCKS_APART * block;
	const struct lp_peak *first, *last;
	struct view v = { .unit = u, .input = dating->input };
	struct lp_edge edge;
	int status = 0;

	find_peaks(s, u, block, &first, &last);
	if (first && first->first_ns <= dating->first_ns + apart) {
		v.peak = first;
		edge = first->began;
		if (!first->dated)
			status =
				find_begin(&v, LP_TIME_MIN, LP_TIME_MAX, &edge);
		if (status == 0)
			take_sharper(&dating->dates.since, &edge);
	}
	if (status == 0 && last && last->last_ns >= dating->last_ns - apart) {
		v.peak = last;
		status = find_end(&v, &edge);
		if (status == 0)
			take_sharper(&dating->dates.until, &edge);
	}
	return status;
}

static int date(struct lp_suspect *s, const struct lp_suspects *all,
		const struct lp_diagnosis *d,
		const struct lp_diagnose_input *input)
{
	const struct lp_edge unknown = { 0, INT64_MIN / 2, INT64_MAX / 2,
					 false };
	struct dating dating = {
		.d = d,
		.input = input,
		.dates = { .since = unknown, .until = unknown },
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN,
	};
	int status = each_sign(&dating, all, s, extend);

	if (dating.gone || dating.last_ns < dating.first_ns)
		return 0;
	status = each_sign(&dating, all, s, date_sign);
	dating.dates.known =
		dating.dates.since.at_ns < dating.dates.until.at_ns;
	s->dates = dating.dates;
	return status;
}

static size_t count_worse(const struct lp_suspects *suspects, double score)
{
	size_t n = 0;

	for (size_t i = 0; i < suspects->n; i++)
		n += suspects->items[i].score > score;
	return n;
}

int lp_suspects_date(struct lp_suspects *suspects, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input)
{
	int status = 0;

	for (size_t i = 0; i < suspects->n && status == 0; i++)
		if (!suspects->items[i].into &&
		    count_worse(suspects, suspects->items[i].score) < DATED_MAX)
			status = date(&suspects->items[i], suspects, d, input);
	return status;
}

/* ---- forgetting ---- */

int lp_unit_keep_edges(struct lp_unit *u, const struct lp_diagnose_input *input,
		       int64_t until_ns, int64_t reach_ns)
{
	int status = 0;

	for (size_t i = 0; i < u->n_peaks && status == 0; i++) {
		struct lp_peak *p = &u->peaks[i];
		struct view v = { .unit = u, .peak = p, .input = input };

		if (p->dated || p->first_ns > until_ns + reach_ns)
			continue;
		status = find_begin(&v, p->first_ns - reach_ns,
				    p->first_ns + reach_ns, &p->began);
		p->dated = status == 0;
	}
	return status;
}
