/* SPDX-License-Identifier: Apache-2.0 */
#include "live/live.h"

#include "case/case_metrics.h"
#include "cluster/step.h"
#include "diagnose/publish.h"
#include "table/needs.h"

#include <errno.h>
#include <stdlib.h>

/* A host is waited for so long, in periods; one is silent after more. */
#define HORIZON_PERIODS 2
#define SILENT_PERIODS 6
/* The step follows from the last so much of the past. */
#define SURVEY_NS (600 * LP_NS_PER_S)
/* Windows that are kept where no joint detector judges. */
#define WINDOWS 60

struct lp_live {
	struct lp_live_config config;
	struct lp_follow *follow;
	struct lp_case *open; /* NULL: nothing came so far */
	struct lp_matrix_metric *metrics;
	struct lp_needs survey_needs, needs; /* to choose the step; to judge */
	struct lp_query query;
	int64_t step_ns, horizon_ns, now_ns;
	bool over; /* nothing comes any more */
	struct lp_live_host *hosts;
	size_t n_hosts, hosts_capacity;
};

static int64_t patience(const struct lp_live *live)
{
	return HORIZON_PERIODS * live->config.period_ns;
}

static int make_follow(struct lp_live *live)
{
	struct lp_follow_config config = {
		.paths = live->config.paths,
		.n = live->config.n,
		.query = &live->query,
		.slack_ns = patience(live),
		.say = live->config.say,
		.say_user = live->config.say_user,
	};

	live->follow = lp_follow_new(&config);
	return live->follow ? 0 : -ENOMEM;
}

struct lp_live *lp_live_new(const struct lp_live_config *config)
{
	struct lp_live *live = calloc(1, sizeof(*live));

	if (!live)
		return NULL;
	live->config = *config;
	live->horizon_ns = LP_TIME_MIN;
	lp_query_init(&live->query);
	live->query.tolerant = true;
	if (make_follow(live) < 0 || lp_needs_survey(&live->survey_needs) < 0) {
		lp_live_free(live);
		return NULL;
	}
	return live;
}

void lp_live_free(struct lp_live *live)
{
	if (!live)
		return;
	lp_case_close(live->open);
	lp_follow_free(live->follow);
	free(live->metrics);
	lp_needs_done(&live->survey_needs);
	lp_needs_done(&live->needs);
	free(live->hosts);
	free(live);
}

/* ---- beginning ---- */

static int put_survey(void *user, const struct lp_item *item,
		      struct lp_error *err)
{
	return lp_survey_put(user, item, err);
}

static int64_t before(int64_t time_ns, int64_t by_ns)
{
	int64_t result;

	return __builtin_sub_overflow(time_ns, by_ns, &result) ? LP_TIME_MIN
							       : result;
}

/* The interval of the recorders, by the last minutes; 0: not known yet. */
static int choose_step(struct lp_live *live, int64_t newest_ns,
		       struct lp_error *err)
{
	struct lp_survey recent = { .parts = LP_SURVEY_PEERS };
	char note[LP_STEP_NOTE];
	int status;

	live->query.columns = live->survey_needs.columns;
	live->query.since_ns = before(newest_ns, SURVEY_NS);
	lp_follow_rewind(live->follow, &live->query);
	status = lp_follow_look(live->follow, live->now_ns, put_survey, &recent,
				err);
	if (status == 0) {
		lp_survey_finish(&recent);
		live->step_ns =
			lp_step_choose(&recent, live->config.step_ns, note);
	}
	lp_survey_done(&recent);
	return status;
}

static int64_t history_of(const struct lp_live *live)
{
	const struct lp_diagnose_options *options = &live->config.options;
	const struct lp_detector *main_method =
		lp_detector_main(options->methods);
	struct lp_detector_params p = lp_detector_params_at(
		main_method, &options->params, live->step_ns);
	size_t points = main_method->joint ? LP_LIVE_BLOCKS * p.window
					   : WINDOWS * p.shift;

	return live->config.history_ns ? live->config.history_ns
				       : (int64_t)points * live->step_ns;
}

static int open_case(struct lp_live *live, struct lp_error *err)
{
	static const struct lp_option_list all;
	struct lp_case_config config = {
		.step_ns = live->step_ns,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.plan = live->config.plan,
		.plan_user = live->config.plan_user,
		.recording = live->config.recording,
		.options = live->config.options,
	};

	/* Of a replay all points are kept. */
	config.history_ns = config.recording ? 0 : history_of(live);
	live->metrics = lp_case_metrics(
		live->config.metrics ? live->config.metrics : &all,
		live->config.options.methods, true);
	config.metrics = live->metrics;
	if (!live->metrics ||
	    lp_needs_metrics(&live->needs, live->metrics) < 0 ||
	    lp_needs_survey(&live->needs) < 0)
		return lp_fail_memory(err);
	return lp_case_open(&config, &live->open, err);
}

/* What is needed of the archives from now on. */
static void ask_for_samples(struct lp_live *live, int64_t newest_ns)
{
	live->query.columns = live->needs.columns;
	/* The first step needs the sample before it. */
	live->query.since_ns =
		live->config.recording
			? LP_TIME_MIN
			: before(newest_ns,
				 history_of(live) + 2 * live->step_ns);
	lp_follow_rewind(live->follow, &live->query);
}

static int begin(struct lp_live *live, struct lp_error *err)
{
	int64_t newest;
	int status = lp_follow_find(live->follow, live->now_ns, &newest, err);

	if (status < 0 || newest == LP_TIME_MIN)
		return status;
	status = choose_step(live, newest, err);
	if (status < 0 || live->step_ns <= 0)
		return status;
	status = open_case(live, err);
	if (status == 0)
		ask_for_samples(live, newest);
	return status;
}

