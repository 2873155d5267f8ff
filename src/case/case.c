/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case.h"

#include "case/hearing.h"
#include "case/recent.h"
#include "case/sampled.h"
#include "diagnose/unit.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* A running case plans anew so often, and when something changed. */
#define PLAN_EVERY_NS (3600 * LP_NS_PER_S)
#define PLAN_LEAST_NS (300 * LP_NS_PER_S)
/* Points are forgotten this part of the history at a time. */
#define FORGET_PART 8

struct lp_case {
	struct lp_case_config config;
	struct lp_matrix *matrix;
	struct lp_hearing *hearing;
	struct lp_recent *recent;   /* NULL: the survey was given */
	struct lp_survey recording; /* the case's own, of the last plan */
	struct lp_plan plan;
	bool planned, judges; /* there is a plan; units were made of it */
	struct lp_units peers, owns; /* of the plan */
	struct lp_diagnose_input input;
	int64_t planned_ns, forgotten_ns;
	size_t bound; /* components that the matrix had when the plan was bound
			 to it */
};

/* ---- opening, putting ---- */

/* Units that look back must find their points. */
static int64_t least_history(const struct lp_case_config *config)
{
	struct lp_detector_params p =
		lp_detector_params_at(lp_detector_main(config->options.methods),
				      &config->options.params, config->step_ns);
	int64_t windows = 2 * (int64_t)p.k + 1;

	return ((int64_t)p.window + (int64_t)p.smooth +
		windows * (int64_t)p.shift) *
	       config->step_ns;
}

/* What is kept for a while only is as long as that. */
static int64_t last_known(const struct lp_case_config *config)
{
	int64_t last = config->recording && !config->history_ns
			       ? config->recording->roster.last_ns
			       : 0;

	return last > config->until_ns ? config->until_ns : last;
}

static int prepare(struct lp_case *c, const struct lp_case_config *config)
{
	struct lp_matrix_options options = {
		.step_ns = config->step_ns,
		.since_ns = config->since_ns,
		.until_ns = config->until_ns,
		.metrics = config->metrics,
		.last_ns = last_known(config),
	};
	int64_t least = least_history(config);

	c->config = *config;
	if (c->config.history_ns && c->config.history_ns < least)
		c->config.history_ns = least;
	c->planned_ns = c->forgotten_ns = LP_TIME_MIN;
	c->matrix = lp_matrix_new(&options);
	c->hearing = lp_hearing_new(config->witnesses ? config->witnesses
						      : lp_witnesses);
	if (!config->recording)
		c->recent = lp_recent_new();
	c->recording.parts = LP_SURVEY_PEERS;
	if (!c->matrix || !c->hearing || (!config->recording && !c->recent))
		return -ENOMEM;
	c->input = (struct lp_diagnose_input){
		.matrix = c->matrix,
		.metrics = config->metrics,
		.step_ns = config->step_ns,
		.sample_ns = config->sample_ns,
		.plan = &c->plan,
		.recording = config->recording,
	};
	return 0;
}

int lp_case_open(const struct lp_case_config *config, struct lp_case **opened,
		 struct lp_error *err)
{
	struct lp_case *c = calloc(1, sizeof(*c));

	assert(config->step_ns > 0);
	if (!c || prepare(c, config) < 0) {
		lp_case_close(c);
		return lp_fail_memory(err);
	}
	*opened = c;
	return 0;
}

void lp_case_close(struct lp_case *c)
{
	if (!c)
		return;
	lp_units_done(&c->peers);
	lp_units_done(&c->owns);
	if (c->planned)
		lp_plan_done(&c->plan);
	lp_survey_done(&c->recording);
	lp_recent_free(c->recent);
	lp_hearing_free(c->hearing);
	lp_matrix_free(c->matrix);
	free(c);
}

int lp_case_put(struct lp_case *c, const struct lp_item *item,
		struct lp_error *err)
{
	int status = lp_matrix_put(c->matrix, item, err);

	if (status == 0 && lp_hearing_put(c->hearing, item) < 0)
		status = lp_fail_memory(err);
	if (status == 0 && c->recent)
		status = lp_recent_put(c->recent, item, err);
	/* That a recorder ended counts from now on, not from the next plan. */
	if (status == 0 && c->recent && item->kind == LP_ITEM_EVENT)
		status = lp_survey_put(&c->recording, item, err);
	return status;
}

/* A stream whose items the witnesses see, too. */
struct heard {
	struct lp_stream stream;
	struct lp_stream *inner;
	struct lp_hearing *hearing;
};

static int heard_next(struct lp_stream *stream, struct lp_item *item,
		      struct lp_error *err)
{
	struct heard *h = (struct heard *)stream;
	int status = lp_stream_next(h->inner, item, err);

