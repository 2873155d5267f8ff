/* SPDX-License-Identifier: Apache-2.0 */
#include "why.h"

#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void put_bool(struct lp_json *json, const char *key, bool v)
{
	lp_json_key(json, key);
	lp_json_bool(json, v);
}

static void put_time(struct lp_json *json, const char *key, int64_t time_ns)
{
	lp_json_key(json, key);
	lp_json_time(json, time_ns);
}

static void put_finding(struct lp_json *json, const struct lp_finding *f)
{
	lp_json_key(json, "finding");
	if (!f) {
		lp_json_null(json);
		return;
	}
	lp_json_object(json);
	lp_json_put_string(json, "component", f->component);
	lp_json_put_string(json, "cause", lp_cause_name(f->cause));
	put_time(json, "since", f->since_ns);
	put_time(json, "until", f->until_ns);
	lp_json_end(json);
}

/* ---- scores ---- */

static void put_reason(struct lp_json *json, const struct lp_reason *r,
		       bool nearest)
{
	enum lp_why_lack lack = lp_why_lacks(r);

	lp_json_object(json);
	lp_json_put_string(json, "quantity", r->metric->name);
	lp_json_put_string(json, "kind", r->kind);
	lp_json_put_double(json, "window_s",
			   (double)(r->end_ns - r->begin_ns) /
				   (double)LP_NS_PER_S);
	lp_json_put_double(json, "distance", r->distance);
	lp_json_put_double(json, "limit", r->limit);
	lp_json_put_double(json, "effect", r->effect);
	lp_json_put_double(json, "gate", r->gate);
	for (size_t i = 0; i < LP_REASON_PARTS && r->parts[i].name; i++)
		lp_json_put_double(json, r->parts[i].name, r->parts[i].value);
	put_bool(json, "accuses", r->accuses);
	lp_json_put_string(json, "lacks", lack ? lp_why_lack_name(lack) : NULL);
	put_bool(json, "nearest", nearest);
	lp_json_end(json);
}

static void put_value(struct lp_json *json, const struct lp_why_value *v)
{
	lp_json_object(json);
	lp_json_put_string(json, "quantity", v->quantity->name);
	lp_json_put_string(json, "unit", v->quantity->unit);
	lp_json_put_double(json, "value", v->compared.value);
	lp_json_put_double(json, "peers_median", v->compared.peers_median);
	lp_json_put_double(json, "peers_low", v->compared.peers_low);
	lp_json_put_double(json, "peers_high", v->compared.peers_high);
	lp_json_end(json);
}

static void put_scores(struct lp_json *json, const struct lp_why_scores *s)
{
	const struct lp_reason *nearest = s ? lp_why_nearest(s) : NULL;

	lp_json_key(json, "scores");
	if (!s || !s->known) {
		lp_json_null(json);
		return;
	}
	lp_json_object(json);
	put_time(json, "time", s->end_ns);
	lp_json_put_u64(json, "blocks", s->blocks);
	lp_json_put_u64(json, "accused_blocks", s->accused);
	put_bool(json, "split", s->split);
	lp_json_key(json, "values");
	lp_json_array(json);
	for (size_t i = 0; i < s->n_values; i++)
		put_value(json, &s->values[i]);
	lp_json_end(json);
	lp_json_key(json, "all");
	lp_json_array(json);
	for (size_t i = 0; i < s->n; i++)
		put_reason(json, &s->reasons[i], &s->reasons[i] == nearest);
	lp_json_end(json);
	lp_json_end(json);
}

/* ---- windows of one metric ---- */

static void put_view(struct lp_json *json, const struct lp_unit *u,
		     const struct lp_why_view *view)
{
	const struct lp_evidence *e = &view->evidence;

	lp_json_object(json);
	lp_json_put_string(json, "metric", u->metric->name);
	lp_json_put_string(json, "method", u->detector->name);
	lp_json_put_double(json, "value", e->value);
	lp_json_put_double(json, "peers_median", e->peers_median);
	lp_json_put_double(json, "peers_iqr", e->peers_iqr);
	lp_json_put_double(json, "distance", e->distance);
	lp_json_put_double(json, "share_over", e->share_over);
	lp_json_put_double(json, "threshold", e->threshold);
	lp_json_put_u64(json, "windows", view->windows);
	lp_json_put_u64(json, "flagged", view->flagged);
	lp_json_put_u64(json, "absent", view->absent);
	lp_json_key(json, "accuses");
	if (u->metric->indicts)
		lp_json_bool(json, view->anomalous > 0);
	else
		lp_json_null(json);
	lp_json_end(json);
}

static int put_views(const struct lp_why *why, size_t group, size_t peer,
		     const struct lp_finding *f)
{
	lp_json_key(why->json, "metrics");
	lp_json_array(why->json);
	for (size_t i = 0; i < why->d.n_units; i++) {
		const struct lp_unit *u = &why->d.units[i];
		struct lp_why_view view = { 0 };

		if (u->group_index != group || u->detector->joint)
			continue;
		if (lp_why_look(why, u, peer, f, &view) < 0)
			return -ENOMEM;
		if (!lp_why_is_empty(&view))
			put_view(why->json, u, &view);
	}
	lp_json_end(why->json);
	return 0;
}

int lp_why_put(const struct lp_why *why, size_t group, size_t peer)
{
	const struct lp_peer_group *g = &why->c.input.plan->groups[group];
	const struct lp_finding *f = lp_why_finding(&why->d, &g->peers[peer]);
	const char *label = g->peers[peer].label;
	int status;

	lp_json_object(why->json);
	lp_json_put_string(why->json, "component", label);
	lp_json_put_string(why->json, "group", g->name);
	put_bool(why->json, "accused", f && !lp_why_is_taker(f, label));
	put_finding(why->json, f);
	put_scores(why->json, lp_why_scores(why, group, peer));
	status = put_views(why, group, peer, f);
	lp_json_put_string(why->json, "reason", NULL);
	lp_json_end(why->json);
	return status;
}

void lp_why_put_other(const struct lp_why *why, const char *label,
		      const char *reason)
{
	lp_json_object(why->json);
	lp_json_put_string(why->json, "component", label);
	lp_json_put_string(why->json, "group", NULL);
	put_bool(why->json, "accused",
		 lp_why_finding(&why->d, &(struct lp_peer){ .label = label }) !=
			 NULL);
	lp_json_put_string(why->json, "reason", reason);
	lp_json_end(why->json);
}

void lp_why_put_begin(const struct lp_why *why)
{
	lp_json_object(why->json);
	lp_json_put_u64(why->json, "version", 1);
	lp_json_put_string(why->json, "verdict",
			   lp_outcome_name(why->d.outcome));
	lp_json_put_string(why->json, "reason",
			   *why->d.reason ? why->d.reason : NULL);
	lp_json_key(why->json, "components");
	lp_json_array(why->json);
}

void lp_why_put_end(const struct lp_why *why)
{
	const char *const notes[] = { why->c.site.note, why->c.step_unknown };

	lp_json_end(why->json);
	lp_json_key(why->json, "notes");
	lp_json_array(why->json);
	for (size_t i = 0; i < 2; i++)
		if (*notes[i])
			lp_json_string(why->json, notes[i]);
	for (size_t i = 0; i < why->c.inputs.n_faults; i++)
		lp_json_string(why->json, why->c.inputs.faults[i].text);
	lp_json_end(why->json);
	lp_json_end(why->json);
}
