/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings, one of them, and what people say of it.
 */
#include "serve/answers.h"
#include "serve/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_PAGE 100
#define LARGEST_PAGE 1000

/* ---- the list ---- */

struct listed {
	struct lp_asked *asked;
	size_t n;
	int64_t last;
};

static int put_one(void *user, const struct lp_stored *stored)
{
	struct listed *l = user;

	lp_json_object(&l->asked->json);
	lp_put_stored(&l->asked->json, stored);
	lp_json_end(&l->asked->json);
	l->n++;
	l->last = stored->id;
	return 0;
}

static int read_filter(struct lp_asked *a, struct lp_stored_filter *f)
{
	static const char *const states[] = { "open", "acknowledged",
					      "resolved", "unresolved", "all" };
	int64_t limit = USUAL_PAGE;
	bool known = false;
	int status;

	*f = (struct lp_stored_filter){
		.state = lp_asked_text(a, "state"),
		.component = lp_asked_text(a, "component"),
		.host = lp_asked_text(a, "host"),
		.cause = lp_asked_text(a, "cause"),
	};
	for (size_t i = 0; f->state && i < lp_array_size(states); i++)
		known |= strcmp(states[i], f->state) == 0;
	if (f->state && !known)
		return lp_fail(&a->err, EINVAL,
			       "state: expected open, acknowledged, resolved, "
			       "unresolved or all");
	if (f->state && strcmp(f->state, "all") == 0)
		f->state = NULL;
	status = lp_asked_time(a, "since", LP_TIME_MIN, &f->since_ns);
	if (status == 0)
		status = lp_asked_time(a, "until", LP_TIME_MAX, &f->until_ns);
	if (status == 0)
		status = lp_asked_number(a, "before", 1, INT64_MAX, 0,
					 &f->before);
	if (status == 0)
		status = lp_asked_number(a, "limit", 1, LARGEST_PAGE,
					 USUAL_PAGE, &limit);
	f->most = (size_t)limit;
	return status;
}

int lp_route_findings(struct lp_asked *a)
{
	struct listed l = { .asked = a };
	struct lp_stored_filter filter;
	int status = read_filter(a, &filter);

	if (status < 0)
		return status;
	lp_json_object(&a->json);
	lp_json_key(&a->json, "findings");
	lp_json_array(&a->json);
	status = lp_stored_list(&a->service->store, &filter, put_one, &l,
				&a->err);
	lp_json_end(&a->json);
	/* Ask with ?before= this for the next page. */
	lp_json_key(&a->json, "next");
	if (l.n == filter.most)
		lp_json_i64(&a->json, l.last);
	else
		lp_json_null(&a->json);
	lp_json_end(&a->json);
	return status;
}

/* ---- one ---- */

static int put_change(void *user, const struct lp_stored_change *c)
{
	struct lp_asked *a = user;

	lp_json_object(&a->json);
	lp_put_time(&a->json, "time", c->time_ns);
	lp_put_text(&a->json, "what", c->what);
	lp_put_text(&a->json, "who", c->who);
	lp_put_text(&a->json, "why", c->why);
	lp_json_end(&a->json);
	return 0;
}

static int put_details(struct lp_asked *a, const struct lp_stored *stored)
{
	struct lp_store *store = &a->service->store;
	char *evidence;
	int status;

	lp_json_object(&a->json);
	lp_put_stored(&a->json, stored);
	lp_json_key(&a->json, "changes");
	lp_json_array(&a->json);
	status = lp_stored_changes(store, a->id, put_change, a, &a->err);
	lp_json_end(&a->json);
	if (status == 0)
		status = lp_stored_evidence(store, a->id, &evidence, &a->err);
	if (status < 0)
		return status;
	lp_json_key(&a->json, "evidence");
	if (evidence) {
		evidence[strcspn(evidence, "\n")] = '\0';
		lp_json_raw(&a->json, evidence);
	} else {
		lp_json_null(&a->json);
	}
	free(evidence);
	lp_json_end(&a->json);
	return 0;
}

int lp_route_finding(struct lp_asked *a)
{
	struct lp_arena arena = { 0 };
	struct lp_stored stored;
	int status = lp_stored_get(&a->service->store, a->id, &arena, &stored,
				   &a->err);

	if (status > 0)
		status = put_details(a, &stored);
	else if (status == 0)
		status = lp_fail(&a->err, ENOENT, "there is no finding %lld",
				 (long long)a->id);
	lp_arena_done(&arena);
	return status;
}

int lp_route_ack(struct lp_asked *a)
{
	struct lp_told told;
	int status = lp_told_read(&told, a->request->body, a->request->size,
				  &a->err);

	if (status == 0)
		status = lp_told_who(&told, &a->err);
	if (status == 0)
		status = lp_stored_acknowledge(&a->service->store, a->id,
					       a->service->now_ns, told.who,
					       told.why, &a->err);
	lp_told_done(&told);
	return status ? status : lp_route_finding(a);
}
