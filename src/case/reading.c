/* SPDX-License-Identifier: Apache-2.0 */
#include "case/reading.h"

#include "case/case_metrics.h"

#include <stdlib.h>

static int open_input(void *context, size_t input, struct lp_stream **stream,
		      struct lp_error *err)
{
	const struct lp_reading *r = context;

	return r->config.open(r->config.context, input, &r->query, stream, err);
}

/* ---- the first pass ---- */

int lp_reading_survey(struct lp_reading *r,
		      const struct lp_reading_config *config,
		      struct lp_error *err)
{
	struct lp_stream *stream;
	int status;

	r->config = *config;
	if (lp_needs_survey(&r->survey_needs) < 0)
		return lp_fail_memory(err);
	lp_query_init(&r->query);
	r->query.columns = r->survey_needs.columns;
	r->query.since_ns = config->since_ns;
	r->query.until_ns = config->until_ns;
	status = lp_shards_survey(&r->shards, open_input, r, config->n, &stream,
				  err);
	if (status < 0)
		return status;
	r->recording.parts = LP_SURVEY_PEERS;
	status = lp_survey_run(&r->recording, stream, err);
	lp_stream_close(stream);
	if (status == 0)
		lp_survey_finish(&r->recording);
	return status;
}

/* ---- planning ---- */

static const char *single_text(const struct lp_reading_config *config)
{
	return config->since_ns != LP_TIME_MIN ||
			       config->until_ns != LP_TIME_MAX
		       ? "no host has two samples in this time; 'limpid "
			 "inventory' says which time the recordings cover"
		       : "no host has two samples in these files: there is "
			 "nothing to compare";
}

/* Nothing to compare is no error but a verdict. */
static int make_plan(void *user, const struct lp_survey *recording,
		     const struct lp_matrix *matrix, struct lp_plan *plan,
		     struct lp_error *err)
{
	const struct lp_reading *r = user;
	int status =
		r->config.plan
			? r->config.plan(r->config.plan_user, recording, matrix,
					 plan, err)
			: lp_cluster_plan(NULL, recording, matrix, plan, err);

	if (status == 0 &&
	    (r->single ||
	     (plan->refusal == LP_REFUSAL_NO_SAMPLES &&
	      recording->roster.first_ns > recording->roster.last_ns))) {
		plan->refusal = LP_REFUSAL_NO_SAMPLES;
		plan->refusal_text = single_text(&r->config);
	}
	return status;
}

/* ---- the second pass ---- */

static int take_shards(struct lp_reading *r, struct lp_error *err)
{
	struct lp_stream *stream;
	size_t at = 0;
	int status;

	while ((status = lp_shards_next(&r->shards, &at, &stream, err)) > 0) {
		status = lp_case_take(r->open, stream, err);
		lp_stream_close(stream);
		if (status < 0)
			return status;
	}
	return status;
}

/* Once more, by time: the classes in which samples are counted. */
static int open_samples(void *user, struct lp_stream **stream,
			struct lp_error *err)
{
	struct lp_reading *r = user;

	lp_counted_classes(r->counted);
	r->query.classes = r->counted;
	return lp_merge_open(open_input, r, r->config.n, stream, err);
}

/* 0: the points are samples, or nobody counts them. */
static int64_t sample_of(const struct lp_reading *r)
{
	int64_t interval = lp_survey_interval(&r->recording);

	return interval > 0 && interval < r->step_ns &&
			       lp_case_is_joint(r->config.options.methods)
		       ? interval
		       : 0;
}

static int put_all(struct lp_reading *r, struct lp_error *err)
{
	struct lp_case_config config = {
		.step_ns = r->step_ns,
		.since_ns = r->config.since_ns,
		.until_ns = r->config.until_ns,
		.metrics = r->metrics,
		.recording = &r->recording,
		.plan = make_plan,
		.plan_user = r,
		.sample_ns = sample_of(r),
		.samples = open_samples,
		.samples_user = r,
		.options = r->config.options,
	};
	int status = lp_case_open(&config, &r->open, err);

	if (status < 0)
		return status;
	if (lp_needs_metrics(&r->needs, r->metrics) < 0)
		return lp_fail_memory(err);
	lp_compared_classes(r->classes);
	r->query.columns = r->needs.columns;
	r->query.classes = r->classes;
	/* The first step needs the sample before it. */
	if (__builtin_sub_overflow(config.since_ns, 2 * config.step_ns,
				   &r->query.since_ns))
		r->query.since_ns = LP_TIME_MIN;
	return take_shards(r, err);
}

static size_t count(const struct lp_matrix_metric *list)
{
	size_t n = 0;

	while (list && list[n].class)
		n++;
	return n;
}

static bool is_listed(const struct lp_matrix_metric *list,
		      const struct lp_matrix_metric *one)
{
	for (; list->class; list++)
		if (list->class == one->class && list->metric == one->metric)
			return true;
	return false;
}

static int add_also(struct lp_reading *r, struct lp_error *err)
{
	const struct lp_matrix_metric *also = r->config.also;
	size_t n = count(r->metrics), more = count(also);
	struct lp_matrix_metric *list =
		realloc(r->metrics, (n + more + 1) * sizeof(*list));

	if (!list)
		return lp_fail_memory(err);
	r->metrics = list;
	for (size_t i = 0; i < more; i++) {
		if (is_listed(list, &also[i]))
			continue;
		list[n++] = also[i];
		list[n] = (struct lp_matrix_metric){ 0 };
	}
	return 0;
}

int lp_reading_put(struct lp_reading *r, struct lp_error *err)
{
	int status;

	r->step_ns = lp_step_choose(&r->recording,
				    lp_detector_main(r->config.options.methods),
				    r->config.step_ns, r->step_note);
	/* Nothing to compare is no error but a verdict; see make_plan. */
	r->single = r->step_ns <= 0;
	if (r->single)
		r->step_ns = LP_NS_PER_S;
	status = lp_case_metrics_choose(
		r->config.metrics, r->config.options.methods, &r->recording,
		r->step_ns, &r->metrics, err);
	if (status == 0)
		status = add_also(r, err);
	return status ? status : put_all(r, err);
}

void lp_reading_done(struct lp_reading *r)
{
	lp_case_close(r->open);
	lp_survey_done(&r->recording);
	lp_shards_done(&r->shards);
	free(r->metrics);
	lp_needs_done(&r->survey_needs);
	lp_needs_done(&r->needs);
}
