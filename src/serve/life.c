/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/life.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WHO "limpid"

const char *lp_life_event_name(enum lp_life_event event)
{
	static const char *const names[LP_LIFE_EVENTS] = {
		[LP_LIFE_OPENED] = "opened",
		[LP_LIFE_REOPENED] = "reopened",
		[LP_LIFE_RESOLVED] = "resolved",
	};

	return names[event];
}

static int64_t quiet_of(const struct lp_life *life)
{
	return life->quiet_ns ? life->quiet_ns : LP_LIFE_QUIET_NS;
}

static bool is_resolved(const struct lp_stored *stored)
{
	return strcmp(stored->state, "resolved") == 0;
}

static bool lasts(const struct lp_life *life, const struct lp_finding *f)
{
	return f->lasting || f->unjudged ||
	       life->now_ns - f->until_ns < quiet_of(life);
}

static int happened(const struct lp_life *life, struct lp_store *store,
		    enum lp_life_event event, const struct lp_stored *stored,
		    const struct lp_finding *f, const char *why,
		    struct lp_error *err)
{
	int status = lp_stored_note(store, stored->id, life->now_ns,
				    lp_life_event_name(event), WHO, why, err);

	if (status == 0 && life->told)
		life->told(life->user, event, stored, f);
	return status;
}

/* ---- what was found ---- */

/* What the diagnosis says of it now. */
static void describe(const struct lp_life *life, const struct lp_finding *f,
		     struct lp_stored *s)
{
	s->component = f->component;
	s->host = f->host ? f->host : "";
	s->cause = lp_cause_name(f->cause);
	s->title = f->words.title ? f->words.title : lp_cause_title(f->cause);
	s->resource = lp_resource_name(f->resource);
	s->group = f->group ? f->group : "";
	s->score = f->score;
	s->worst = f->score > s->worst ? f->score : s->worst;
	if (f->until_ns > s->until_ns)
		s->until_ns = f->until_ns;
	s->maintenance = life->maintained &&
			 life->maintained(life->user, s->component, s->host);
	s->alerting |= life->alerts && life->alerts(life->user, f);
}

static int open_new(const struct lp_life *life, struct lp_store *store,
		    const struct lp_finding *f, struct lp_error *err)
{
	struct lp_stored s = {
		.identity = lp_finding_identity(f),
		.kind = lp_finding_kind(f),
		.state = "open",
		.since_ns = f->since_ns,
		.until_ns = f->until_ns,
		.found_ns = life->now_ns,
		.episodes = 1,
	};
	int status;

	describe(life, f, &s);
	status = lp_stored_put(store, &s, err);
	return status ? status
		      : happened(life, store, LP_LIFE_OPENED, &s, f,
				 lp_finding_text(f), err);
}

/* Who was acknowledged before needs no new look. */
static int reopen(const struct lp_life *life, struct lp_store *store,
		  struct lp_stored *s, const struct lp_finding *f,
		  struct lp_error *err)
{
	int status;

	s->state = s->acknowledged_by[0] ? "acknowledged" : "open";
	s->resolved_ns = 0;
	s->episodes++;
	s->alerting = false;
	describe(life, f, s);
	status = lp_stored_put(store, s, err);
	return status ? status
		      : happened(life, store, LP_LIFE_REOPENED, s, f,
				 "it came back within a day", err);
}

/* The latest that is stored, and what is found now: one and the same? */
static int meet(const struct lp_life *life, struct lp_store *store,
		struct lp_stored *s, const struct lp_finding *f,
		struct lp_error *err)
{
	bool later = f->since_ns > s->until_ns;

	if (!is_resolved(s)) {
		describe(life, f, s);
		return lp_stored_put(store, s, err);
	}
	/* What ended before it was resolved, seen again. */
	if (f->until_ns <= s->until_ns)
		return 0;
	if (later && f->since_ns - s->until_ns > LP_LIFE_REOPEN_NS)
		return open_new(life, store, f, err);
	return lasts(life, f) || later ? reopen(life, store, s, f, err) : 0;
}

