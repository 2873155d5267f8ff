/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A survey: what some recordings hold, learnt in a first pass over them: hosts,
 * their spans and intervals, components and how busy each was, inventories,
 * columns, and what happened to the recorders. All commands that read
 * recordings twice begin with one, and each asks for what it needs.
 */
#ifndef LP_SURVEY_SURVEY_H
#define LP_SURVEY_SURVEY_H

#include "survey/roster.h"
#include "survey/seen.h"

enum lp_survey_part {
	LP_SURVEY_COMPONENTS = 1, /* and their hosts: .roster */
	LP_SURVEY_CADENCE = 2,    /* of the hosts, see cadence.h */
	LP_SURVEY_COLUMNS = 4,    /* that have values: .seen */
	LP_SURVEY_EVENTS = 8,
	/* What it takes to find out who is compared with whom. */
	LP_SURVEY_PEERS = LP_SURVEY_COMPONENTS | LP_SURVEY_EVENTS,
};

/* An event; its strings belong to the survey. */
struct lp_survey_event {
	uint32_t host; /* index of roster.hosts, or UINT32_MAX: no samples */
	struct lp_event event;
};

/* Zero-initialise but for .parts and .selection to begin. */
struct lp_survey {
	unsigned parts; /* that are asked for, of enum lp_survey_part; some */
	const struct lp_selection *selection; /* of .seen; NULL: all */
	struct lp_roster
		roster; /* hosts and components, sorted when finished */
	struct lp_seen seen;
	struct lp_survey_event *events; /* in the order of the stream */
	size_t n_events, events_capacity;
	bool partial; /* hosts were left out on purpose; the caller's to set */
	struct lp_arena arena;
};

/* Put every item of the streams, or all of a stream at once; finish once. */
int lp_survey_put(struct lp_survey *survey, const struct lp_item *item,
		  struct lp_error *err);
int lp_survey_run(struct lp_survey *survey, struct lp_stream *stream,
		  struct lp_error *err);
void lp_survey_finish(struct lp_survey *survey);
void lp_survey_done(struct lp_survey *survey);

/* The host of this name, or NULL. */
const struct lp_roster_host *lp_survey_host(const struct lp_survey *survey,
					    const char *name);
/* The longest interval of any host; 0: not known. */
int64_t lp_survey_interval(const struct lp_survey *survey);
/* The longest cadence of any host; 0: not known. */
int64_t lp_survey_cadence(const struct lp_survey *survey);
/* From the first sample of any host to the last; 0: no samples. */
int64_t lp_survey_span(const struct lp_survey *survey);

/* Whether the metric can be known of any component of the class. */
bool lp_survey_has_metric(const struct lp_survey *survey,
			  const struct lp_class *class,
			  const struct lp_metric *metric);

/*
 * Whether the host's recorder ended in order and did not begin again between
 * then and time_ns: what is missing at time_ns is no absence.
 */
bool lp_survey_stopped(const struct lp_survey *survey, const char *host,
		       int64_t time_ns);

#endif
