/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same as the text of limpid evaluate, and every run, as one JSON object.
 */
#include "evaluate.h"

#include "base/json.h"
#include "stats/binomial.h"

#include <math.h>
#include <string.h>

#define CONFIDENCE 0.95

/* The last digits of the interval differ between machines. */
static void json_share(struct lp_json *json, const char *key,
		       struct lp_share share)
{
	double low, high;

	lp_binomial_interval(share.hits, share.of, CONFIDENCE, &low, &high);
	lp_json_key(json, key);
	lp_json_object(json);
	lp_json_key(json, "hits");
	lp_json_u64(json, share.hits);
	lp_json_key(json, "n");
	lp_json_u64(json, share.of);
	lp_json_key(json, "percent");
	lp_json_double(json, lp_share_percent(share));
	lp_json_key(json, "low");
	lp_json_double(json, round(1e8 * low) / 1e6);
	lp_json_key(json, "high");
	lp_json_double(json, round(1e8 * high) / 1e6);
	lp_json_end(json);
}

/* Rounded, as shares are. */
static void json_rounded(struct lp_json *json, const char *key, double v)
{
	lp_json_key(json, key);
	lp_json_double(json, isnan(v) ? v : round(1e6 * v) / 1e6);
}

static void json_rate(struct lp_json *json, const struct lp_tally *tally)
{
	struct lp_rate rate = lp_tally_rate(tally);

	lp_json_key(json, "false_alarm_rate");
	lp_json_object(json);
	json_rounded(json, "per_hour", rate.per_hour);
	json_rounded(json, "low", rate.low);
	json_rounded(json, "high", rate.high);
	lp_json_end(json);
}

static void json_errors(struct lp_json *json, const char *key,
			const struct lp_sample *sample)
{
	lp_json_key(json, key);
	lp_json_object(json);
	lp_json_key(json, "n");
	lp_json_u64(json, sample->n);
	json_rounded(json, "median", lp_sample_quantile(sample, 0.5));
	json_rounded(json, "p90", lp_sample_quantile(sample, 0.9));
	lp_json_end(json);
}

static void json_counts(struct lp_json *json, const struct lp_tally *tally)
{
	lp_json_key(json, "n");
	lp_json_u64(json, tally->runs);
	json_share(json, "itp", tally->itp);
	json_share(json, "ifp", tally->ifp);
	json_share(json, "dtp", tally->dtp);
	json_share(json, "dfp", tally->dfp);
	lp_json_key(json, "false_alarms");
	lp_json_u64(json, tally->false_alarms);
	lp_json_key(json, "server_hours");
	lp_json_double(json, tally->server_hours);
	lp_json_key(json, "healthy_server_hours");
	lp_json_double(json, tally->healthy_hours);
	json_rate(json, tally);
	json_rounded(json, "latency_s",
		     lp_sample_quantile(&tally->latency_s, 0.5));
	json_rounded(json, "latency_max_s",
		     lp_sample_quantile(&tally->latency_s, 1));
	json_errors(json, "start_error_s", &tally->start_off_s);
	json_errors(json, "end_error_s", &tally->end_off_s);
	if (tally->bounds.of > 0) {
		json_share(json, "bounds", tally->bounds);
		json_errors(json, "bounds_s", &tally->bounds_s);
	}
}

static void json_tally(struct lp_json *json, const struct lp_tally *tally)
{
	lp_json_object(json);
	json_counts(json, tally);
	lp_json_end(json);
}

static void json_names(struct lp_json *json, const struct lp_truth *truth)
{
	lp_json_key(json, "server");
	if (truth->n_servers == 0)
		lp_json_null(json);
	else if (truth->n_servers == 1)
		lp_json_string(json, truth->servers[0]);
	else {
		lp_json_array(json);
		for (size_t i = 0; i < truth->n_servers; i++)
			lp_json_string(json, truth->servers[i]);
		lp_json_end(json);
	}
}

/* cause: of the first indictment of a faulty server, else of the first. */
static enum lp_cause said_cause(const struct lp_truth *truth,
				const struct lp_eval_result *result)
{
	for (size_t i = 0; i < result->n_indicted; i++)
		for (size_t k = 0; k < truth->n_servers; k++)
			if (strcmp(truth->servers[k],
				   result->indicted[i].host) == 0)
				return result->indicted[i].cause;
	return result->n_indicted ? result->indicted[0].cause : LP_CAUSES;
}

/* What is not asked of a run (ITP of a control, DTP without a cause): null. */
static void json_flag(struct lp_json *json, const char *key, bool asked,
		      bool value)
{
	lp_json_key(json, key);
	if (asked)
		lp_json_bool(json, value);
	else
		lp_json_null(json);
}

static void json_score(struct lp_json *json, const struct lp_score *s)
{
	json_flag(json, "itp", !s->control, s->itp);
	json_flag(json, "ifp", true, s->ifp);
	json_flag(json, "dtp", !s->control && s->has_cause, s->dtp);
	json_flag(json, "dfp", s->control || s->has_cause, s->dfp);
	lp_json_key(json, "false_alarms");
	lp_json_u64(json, s->false_alarms);
	lp_json_key(json, "latency_s");
	lp_json_double(json,
		       s->latency_ns < 0 ? NAN : (double)s->latency_ns / 1e9);
	json_rounded(json, "start_error_s", s->start_error_s);
	json_rounded(json, "end_error_s", s->end_error_s);
	lp_json_key(json, "server_hours");
	lp_json_double(json, s->server_hours);
	lp_json_key(json, "healthy_server_hours");
	lp_json_double(json, s->healthy_hours);
}

