/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is so now: the verdict, hosts, who is compared, the report.
 */
#include "serve/answers.h"

#include "cluster/cluster.h"
#include "report/findings_json.h"
#include "report/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Findings in the answer to "now". */
#define MOST_NOW 100

/* ---- now ---- */

struct ranked {
	struct lp_arena arena;
	struct rank {
		int64_t id;
		double score;
	} * items;
	size_t n, capacity;
};

static int rank_one(void *user, const struct lp_stored *stored)
{
	struct ranked *r = user;

	if (lp_grow(&r->items, &r->capacity, r->n + 1, sizeof(*r->items)) < 0)
		return -ENOMEM;
	r->items[r->n++] = (struct rank){ stored->id, stored->score };
	return 0;
}

static int by_score(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->id < y->id ? -1 : 1;
}

static int put_ranked(struct lp_asked *a, struct ranked *r)
{
	int status = 1;

	lp_json_key(&a->json, "findings");
	lp_json_array(&a->json);
	for (size_t i = 0; i < r->n && i < MOST_NOW && status >= 0; i++) {
		struct lp_stored stored;

		status = lp_stored_get(&a->service->store, r->items[i].id,
				       &r->arena, &stored, &a->err);
		if (status <= 0)
			continue;
		lp_json_object(&a->json);
		lp_put_stored(&a->json, &stored);
		lp_json_end(&a->json);
	}
	lp_json_end(&a->json);
	lp_put_number(&a->json, "n_findings", (int64_t)r->n);
	return status < 0 ? status : 0;
}

/* Those that are not resolved, the worst first. */
static int put_active(struct lp_asked *a)
{
	static const struct lp_stored_filter active = { .state = "unresolved",
							.since_ns =
								LP_TIME_MIN };
	struct ranked r = { 0 };
	int status = lp_stored_list(&a->service->store, &active, rank_one, &r,
				    &a->err);

	if (r.n)
		qsort(r.items, r.n, sizeof(*r.items), by_score);
	if (status == 0)
		status = put_ranked(a, &r);
	free(r.items);
	lp_arena_done(&r.arena);
	return status;
}

static void put_host_counts(struct lp_asked *a)
{
	size_t n, of[LP_LIVE_STATES] = { 0 };
	const struct lp_live_host *hosts = lp_live_hosts(a->service->live, &n);

	for (size_t i = 0; i < n; i++)
		of[hosts[i].state]++;
	lp_json_key(&a->json, "hosts");
	lp_json_object(&a->json);
	lp_put_number(&a->json, "all", (int64_t)n);
	for (int s = 0; s < LP_LIVE_STATES; s++)
		lp_put_number(&a->json, lp_live_state_name(s), (int64_t)of[s]);
	lp_json_end(&a->json);
}

static void put_verdict(struct lp_asked *a)
{
	const struct lp_service *s = a->service;
	const struct lp_findings *f = &s->findings;
	bool known = s->has_findings;

	lp_put_text(&a->json, "verdict",
		    lp_outcome_name(known ? f->outcome : LP_OUTCOME_UNDECIDED));
	lp_put_text(&a->json, "reason",
		    known ? f->reason : "limpid serve has only just begun");
	lp_put_number(&a->json, "step_ns", lp_live_step(s->live));
	lp_json_key(&a->json, "compared");
	lp_json_object(&a->json);
	lp_put_number(&a->json, "hosts", known ? (int64_t)f->n_hosts : 0);
	lp_put_number(&a->json, "groups", known ? (int64_t)f->n_groups : 0);
	lp_put_number(&a->json, "components",
		      known ? (int64_t)f->n_components : 0);
	lp_json_end(&a->json);
}

int lp_route_now(struct lp_asked *a)
{
	const struct lp_service *s = a->service;
	uint64_t late, samples = lp_live_samples(s->live, &late);
	int status;

	lp_json_object(&a->json);
	lp_put_text(&a->json, "version", LIMPID_VERSION);
	lp_put_number(&a->json, "revision", (int64_t)s->revision);
	lp_put_time(&a->json, "time", s->now_ns ? s->now_ns : LP_TIME_MIN);
	lp_put_time(&a->json, "horizon", lp_live_horizon(s->live));
	lp_put_number(&a->json, "period_ns", s->settings.period_ns);
	put_verdict(a);
	put_host_counts(a);
	lp_put_number(&a->json, "samples", (int64_t)samples);
	lp_put_number(&a->json, "late", (int64_t)late);
	lp_put_text(&a->json, "trouble", s->trouble);
	status = put_active(a);
	lp_json_end(&a->json);
	return status;
}

