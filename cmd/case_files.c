/* SPDX-License-Identifier: Apache-2.0 */
#include "case_files.h"

#include "progress.h"

#include "base/memory.h"
#include "base/number.h"
#include "case/case_metrics.h"
#include "diagnose/calibration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void lp_case_options_init(struct lp_case_options *options, const char *command)
{
	*options = (struct lp_case_options){ .command = command };
}

void lp_case_options_done(struct lp_case_options *options)
{
	lp_option_list_done(&options->methods);
	lp_option_list_done(&options->metrics);
	lp_option_list_done(&options->exclude);
	lp_input_options_done(&options->input);
}

/* ---- options ---- */

static int add_method(struct lp_case_files *c, const char *name, size_t n,
		      struct lp_error *err)
{
	char text[64], names[LP_DETECTORS_TEXT];
	size_t count = 0;

	snprintf(text, sizeof(text), "%.*s", (int)(n < 63 ? n : 63), name);
	while (c->methods[count])
		count++;
	if (!lp_detector_find(text) || count == LP_CASE_METHODS_MAX)
		return lp_fail(err, EINVAL,
			       "--method: unknown method '%s'; expected one of "
			       "%s",
			       text, lp_detector_names(names));
	c->methods[count] = lp_detector_find(text);
	return 0;
}

static int read_methods(struct lp_case_files *c,
			const struct lp_option_list *list, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < list->count && status == 0; i++) {
		const char *at = list->text[i];

		while (status == 0) {
			size_t n = strcspn(at, ",");

			status = add_method(c, at, n, err);
			if (!at[n])
				break;
			at += n + 1;
		}
	}
	if (list->count)
		c->options.methods = c->methods;
	return status;
}

/* An option that no method heeds would only seem to do something. */
static int check_heeded(const struct lp_case_files *c,
			const struct lp_case_options *o, struct lp_error *err)
{
	const struct lp_detector *const *m = c->options.methods;
	const char *option = o->window   ? "--window"
			     : o->shift  ? "--shift"
			     : o->smooth ? "--smooth"
			     : o->k      ? "-k"
					 : NULL;
	bool windowed = false, lower = false;

	for (; m && *m; m++) {
		windowed |= lp_detector_is_windowed(*m);
		lower |= (*m)->lower_is_worse;
	}
	if (option && !windowed)
		return lp_fail(err, EINVAL,
			       "%s: method %s has windows of its own; choose "
			       "another one with --method",
			       option,
			       lp_detector_main(c->options.methods)->name);
	if (o->cwnd_threshold && !lower)
		return lp_fail(err, EINVAL,
			       "--cwnd-threshold: method cwnd was not asked "
			       "for; add --method cdf,cwnd");
	return 0;
}

static int read_number(const char *option, const char *text, double *v,
		       struct lp_error *err)
{
	if (!text)
		return 0;
	if (lp_parse_double(text, strlen(text), v) < 0 || !(*v > 0))
		return lp_fail(err, EINVAL, "%s: '%s' is not a number above 0",
			       option, text);
	return 0;
}

static int read_parameters(struct lp_case_files *c,
			   const struct lp_case_options *o,
			   struct lp_error *err)
{
	struct lp_detector_params *p = &c->options.params;

	if (o->window && o->shift > o->window)
		return lp_fail(err, EINVAL,
			       "--shift %lu: expected 1 to %lu, the samples in "
			       "a window",
			       o->shift, o->window);
	p->window = o->window;
	p->shift = o->shift;
	/* Of a window that was made shorter, half. */
	if (o->window && !o->shift)
		p->shift = (o->window + 1) / 2;
	p->smooth = o->smooth;
	p->k = (unsigned)o->k;
	return 0;
}

/* Blocks are of the step's making. */
static int check_calibration(const struct lp_case_files *c,
			     struct lp_error *err)
{
	const struct lp_detector *main_method =
		lp_detector_main(c->options.methods);
	struct lp_detector_params p = lp_detector_params_at(
		main_method, &c->options.params, c->input.step_ns);

	if (!c->calibration || !main_method->joint)
		return 0;
	return lp_calibration_check(c->calibration,
				    (int64_t)p.window * c->input.step_ns, err);
}

/* How long a window is by default depends on the method and the step. */
static int check_shift(const struct lp_case_files *c,
		       const struct lp_case_options *o, struct lp_error *err)
{
	const struct lp_detector *const usual[] = { lp_detector_main(NULL),
						    NULL };
	const struct lp_detector *const *m =
		c->options.methods ? c->options.methods : usual;

	for (; o->shift && *m; m++) {
		struct lp_detector_params p = lp_detector_params_at(
			*m, &c->options.params, c->input.step_ns);

		if (!(*m)->lower_is_worse && o->shift > p.window)
			return lp_fail(err, EINVAL,
				       "--shift %lu: expected 1 to %zu, the "
				       "samples in a window of method %s",
				       o->shift, p.window, (*m)->name);
	}
	return 0;
}

