/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_feed.h"

#include "base/memory.h"
#include "base/number.h"
#include "case/case_metrics.h"
#include "diagnose/publish.h"
#include "live/live.h"
#include "record/sampler.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* So much of the past is kept: more than the map shows. */
#define HISTORY_NS (2400 * LP_NS_PER_S)
/* Archives of the recorder grow so often. */
#define PERIOD_NS (10 * LP_NS_PER_S)
#define SOURCE_TEXT 160
/* Who is compared is asked again so often. */
#define PLAN_EVERY_NS (300 * LP_NS_PER_S)

struct lp_feed {
	struct lp_feed_config config;
	struct lp_live *live; /* of archives; NULL: this machine */
	struct lp_sampler *sampler;
	struct lp_builder *spare;
	struct lp_filter filter;
	struct lp_matrix_metric *metrics;
	struct lp_case *open;
	int64_t horizon_ns, planned_ns;
	char host[HOST_NAME_MAX + 1], source[SOURCE_TEXT];
};

/* ---- this machine ---- */

/* What accuses on one machine: its disks and interfaces. */
static int open_sampler(struct lp_feed *f, struct lp_error *err)
{
	static const char *const exclude[] = { "host:*", "tcp:*" };
	struct lp_sampler_config config = {
		.host = f->host,
		.interval_ns = f->config.interval_ns,
		.no_tcp = true,
		.context = { .root = f->config.root,
			     .filter = &f->filter,
			     .netns_fd = -1 },
	};
	int status;

	f->filter = (struct lp_filter){ .exclude = exclude,
					.n_exclude = lp_array_size(exclude) };
	f->spare = lp_builder_new(f->host);
	if (!f->spare)
		return lp_fail_memory(err);
	status = lp_sampler_new(&config, &f->sampler, err);
	return status ? status : lp_sampler_start(f->sampler, err);
}

static int open_case(struct lp_feed *f, struct lp_error *err)
{
	static const struct lp_option_list all;
	struct lp_case_config config = {
		.step_ns = f->config.interval_ns,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.history_ns = HISTORY_NS,
		.options = f->config.options,
	};

	f->metrics = lp_case_metrics(&all, config.options.methods, true);
	config.metrics = f->metrics;
	return f->metrics ? lp_case_open(&config, &f->open, err)
			  : lp_fail_memory(err);
}

static bool take_all(void *user, const struct lp_batch *batch,
		     struct lp_builder *samples)
{
	(void)user;
	(void)batch;
	(void)samples;
	return false;
}

static int put(struct lp_feed *f, struct lp_item item, struct lp_error *err)
{
	return lp_case_put(f->open, &item, err);
}

static int put_notices(struct lp_feed *f, struct lp_notices *notices,
		       struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < notices->count && status == 0; i++) {
		const struct lp_notice *notice = &notices->items[i];
		struct lp_label room[LP_NOTICE_PAIRS + 1];
		struct lp_event event = lp_notice_event(notice, f->host, room);

		if (!notice->silent)
			f->config.say(f->config.user, notice->text);
		status = put(f,
			     (struct lp_item){ .kind = LP_ITEM_EVENT,
					       .event = &event },
			     err);
	}
	lp_notices_done(notices);
	return status;
}

/*
 * Whoever looks now wants to see what works now: disks that were idle in the
 * first minute are peers as soon as they work. Groups that are as before go on.
 */
static int plan_again(struct lp_feed *f, struct lp_error *err)
{
	const struct lp_plan *plan = lp_case_input(f->open)->plan;
	bool refused = plan->refusal != LP_REFUSAL_NONE;
	int64_t every = refused ? LP_FEED_PLAN_NS : PLAN_EVERY_NS;

	if (!refused && plan->n_groups == 0) {
		f->planned_ns = f->horizon_ns; /* there is no plan yet */
		return 0;
	}
	if (f->horizon_ns - f->planned_ns < every)
		return 0;
	f->planned_ns = f->horizon_ns;
	return lp_case_plan(f->open, err);
}

static int put_samples(struct lp_feed *f, struct lp_builder *samples,
		       struct lp_error *err)
{
	const struct lp_chunk *chunk = lp_builder_chunk(samples);
	int status = 0;

	if (chunk->n_samples == 0)
		return 0;
	status = put(f,
		     (struct lp_item){ .kind = LP_ITEM_CHUNK, .chunk = chunk },
		     err);
	f->horizon_ns = chunk->time_ns[chunk->n_samples - 1];
	/* Before: units of a new plan judge what is kept at the next advance.
	 */
	if (status == 0)
		status = plan_again(f, err);
	return status ? status : lp_case_advance(f->open, f->horizon_ns, err);
}

