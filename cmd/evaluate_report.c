/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid evaluate prints: the tables of FAST'10 11, and what went wrong.
 */
#include "evaluate.h"

#include "base/json.h"
#include "base/names.h"
#include "base/number.h"
#include "base/visible.h"
#include "stats/binomial.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

/* One tally per fault, in the order met, and one for all. */
struct tallies {
	struct lp_names faults;
	struct lp_tally *items; /* [faults.count] */
	size_t capacity;
	struct lp_tally all;
};

static void tallies_done(struct tallies *t)
{
	for (uint32_t i = 0; i < t->faults.count; i++)
		lp_tally_done(&t->items[i]);
	free(t->items);
	lp_names_done(&t->faults);
	lp_tally_done(&t->all);
}

static int add_result(struct tallies *t, const char *fault,
		      const struct lp_eval_result *result)
{
	uint32_t known = t->faults.count;
	uint32_t i = lp_names_add(&t->faults, fault);

	if (i == LP_NAME_NONE)
		return -ENOMEM;
	if (i == known) {
		if (lp_grow(&t->items, &t->capacity, i + 1u,
			    sizeof(t->items[0])) < 0) {
			t->faults.count = known;
			return -ENOMEM;
		}
		t->items[i] = (struct lp_tally){ 0 };
	}
	if (lp_tally_add(&t->items[i], &result->score, result->server_hours) <
	    0)
		return -ENOMEM;
	return lp_tally_add(&t->all, &result->score, result->server_hours);
}

static int count_all(const struct lp_eval *eval,
		     const struct lp_eval_result *results, struct tallies *t,
		     struct lp_error *err)
{
	*t = (struct tallies){ 0 };
	for (size_t i = 0; i < eval->runs->n; i++)
		if (add_result(t, eval->runs->items[i].truth.fault,
			       &results[i]) < 0) {
			tallies_done(t);
			return lp_fail_memory(err);
		}
	return 0;
}

/* ---- text ---- */

/* " 77.3 72-82", or "-" of nothing. */
static void put_share(FILE *out, struct lp_share share)
{
	double low, high;

	if (share.of == 0) {
		fprintf(out, " %5s %6s", "-", "");
		return;
	}
	lp_binomial_interval(share.hits, share.of, CONFIDENCE, &low, &high);
	fprintf(out, " %5.1f %2.0f-%-3.0f", lp_share_percent(share), 100 * low,
		100 * high);
}

static void put_row(FILE *out, const char *name, const struct lp_tally *tally)
{
	int64_t latency = lp_tally_latency(tally);
	char text[LP_TIME_TEXT];

	fprintf(out, "%-17s %3zu", name, tally->runs);
	put_share(out, tally->itp);
	put_share(out, tally->ifp);
	put_share(out, tally->dtp);
	put_share(out, tally->dfp);
	fprintf(out, " %s\n",
		latency < 0 ? "-" : lp_duration_format(latency, text));
}

static void put_alarms(FILE *out, const struct lp_tally *all)
{
	fprintf(out, "false alarms: %zu in %.4g server-hours",
		all->false_alarms, all->server_hours);
	if (all->server_hours > 0)
		fprintf(out, ", %.3g per hour",
			(double)all->false_alarms / all->server_hours);
	fputc('\n', out);
}

static void put_table(FILE *out, const char *title, const struct tallies *t)
{
	fprintf(out, "%s\n%-17s %3s %5s %6s %5s %6s %5s %6s %5s %6s %s\n",
		title, "fault", "n", "ITP", "", "IFP", "", "DTP", "", "DFP", "",
		"latency");
	for (uint32_t i = 0; i < t->faults.count; i++)
		put_row(out, t->faults.text[i], &t->items[i]);
	put_row(out, "aggregate", &t->all);
	put_alarms(out, &t->all);
}

static bool is_wrong(const struct lp_score *s)
{
	return s->ifp || s->dfp || (!s->control && !s->itp) ||
	       (!s->control && s->has_cause && !s->dtp);
}

static void put_servers(FILE *out, const struct lp_truth *truth)
{
	for (size_t i = 0; i < truth->n_servers; i++)
		fprintf(out, "%s%s", i ? "," : " on ", truth->servers[i]);
}

/* A finding of several servers indicts each, and is said once. */
static bool is_first(const struct lp_eval_result *result, size_t i)
{
	return i == 0 || result->indicted[i].component !=
				 result->indicted[i - 1].component;
}

