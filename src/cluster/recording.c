/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_event(struct lp_recording *r, const struct lp_event *event)
{
	struct lp_recording_event copy = { 0 };

	if (lp_event_copy(&copy.event, event, &r->arena) < 0 ||
	    lp_grow(&r->events, &r->events_capacity, r->n_events + 1,
		    sizeof(copy)) < 0)
		return -ENOMEM;
	r->events[r->n_events++] = copy;
	return 0;
}

int lp_recording_put(struct lp_recording *recording, const struct lp_item *item,
		     struct lp_error *err)
{
	if (item->kind == LP_ITEM_EVENT)
		return put_event(recording, item->event) < 0
			       ? lp_fail_memory(err)
			       : 0;
	return lp_roster_put(&recording->roster, item, err);
}

int lp_recording_run(struct lp_recording *recording, struct lp_stream *stream,
		     struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_recording_put(recording, &item, err);
		if (status < 0)
			return status;
	}
	return status;
}

void lp_recording_finish(struct lp_recording *recording)
{
	lp_roster_finish(&recording->roster);
	for (size_t i = 0; i < recording->n_events; i++) {
		struct lp_recording_event *e = &recording->events[i];

		e->host = lp_names_find(&recording->roster.host_names,
					e->event.host);
	}
}

void lp_recording_done(struct lp_recording *recording)
{
	lp_roster_done(&recording->roster);
	free(recording->events);
	lp_arena_done(&recording->arena);
	*recording = (struct lp_recording){ 0 };
}

const struct lp_roster_host *lp_recording_host(
	const struct lp_recording *recording, const char *name)
{
	uint32_t host = lp_names_find(&recording->roster.host_names, name);

	return host == LP_NAME_NONE ? NULL : &recording->roster.hosts[host];
}

static const struct lp_roster_host *coarsest(const struct lp_roster *roster)
{
	const struct lp_roster_host *most = NULL;

	for (size_t i = 0; i < roster->n_hosts; i++)
		if (!most || roster->hosts[i].interval_ns > most->interval_ns)
			most = &roster->hosts[i];
	return most;
}

int64_t lp_recording_interval(const struct lp_recording *recording)
{
	const struct lp_roster_host *host = coarsest(&recording->roster);

	return host ? host->interval_ns : 0;
}

int64_t lp_recording_span(const struct lp_recording *recording)
{
	const struct lp_roster *roster = &recording->roster;

	return roster->first_ns > roster->last_ns
		       ? 0
		       : roster->last_ns - roster->first_ns;
}

bool lp_recording_stopped(const struct lp_recording *recording,
			  const char *host, int64_t time_ns)
{
	bool stopped = false;

	for (size_t i = 0; i < recording->n_events; i++) {
		const struct lp_event *e = &recording->events[i].event;

		if (e->time_ns > time_ns || strcmp(e->host, host) != 0)
			continue;
		if (e->kind == LP_EVENT_STOP)
			stopped = true;
		else if (e->kind == LP_EVENT_START)
			stopped = false;
	}
	return stopped;
}

/* The shortest known interval; hosts with a single sample have none. */
static int64_t finest_interval(const struct lp_roster *roster)
{
	int64_t finest = 0;

	for (size_t i = 0; i < roster->n_hosts; i++) {
		int64_t interval = roster->hosts[i].interval_ns;

		if (interval > 0 && (finest == 0 || interval < finest))
			finest = interval;
	}
	return finest;
}

int64_t lp_recording_step(const struct lp_recording *recording,
			  int64_t wanted_ns, char note[LP_STEP_NOTE])
{
	const struct lp_roster_host *host = coarsest(&recording->roster);
	int64_t interval = host ? host->interval_ns : 0;
	int64_t finest, step;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT], c[LP_TIME_TEXT];

	note[0] = '\0';
	if (interval <= 0)
		return 0;
	step = wanted_ns > 0
		       ? (wanted_ns + interval - 1) / interval * interval
		       : lp_reach_of(interval,
				     lp_roster_recorded_ns(&recording->roster))
				 .step_ns;
	finest = finest_interval(&recording->roster);
	lp_duration_format(step, a);
	lp_duration_format(interval, b);
	if (finest < interval)
		snprintf(note, LP_STEP_NOTE,
			 "%s was recorded every %s, others every %s: all are "
			 "compared in steps of %s",
			 host->name, b, lp_duration_format(finest, c), a);
	else if (wanted_ns > 0 && step != wanted_ns)
		snprintf(note, LP_STEP_NOTE,
			 "the step is %s, the next multiple of the recordings' "
			 "interval of %s",
			 a, b);
	return step;
}
