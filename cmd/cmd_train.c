/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid train: thresholds from recordings of a healthy system under load.
 */
#include "case_files.h"
#include "command.h"
#include "outputs.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/visible.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define HOSTS_NAMED 8
/*
 * The largest distance of few windows is soon exceeded by a healthy component.
 * Nine controls of the lab, 72 windows, still were too few (docs/accuracy.md);
 * how many are enough was not measured.
 */
#define LEAST_WINDOWS 100

struct options {
	struct lp_case_options common; /* first */
	const char *output;
	bool filtered;
};

static const struct lp_option option_table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, output),
	  .help = "file to write the thresholds to (default: standard "
		  "output)" },
	{ .long_name = "train-filtered",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, filtered),
	  .help = "allow single windows over the threshold, but not K of the "
		  "last 2K-1" },
	LP_CASE_OPTIONS,
};

static const struct lp_usage usage = {
	.command = "limpid train",
	.summary = "Finds thresholds from recordings of a healthy system.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Train on hours of healthy recordings with every kind of "
		 "load. Then use\n'limpid diagnose --thresholds FILE'.\n",
};

/* ---- the file ---- */

static const struct lp_outkind kind = {
	.name = "a file of thresholds",
	.beginnings = (const char *const[]){ "# limpid thresholds ", NULL },
};

static void put_origin(FILE *out, const struct lp_case_files *c, bool filtered)
{
	const struct lp_roster *roster = &c->reading.recording.roster;
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT], step[LP_TIME_TEXT];
	char number[LP_NUMBER_TEXT];

	fputs("# limpid thresholds 1\n# trained on:", out);
	for (size_t i = 0; i < roster->n_hosts && i < HOSTS_NAMED; i++)
		fprintf(out, " %s", lp_shown(roster->hosts[i].name));
	if (roster->n_hosts > HOSTS_NAMED)
		fprintf(out, " and %zu more", roster->n_hosts - HOSTS_NAMED);
	fprintf(out, ", %s to %s, step %s%s\n",
		lp_time_format(roster->first_ns, from),
		lp_time_format(roster->last_ns, to),
		lp_duration_format(c->input.step_ns, step),
		filtered ? ", until no vote differs" : "");
	fprintf(out, "# step: %ss\n",
		lp_format_double((double)c->input.step_ns / 1e9, number));
	fputs("method,class,metric,component,threshold\n", out);
}

static void put_row(FILE *out, const char *method, const struct lp_class *class,
		    const struct lp_metric *metric, const char *component,
		    double v)
{
	char text[LP_NUMBER_TEXT];

	if (!isnan(v))
		fprintf(out, "%s,%s,%s,%s,%s\n", method, class->name,
			metric->name, component, lp_format_double(v, text));
}

static void put_group(FILE *out, const struct lp_thresholds *t,
		      const char *method, const struct lp_peer_group *g,
		      const struct lp_metric *metric)
{
	for (size_t i = 0; i < g->n; i++)
		put_row(out, method, g->class, metric, g->peers[i].lasting,
			lp_thresholds_get(t, method, g->class->name,
					  metric->name, g->peers[i].lasting));
}

/* Sockets have a threshold for each direction, and none for a server. */
static void put_directions(FILE *out, const struct lp_thresholds *t,
			   const char *method, const struct lp_matrix_metric *m)
{
	static const char *const directions[] = { ">clients", "clients>" };

	for (size_t i = 0; i < lp_array_size(directions); i++)
		put_row(out, method, m->class, m->metric, directions[i],
			lp_thresholds_get(t, method, m->class->name,
					  m->metric->name, directions[i]));
}

static void put_all(FILE *out, const struct lp_case_files *c,
		    const struct lp_thresholds *t)
{
	for (size_t d = 0; lp_detectors[d]; d++)
		for (size_t m = 0; c->reading.metrics[m].class; m++) {
			const struct lp_matrix_metric *mm =
				&c->reading.metrics[m];
			const char *name = lp_detectors[d]->name;

			for (size_t g = 0; g < c->input.plan->n_groups; g++)
				if (c->input.plan->groups[g].class == mm->class
				    &&
				    c->input.plan->groups[g].kind == LP_PEERS)
					put_group(out, t, name,
						  &c->input.plan->groups[g],
						  mm->metric);
			put_directions(out, t, name, mm);
			put_row(out, name, mm->class, mm->metric, "",
				lp_thresholds_get(t, name, mm->class->name,
						  mm->metric->name, ""));
		}
}

static int write_file(const struct options *o, const struct lp_case_files *c,
		      const struct lp_thresholds *t, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, o->output, &kind, err);

	if (status < 0)
		return status;
	put_origin(file.out, c, o->filtered);
	put_all(file.out, c, t);
	return lp_outfile_commit(&file, err);
}

/* ---- warnings ---- */