	if (status > 0 && lp_hearing_put(h->hearing, item) < 0)
		return lp_fail_memory(err);
	return status;
}

int lp_case_take(struct lp_case *c, struct lp_stream *stream,
		 struct lp_error *err)
{
	static const struct lp_stream_ops ops = { .next = heard_next };
	struct heard heard = { { &ops }, stream, c->hearing };
	struct lp_item item;
	int status;

	/* What steps remember of its hosts is not needed afterwards. */
	if (!c->recent)
		return lp_matrix_take(c->matrix, &heard.stream, err);
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_case_put(c, &item, err);
		if (status < 0)
			return status;
	}
	return status;
}

void lp_case_set_options(struct lp_case *c,
			 const struct lp_diagnose_options *options)
{
	lp_units_done(&c->peers);
	lp_units_done(&c->owns);
	c->judges = false;
	c->config.options = *options;
}

const struct lp_diagnose_input *lp_case_input(const struct lp_case *c)
{
	return &c->input;
}

int lp_case_measure(const struct lp_case *c, struct lp_calibration *calibration,
		    struct lp_error *err)
{
	return lp_units_measure(&c->peers, c->config.step_ns, calibration) < 0
		       ? lp_fail_memory(err)
		       : 0;
}

/* ---- planning ---- */

static int make_plan(struct lp_case *c, const struct lp_survey *recording,
		     struct lp_plan *plan, struct lp_error *err)
{
	if (c->config.plan)
		return c->config.plan(c->config.plan_user, recording, c->matrix,
				      plan, err);
	return lp_cluster_plan(NULL, recording, c->matrix, plan, err);
}

static int plan_units(struct lp_case *c, struct lp_units *peers,
		      struct lp_units *owns, struct lp_error *err)
{
	const struct lp_diagnose_options *options = &c->config.options;
	int status = lp_units_plan(&c->input, options, false, peers, err);

	if (status == 0 && options->filter_server_workloads)
		status = lp_units_plan(&c->input, options, true, owns, err);
	c->judges = true;
	return status;
}

static void replace(struct lp_units *units, struct lp_units *by)
{
	lp_units_carry_on(by, units);
	lp_units_done(units);
	*units = *by;
}

/* What the new plan was made of takes the place of the old. */
static int renew(struct lp_case *c, struct lp_survey *recording,
		 struct lp_plan *plan, struct lp_error *err)
{
	struct lp_plan old_plan = c->plan;
	struct lp_survey old = c->recording;
	struct lp_units peers = { 0 }, owns = { 0 };
	bool planned = c->planned;
	int status;

	c->plan = *plan;
	c->recording = *recording;
	c->input.recording = &c->recording;
	c->planned = true;
	status = plan_units(c, &peers, &owns, err);
	replace(&c->peers, &peers);
	replace(&c->owns, &owns);
	if (planned)
		lp_plan_done(&old_plan);
	lp_survey_done(&old);
	return status;
}

static int plan_anew(struct lp_case *c, struct lp_error *err)
{
	struct lp_survey recording = { .parts = LP_SURVEY_PEERS };
	struct lp_plan plan;
	int status = lp_recent_take(c->recent, &recording, err);

	if (status == 0)
		status = make_plan(c, &recording, &plan, err);
	if (status < 0) {
		lp_survey_done(&recording);
		return status;
	}
	return renew(c, &recording, &plan, err);
}

int lp_case_plan(struct lp_case *c, struct lp_error *err)
{
	int status;

	if (c->recent)
		return plan_anew(c, err);
	assert(!c->planned);
	status = make_plan(c, c->config.recording, &c->plan, err);
	c->planned = status == 0;
	return status;
}

/* Given a survey, once; else when it is time, and at the latest at the end. */
static bool plan_is_due(const struct lp_case *c, int64_t first_ns,
			int64_t last_ns, int64_t horizon_ns)
{
	if (!c->recent)
		return !c->planned;
	if (!c->planned)
		return horizon_ns == LP_TIME_MAX ||
		       last_ns - first_ns >= least_history(&c->config);
	return last_ns - c->planned_ns >= PLAN_EVERY_NS ||
	       (last_ns - c->planned_ns >= PLAN_LEAST_NS &&
		lp_recent_changed(c->recent));
}

/* ---- advancing ---- */

static int64_t shift_ns(const struct lp_case *c)
{
	struct lp_detector_params p = lp_detector_params_at(
		lp_detector_main(c->config.options.methods),
		&c->config.options.params, c->config.step_ns);

	return (int64_t)p.shift * c->config.step_ns;
}

/*
 * Forget what is older than the history: at times that do not depend on how
 * often anybody advanced.
 */
