/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One metric of one component, beside its peers.
 */
#include "serve/answers.h"

#include "cluster/cluster.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_POINTS 600
#define MOST_POINTS 4000
#define MOST_PEERS 12

/* Where a component is compared. */
struct seat {
	const struct lp_diagnose_input *input;
	const struct lp_peer_group *group;
	size_t peer;
};

struct series {
	size_t metric; /* of the matrix */
	int64_t first_ns;
	size_t from, n; /* points */
	double *rows;   /* [n][peers] */
	double *scratch;
};

static bool find_seat(const struct lp_asked *a, const char *component,
		      struct seat *seat)
{
	struct lp_case *c = lp_live_case(a->service->live);
	const struct lp_plan *plan;

	if (!c)
		return false;
	seat->input = lp_case_input(c);
	plan = seat->input->plan;
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++)
			if (plan->groups[g].kind == LP_PEERS &&
			    strcmp(plan->groups[g].peers[i].label, component) ==
				    0) {
				seat->group = &plan->groups[g];
				seat->peer = i;
				return true;
			}
	return false;
}

static bool find_metric(const struct seat *seat, const char *name, size_t *at)
{
	const struct lp_matrix_metric *m = seat->input->metrics;

	for (*at = 0; m[*at].class; (*at)++)
		if (m[*at].class == seat->group->class &&
		    (!name || strcmp(m[*at].metric->name, name) == 0))
			return true;
	return false;
}

static void put_metrics(struct lp_asked *a, const struct seat *seat)
{
	const struct lp_matrix_metric *m = seat->input->metrics;

	lp_json_key(&a->json, "metrics");
	lp_json_array(&a->json);
	for (; m->class; m++) {
		if (m->class != seat->group->class)
			continue;
		lp_json_object(&a->json);
		lp_put_text(&a->json, "name", m->metric->name);
		lp_put_text(&a->json, "unit", m->metric->unit);
		lp_put_text(&a->json, "help", m->metric->help);
		lp_put_bool(&a->json, "accuses", m->metric->indicts);
		lp_json_end(&a->json);
	}
	lp_json_end(&a->json);
}

/* ---- values ---- */

static int read_rows(const struct seat *seat, struct series *s)
{
	size_t n = seat->group->n;

	s->rows = malloc((s->n * n + 1) * sizeof(*s->rows));
	s->scratch = malloc((n + 1) * sizeof(*s->scratch));
	if (!s->rows || !s->scratch)
		return -ENOMEM;
	if (s->n)
		lp_peer_rows(seat->group, seat->input->matrix, s->metric, 0,
			     s->from, s->n, s->rows);
	return 0;
}

static void put_line(struct lp_asked *a, const struct seat *seat,
		     const struct series *s, size_t peer)
{
	lp_json_array(&a->json);
	for (size_t k = 0; k < s->n; k++)
		lp_json_float(&a->json,
			      (float)s->rows[k * seat->group->n + peer]);
	lp_json_end(&a->json);
}

/* A quantile of the peers at each point. */
static void put_quantile(struct lp_asked *a, const struct seat *seat,
			 const struct series *s, const char *key, double p)
{
	size_t n = seat->group->n;

	lp_json_key(&a->json, key);
	lp_json_array(&a->json);
	for (size_t k = 0; k < s->n; k++) {
		size_t there = 0;

		for (size_t i = 0; i < n; i++)
			if (i != seat->peer && !isnan(s->rows[k * n + i]))
				s->scratch[there++] = s->rows[k * n + i];
		lp_json_float(&a->json,
			      there ? (float)lp_quantile(s->scratch, there, p)
				    : NAN);
	}
	lp_json_end(&a->json);
}

static void put_peers(struct lp_asked *a, const struct seat *seat,
		      const struct series *s)
{
	size_t put = 0;

	lp_json_key(&a->json, "peers");
	lp_json_array(&a->json);
	for (size_t i = 0; i < seat->group->n && put < MOST_PEERS; i++) {
		if (i == seat->peer)
			continue;
		put++;
		lp_json_object(&a->json);
		lp_put_text(&a->json, "name", seat->group->peers[i].label);
		lp_json_key(&a->json, "values");
		put_line(a, seat, s, i);
		lp_json_end(&a->json);
	}
	lp_json_end(&a->json);
}

static void put_series(struct lp_asked *a, const struct seat *seat,
		       const struct series *s)
{
	const struct lp_matrix_metric *m = &seat->input->metrics[s->metric];

	lp_put_text(&a->json, "metric", m->metric->name);
	lp_put_text(&a->json, "unit", m->metric->unit);
	lp_put_time(&a->json, "begin", s->first_ns);
	lp_put_number(&a->json, "step_ns", seat->input->step_ns);
	lp_put_number(&a->json, "n_peers", (int64_t)seat->group->n - 1);
	lp_json_key(&a->json, "values");
	put_line(a, seat, s, seat->peer);
	put_quantile(a, seat, s, "low", 0.25);
	put_quantile(a, seat, s, "median", 0.5);
	put_quantile(a, seat, s, "high", 0.75);
	put_peers(a, seat, s);
}

static int answer(struct lp_asked *a, const struct seat *seat, size_t metric,
		  int64_t points)
{
	struct series s = { .metric = metric };
	int64_t first;
	size_t all = lp_matrix_points(seat->input->matrix, &first);
	int status;

	s.n = all < (size_t)points ? all : (size_t)points;
	s.from = all - s.n;
	s.first_ns = first + (int64_t)s.from * seat->input->step_ns;
	status = read_rows(seat, &s);
	if (status == 0) {
		lp_json_object(&a->json);
		lp_put_text(&a->json, "component",
			    seat->group->peers[seat->peer].label);
		lp_put_text(&a->json, "group", seat->group->name);
		lp_put_text(&a->json, "class", seat->group->class->name);
		put_metrics(a, seat);
		put_series(a, seat, &s);
		lp_json_end(&a->json);
	}
	free(s.rows);
	free(s.scratch);
	return status < 0 ? lp_fail_memory(&a->err) : 0;
}

int lp_route_series(struct lp_asked *a)
{
	const char *component = lp_asked_text(a, "component");
	const char *metric = lp_asked_text(a, "metric");
	struct seat seat = { 0 };
	int64_t points;
	size_t at;
	int status = lp_asked_number(a, "points", 1, MOST_POINTS, USUAL_POINTS,
				     &points);

	if (status < 0)
		return status;
	if (!component)
		return lp_fail(&a->err, EINVAL,
			       "component: which one? For example "
			       "?component=oss3/sdc");
	if (!find_seat(a, component, &seat))
		return lp_fail(&a->err, ENOENT, "'%.100s' is not compared",
			       component);
	if (!find_metric(&seat, metric, &at))
		return lp_fail(&a->err, ENOENT,
			       "'%.100s' has no metric '%.60s'", component,
			       metric ? metric : "");
	return answer(a, &seat, at, points);
}
