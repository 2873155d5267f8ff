/* SPDX-License-Identifier: Apache-2.0 */
#include "report/findings_format.h"

#include "base/timestamp.h"
#include "report/verdict.h"

const struct lp_outkind lp_outkind_findings = {
	.name = "a file of findings by limpid",
	.beginnings = (const char *const[]){ "{\"format\":\"" LP_FINDINGS_FORMAT
					     "\",",
					     NULL },
};

struct writer {
	struct lp_json json;
	const struct lp_findings *findings;
	const struct lp_evidence_kind *const *kinds;
};

static void put_time_or_null(struct lp_json *j, const char *key, bool known,
			     int64_t time_ns)
{
	lp_json_key(j, key);
	if (known)
		lp_json_time(j, time_ns);
	else
		lp_json_null(j);
}

static void open_array(struct lp_json *j, const char *key)
{
	lp_json_key(j, key);
	lp_json_array(j);
}

/* ---- findings ---- */

static void put_metric(struct lp_json *j, const struct lp_evidence *e)
{
	lp_json_put_string(j, "class", e->class->name);
	lp_json_put_string(j, "metric", e->metric->name);
	lp_json_put_string(j, "unit", e->metric->unit);
	lp_json_put_string(j, "help", e->metric->help);
	lp_table_write(j, &lp_members_metric, e);
	lp_json_key(j, "picture");
	lp_picture_write(j, e->picture);
}

static void put_evidence(struct writer *w, const struct lp_finding *f,
			 const struct lp_evidence *e)
{
	const struct lp_evidence_kind *kind = lp_evidence_kind_of(w->kinds, e);
	const struct lp_evidence_view view = { .finding = f };
	char text[LP_SENTENCE_TEXT];
	struct lp_json *j = &w->json;

	lp_json_object(j);
	lp_table_write(j, &lp_members_evidence, e);
	lp_json_put_string(j, "text",
			   lp_evidence_sentence(kind, e, &view, text));
	lp_json_key(j, "data");
	lp_json_raw(j, e->data ? e->data : "null");
	if (e->metric)
		put_metric(j, e);
	lp_json_end(j);
}

static void put_finding(struct writer *w, const struct lp_finding *f)
{
	struct lp_json *j = &w->json;

	lp_json_object(j);
	lp_table_write(j, &lp_members_finding, f);
	lp_json_put_string(j, "resource", lp_resource_name(f->resource));
	put_time_or_null(j, "unjudged_since", f->unjudged,
			 f->unjudged_since_ns);
	put_time_or_null(j, "unjudged_until", f->unjudged,
			 f->unjudged_until_ns);
	if (f->dated)
		lp_table_write(j, &lp_members_bounds, f);
	open_array(j, "evidence");
	for (size_t i = 0; i < f->n_evidence; i++)
		put_evidence(w, f, &f->evidence[i]);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_findings(struct writer *w)
{
	open_array(&w->json, "findings");
	for (size_t i = 0; i < w->findings->n; i++)
		put_finding(w, &w->findings->items[i]);
	lp_json_end(&w->json);
}

/* ---- what was compared ---- */

/* Both lists, of what has values and of the rest, are in the order of one. */
static void put_comparisons(struct writer *w, const char *key, bool values)
{
	const struct lp_findings *d = w->findings;
	struct lp_json *j = &w->json;

	open_array(j, key);
	for (size_t i = 0; i < d->n_comparisons; i++) {
		if (d->comparisons[i].values != values)
			continue;
		lp_json_object(j);
		lp_table_write(j, &lp_members_comparison, &d->comparisons[i]);
		lp_json_put_string(j, "by",
				   lp_peers_by_names[d->comparisons[i].by]);
		lp_json_put_u64(j, "order", i);
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void put_list(struct writer *w, const char *key,
		     const struct lp_member_table *table, const void *items,
		     size_t n, size_t size)
{
	open_array(&w->json, key);
	for (size_t i = 0; i < n; i++) {
		lp_json_object(&w->json);
		lp_table_write(&w->json, table, (const char *)items + i * size);
		lp_json_end(&w->json);
	}
	lp_json_end(&w->json);
}

static void put_lists(struct writer *w)
{
	const struct lp_findings *d = w->findings;

	put_comparisons(w, "compared", true);
	put_comparisons(w, "no_values", false);
	put_list(w, "methods", &lp_members_method, d->methods, d->n_methods,
		 sizeof(*d->methods));
	put_list(w, "hourly", &lp_members_hourly, d->hourly, d->n_hourly,
		 sizeof(*d->hourly));
	put_list(w, "left_out", &lp_members_left_out, d->left_out,
		 d->n_left_out, sizeof(*d->left_out));
	open_array(&w->json, "notes");
	for (size_t i = 0; i < d->n_notes; i++)
		lp_json_string(&w->json, d->notes[i]);
	lp_json_end(&w->json);
}

/* ---- the whole ---- */

static void put_seconds(struct lp_json *j, const char *key, int64_t ns)
{
	lp_json_put_double(j, key, (double)ns / (double)LP_NS_PER_S);
}

/* What version 1 has, and follows from the rest. */
static void put_derived(struct writer *w)
{
	const struct lp_findings *d = w->findings;
	char methods[LP_METHODS_TEXT];

	lp_json_put_string(&w->json, "method", lp_verdict_methods(d, methods));
	put_seconds(&w->json, "step_s", d->step_ns);
	put_seconds(&w->json, "sure_fault_s", d->sure_ns);
	put_seconds(&w->json, "least_fault_s", d->least_ns);
}

void lp_findings_write(const struct lp_findings *findings,
		       const struct lp_evidence_kind *const *kinds, FILE *out)
{
	struct writer w = { .findings = findings, .kinds = kinds };
	struct lp_json *j = &w.json;

	lp_json_init(j, out);
	lp_json_object(j);
	lp_json_put_string(j, "format", LP_FINDINGS_FORMAT);
	lp_json_put_u64(j, "version", LP_FINDINGS_VERSION);
	lp_json_put_string(j, "verdict", lp_outcome_name(findings->outcome));
	lp_json_put_string(j, "reason",
			   *findings->reason ? findings->reason : NULL);
	put_derived(&w);
	lp_table_write(j, &lp_members_findings, findings);
	put_findings(&w);
	put_lists(&w);
	lp_json_key(j, "map");
	lp_map_write(j, findings->map);
	lp_json_end(j);
	fputc('\n', out);
}
