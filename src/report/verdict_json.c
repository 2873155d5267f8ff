/* SPDX-License-Identifier: Apache-2.0 */
#include "report/verdict.h"

#include "base/json.h"

static void put_time(struct lp_json *j, const char *key, int64_t time_ns)
{
	lp_json_key(j, key);
	lp_json_time(j, time_ns);
}

static void put_time_or_null(struct lp_json *j, const char *key, bool known,
			     int64_t time_ns)
{
	if (known)
		put_time(j, key, time_ns);
	else
		lp_json_put_string(j, key, NULL);
}

static void put_bool(struct lp_json *j, const char *key, bool v)
{
	lp_json_key(j, key);
	lp_json_bool(j, v);
}

static void put_seconds(struct lp_json *j, const char *key, int64_t ns)
{
	lp_json_put_double(j, key, (double)ns / (double)LP_NS_PER_S);
}

static void put_names(struct lp_json *j, const char *key,
		      const char *const *names, size_t n)
{
	lp_json_key(j, key);
	lp_json_array(j);
	for (size_t i = 0; i < n; i++)
		lp_json_string(j, names[i]);
	lp_json_end(j);
}

static void put_evidence(struct lp_json *j, const struct lp_evidence *e)
{
	lp_json_object(j);
	lp_json_put_string(j, "metric", e->metric->name);
	lp_json_put_double(j, "value", e->value);
	lp_json_put_double(j, "peers_median", e->peers_median);
	lp_json_put_double(j, "peers_iqr", e->peers_iqr);
	lp_json_put_double(j, "threshold", e->threshold);
	lp_json_put_string(j, "unit", e->metric->unit);
	lp_json_put_string(j, "component", e->component);
	lp_json_put_string(j, "method", e->method);
	put_bool(j, "accuses", e->accuses);
	put_bool(j, "trained", e->trained);
	lp_json_put_double(j, "distance", e->distance);
	lp_json_put_double(j, "share_over", e->share_over);
	if (e->reference) {
		lp_json_put_double(j, "peers_low", e->peers_low);
		lp_json_put_double(j, "peers_high", e->peers_high);
		lp_json_put_double(j, "effect", e->effect);
		lp_json_put_double(j, "gate", e->gate);
		lp_json_put_double(j, "before", e->before);
		lp_json_put_string(j, "reference", e->reference);
		put_seconds(j, "window_s", e->window_ns);
	}
	lp_json_put_u64(j, "windows", e->windows);
	lp_json_put_u64(j, "flagged", e->flagged);
	put_bool(j, "means", e->means);
	lp_json_end(j);
}

static void put_bounds(struct lp_json *j, const struct lp_finding *f)
{
	put_time(j, "since_low", f->since_low_ns);
	put_time(j, "since_high", f->since_high_ns);
	put_time(j, "until_low", f->until_low_ns);
	put_time(j, "until_high", f->until_high_ns);
}

static void put_finding(struct lp_json *j, const struct lp_finding *f)
{
	lp_json_object(j);
	lp_json_put_string(j, "component", f->component);
	lp_json_put_string(j, "host", f->host);
	lp_json_put_string(j, "cause", f->words.name);
	lp_json_put_string(j, "resource", lp_resource_name(f->resource));
	put_time(j, "since", f->since_ns);
	put_time(j, "until", f->until_ns);
	lp_json_put_double(j, "score", f->score);
	lp_json_key(j, "evidence");
	lp_json_array(j);
	/* Version 1 has metrics only; limpid-findings(5) has all kinds. */
	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].metric)
			put_evidence(j, &f->evidence[i]);
	lp_json_end(j);
	lp_json_put_u64(j, "persistence", f->persistence);
	put_bool(j, "lasting", f->lasting);
	put_bool(j, "workload", f->workload);
	put_names(j, "hosts", f->hosts, f->n_hosts);
	lp_json_put_string(j, "part", f->part);
	lp_json_put_string(j, "group", f->group);
	put_names(j, "peers", f->peers, f->n_peers);
	put_names(j, "parts", f->parts, f->n_parts);
	lp_json_put_string(j, "next", f->next);
	put_bool(j, "may_go_on", f->unjudged);
	put_time_or_null(j, "unjudged_since", f->unjudged,
			 f->unjudged_since_ns);
	put_time_or_null(j, "unjudged_until", f->unjudged,
			 f->unjudged_until_ns);
	lp_json_put_string(j, "known_by", f->known_by);
	if (f->dated)
		put_bounds(j, f);
	lp_json_end(j);
}

