/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid diagnose: who differs from its peers, of what it is ill, since when.
 */
#include "case.h"
#include "command.h"
#include "dump.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "report/html.h"
#include "report/verdict.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOP_FINDINGS 10

struct options {
	struct lp_case_options common; /* first */
	const char *thresholds, *dump, *html;
	struct lp_option_list resets;
	unsigned long top;
	bool hourly, exact_pairs, json, check, verbose;
};

static const struct lp_option option_table[] = {
	LP_CASE_OPTIONS,
	{ .long_name = "thresholds",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, thresholds),
	  .help = "what 'limpid train' wrote" },
	{ .long_name = "threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.threshold),
	  .help = "of components without a trained one (cdf 12, pdf 2)" },
	{ .long_name = "cwnd-threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.cwnd_threshold),
	  .help = "the same for cwnd: a fraction of the median (0.5)" },
	{ .long_name = "hourly",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, hourly),
	  .help = "the list of what persists, hour by hour" },
	{ .long_name = "reset",
	  .type = LP_OPTION_LIST,
	  .value = "COMPONENT@TIME",
	  .offset = offsetof(struct options, resets),
	  .help = "it was repaired then: count its anomalies from there" },
	{ .long_name = "top",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, top),
	  .help = "show so many findings, or lines per hour (default: 10)" },
	{ .long_name = "exact-pairs",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, exact_pairs),
	  .help = "compute all distances; the verdict is the same, later" },
	{ .long_name = "dump",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, dump),
	  .help = "every window of every component, as CSV" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, html),
	  .help = "a page with pictures of every finding, too" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "one JSON object" },
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = "exit with 0: nothing differs, 3: a fault, 4: cannot "
		  "tell" },
	{ .short_name = 'v',
	  .long_name = "verbose",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, verbose),
	  .help = "all metrics, all peers, and what was left out" },
};

static const struct lp_usage usage = {
	.command = "limpid diagnose",
	.summary = "Names the component that differs from its peers, and "
		   "shows the evidence.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "A FILE is whatever limpid reads, or a directory of such "
		 "files. Nothing needs to\nbe trained or configured; "
		 "'limpid inventory' shows what would be compared.\n",
};

/* ---- --reset ---- */

/* "oss3/sdc@2026-11-14T12:00"; the component's text is the caller's. */
static int read_reset(const char *text, struct lp_reset *reset,
		      struct lp_error *err)
{
	const char *at = strrchr(text, '@');
	char *name;

	if (!at || at == text ||
	    lp_time_parse(at + 1, strlen(at + 1), &reset->time_ns) < 0)
		return lp_fail(err, EINVAL,
			       "--reset: '%s' is no COMPONENT@TIME, as "
			       "oss3/sdc@2026-11-14T12:00Z",
			       text);
	name = strndup(text, (size_t)(at - text));
	if (!name)
		return lp_fail_memory(err);
	reset->component = name;
	return 0;
}

static void free_resets(struct lp_reset *resets, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)resets[i].component);
	free(resets);
}

static int read_resets(const struct lp_option_list *list,
		       struct lp_diagnose_options *options,
		       struct lp_error *err)
{
	struct lp_reset *resets =
		calloc(list->count + 1, sizeof(*options->resets));
	int status = resets ? 0 : lp_fail_memory(err);

	for (size_t i = 0; i < list->count && status == 0; i++)
		status = read_reset(list->text[i], &resets[i], err);
	if (status < 0) {
		free_resets(resets, resets ? list->count : 0);
		return status;
	}
	options->resets = resets;
	options->n_resets = list->count;
	return 0;
}

/* ---- running ---- */

static void print(const struct options *o, const struct lp_case *c,
		  const struct lp_diagnosis *d,
		  const struct lp_thresholds *thresholds)
{
	struct lp_verdict_report report = {
		.diagnosis = d,
		.plan = &c->plan,
		.thresholds = thresholds,
		.notes = c->notes,
		.top = o->top ? o->top : TOP_FINDINGS,
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.all = o->verbose,
	};

	if (o->json)
		lp_verdict_json(&report, stdout);
	else if (o->hourly)
		lp_verdict_hourly(&report, stdout);
	else
		lp_verdict_text(&report, stdout);
}