static int forget(struct lp_case *c, int64_t last_ns)
{
	int64_t shift = shift_ns(c), part = c->config.history_ns / FORGET_PART;
	int64_t every = (part / shift + 1) * shift;
	int64_t until = (last_ns - c->config.history_ns) / every * every;
	int status;

	if (!c->config.history_ns || until <= c->forgotten_ns || until <= 0)
		return 0;
	status = lp_units_forget(&c->peers, &c->input, &c->config.options,
				 until, c->config.history_ns);
	if (status == 0)
		status =
			lp_units_forget(&c->owns, &c->input, &c->config.options,
					until, c->config.history_ns);
	if (status < 0)
		return status;
	c->forgotten_ns = until;
	lp_hearing_forget(c->hearing, until);
	/* The points of the windows that stay. */
	lp_matrix_drop(c->matrix, until - least_history(&c->config));
	return 0;
}

/* Components may come after the plan was made that knows them. */
static int bind(struct lp_case *c)
{
	size_t n = lp_matrix_components(c->matrix);

	if (!c->planned || c->bound == n)
		return 0;
	c->bound = n;
	return lp_plan_bind(&c->plan, c->input.recording, c->matrix);
}

/* Points that are there, then the samples. */
static int push_to(struct lp_case *c, struct lp_units *units,
		   const struct lp_diagnose_options *options, bool all,
		   struct lp_error *err)
{
	int status = lp_units_push(units, &c->input, options, all);

	if (status == 0 && lp_units_count_samples(units, &c->input))
		return lp_sampled_push(&c->config, &c->input, &c->plan, units,
				       options, err);
	return status == -ENOMEM ? lp_fail_memory(err)
	       : status < 0 ? lp_fail_errno(err, -status, "cannot diagnose")
			    : 0;
}

static int push(struct lp_case *c, bool all, struct lp_error *err)
{
	struct lp_diagnose_options options = c->config.options;
	/* Of what is forgotten no rows are left to be judged again. */
	bool again = all && !c->config.history_ns;
	int status;

	assert(all || !c->config.sample_ns);
	options.provisional = again;
	status = push_to(c, &c->peers, &options, all, err);
	if (status == 0)
		status = push_to(c, &c->owns, &c->config.options, all, err);
	if (status < 0 || !again)
		return status;
	if (lp_units_calibrate(&c->peers, &c->config.options) < 0)
		return lp_fail_memory(err);
	return push_to(c, &c->peers, &c->config.options, all, err);
}

int lp_case_advance(struct lp_case *c, int64_t horizon_ns, struct lp_error *err)
{
	int64_t first = 0, last;
	size_t points;
	int status = lp_matrix_close(c->matrix, horizon_ns, err);

	if (status < 0)
		return status;
	if (lp_hearing_advance(c->hearing, horizon_ns) < 0)
		return lp_fail_memory(err);
	points = lp_matrix_points(c->matrix, &first);
	last = first + (int64_t)points * c->config.step_ns;
	if (plan_is_due(c, first, last, horizon_ns)) {
		status = lp_case_plan(c, err);
		c->planned_ns = last;
	}
	if (status == 0 && c->planned && !c->judges)
		status = plan_units(c, &c->peers, &c->owns, err);
	if (status == 0 && bind(c) < 0)
		status = lp_fail_memory(err);
	if (status == 0 && points)
		status = push(c, horizon_ns == LP_TIME_MAX, err);
	if (status == 0 && points && forget(c, last) < 0)
		status = lp_fail_memory(err);
	return status;
}

/* A running case has no plan before it saw enough to make one. */
static int findings_so_far(struct lp_case *c, struct lp_diagnosis *diagnosis,
			   struct lp_error *err)
{
	const struct lp_plan none = {
		.refusal = LP_REFUSAL_NO_SAMPLES,
		.refusal_text = "the recording has only just begun: there is "
				"not enough to compare yet",
	};
	struct lp_diagnose_input input = c->input;

	input.plan = &none;
	return lp_diagnose_units(&input, &c->config.options, &c->peers,
				 &c->owns, diagnosis, err);
}

int lp_case_findings(struct lp_case *c, struct lp_diagnosis *diagnosis,
		     struct lp_error *err)
{
	int status = 0;

	if (!c->planned && c->recent)
		return findings_so_far(c, diagnosis, err);
	if (!c->planned)
		status = lp_case_plan(c, err);
	c->input.testimonies =
		lp_hearing_all(c->hearing, &c->input.n_testimonies);
	return status ? status
		      : lp_diagnose_units(&c->input, &c->config.options,
					  &c->peers, &c->owns, diagnosis, err);
}