/* ---- looking ---- */

static int put_case(void *user, const struct lp_item *item,
		    struct lp_error *err)
{
	return lp_case_put(user, item, err);
}

/* One host whose clock runs ahead hurries nobody. */
static int advance(struct lp_live *live, struct lp_error *err)
{
	int64_t newest = lp_follow_newest(live->follow);
	int64_t horizon;

	if (newest == LP_TIME_MIN || live->over)
		return 0;
	if (newest > live->now_ns)
		newest = live->now_ns;
	horizon = before(newest, patience(live));
	if (horizon <= live->horizon_ns)
		return 0;
	live->horizon_ns = horizon;
	return lp_case_advance(live->open, horizon, err);
}

static enum lp_live_state state_of(const struct lp_live *live,
				   const struct lp_follow_host *host,
				   int64_t newest_ns)
{
	int64_t patient = patience(live), now = live->now_ns;
	int64_t least = before(now, SILENT_PERIODS * live->config.period_ns);

	if (host->ahead_ns)
		return LP_LIVE_AHEAD;
	if (before(newest_ns, patient) > least)
		least = before(newest_ns, patient);
	if (host->newest_ns >= least)
		return LP_LIVE_HEARD;
	if (host->stopped)
		return LP_LIVE_STOPPED;
	return host->grown_ns >= before(now, patient) ? LP_LIVE_BEHIND
						      : LP_LIVE_SILENT;
}

static int describe_hosts(struct lp_live *live, struct lp_error *err)
{
	const struct lp_follow_host *hosts =
		lp_follow_hosts(live->follow, &live->n_hosts);
	int64_t newest = lp_follow_newest(live->follow);

	if (lp_grow(&live->hosts, &live->hosts_capacity, live->n_hosts + 1,
		    sizeof(*live->hosts)) < 0)
		return lp_fail_memory(err);
	for (size_t i = 0; i < live->n_hosts; i++)
		live->hosts[i] = (struct lp_live_host){
			.name = hosts[i].name,
			.state = state_of(live, &hosts[i], newest),
			.newest_ns = hosts[i].newest_ns,
			.lag_ns = hosts[i].newest_ns == LP_TIME_MIN
					  ? 0
					  : before(live->now_ns,
						   hosts[i].newest_ns),
			.ahead_ns = hosts[i].ahead_ns,
			.samples = hosts[i].samples,
			.late = hosts[i].late,
		};
	return 0;
}

int lp_live_look(struct lp_live *live, int64_t now_ns, struct lp_error *err)
{
	int status = 0;

	live->now_ns = now_ns;
	if (!live->open)
		status = begin(live, err);
	if (status < 0 || !live->open)
		return status;
	status =
		lp_follow_look(live->follow, now_ns, put_case, live->open, err);
	if (status == 0)
		status = advance(live, err);
	return status ? status : describe_hosts(live, err);
}

int lp_live_finish(struct lp_live *live, struct lp_error *err)
{
	if (!live->open)
		return 0;
	live->over = true;
	live->horizon_ns = lp_follow_newest(live->follow);
	return lp_case_advance(live->open, LP_TIME_MAX, err);
}

/* ---- what is known ---- */

void lp_live_set_options(struct lp_live *live,
			 const struct lp_diagnose_options *options)
{
	live->config.options = *options;
	/* Until all is judged anew nothing can be told. */
	live->horizon_ns = LP_TIME_MIN;
	if (live->open)
		lp_case_set_options(live->open, options);
}

static int nothing_yet(struct lp_findings *findings, struct lp_error *err)
{
	*findings = (struct lp_findings){ .outcome = LP_OUTCOME_UNDECIDED };
	findings->reason = lp_findings_text(
		findings, "no samples came so far: there is nothing to compare "
			  "yet");
	return findings->reason ? 0 : lp_fail_memory(err);
}

int lp_live_findings(struct lp_live *live, const char *const *notes,
		     bool pictures, struct lp_findings *findings,
		     struct lp_error *err)
{
	struct lp_diagnosis d;
	struct lp_publication publication = { .diagnosis = &d,
					      .notes = notes,
					      .pictures = pictures };
	int status;

	if (!live->open || live->horizon_ns == LP_TIME_MIN)
		return nothing_yet(findings, err);
	status = lp_case_findings(live->open, &d, err);
	if (status < 0)
		return status;
	publication.input = lp_case_input(live->open);
	status = lp_findings_publish(&publication, findings, err);
	lp_diagnosis_done(&d);
	return status;
}

const struct lp_live_host *lp_live_hosts(const struct lp_live *live, size_t *n)
{
	*n = live->n_hosts;
	return live->hosts;
}

const char *lp_live_state_name(enum lp_live_state state)
{
	static const char *const names[LP_LIVE_STATES] = {
		[LP_LIVE_HEARD] = "heard",     [LP_LIVE_SILENT] = "silent",
		[LP_LIVE_STOPPED] = "stopped", [LP_LIVE_AHEAD] = "ahead",
		[LP_LIVE_BEHIND] = "behind",
	};

	return names[state];
}

struct lp_case *lp_live_case(const struct lp_live *live)
{
	return live->open;
}

int64_t lp_live_horizon(const struct lp_live *live)
{
	return live->horizon_ns;
}

int64_t lp_live_step(const struct lp_live *live)
{
	return live->step_ns;
}

uint64_t lp_live_samples(const struct lp_live *live, uint64_t *late)
{
	uint64_t samples = 0;

	*late = 0;
	for (size_t i = 0; i < live->n_hosts; i++) {
		samples += live->hosts[i].samples;
		*late += live->hosts[i].late;
	}
	return samples;
}
