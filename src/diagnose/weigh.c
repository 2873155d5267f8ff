/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence: what a suspect's values were beside those of its peers, and how
 * far apart their distributions.
 */
#include "diagnose/single.h"
#include "diagnose/suspect.h"
#include "stats/quantile.h"

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

static void gather(const struct lp_peer_group *g, const double *row,
		   size_t peer, double *own, size_t *n_own, double *others,
		   size_t *n_others)
{
	size_t stride = g->n / PEERS_MAX + 1;

	if (!isnan(row[peer]))
		own[(*n_own)++] = row[peer];
	for (size_t i = 0; i < g->n; i += stride)
		if (i != peer && !isnan(row[i]))
			others[(*n_others)++] = row[i];
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
	lp_auto_free double *others = reallocarray(
		NULL, (POINTS_MAX + 2) * (PEERS_MAX + 2), sizeof(*others));
	lp_auto_free double *row = calloc(g->n + 1, sizeof(*row));

	if (!own || !others || !row)
		return -ENOMEM;
	for (size_t k = span.first; k <= span.last; k += span.stride) {
		lp_peer_row(g, input->matrix, metric, 0, k, row);
		gather(g, row, peer, own, &n_own, others, &n_others);
	}
	*e = (struct lp_evidence){
		.class = input->metrics[metric].class,
		.metric = input->metrics[metric].metric,
		.component = g->peers[peer].label,
		.group = g->name,
		.metric_index = metric,
		.group_index = group,
		.peer_index = peer,
		.n_peers = g->n - 1,
		.since_ns = since_ns,
		.until_ns = until_ns,
		.value = lp_median(own, n_own),
		.peers_median = lp_median(others, n_others),
		.peers_iqr = lp_iqr(others, n_others),
		.distance = NAN,
		.share_over = NAN,
		.threshold = NAN,
	};
	return 0;
}

static void count_windows(struct lp_evidence *e, const struct lp_unit *u,
			  const struct lp_sign *sign)
{
	for (size_t w = sign->first; w <= sign->last; w++) {
		uint8_t state = *lp_unit_at(u, w, e->peer_index);

		e->windows++;
		e->flagged += !!(
			state & (sign->gone ? LP_TRACK_ABSENT : LP_TRACK_FLAG));
	}
}

/* The largest of the distances in some of the flagged windows. */
static int measure(struct lp_evidence *e, const struct lp_unit *u,
		   const struct lp_sign *sign,
		   const struct lp_diagnose_input *input)
{
	size_t most = e->flagged ? e->flagged : 1, seen = 0;
	size_t stride = 1 + (most - 1) / WINDOWS_MAX;
	bool lower = u->detector->lower_is_worse;
	double worst = NAN;
	int status = 0;

	for (size_t w = sign->first; w <= sign->last && status == 0; w++) {
		struct lp_verdict v = { .critical = NAN };

		if (!(*lp_unit_at(u, w, e->peer_index) & LP_TRACK_FLAG) ||
		    seen++ % stride)
			continue;
		status = lp_judge_single(u, input, e->peer_index, u->end_ns[w],
					 &v);
		if (status < 0 || isnan(v.critical) ||
		    (lower ? v.critical >= worst : v.critical <= worst))
			continue;
		worst = v.critical;
		e->distance = lower ? v.critical : v.median_distance;
		e->share_over = lower ? NAN : (double)v.over / (double)v.others;
	}
	return status;
}

int lp_suspect_weigh(struct lp_suspect *s, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input)
{
	int status = 0;

	for (size_t i = 0; i < s->n_signs && status == 0; i++) {
		struct lp_sign *sign = &s->signs[i];
		const struct lp_unit *u = &d->units[sign->unit];
		struct lp_evidence *e = &sign->evidence;
		double ratio;

		status = lp_evidence_values(e, input, s->group, s->peer,
					    u->metric_index, sign->since_ns,
					    sign->until_ns);
		if (status < 0)
			break;
		e->method = u->detector->name;
		e->accuses = e->anomalous = true;
		e->trained = u->trained[s->peer];
		e->threshold = u->thresholds[s->peer];
		count_windows(e, u, sign);
		if (sign->gone)
			continue;
		status = measure(e, u, sign, input);
		ratio = u->detector->lower_is_worse
				? e->threshold / e->distance
				: e->distance / e->threshold;
		s->magnitude = fmax(s->magnitude, ratio);
	}
	return status;
}

static double own_value(const struct lp_diagnose_input *input,
			const struct lp_peer *who, size_t metric, size_t k)
{
	double sum = 0;

	for (size_t i = 0; i < who->n_parts; i++)
		sum += lp_matrix_value(input->matrix, metric, who->parts[i], k);
	return sum;
}

/* Metrics that are the work itself: sectors and bytes per second. */
static bool is_load(const struct lp_metric *metric)
{
	return metric->indicts && (strcmp(metric->unit, "sectors/s") == 0 ||
				   strcmp(metric->unit, "B/s") == 0);
}

void lp_suspect_look_idle(struct lp_suspect *s,
			  const struct lp_diagnose_input *input)
{
	struct span span = span_of(input, s->since_ns, s->until_ns);
	size_t n = 0;
	double work[POINTS_MAX + 2];

	s->idle = false;
	if (s->class != &lp_class_disk)
		return;
	for (size_t k = span.first; k <= span.last; k += span.stride) {
		double sum = 0;

		for (size_t m = 0; input->metrics[m].class; m++)
			if (input->metrics[m].class == s->class &&
			    is_load(input->metrics[m].metric))
				sum += own_value(input, s->who, m, k);
		if (!isnan(sum))
			work[n++] = sum;
	}
	s->idle = n > 0 && lp_median(work, n) == 0;
}