static void put_comparison(struct lp_json *j, const struct lp_comparison *c)
{
	lp_json_object(j);
	lp_json_put_string(j, "group", c->group);
	lp_json_put_string(j, "metric", c->metric);
	lp_json_put_u64(j, "n", c->n);
	lp_json_put_string(j, "class", c->class);
	lp_json_put_string(j, "method", c->method);
	lp_json_put_u64(j, "windows", c->windows);
	lp_json_put_u64(j, "trained", c->n_trained);
	lp_json_put_string(j, "ground", c->ground);
	if (c->limit_by) {
		lp_json_put_double(j, "limit", c->threshold);
		lp_json_put_string(j, "limit_by", c->limit_by);
		lp_json_put_double(j, "tail_hours", c->tail_hours);
		lp_json_put_double(j, "least_level", c->least_level);
		lp_json_put_double(j, "least_change", c->least_change);
	}
	lp_json_end(j);
}

static void put_comparisons(struct lp_json *j, const char *key,
			    const struct lp_findings *d, bool values)
{
	lp_json_key(j, key);
	lp_json_array(j);
	for (size_t i = 0; i < d->n_comparisons; i++)
		if (d->comparisons[i].values == values)
			put_comparison(j, &d->comparisons[i]);
	lp_json_end(j);
}

static void put_hourly(struct lp_json *j, const struct lp_findings *d)
{
	lp_json_key(j, "hourly");
	lp_json_array(j);
	for (size_t i = 0; i < d->n_hourly; i++) {
		const struct lp_persistent *p = &d->hourly[i];

		lp_json_object(j);
		put_time(j, "time", p->time_ns);
		lp_json_put_u64(j, "value", p->value);
		lp_json_put_string(j, "component", p->component);
		lp_json_put_string(j, "group", p->group);
		lp_json_end(j);
	}
	lp_json_end(j);
}

void lp_verdict_json(const struct lp_verdict_report *r, FILE *out)
{
	const struct lp_findings *d = r->findings;
	char methods[LP_METHODS_TEXT];
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_u64(&json, "version", 1);
	lp_json_put_string(&json, "verdict", lp_outcome_name(d->outcome));
	lp_json_put_string(&json, "method", lp_verdict_methods(d, methods));
	put_comparisons(&json, "compared", d, true);
	lp_json_key(&json, "findings");
	lp_json_array(&json);
	for (size_t i = 0; i < d->n && i < r->top; i++)
		put_finding(&json, &d->items[i]);
	lp_json_end(&json);
	lp_json_put_string(&json, "reason", *d->reason ? d->reason : NULL);
	put_bool(&json, "trained", d->trained);
	put_time(&json, "first", d->first_ns);
	put_time(&json, "last", d->last_ns);
	put_seconds(&json, "step_s", d->step_ns);
	put_seconds(&json, "sure_fault_s", d->sure_ns);
	put_seconds(&json, "least_fault_s", d->least_ns);
	put_hourly(&json, d);
	put_names(&json, "notes", d->notes, d->n_notes);
	put_comparisons(&json, "no_values", d, false);
	if (d->budget)
		lp_json_put_string(&json, "budget", d->budget);
	lp_json_end(&json);
	fputc('\n', out);
}