/* ---- hosts, components ---- */

int lp_route_hosts(struct lp_asked *a)
{
	size_t n;
	const struct lp_live_host *hosts = lp_live_hosts(a->service->live, &n);
	struct lp_json *json = &a->json;

	lp_json_object(json);
	lp_json_key(json, "hosts");
	lp_json_array(json);
	for (size_t i = 0; i < n; i++) {
		lp_json_object(json);
		lp_put_text(json, "name", hosts[i].name);
		lp_put_text(json, "state", lp_live_state_name(hosts[i].state));
		lp_put_time(json, "newest", hosts[i].newest_ns);
		lp_put_number(json, "lag_ns", hosts[i].lag_ns);
		lp_put_number(json, "ahead_ns", hosts[i].ahead_ns);
		lp_put_number(json, "samples", (int64_t)hosts[i].samples);
		lp_put_number(json, "late", (int64_t)hosts[i].late);
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
	return 0;
}

static const struct lp_plan *plan_of(const struct lp_asked *a)
{
	struct lp_case *c = lp_live_case(a->service->live);

	return c ? lp_case_input(c)->plan : NULL;
}

static void put_group(struct lp_asked *a, const struct lp_peer_group *group)
{
	struct lp_json *json = &a->json;

	lp_json_object(json);
	lp_put_text(json, "name", group->name);
	lp_put_text(json, "class", group->class->name);
	lp_put_text(json, "ground", group->ground);
	lp_json_key(json, "components");
	lp_json_array(json);
	for (size_t i = 0; i < group->n; i++) {
		lp_json_object(json);
		lp_put_text(json, "name", group->peers[i].label);
		lp_put_text(json, "host", group->peers[i].host);
		lp_put_bool(json, "maintenance",
			    lp_service_maintained(a->service,
						  group->peers[i].label,
						  group->peers[i].host));
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
}

int lp_route_components(struct lp_asked *a)
{
	const struct lp_plan *plan = plan_of(a);
	struct lp_json *json = &a->json;

	lp_json_object(json);
	lp_json_key(json, "groups");
	lp_json_array(json);
	for (size_t g = 0; plan && g < plan->n_groups; g++)
		if (plan->groups[g].kind == LP_PEERS)
			put_group(a, &plan->groups[g]);
	lp_json_end(json);
	lp_json_key(json, "not_compared");
	lp_json_array(json);
	for (size_t i = 0; plan && i < plan->n_left_out; i++) {
		lp_json_object(json);
		lp_put_text(json, "name", plan->left_out[i].label);
		lp_put_text(json, "reason", plan->left_out[i].reason);
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
	return 0;
}

/* ---- the report ---- */

static int with_pictures(struct lp_asked *a, struct lp_findings *findings)
{
	int status = lp_live_findings(a->service->live, NULL, true, findings,
				      &a->err);

	if (status == 0)
		status = lp_service_unheard(a->service, findings, &a->err);
	return status;
}

int lp_route_report(struct lp_asked *a)
{
	struct lp_findings findings;
	int status = with_pictures(a, &findings);

	if (status < 0)
		return status;
	lp_findings_write(&findings, NULL, a->out);
	lp_findings_done(&findings);
	return 0;
}

/* Until there is a page that follows, that of the report. */
int lp_route_page(struct lp_asked *a)
{
	struct lp_findings findings;
	int status = with_pictures(a, &findings);

	if (status < 0)
		return status;
	a->type = "text/html; charset=utf-8";
	status = lp_report_html(a->out, &findings, NULL, &a->err);
	lp_findings_done(&findings);
	return status;
}

int lp_route_health(struct lp_asked *a)
{
	lp_json_object(&a->json);
	lp_put_text(&a->json, "status", "ok");
	lp_json_end(&a->json);
	return 0;
}