/* What was said, in full. */
static void json_finding(struct lp_json *json, const struct lp_indictment *x)
{
	lp_json_object(json);
	lp_json_key(json, "component");
	lp_json_string(json, x->component);
	lp_json_key(json, "cause");
	lp_json_string(json, lp_cause_name(x->cause));
	lp_json_key(json, "since");
	lp_json_time(json, x->since_ns);
	lp_json_key(json, "until");
	lp_json_time(json, x->until_ns);
	lp_json_key(json, "alarm");
	lp_json_time(json, x->known_ns);
	json_rounded(json, "score", x->score);
	lp_json_end(json);
}

static void json_findings(struct lp_json *json,
			  const struct lp_eval_result *result)
{
	lp_json_key(json, "findings");
	lp_json_array(json);
	for (size_t i = 0; i < result->n_indicted; i++)
		if (lp_eval_is_first(result, i))
			json_finding(json, &result->indicted[i]);
	lp_json_end(json);
}

static void json_strength(struct lp_json *json, double strength,
			  const char *unit)
{
	lp_json_key(json, "strength");
	lp_json_double(json, strength);
	lp_json_key(json, "strength_unit");
	lp_json_string(json, isnan(strength) ? NULL : unit);
}

static void json_run(struct lp_json *json, const struct lp_eval_run *run,
		     const struct lp_eval_result *result)
{
	enum lp_cause cause = said_cause(&run->truth, result);

	lp_json_object(json);
	lp_json_key(json, "dir");
	lp_json_string(json, run->dir);
	lp_json_key(json, "workload");
	lp_json_string(json, run->truth.workload);
	lp_json_key(json, "fault");
	lp_json_string(json, run->truth.fault);
	json_names(json, &run->truth);
	lp_json_key(json, "verdict");
	lp_json_string(json, lp_outcome_name(result->outcome));
	lp_json_key(json, "indicted");
	lp_json_array(json);
	for (size_t i = 0; i < result->n_indicted; i++)
		if (lp_eval_is_first(result, i))
			lp_json_string(json, result->indicted[i].component);
	lp_json_end(json);
	lp_json_key(json, "cause");
	lp_json_string(json, cause == LP_CAUSES ? NULL : lp_cause_name(cause));
	json_score(json, &result->score);
	json_strength(json, run->truth.strength, run->truth.strength_unit);
	json_findings(json, result);
	lp_json_end(json);
}

static void json_faults(struct lp_json *json, const struct lp_eval_table *t)
{
	lp_json_key(json, "faults");
	lp_json_object(json);
	for (size_t i = 0; i < t->n; i++) {
		lp_json_key(json, t->rows[i].fault);
		json_tally(json, &t->rows[i].tally);
	}
	lp_json_end(json);
	lp_json_key(json, "aggregate");
	json_tally(json, &t->all.tally);
}

static void json_strengths(struct lp_json *json, const struct lp_eval_table *t)
{
	lp_json_key(json, "strengths");
	lp_json_array(json);
	for (size_t i = 0; i < t->n; i++) {
		lp_json_object(json);
		lp_json_key(json, "fault");
		lp_json_string(json, t->rows[i].fault);
		json_strength(json, t->rows[i].strength, t->rows[i].unit);
		json_counts(json, &t->rows[i].tally);
		lp_json_end(json);
	}
	lp_json_end(json);
}

static int json_results(const struct lp_eval *eval,
			const struct lp_eval_result *results,
			struct lp_json *json, struct lp_error *err)
{
	struct lp_eval_table faults, strengths;
	int status = lp_eval_by_fault(eval->runs, results, &faults, err);

	if (status < 0)
		return status;
	status = lp_eval_by_strength(eval->runs, results, &strengths, err);
	lp_json_key(json, "runs");
	lp_json_array(json);
	for (size_t i = 0; i < eval->runs->n; i++)
		json_run(json, &eval->runs->items[i], &results[i]);
	lp_json_end(json);
	json_faults(json, &faults);
	if (status == 0)
		json_strengths(json, &strengths);
	lp_eval_table_done(&faults);
	lp_eval_table_done(&strengths);
	return status;
}

int lp_eval_json(const struct lp_eval *eval, FILE *out, struct lp_error *err)
{
	struct lp_json json;
	int status = 0;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_key(&json, "version");
	lp_json_u64(&json, 1);
	if (eval->baseline) {
		lp_json_key(&json, "baseline");
		lp_json_string(&json, eval->baseline->name);
	}
	if (eval->plain)
		status = json_results(eval, eval->plain, &json, err);
	if (status == 0 && eval->trained) {
		lp_json_key(&json, "trained");
		lp_json_object(&json);
		lp_json_key(&json, "shared_runs");
		lp_json_u64(&json, eval->shared);
		status = json_results(eval, eval->trained, &json, err);
		lp_json_end(&json);
	}
	lp_json_end(&json);
	fputc('\n', out);
	return status;
}