static void put_wrong(FILE *out, const struct lp_eval_run *run,
		      const struct lp_eval_result *result)
{
	const struct lp_score *s = &result->score;

	fprintf(out, "  %s: %s", run->dir, run->truth.fault);
	put_servers(out, &run->truth);
	if (result->outcome == LP_OUTCOME_UNDECIDED)
		fprintf(out, "; cannot tell: %s", result->reason);
	else if (!s->control && !s->itp)
		fputs("; not detected", out);
	if (result->n_indicted)
		fputs("; accused", out);
	for (size_t i = 0; i < result->n_indicted; i++) {
		char since[LP_TIME_TEXT];

		if (!is_first(result, i))
			continue;
		fprintf(out, "%s %s (%s, since %s)", i ? "," : "",
			lp_shown(result->indicted[i].component),
			lp_cause_name(result->indicted[i].cause),
			lp_time_format(result->indicted[i].since_ns, since));
	}
	fputc('\n', out);
}

static void put_wrong_runs(FILE *out, const struct lp_eval *eval,
			   const struct lp_eval_result *results)
{
	size_t wrong = 0;

	for (size_t i = 0; i < eval->runs->n; i++) {
		if (!is_wrong(&results[i].score))
			continue;
		if (wrong++ == 0)
			fputs("What went wrong:\n", out);
		put_wrong(out, &eval->runs->items[i], &results[i]);
	}
}

static int put_results(const struct lp_eval *eval, const char *title,
		       const struct lp_eval_result *results, FILE *out,
		       struct lp_error *err)
{
	struct tallies t;
	int status = count_all(eval, results, &t, err);

	if (status < 0)
		return status;
	put_table(out, title, &t);
	put_wrong_runs(out, eval, results);
	tallies_done(&t);
	return 0;
}

static void put_legend(FILE *out)
{
	fputs("\nITP: all faulty servers were accused. DTP: with the right "
	      "cause, too.\n"
	      "Both are percentages of the runs with a fault.\n"
	      "IFP: a healthy server was accused. DFP: a wrong cause or server "
	      "was named.\n"
	      "Both are percentages of all runs.\n"
	      "After each percentage comes its exact 95 % interval.\n",
	      out);
}

int lp_eval_text(const struct lp_eval *eval, FILE *out, struct lp_error *err)
{
	int status = 0;

	if (eval->plain)
		status = put_results(eval, "Untrained thresholds", eval->plain,
				     out, err);
	if (status == 0 && eval->plain && eval->trained)
		fputc('\n', out);
	if (status == 0 && eval->trained && eval->shared)
		fprintf(out,
			"%zu of these runs %s also used for training. These "
			"results say nothing about other runs.\n",
			eval->shared, lp_plural(eval->shared, "was", "were"));
	if (status == 0 && eval->trained)
		status = put_results(eval, "Trained thresholds", eval->trained,
				     out, err);
	if (status == 0)
		put_legend(out);
	return status;
}

/* ---- JSON ---- */

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

static void json_tally(struct lp_json *json, const struct lp_tally *tally)
{
	int64_t latency = lp_tally_latency(tally);

	lp_json_object(json);
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
	lp_json_key(json, "latency_s");
	lp_json_double(json, latency < 0 ? NAN : (double)latency / 1e9);
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
		if (is_first(result, i))
			lp_json_string(json, result->indicted[i].component);
	lp_json_end(json);
	lp_json_key(json, "cause");
	lp_json_string(json, cause == LP_CAUSES ? NULL : lp_cause_name(cause));
	json_score(json, &result->score);
	lp_json_key(json, "server_hours");
	lp_json_double(json, result->server_hours);
	lp_json_end(json);
}

static int json_results(const struct lp_eval *eval,
			const struct lp_eval_result *results,
			struct lp_json *json, struct lp_error *err)
{
	struct tallies t;
	int status = count_all(eval, results, &t, err);

	if (status < 0)
		return status;
	lp_json_key(json, "runs");
	lp_json_array(json);
	for (size_t i = 0; i < eval->runs->n; i++)
		json_run(json, &eval->runs->items[i], &results[i]);
	lp_json_end(json);
	lp_json_key(json, "faults");
	lp_json_object(json);
	for (uint32_t i = 0; i < t.faults.count; i++) {
		lp_json_key(json, t.faults.text[i]);
		json_tally(json, &t.items[i]);
	}
	lp_json_end(json);
	lp_json_key(json, "aggregate");
	json_tally(json, &t.all);
	tallies_done(&t);
	return 0;
}

int lp_eval_json(const struct lp_eval *eval, FILE *out, struct lp_error *err)
{
	struct lp_json json;
	int status = 0;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_key(&json, "version");
	lp_json_u64(&json, 1);
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
