/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid evaluate prints: the tables of FAST'10 11, how long it took, and
 * what went wrong.
 */
#include "evaluate.h"

#include "base/number.h"
#include "base/visible.h"
#include "stats/binomial.h"

#include <math.h>

#define CONFIDENCE 0.95

/* A finding of several servers indicts each, and is said once. */
bool lp_eval_is_first(const struct lp_eval_result *result, size_t i)
{
	return i == 0 || result->indicted[i].component !=
				 result->indicted[i - 1].component;
}

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

/* " 85.3", or "-" of nothing. */
static void put_seconds(FILE *out, int width, double seconds)
{
	if (isnan(seconds))
		fprintf(out, " %*s", width, "-");
	else
		fprintf(out, " %*.1f", width, seconds);
}

static void put_latency(FILE *out, const struct lp_tally *tally)
{
	double median = lp_sample_quantile(&tally->latency_s, 0.5);
	char text[LP_TIME_TEXT];

	fprintf(out, " %s\n",
		isnan(median)
			? "-"
			: lp_duration_format((int64_t)(median * 1e9), text));
}

static void put_row(FILE *out, const struct lp_eval_row *row)
{
	const struct lp_tally *tally = &row->tally;

	fprintf(out, "%-17s %3zu", row->fault, tally->runs);
	put_share(out, tally->itp);
	put_share(out, tally->ifp);
	put_share(out, tally->dtp);
	put_share(out, tally->dfp);
	put_latency(out, tally);
}

static void put_alarms(FILE *out, const struct lp_tally *all)
{
	struct lp_rate rate = lp_tally_rate(all);

	fprintf(out, "false alarms: %zu in %.4g healthy server-hours",
		all->false_alarms, all->healthy_hours);
	if (!isnan(rate.per_hour))
		fprintf(out, ", %.3g per hour (%.2g to %.2g)", rate.per_hour,
			rate.low, rate.high);
	fputc('\n', out);
}

static void put_counts(FILE *out, const char *title,
		       const struct lp_eval_table *t)
{
	fprintf(out, "%s\n%-17s %3s %5s %6s %5s %6s %5s %6s %5s %6s %s\n",
		title, "fault", "n", "ITP", "", "IFP", "", "DTP", "", "DFP", "",
		"latency");
	for (size_t i = 0; i < t->n; i++)
		put_row(out, &t->rows[i]);
	put_row(out, &t->all);
	put_alarms(out, &t->all.tally);
}

static void put_time_row(FILE *out, const struct lp_eval_row *row)
{
	const struct lp_tally *t = &row->tally;

	if (t->latency_s.n == 0)
		return;
	fprintf(out, "%-17s %3zu", row->fault, t->latency_s.n);
	put_seconds(out, 9, lp_sample_quantile(&t->latency_s, 0.5));
	put_seconds(out, 7, lp_sample_quantile(&t->latency_s, 1));
	put_seconds(out, 10, lp_sample_quantile(&t->start_off_s, 0.5));
	put_seconds(out, 6, lp_sample_quantile(&t->start_off_s, 0.9));
	put_seconds(out, 8, lp_sample_quantile(&t->end_off_s, 0.5));
	put_seconds(out, 6, lp_sample_quantile(&t->end_off_s, 0.9));
	fputc('\n', out);
}

/* Only of faults that were detected. */
static void put_times(FILE *out, const struct lp_eval_table *t)
{
	if (t->all.tally.latency_s.n == 0)
		return;
	fprintf(out,
		"Seconds: from the start to the alarm, and errors of start and "
		"end\n%-17s %3s %9s %7s %10s %6s %8s %6s\n",
		"detected fault", "n", "to alarm", "largest", "start off",
		"90 %", "end off", "90 %");
	for (size_t i = 0; i < t->n; i++)
		put_time_row(out, &t->rows[i]);
	put_time_row(out, &t->all);
	if (t->all.tally.bounds.of == 0)
		return;
	fprintf(out,
		"Bounds of start and end: %.1f %% of %zu hold; %.1f s wide in "
		"the median\n",
		lp_share_percent(t->all.tally.bounds), t->all.tally.bounds.of,
		lp_sample_quantile(&t->all.tally.bounds_s, 0.5));
}

static void put_strength_row(FILE *out, const struct lp_eval_row *row)
{
	char strength[64];

	snprintf(strength, sizeof(strength), "%g %s", row->strength, row->unit);
	fprintf(out, "%-17s %-10s %3zu", row->fault, strength, row->tally.runs);
	put_share(out, row->tally.itp);
	put_share(out, row->tally.dtp);
	put_latency(out, &row->tally);
}

static void put_strengths(FILE *out, const struct lp_eval_table *t)
{
	if (t->n == 0)
		return;
	fprintf(out,
		"By strength of the fault\n%-17s %-10s %3s %5s %6s %5s %6s "
		"%s\n",
		"fault", "strength", "n", "ITP", "", "DTP", "", "latency");
	for (size_t i = 0; i < t->n; i++)
		put_strength_row(out, &t->rows[i]);
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

		if (!lp_eval_is_first(result, i))
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
	struct lp_eval_table faults, strengths;
	int status = lp_eval_by_fault(eval->runs, results, &faults, err);

	if (status < 0)
		return status;
	status = lp_eval_by_strength(eval->runs, results, &strengths, err);
	if (status == 0) {
		put_counts(out, title, &faults);
		put_times(out, &faults);
		put_strengths(out, &strengths);
		put_wrong_runs(out, eval, results);
		lp_eval_table_done(&strengths);
	}
	lp_eval_table_done(&faults);
	return status;
}

static void put_legend(FILE *out)
{
	fputs("\nITP: all faulty servers were accused. DTP: with the right "
	      "cause, too.\n"
	      "Both are percentages of the runs with a fault.\n"
	      "IFP: a healthy server was accused. DFP: a wrong cause or server "
	      "was named.\n"
	      "Both are percentages of all runs.\n"
	      "After each percentage and rate comes its exact 95 % "
	      "interval.\n"
	      "start off, end off: how far the times of a finding are from the "
	      "true ones,\n"
	      "as median and as 90 % quantile. The end of some is not "
	      "recorded.\n",
	      out);
}

static void put_title(const struct lp_eval *eval, bool trained, char *text,
		      size_t size)
{
	if (!eval->baseline)
		snprintf(text, size, "%s thresholds",
			 trained ? "Trained" : "Untrained");
	else
		snprintf(text, size, "Baseline %s%s: %s", eval->baseline->name,
			 trained ? ", trained" : "", eval->baseline->help);
}

int lp_eval_text(const struct lp_eval *eval, FILE *out, struct lp_error *err)
{
	char title[160];
	int status = 0;

	put_title(eval, false, title, sizeof(title));
	if (eval->plain)
		status = put_results(eval, title, eval->plain, out, err);
	if (status == 0 && eval->plain && eval->trained)
		fputc('\n', out);
	if (status == 0 && eval->trained && eval->shared)
		fprintf(out,
			"%zu of these runs %s also used for training. These "
			"results say nothing about other runs.\n",
			eval->shared, lp_plural(eval->shared, "was", "were"));
	put_title(eval, true, title, sizeof(title));
	if (status == 0 && eval->trained)
		status = put_results(eval, title, eval->trained, out, err);
	if (status == 0)
		put_legend(out);
	return status;
}
