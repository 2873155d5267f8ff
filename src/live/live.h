/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The case of what is being recorded now: `watch` and `serve` are made of it.
 *
 *     new ── look ── findings, hosts ── look ── findings ...── free
 *
 * A look reads what came (follow.h), puts it into the case and judges all
 * points up to the horizon: the newest sample of any host, less two periods.
 * A host that delivers later than that is not waited for. The first look that
 * finds samples chooses the step, and reads so much of the past that detectors
 * know what is usual: after a restart nothing else is needed.
 */
#ifndef LP_LIVE_LIVE_H
#define LP_LIVE_LIVE_H

#include "case/case.h"
#include "live/follow.h"

/* So much of the past, in blocks of a joint detector. */
#define LP_LIVE_BLOCKS 336

/* What it points to must outlive it. Zero-valued fields: the defaults. */
struct lp_live_config {
	const char *const *paths; /* files and directories; n of them */
	size_t n;
	int64_t period_ns;  /* how often archives grow; above 0 */
	int64_t step_ns;    /* 0: the interval of the recorders */
	int64_t history_ns; /* 0: LP_LIVE_BLOCKS */
	const struct lp_option_list *metrics; /* that may accuse; NULL: all */
	lp_case_planner *plan;                /* as in case.h */
	void *plan_user;
	/* Of all that will be recorded: for replays. NULL: the case's own. */
	const struct lp_survey *recording;
	struct lp_diagnose_options options;
	void (*say)(void *user, const char *line); /* as in follow.h */
	void *say_user;
};

enum lp_live_state {
	LP_LIVE_HEARD,
	LP_LIVE_SILENT,  /* nothing came for a while */
	LP_LIVE_STOPPED, /* the same, and its recorder ended in order */
	LP_LIVE_AHEAD,   /* its clock is ahead of this machine's */
	LP_LIVE_BEHIND,  /* samples come, of times that are closed */
	LP_LIVE_STATES,
};

struct lp_live_host {
	const char *name;
	enum lp_live_state state;
	int64_t newest_ns; /* of its samples; LP_TIME_MIN: none */
	int64_t lag_ns;    /* this machine's clock less that; 0: none */
	int64_t ahead_ns;
	uint64_t samples, late;
};

struct lp_live;

/* NULL: out of memory. */
struct lp_live *lp_live_new(const struct lp_live_config *config);
void lp_live_free(struct lp_live *live);

/* now_ns: this machine's clock, or that of a replay. 0 or -errno. */
int lp_live_look(struct lp_live *live, int64_t now_ns, struct lp_error *err);
/* Nothing comes any more: judge all that is there. For replays. */
int lp_live_finish(struct lp_live *live, struct lp_error *err);

/* Findings are made otherwise from now on. */
void lp_live_set_options(struct lp_live *live,
			 const struct lp_diagnose_options *options);

/*
 * What is to be said now; lp_findings_done frees. Before there is anything to
 * compare the verdict is that it cannot be told. notes: as in publish.h.
 */
int lp_live_findings(struct lp_live *live, const char *const *notes,
		     bool pictures, struct lp_findings *findings,
		     struct lp_error *err);

/* Until the next look. */
const struct lp_live_host *lp_live_hosts(const struct lp_live *live, size_t *n);
/* "heard", "silent" ... */
const char *lp_live_state_name(enum lp_live_state state);

/* NULL: nothing came so far. */
struct lp_case *lp_live_case(const struct lp_live *live);
/* Up to where all is judged; LP_TIME_MIN: nothing yet. */
int64_t lp_live_horizon(const struct lp_live *live);
int64_t lp_live_step(const struct lp_live *live);
/* Samples so far, of all hosts; those that came too late. */
uint64_t lp_live_samples(const struct lp_live *live, uint64_t *late);

#endif