static int read_exclude(struct lp_case_files *c,
			const struct lp_option_list *list)
{
	size_t used;

	if (!list->count)
		return 0;
	c->exclude = calloc(list->count + 1, sizeof(*c->exclude));
	if (!c->exclude)
		return -ENOMEM;
	memcpy(c->exclude, list->text, list->count * sizeof(*c->exclude));
	c->options.exclude = c->exclude;
	used = (size_t)snprintf(c->exclude_note, sizeof(c->exclude_note),
				"not accused, because of --exclude:");
	for (size_t i = 0; i < list->count; i++)
		if (used < sizeof(c->exclude_note))
			used += (size_t)snprintf(c->exclude_note + used,
						 sizeof(c->exclude_note) - used,
						 " %s", list->text[i]);
	return 0;
}

/* Both say from where on a component is accused. */
static int read_budget(struct lp_case_files *c, const struct lp_case_options *o,
		       struct lp_error *err)
{
	struct lp_error why;

	if (o->calibration && !c->calibration) {
		int status = lp_calibration_read(o->calibration,
						 &c->calibration, err);

		if (status < 0)
			return status;
		c->options.calibration = c->calibration;
	}
	if (!o->false_alarms)
		return 0;
	if (o->threshold)
		return lp_fail(err, EINVAL,
			       "--false-alarms and --threshold: the threshold "
			       "follows from the false alarms; leave one of "
			       "the two options out");
	if (lp_budget_parse(o->false_alarms, &c->options.budget, &why) < 0)
		return lp_fail(err, EINVAL, "--false-alarms: %s", why.text);
	return 0;
}

static unsigned cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 1 ? (unsigned)n : 1;
}

static int read_options(struct lp_case_files *c,
			const struct lp_case_options *o, struct lp_error *err)
{
	int status =
		lp_period_begin(&c->period, &o->period, c->for_programs, err);

	if (status == 0)
		status = lp_input_options_check(&o->input, err);
	if (status == 0)
		status = read_methods(c, &o->methods, err);
	if (status == 0 && !c->options.methods &&
	    (o->trained || o->thresholds)) {
		lp_detectors_trained(c->methods);
		c->options.methods = c->methods;
	}
	if (status == 0)
		status = check_heeded(c, o, err);
	if (status == 0)
		status = lp_case_check_metrics("--metric", &o->metrics,
					       c->options.methods, err);
	if (status == 0)
		status = read_parameters(c, o, err);
	if (status == 0)
		status = lp_site_check(o->cluster, o->no_cluster, err);
	if (status == 0)
		status = read_number("--threshold", o->threshold,
				     &c->options.params.threshold, err);
	if (status == 0)
		status = read_number("--cwnd-threshold", o->cwnd_threshold,
				     &c->options.cwnd_threshold, err);
	if (status == 0)
		status = read_budget(c, o, err);
	if (status == 0 && read_exclude(c, &o->exclude) < 0)
		status = lp_fail_memory(err);
	c->options.only = o->metrics;
	c->options.filter_server_workloads = o->filter_server_workloads;
	c->options.threads = cores();
	return status;
}

/* ---- planning ---- */

static int make_plan(void *user, const struct lp_survey *recording,
		     const struct lp_matrix *matrix, struct lp_plan *plan,
		     struct lp_error *err)
{
	struct lp_case_files *c = user;

	return lp_site_plan(&c->site, c->cluster, c->no_cluster, recording,
			    matrix, plan, err);
}

static int plan(struct lp_case_files *c, struct lp_error *err)
{
	int status = lp_case_plan(c->reading.open, err);

	c->input = *lp_case_input(c->reading.open);
	c->notes[0] = c->reading.step_note;
	c->notes[1] = c->exclude_note;
	c->notes[2] = c->step_unknown;
	lp_inputs_notes(&c->inputs, c->notes + 3, LP_CASE_NOTES - 3);
	return status;
}

/* ---- reading ---- */

static int add_inputs(struct lp_case_files *c, const struct lp_case_options *o,
		      char **paths, struct lp_error *err)
{
	int status = 0;

	lp_inputs_begin(&c->inputs, &o->input);
	c->inputs.archive = c->state_path;
	if (c->state_path &&
	    lp_inputs_add_path(&c->inputs, strdup(c->state_path)) < 0)
		return lp_fail_memory(err);
	for (; *paths && status == 0; paths++)
		status = lp_inputs_add(&c->inputs, *paths, err);
	return status;
}