/* Some distances end at a largest: over it nothing is ever flagged. */
static void warn_of_dead(const struct lp_case_files *c,
			 const struct lp_thresholds *t,
			 const struct lp_detector *method)
{
	struct lp_detector_params p = lp_detector_params_at(
		method, &c->options.params, c->input.step_ns);
	double most = method->most(&p);

	for (size_t m = 0; c->reading.metrics[m].class; m++) {
		double v = lp_thresholds_get(
			t, method->name, c->reading.metrics[m].class->name,
			c->reading.metrics[m].metric->name, "");

		if (v >= most)
			fprintf(stderr,
				"%s: warning: the threshold of %s in method %s "
				"is %.1f, but no distance can exceed %.2f: "
				"this metric cannot accuse any more\n",
				usage.command,
				c->reading.metrics[m].metric->name,
				method->name, v, most);
	}
}

static void warn_of_dead_thresholds(const struct lp_case_files *c,
				    const struct lp_thresholds *t)
{
	for (size_t i = 0; lp_detectors[i]; i++)
		if (lp_detectors[i]->most)
			warn_of_dead(c, t, lp_detectors[i]);
}

/* cwnd has no windows, but a moment after the other. */
static void warn_of_few_windows(const struct lp_diagnosis *d)
{
	size_t most = 0;

	for (size_t i = 0; i < d->n_units; i++)
		if (!d->units[i].detector->lower_is_worse &&
		    d->units[i].n_compared > most)
			most = d->units[i].n_compared;
	if (most > 0 && most < LEAST_WINDOWS)
		fprintf(stderr,
			"%s: warning: trained on %zu %s only. Healthy "
			"components will exceed these thresholds. Train on %d "
			"windows or more, or use the default thresholds\n",
			usage.command, most,
			lp_plural(most, "window", "windows"), LEAST_WINDOWS);
}

/* Thesis 3.3.1: an asymmetry in the training data is worth a look first. */
static void warn_of_asymmetry(const struct lp_diagnosis *d)
{
	for (size_t i = 0; i < d->n_findings; i++)
		fprintf(stderr,
			"%s: warning: %s already differs from its peers (%s). "
			"Check it first, or its fault will be trained as "
			"normal\n",
			usage.command, lp_shown(d->findings[i].component),
			lp_cause_name(d->findings[i].cause));
}

/* What the untrained thresholds say of the same recordings. */
static int look_at_data(struct lp_case_files *c, struct lp_error *err)
{
	const struct lp_detector *methods[LP_DETECTORS_MOST];
	struct lp_diagnose_options usual = c->options;
	struct lp_diagnosis d;
	int status;

	lp_detectors_trained(methods);
	usual.methods = methods;
	usual.params.threshold = 0;
	status = lp_case_judge(c, &usual, &d, err);
	if (status < 0)
		return status;
	warn_of_asymmetry(&d);
	warn_of_few_windows(&d);
	lp_diagnosis_done(&d);
	return 0;
}

/* Joint detectors have limits that follow from a budget. */
static int check_methods(const struct lp_case_files *c, struct lp_error *err)
{
	const struct lp_detector *const *method = c->options.methods;

	for (; method && *method; method++)
		if ((*method)->joint)
			return lp_fail(err, EINVAL,
				       "method %s is not trained; 'limpid "
				       "calibrate' measures what it needs",
				       (*method)->name);
	return 0;
}

static int train(const struct options *o, struct lp_case_files *c,
		 struct lp_error *err)
{
	struct lp_thresholds *t = lp_thresholds_new();
	int status = t ? lp_diagnose_train(&c->input, &c->options, t, err)
		       : lp_fail_memory(err);

	if (status == 0 && lp_thresholds_count(t) == 0)
		status = lp_fail(err, EINVAL, "nothing to train on: %s",
				 *c->input.plan->refusal_text
					 ? c->input.plan->refusal_text
					 : "no window has three peers with "
					   "different values");
	if (status == 0)
		status = look_at_data(c, err);
	if (status == 0) {
		warn_of_dead_thresholds(c, t);
		status = write_file(o, c, t, err);
	}
	lp_thresholds_free(t);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .output = "-" };
	struct lp_case_files c = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	options.common.trained = true;
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = lp_outputs_check(
		&(struct lp_output){ "-o", options.output, &kind }, 1,
		argv + first, &err);
	if (status < 0)
		wrong = true;
	else
		status = lp_case_load(&c, &options.common, argv + first, &wrong,
				      &err);
	c.options.train_filtered = options.filtered;
	if (status == 0) {
		status = check_methods(&c, &err);
		wrong = status < 0;
	}
	if (status == 0 && *c.site.note)
		fprintf(stderr, "%s: %s\n", usage.command, c.site.note);
	if (status == 0)
		status = train(&options, &c, &err);
	lp_case_done(&c);
	lp_case_options_done(&options.common);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_train = {
	.name = "train",
	.summary = "find thresholds from recordings of a healthy system",
	.run = run,
	.usage = &usage,
};