static int found(const struct lp_life *life, struct lp_store *store,
		 const struct lp_finding *f, struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_stored s;
	int status = lp_stored_latest(store, lp_finding_identity(f),
				      lp_finding_kind(f), &arena, &s, err);

	if (status > 0)
		status = meet(life, store, &s, f, err);
	else if (status == 0)
		status = open_new(life, store, f, err);
	lp_arena_done(&arena);
	return status;
}

/* ---- what is over ---- */

struct ended {
	const struct lp_life *life;
	const struct lp_findings *findings;
	struct lp_arena arena;
	int64_t *ids;
	size_t n, capacity;
};

static bool goes_on(const struct ended *e, const struct lp_stored *s)
{
	for (size_t i = 0; i < e->findings->n; i++) {
		const struct lp_finding *f = &e->findings->items[i];

		if (strcmp(lp_finding_identity(f), s->identity) == 0 &&
		    strcmp(lp_finding_kind(f), s->kind) == 0 &&
		    lasts(e->life, f))
			return true;
	}
	return false;
}

static int collect(void *user, const struct lp_stored *s)
{
	struct ended *e = user;
	const struct lp_life *life = e->life;

	if (life->now_ns - s->until_ns < quiet_of(life) || goes_on(e, s))
		return 0;
	/* Who is not heard is absent, and may be ill as before. */
	if (strcmp(s->kind, "absence") != 0 && life->unknown &&
	    life->unknown(life->user, s->host))
		return 0;
	if (lp_grow(&e->ids, &e->capacity, e->n + 1, sizeof(*e->ids)) < 0)
		return -ENOMEM;
	e->ids[e->n++] = s->id;
	return 0;
}

static int resolve(struct ended *e, struct lp_store *store, int64_t id,
		   struct lp_error *err)
{
	char quiet[LP_TIME_TEXT], why[80];
	struct lp_stored s;
	int status = lp_stored_get(store, id, &e->arena, &s, err);

	if (status <= 0)
		return status;
	s.state = "resolved";
	s.resolved_ns = e->life->now_ns;
	status = lp_stored_put(store, &s, err);
	snprintf(why, sizeof(why), "it did not differ for %s",
		 lp_duration_format(quiet_of(e->life), quiet));
	return status ? status
		      : happened(e->life, store, LP_LIFE_RESOLVED, &s, NULL,
				 why, err);
}

static int resolve_ended(const struct lp_life *life, struct lp_store *store,
			 const struct lp_findings *findings,
			 struct lp_error *err)
{
	static const struct lp_stored_filter active = { .state = "unresolved",
							.since_ns =
								LP_TIME_MIN };
	struct ended e = { .life = life, .findings = findings };
	int status = lp_stored_list(store, &active, collect, &e, err);

	if (status == -ENOMEM)
		lp_fail_memory(err);
	for (size_t i = 0; i < e.n && status == 0; i++)
		status = resolve(&e, store, e.ids[i], err);
	free(e.ids);
	lp_arena_done(&e.arena);
	return status;
}

/* ---- both ---- */

static int by_begin(const void *a, const void *b)
{
	const struct lp_finding *x = *(const struct lp_finding *const *)a;
	const struct lp_finding *y = *(const struct lp_finding *const *)b;

	return (x->since_ns > y->since_ns) - (x->since_ns < y->since_ns);
}

/* Of one component what came first first. */
static int find_all(const struct lp_life *life, struct lp_store *store,
		    const struct lp_findings *findings, struct lp_error *err)
{
	const struct lp_finding **list =
		calloc(findings->n + 1, sizeof(struct lp_finding *));
	int status = list ? 0 : lp_fail_memory(err);

	for (size_t i = 0; list && i < findings->n; i++)
		list[i] = &findings->items[i];
	if (list)
		qsort(list, findings->n, sizeof(*list), by_begin);
	for (size_t i = 0; i < findings->n && status == 0; i++)
		status = found(life, store, list[i], err);
	free(list);
	return status;
}

int lp_life_apply(const struct lp_life *life, struct lp_store *store,
		  const struct lp_findings *findings, struct lp_error *err)
{
	int status = lp_store_begin(store, err);

	if (status < 0)
		return status;
	status = find_all(life, store, findings, err);
	if (status == 0 && findings->outcome != LP_OUTCOME_UNDECIDED)
		status = resolve_ended(life, store, findings, err);
	return lp_store_end(store, status, err);
}
