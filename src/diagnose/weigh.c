/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence: what a suspect's values were beside those of its peers, and how
 * far apart their distributions.
 */
#include "diagnose/single.h"
#include "diagnose/suspect.h"
#include "diagnose/work.h"
#include "stats/quantile.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Medians of more than this gain nothing. */
#define POINTS_MAX 128
#define PEERS_MAX 256
/* Windows of which the exact distance is looked at. */
#define WINDOWS_MAX 8

struct span {
	size_t first, last, stride; /* points of the matrix */
};

static struct span span_of(const struct lp_diagnose_input *input,
			   int64_t since_ns, int64_t until_ns)
{
	int64_t begin = 0, step = input->step_ns, from, to;
	int64_t points = (int64_t)lp_matrix_points(input->matrix, &begin);
	struct span span = { 0, 0, 1 };

	from = (since_ns - begin) / step + 1;
	to = (until_ns - begin) / step;
	from = from < 0 ? 0 : from;
	to = to >= points ? points - 1 : to;
	if (points == 0 || to < from)
		return (struct span){ 1, 0, 1 };
	span.first = (size_t)from;
	span.last = (size_t)to;
	span.stride = (span.last - span.first) / POINTS_MAX + 1;
	return span;
}

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

static void gather(const double *values, size_t n, double *own, size_t *n_own,
		   double *others, size_t *n_others)
{
	if (!isnan(values[0]))
		own[(*n_own)++] = values[0];
	for (size_t i = 1; i < n; i++)
		if (!isnan(values[i]))
			others[(*n_others)++] = values[i];
}

static double mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

/* Room for the samples of the component, and of its peers twice. */
#define OTHERS ((POINTS_MAX + 2) * (PEERS_MAX + 2))

/* What is known of it and of its peers. Medians of many spoil their input. */
static void summarise(struct lp_evidence *e, double *own, size_t n_own,
		      double *others, size_t n_others, double *copy)
{
	e->own_mean = mean(own, n_own);
	e->peers_mean = mean(others, n_others);
	e->value = lp_median(own, n_own);
	if (n_others)
		memcpy(copy, others, n_others * sizeof(*copy));
	e->peers_iqr = lp_iqr(copy, n_others);
	e->peers_median = lp_median(others, n_others);
}

int lp_evidence_values(struct lp_evidence *e,
		       const struct lp_diagnose_input *input, size_t group,
		       size_t peer, size_t metric, int64_t since_ns,
		       int64_t until_ns)
{
	const struct lp_peer_group *g = &input->plan->groups[group];
	struct span span = span_of(input, since_ns, until_ns);
	size_t n_own = 0, n_others = 0;
	lp_auto_free double *own = calloc(POINTS_MAX + 2, sizeof(*own));
	lp_auto_free double *others =
		reallocarray(NULL, 2 * OTHERS, sizeof(*others));
	size_t chosen[PEERS_MAX + 2], n = choose_peers(g, peer, chosen);
	double values[PEERS_MAX + 2];

	if (!own || !others)
		return -ENOMEM;
	for (size_t k = span.first; k <= span.last; k += span.stride) {
		lp_peer_values(g, input->matrix, metric, chosen, n, k, values);
		gather(values, n, own, &n_own, others, &n_others);
	}
	*e = (struct lp_evidence){
		.kind = LP_EVIDENCE_METRIC,
		.strength = NAN,
		.class = input->metrics[metric].class,
		.metric = input->metrics[metric].metric,
		.component = g->peers[peer].label,
		.group = g->name,
		.group_number = lp_plan_group_number(input->plan, group),
		.n_peers = g->n - 1,
		.since_ns = since_ns,
		.until_ns = until_ns,
		.distance = NAN,
		.share_over = NAN,
		.threshold = NAN,
		.peers_low = NAN,
		.peers_high = NAN,
		.effect = NAN,
		.gate = NAN,
		.before = NAN,
	};
	summarise(e, own, n_own, others, n_others, others + OTHERS);
	return 0;
}

/*
 * Whether the values show what the distributions said. Where the medians are
 * the same, as of bursts, the means speak, which are the work done; they must
 * differ by more than what is too little to be told apart.
 */
static bool shows(struct lp_evidence *e)
{
	if (e->value != e->peers_median)
		return true;
	e->means = true;
	e->value = e->own_mean;
	e->peers_median = e->peers_mean;
	return fabs(e->value - e->peers_median) > e->metric->floor.idle;
}

/* Those of the vote before the first are shown, too. */
static void count_windows(struct lp_evidence *e, const struct lp_unit *u,
			  const struct lp_sign *sign, size_t peer)
{
	size_t begin = u->folded;

	if (!sign->past)
		begin = lp_mark_first(u, sign->first, peer, sign->gone);
	e->windows = sign->last - begin + 1;
	e->flagged = lp_mark_count(u, begin, sign->last, peer, sign->gone);
	if (sign->past) {
		e->windows += sign->past->span;
		e->flagged += sign->past->flagged;
	}
}

