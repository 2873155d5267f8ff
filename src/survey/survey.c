/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/survey.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_event(struct lp_survey *r, const struct lp_event *event)
{
	struct lp_survey_event copy = { 0 };

	if (lp_event_copy(&copy.event, event, &r->arena) < 0 ||
	    lp_grow(&r->events, &r->events_capacity, r->n_events + 1,
		    sizeof(copy)) < 0)
		return -ENOMEM;
	r->events[r->n_events++] = copy;
	return 0;
}

int lp_survey_put(struct lp_survey *s, const struct lp_item *item,
		  struct lp_error *err)
{
	assert(s->parts);
	s->roster.with_cadence = s->parts & LP_SURVEY_CADENCE;
	if (item->kind == LP_ITEM_EVENT)
		return s->parts & LP_SURVEY_EVENTS &&
				       put_event(s, item->event) < 0
			       ? lp_fail_memory(err)
			       : 0;
	if (s->parts & LP_SURVEY_COLUMNS && item->kind == LP_ITEM_CHUNK &&
	    lp_seen_add(&s->seen, s->selection, item->chunk) < 0)
		return lp_fail_memory(err);
	if (s->parts & (LP_SURVEY_COMPONENTS | LP_SURVEY_CADENCE))
		return lp_roster_put(&s->roster, item, err);
	return 0;
}

int lp_survey_run(struct lp_survey *survey, struct lp_stream *stream,
		  struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_survey_put(survey, &item, err);
		if (status < 0)
			return status;
	}
	return status;
}

void lp_survey_finish(struct lp_survey *survey)
{
	lp_roster_finish(&survey->roster);
	lp_seen_finish(&survey->seen);
	for (size_t i = 0; i < survey->n_events; i++) {
		struct lp_survey_event *e = &survey->events[i];

		e->host = lp_names_find(&survey->roster.host_names,
					e->event.host);
	}
}

void lp_survey_done(struct lp_survey *survey)
{
	lp_roster_done(&survey->roster);
	lp_seen_done(&survey->seen);
	free(survey->events);
	lp_arena_done(&survey->arena);
	*survey = (struct lp_survey){ 0 };
}

const struct lp_roster_host *lp_survey_host(const struct lp_survey *survey,
					    const char *name)
{
	uint32_t host = lp_names_find(&survey->roster.host_names, name);

	return host == LP_NAME_NONE ? NULL : &survey->roster.hosts[host];
}

int64_t lp_survey_interval(const struct lp_survey *survey)
{
	int64_t longest = 0;

	for (size_t i = 0; i < survey->roster.n_hosts; i++)
		if (survey->roster.hosts[i].interval_ns > longest)
			longest = survey->roster.hosts[i].interval_ns;
	return longest;
}

int64_t lp_survey_cadence(const struct lp_survey *survey)
{
	int64_t longest = 0;

	for (size_t i = 0; i < survey->roster.n_hosts; i++)
		if (survey->roster.hosts[i].cadence_ns > longest)
			longest = survey->roster.hosts[i].cadence_ns;
	return longest;
}

int64_t lp_survey_span(const struct lp_survey *survey)
{
	const struct lp_roster *roster = &survey->roster;

	return roster->first_ns > roster->last_ns
		       ? 0
		       : roster->last_ns - roster->first_ns;
}

bool lp_survey_stopped(const struct lp_survey *survey, const char *host,
		       int64_t time_ns)
{
	bool stopped = false;

	for (size_t i = 0; i < survey->n_events; i++) {
		const struct lp_event *e = &survey->events[i].event;

		if (e->time_ns > time_ns || strcmp(e->host, host) != 0)
			continue;
		if (e->kind == LP_EVENT_STOP)
			stopped = true;
		else if (e->kind == LP_EVENT_START)
			stopped = false;
	}
	return stopped;
}

/* ---- metrics ---- */

static bool has_any(const struct lp_survey *survey,
		    const struct lp_class *class, const char *const *terms)
{
	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++)
		if (lp_seen_column(&survey->seen, class, terms[i]))
			return true;
	return false;
}

static bool has_speeds(const struct lp_roster *roster)
{
	for (size_t i = 0; i < roster->n_items; i++)
		if (lp_labels_get(&roster->items[i].labels, "speed_mbit"))
			return true;
	return false;
}

bool lp_survey_has_metric(const struct lp_survey *survey,
			  const struct lp_class *class,
			  const struct lp_metric *metric)
{
	if (lp_seen_column(&survey->seen, class, metric->name))
		return true;
	if (metric->per_speed && !has_speeds(&survey->roster))
		return false;
	return has_any(survey, class, metric->above) ||
	       has_any(survey, class, metric->instead_above);
}