static int write_page(const struct options *o, const struct lp_case *c,
		      const struct lp_diagnosis *d,
		      const struct lp_thresholds *thresholds,
		      struct lp_error *err)
{
	struct lp_html_report report = {
		.input = &c->input,
		.diagnosis = d,
		.trained_on =
			thresholds ? lp_thresholds_origin(thresholds) : NULL,
		.notes = c->notes,
	};
	struct lp_outfile file;
	int status = lp_outfile_open(&file, o->html, err);

	if (status < 0)
		return status;
	status = lp_report_html(file.out, &report, err);
	if (status == 0)
		return lp_outfile_commit(&file, err);
	lp_outfile_abandon(&file);
	return status;
}

static int exit_status(const struct options *o, const struct lp_diagnosis *d)
{
	static const int codes[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LP_EXIT_OK,
		[LP_OUTCOME_FAULT] = LP_EXIT_FAULT,
		[LP_OUTCOME_UNDECIDED] = LP_EXIT_UNDECIDED,
	};
	int status = lp_command_finish(&usage);

	return status == LP_EXIT_OK && o->check ? codes[d->outcome] : status;
}

static int diagnose(const struct options *o, const struct lp_case *c,
		    struct lp_thresholds *thresholds, int *status,
		    struct lp_error *err)
{
	struct lp_diagnose_options options = c->options;
	struct lp_diagnosis d;
	struct lp_dump dump = { 0 };
	int r = o->dump ? lp_dump_open(&dump, o->dump, err) : 0;

	options.thresholds = thresholds;
	options.exact = o->exact_pairs;
	if (o->dump) {
		options.dump = lp_dump_window;
		options.dump_user = &dump;
	}
	if (r == 0)
		r = lp_diagnose(&c->input, &options, &d, err);
	if (r < 0) {
		lp_dump_abandon(&dump);
		return r;
	}
	r = o->dump ? lp_dump_commit(&dump, err) : 0;
	if (r == 0 && o->html)
		r = write_page(o, c, &d, thresholds, err);
	if (r == 0) {
		print(o, c, &d, thresholds);
		*status = exit_status(o, &d);
	}
	lp_diagnosis_done(&d);
	return r;
}

/* The names of --reset and --exclude must exist: a typo would be silent. */
static int check_names(const struct lp_case *c, struct lp_error *err)
{
	size_t group, index;

	for (size_t i = 0; i < c->options.n_resets; i++)
		if (!lp_plan_find_peer(&c->plan, c->options.resets[i].component,
				       &group, &index))
			return lp_fail(err, EINVAL,
				       "--reset: no component '%s' is compared",
				       c->options.resets[i].component);
	return 0;
}

static int load(struct options *o, struct lp_case *c, char **paths,
		struct lp_thresholds **thresholds, bool *wrong,
		struct lp_error *err)
{
	int r;

	*wrong = true;
	if (o->json && o->hourly)
		return lp_fail(err, EINVAL,
			       "--json holds the hourly list; leave --hourly "
			       "out");
	r = read_resets(&o->resets, &c->options, err);
	if (r == 0)
		r = lp_case_load(c, &o->common, paths, wrong, err);
	if (r == 0 && o->thresholds)
		r = lp_thresholds_read(o->thresholds, thresholds, err);
	return r ? r : check_names(c, err);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_case c = { 0 };
	struct lp_thresholds *thresholds = NULL;
	struct lp_error err;
	int first, status, r;
	bool wrong = false;

	lp_case_options_init(&options.common);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	r = load(&options, &c, argv + first, &thresholds, &wrong, &err);
	if (r == 0)
		r = diagnose(&options, &c, thresholds, &status, &err);
	lp_thresholds_free(thresholds);
	lp_case_done(&c);
	free_resets((struct lp_reset *)c.options.resets, c.options.n_resets);
	lp_case_options_done(&options.common);
	lp_option_list_done(&options.resets);
	if (r < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return status;
}

const struct lp_command lp_command_diagnose = {
	.name = "diagnose",
	.summary = "name the component that differs from its peers",
	.run = run,
	.usage = &usage,
};