static int open_input(void *context, size_t input, const struct lp_query *query,
		      struct lp_stream **stream, struct lp_error *err)
{
	struct lp_case_files *c = context;

	c->inputs.query = *query;
	return lp_inputs_open_one(&c->inputs, input, stream, err);
}

static int survey(struct lp_case_files *c, const struct lp_case_options *o,
		  struct lp_error *err)
{
	struct lp_reading_config config = {
		.open = open_input,
		.context = c,
		.n = c->inputs.n,
		.since_ns = c->period.since_ns,
		.until_ns = c->period.until_ns,
		.step_ns = o->step_ns,
		.metrics = &o->metrics,
		.also = o->also,
		.plan = make_plan,
		.plan_user = c,
		.options = c->options,
	};

	if (c->state_path && config.since_ns > c->state_from_ns)
		config.since_ns = c->state_from_ns;
	if (c->inputs.n == 0)
		return lp_inputs_nothing(&c->inputs, err);
	return lp_reading_survey(&c->reading, &config, err);
}

/* Who is told that it is too much must learn what to do. */
static int put(struct lp_case_files *c, struct lp_error *err)
{
	int status = lp_reading_put(&c->reading, err);
	struct lp_error why;

	if (status != -EFBIG)
		return status;
	why = *err;
	return lp_fail(err, EFBIG,
		       "%s; choose a time with --since and --until, a longer "
		       "step with -i, or a --metric",
		       why.text);
}

static int read_files(struct lp_case_files *c, const struct lp_case_options *o,
		      bool *usage, struct lp_error *err)
{
	int status = survey(c, o, err);

	if (status < 0)
		return status;
	c->reading.recording.partial = o->input.hosts.count > 0;
	status = lp_host_filter_check(&c->inputs.hosts, err);
	*usage = status < 0;
	if (status < 0)
		return status;
	lp_inputs_next_pass(&c->inputs);
	return put(c, err);
}

int lp_case_options_check(const struct lp_case_options *options,
			  struct lp_error *err)
{
	struct lp_case_files c = { 0 };
	int status = read_options(&c, options, err);

	lp_case_done(&c);
	return status;
}

int lp_case_load(struct lp_case_files *c, const struct lp_case_options *options,
		 char **paths, bool *usage, struct lp_error *err)
{
	struct lp_progress progress;
	int status = read_options(c, options, err);

	*usage = status < 0;
	if (status < 0)
		return status;
	c->cluster = options->cluster;
	c->no_cluster = options->no_cluster;
	status = add_inputs(c, options, paths, err);
	c->inputs.again = true;
	if (status == 0)
		status = lp_period_resolve(&c->period, &options->period,
					   &c->inputs, usage, err);
	if (status == 0)
		lp_inputs_hint(&c->inputs, options->command);
	lp_progress_begin(&progress, "reading", "samples");
	c->inputs.progress = &progress;
	c->inputs.n_passes = 2;
	if (status == 0)
		status = read_files(c, options, usage, err);
	if (status == 0)
		status = plan(c, err);
	lp_progress_end(&progress);
	c->inputs.progress = NULL;
	lp_inputs_warn(&c->inputs, options->command);
	if (status < 0)
		return status;
	status = check_shift(c, options, err);
	if (status == 0)
		status = check_calibration(c, err);
	if (status == 0)
		status = lp_case_check_exclude(c, err);
	*usage = status < 0;
	return status;
}

int lp_case_judge(struct lp_case_files *c,
		  const struct lp_diagnose_options *options,
		  struct lp_diagnosis *d, struct lp_error *err)
{
	int status;

	lp_case_set_options(c->reading.open, options);
	status = lp_case_advance(c->reading.open, LP_TIME_MAX, err);
	return status ? status : lp_case_findings(c->reading.open, d, err);
}

int lp_case_read_thresholds(struct lp_case_files *c, const char *path,
			    struct lp_error *err)
{
	char step[LP_TIME_TEXT];
	int status;

	if (!path)
		return 0;
	status = lp_thresholds_read(path, &c->thresholds, err);
	if (status < 0)
		return status;
	c->options.thresholds = c->thresholds;
	if (!lp_thresholds_step(c->thresholds))
		snprintf(c->step_unknown, sizeof(c->step_unknown),
			 "%s does not say at which step its thresholds were "
			 "trained. If that was not %s, the verdict may be "
			 "wrong. Train again: 'limpid train' now writes the "
			 "step",
			 path, lp_duration_format(c->input.step_ns, step));
	return 0;
}

void lp_case_done(struct lp_case_files *c)
{
	lp_thresholds_free(c->thresholds);
	lp_calibration_free(c->calibration);
	lp_reading_done(&c->reading);
	lp_site_done(&c->site);
	lp_inputs_done(&c->inputs);
	free(c->exclude);
}