static int look_here(struct lp_feed *f, struct lp_error *err)
{
	struct lp_batch batch = { .samples = f->spare };
	int status = 0;

	lp_sampler_nudge(f->sampler);
	lp_sampler_wait(f->sampler, take_all, NULL, &batch);
	if (batch.inventory)
		status = put(f,
			     (struct lp_item){ .kind = LP_ITEM_INVENTORY,
					       .inventory = batch.inventory },
			     err);
	lp_inventory_free(batch.inventory);
	if (status == 0)
		status = put_notices(f, &batch.notices, err);
	if (status == 0)
		status = put_samples(f, batch.samples, err);
	lp_builder_clear(batch.samples);
	f->spare = batch.samples;
	if (status == 0 && batch.barren)
		status = lp_fail(err, ENOENT,
				 "nothing to sample: none of the kernel's "
				 "files can be read under %s/",
				 f->config.root);
	return status;
}

/* ---- archives ---- */

static int open_live(struct lp_feed *f, struct lp_error *err)
{
	struct lp_live_config config = {
		.paths = f->config.paths,
		.n = f->config.n_paths,
		.period_ns = PERIOD_NS,
		.options = f->config.options,
		.say = f->config.say,
		.say_user = f->config.user,
	};

	f->live = lp_live_new(&config);
	return f->live ? 0 : lp_fail_memory(err);
}

const char *lp_feed_source(struct lp_feed *f)
{
	const struct lp_live_host *hosts;
	size_t n, heard = 0;

	if (!f->live)
		return f->host;
	hosts = lp_live_hosts(f->live, &n);
	for (size_t i = 0; i < n; i++)
		heard += hosts[i].state == LP_LIVE_HEARD;
	if (heard == n)
		snprintf(f->source, sizeof(f->source), "%zu %s", n,
			 lp_plural(n, "host", "hosts"));
	else
		snprintf(f->source, sizeof(f->source), "%zu %s, %zu not heard",
			 n, lp_plural(n, "host", "hosts"), n - heard);
	return f->source;
}

/* ---- either ---- */

int lp_feed_open(const struct lp_feed_config *config, struct lp_feed **feed,
		 struct lp_error *err)
{
	struct lp_feed *f = calloc(1, sizeof(*f));
	int status;

	if (!f)
		return lp_fail_memory(err);
	f->config = *config;
	f->horizon_ns = LP_TIME_MIN;
	if (gethostname(f->host, sizeof(f->host) - 1) < 0 || !f->host[0])
		snprintf(f->host, sizeof(f->host), "localhost");
	if (config->n_paths)
		status = open_live(f, err);
	else
		status = open_case(f, err);
	if (status == 0 && !config->n_paths)
		status = open_sampler(f, err);
	if (status < 0)
		lp_feed_close(f);
	else
		*feed = f;
	return status;
}

/* A worker that is waiting for its tick ends at once. */
static bool stop_sampler(struct lp_feed *f)
{
	struct lp_batch batch = { .samples = f->spare };

	if (!f->sampler)
		return true;
	lp_sampler_stop(f->sampler);
	while (!batch.end) {
		lp_sampler_wait(f->sampler, take_all, NULL, &batch);
		lp_inventory_free(batch.inventory);
		lp_notices_done(&batch.notices);
		lp_builder_clear(batch.samples);
	}
	f->spare = batch.samples;
	return lp_sampler_free(f->sampler);
}

bool lp_feed_close(struct lp_feed *f)
{
	if (!f)
		return true;
	if (!stop_sampler(f))
		return false;
	lp_builder_free(f->spare);
	if (f->live)
		lp_live_free(f->live);
	lp_case_close(f->open);
	free(f->metrics);
	free(f);
	return true;
}

int lp_feed_look(struct lp_feed *f, struct lp_error *err)
{
	int status;

	if (!f->live)
		return look_here(f, err);
	status = lp_live_look(f->live, lp_time_now(), err);
	f->horizon_ns = lp_live_horizon(f->live);
	return status;
}

int lp_feed_alarm(const struct lp_feed *f)
{
	return f->sampler ? lp_sampler_alarm_fd(f->sampler) : -1;
}

void lp_feed_watch(struct lp_feed *f)
{
	lp_sampler_watch(f->sampler);
}

struct lp_case *lp_feed_case(const struct lp_feed *f)
{
	return f->live ? lp_live_case(f->live) : f->open;
}

int64_t lp_feed_horizon(const struct lp_feed *f)
{
	return f->horizon_ns;
}

int lp_feed_findings(struct lp_feed *f, struct lp_findings *findings,
		     struct lp_error *err)
{
	struct lp_diagnosis d;
	struct lp_publication publication = { .diagnosis = &d };
	int status;

	if (f->live)
		return lp_live_findings(f->live, NULL, false, findings, err);
	status = lp_case_findings(f->open, &d, err);
	if (status < 0)
		return status;
	publication.input = lp_case_input(f->open);
	status = lp_findings_publish(&publication, findings, err);
	lp_diagnosis_done(&d);
	return status;
}
