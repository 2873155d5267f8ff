/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planned work, exclusions and repairs.
 */
#include "serve/answers.h"
#include "serve/told.h"

#include <errno.h>

/* ---- lists ---- */

static void put_end(struct lp_json *json, const char *who, const char *why,
		    int64_t made_ns)
{
	lp_put_text(json, "who", who);
	lp_put_text(json, "why", why);
	lp_put_time(json, "made", made_ns);
}

static void put_maintenance(struct lp_asked *a, const struct lp_maintenance *m)
{
	struct lp_json *json = &a->json;

	lp_json_object(json);
	lp_put_number(json, "id", m->id);
	lp_put_text(json, "target", m->target);
	lp_put_time(json, "from", m->from_ns);
	lp_put_time(json, "to", m->to_ns);
	lp_json_key(json, "every_s");
	if (m->every_ns)
		lp_json_i64(json, m->every_ns / LP_NS_PER_S);
	else
		lp_json_null(json);
	lp_put_time(json, "until", m->until_ns);
	lp_put_time(json, "ended", m->ended_ns ? m->ended_ns : LP_TIME_MIN);
	lp_put_bool(json, "now", lp_maintenance_covers(m, a->service->now_ns));
	put_end(json, m->who, m->why, m->made_ns);
	lp_json_end(json);
}

int lp_route_maintenance(struct lp_asked *a)
{
	const struct lp_rules *rules = &a->service->rules;

	lp_json_object(&a->json);
	lp_json_key(&a->json, "maintenance");
	lp_json_array(&a->json);
	for (size_t i = 0; i < rules->n_maintenance; i++)
		put_maintenance(a, &rules->maintenance[i]);
	lp_json_end(&a->json);
	lp_json_end(&a->json);
	return 0;
}

int lp_route_exclusions(struct lp_asked *a)
{
	const struct lp_rules *rules = &a->service->rules;

	lp_json_object(&a->json);
	lp_json_key(&a->json, "exclusions");
	lp_json_array(&a->json);
	for (size_t i = 0; i < rules->n_exclusions; i++) {
		const struct lp_exclusion *e = &rules->exclusions[i];

		lp_json_object(&a->json);
		lp_put_number(&a->json, "id", e->id);
		lp_put_text(&a->json, "component", e->component);
		lp_put_time(&a->json, "ended",
			    e->ended_ns ? e->ended_ns : LP_TIME_MIN);
		put_end(&a->json, e->who, e->why, e->made_ns);
		lp_json_end(&a->json);
	}
	lp_json_end(&a->json);
	lp_json_end(&a->json);
	return 0;
}

int lp_route_resets(struct lp_asked *a)
{
	const struct lp_rules *rules = &a->service->rules;

	lp_json_object(&a->json);
	lp_json_key(&a->json, "resets");
	lp_json_array(&a->json);
	for (size_t i = 0; i < rules->n_repairs; i++) {
		const struct lp_repair *r = &rules->repairs[i];

		lp_json_object(&a->json);
		lp_put_number(&a->json, "id", r->id);
		lp_put_text(&a->json, "component", r->component);
		lp_put_time(&a->json, "time", r->time_ns);
		put_end(&a->json, r->who, r->why, r->made_ns);
		lp_json_end(&a->json);
	}
	lp_json_end(&a->json);
	lp_json_end(&a->json);
	return 0;
}

/* ---- changes ---- */

typedef int change_fn(struct lp_asked *a, const struct lp_told *told);

/* Read who says what, do it, and go by it. */
static int change(struct lp_asked *a, change_fn *run, lp_route_fn *list)
{
	struct lp_told told;
	int status = lp_told_read(&told, a->request->body, a->request->size,
				  &a->err);

	if (status == 0)
		status = lp_told_who(&told, &a->err);
	if (status == 0)
		status = run(a, &told);
	if (status == 0)
		lp_service_log(a->service, "change", "path", a->request->path,
			       "who", told.who, "why", told.why, NULL);
	lp_told_done(&told);
	if (status == 0)
		status = lp_service_rules_changed(a->service, &a->err);
	return status ? status : list(a);
}

static int64_t or_else(int64_t time_ns, int64_t otherwise)
{
	return time_ns == LP_TIME_MIN ? otherwise : time_ns;
}

static int add_maintenance(struct lp_asked *a, const struct lp_told *told)
{
	int64_t from = or_else(told->from_ns, a->service->now_ns);
	struct lp_maintenance m = {
		.target = told->target ? told->target : told->component,
		.from_ns = from,
		.to_ns = told->to_ns,
		.every_ns = told->every_ns,
		.until_ns = told->until_ns,
		.who = told->who,
		.why = told->why,
		.made_ns = a->service->now_ns,
	};

	if (told->for_ns)
		m.to_ns = lp_time_add(from, told->for_ns);
	return lp_maintenance_add(&a->service->store, &m, &a->err);
}

static int end_maintenance(struct lp_asked *a, const struct lp_told *told)
{
	(void)told;
	return lp_maintenance_end(&a->service->store, a->id, a->service->now_ns,
				  &a->err);
}

static int exclude(struct lp_asked *a, const struct lp_told *told)
{
	struct lp_exclusion e = { .component = told->component,
				  .who = told->who,
				  .why = told->why,
				  .made_ns = a->service->now_ns };

	return lp_exclusion_add(&a->service->store, &e, &a->err);
}

static int include(struct lp_asked *a, const struct lp_told *told)
{
	(void)told;
	return lp_exclusion_end(&a->service->store, a->id, a->service->now_ns,
				&a->err);
}

static int reset(struct lp_asked *a, const struct lp_told *told)
{
	struct lp_repair r = {
		.component = told->component,
		.time_ns = or_else(told->time_ns, a->service->now_ns),
		.who = told->who,
		.why = told->why,
		.made_ns = a->service->now_ns,
	};

	return lp_repair_add(&a->service->store, &r, &a->err);
}

int lp_route_add_maintenance(struct lp_asked *a)
{
	return change(a, add_maintenance, lp_route_maintenance);
}

int lp_route_end_maintenance(struct lp_asked *a)
{
	return change(a, end_maintenance, lp_route_maintenance);
}

int lp_route_exclude(struct lp_asked *a)
{
	return change(a, exclude, lp_route_exclusions);
}

int lp_route_include(struct lp_asked *a)
{
	return change(a, include, lp_route_exclusions);
}

int lp_route_reset(struct lp_asked *a)
{
	return change(a, reset, lp_route_resets);
}