/* The largest of the distances in some of the flagged windows. */
static int measure(struct lp_evidence *e, const struct lp_unit *u,
		   const struct lp_sign *sign, size_t peer,
		   const struct lp_diagnose_input *input)
{
	size_t flagged = lp_mark_count(u, sign->first, sign->last, peer, false);
	size_t stride = 1 + (flagged ? flagged - 1 : 0) / WINDOWS_MAX;
	size_t seen = 0;
	bool lower = u->detector->lower_is_worse;
	double worst = NAN;
	int status = 0;

	for (size_t w = sign->first; w <= sign->last && status == 0; w++) {
		struct lp_verdict v = { .critical = NAN };

		if (!(*lp_unit_at(u, w, peer) & LP_TRACK_FLAG) ||
		    seen++ % stride)
			continue;
		status = lp_judge_single(u, input, peer, u->end_ns[w], &v);
		if (status < 0 || isnan(v.critical) ||
		    (lower ? v.critical >= worst : v.critical <= worst))
			continue;
		worst = v.critical;
		e->distance = lower ? v.critical : v.median_distance;
		e->share_over = lower ? NAN : (double)v.over / (double)v.others;
	}
	return status;
}

/* What the detector itself said when it said most. */
static void take_peak(struct lp_suspect *s, struct lp_sign *sign,
		      const struct lp_unit *u, int64_t step_ns)
{
	struct lp_evidence *e = &sign->evidence;
	/* Marks are in the middle of their blocks, peaks at the ends. */
	int64_t block_ns = (int64_t)u->params.window * step_ns;
	const struct lp_ground *g;

	sign->peak = lp_unit_peak(u, s->peer, sign->since_ns - block_ns,
				  sign->until_ns + block_ns);
	assert(sign->peak);
	g = &sign->peak->worst;
	e->metric = u->metric;
	e->value = g->value;
	e->peers_median = g->peers_median;
	e->peers_low = g->peers_low;
	e->peers_high = g->peers_high;
	e->peers_iqr = NAN;
	e->distance = g->distance;
	e->effect = g->effect;
	e->gate = g->gate;
	e->before = g->before;
	e->reference = g->kind;
	e->window_ns = g->window_ns;
	e->strength = e->distance / e->threshold;
	s->magnitude = fmax(s->magnitude, e->strength);
	s->weight = fmax(s->weight, g->weight);
}

static int weigh(struct lp_suspect *s, struct lp_sign *sign,
		 const struct lp_diagnosis *d,
		 const struct lp_diagnose_input *input)
{
	const struct lp_unit *u = &d->units[sign->unit];
	struct lp_evidence *e = &sign->evidence;
	int status =
		lp_evidence_values(e, input, s->group, s->peer, u->metric_index,
				   sign->since_ns, sign->until_ns);

	if (status < 0)
		return status;
	e->method = u->detector->name;
	e->accuses = e->anomalous = true;
	e->trained = u->trained[s->peer];
	e->threshold = u->thresholds[s->peer];
	count_windows(e, u, sign, s->peer);
	if (sign->gone)
		return 0;
	if (u->detector->joint) {
		take_peak(s, sign, u, input->step_ns);
		return 0;
	}
	status = measure(e, u, sign, s->peer, input);
	e->strength = u->detector->lower_is_worse ? e->threshold / e->distance
						  : e->distance / e->threshold;
	if (shows(e))
		s->magnitude = fmax(s->magnitude, e->strength);
	else
		e->accuses = false;
	return status;
}

int lp_suspect_weigh(struct lp_suspect *s, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_signs; i++) {
		int status = weigh(s, &s->signs[i], d, input);

		if (status < 0)
			return status;
		if (s->signs[i].evidence.accuses)
			s->signs[kept++] = s->signs[i];
	}
	s->n_signs = kept;
	return 0;
}

/* Whether most of its peers of which anything is known worked meanwhile. */
static bool peers_worked(const struct lp_suspect *s,
			 const struct lp_diagnose_input *input)
{
	const struct lp_peer_group *g = &input->plan->groups[s->group];
	size_t known = 0, worked = 0;

	for (size_t i = 0; i < g->n; i++) {
		enum lp_work work =
			i == s->peer ? LP_WORK_UNKNOWN
				     : lp_work_during(input, &g->peers[i],
						      s->since_ns, s->until_ns,
						      NULL);

		known += work != LP_WORK_UNKNOWN;
		worked += work == LP_WORK_SOME;
	}
	return 2 * worked > known;
}

void lp_suspect_look_idle(struct lp_suspect *s,
			  const struct lp_diagnose_input *input)
{
	s->idle = lp_class_is_storage(s->class) &&
		  lp_work_during(input, s->who, s->since_ns, s->until_ns,
				 NULL) == LP_WORK_NONE &&
		  peers_worked(s, input);
}
