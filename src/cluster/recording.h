/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What some recordings hold, learnt in a first pass over them: hosts, their
 * spans and intervals, components and how busy each was, inventories, and what
 * happened to the recorders. From it the step is chosen and peers are found.
 */
#ifndef LP_CLUSTER_RECORDING_H
#define LP_CLUSTER_RECORDING_H

#include "detect/reach.h"
#include "survey/roster.h"

/* An event; its strings belong to the recording. */
struct lp_recording_event {
	uint32_t host; /* index of roster.hosts, or UINT32_MAX: no samples */
	struct lp_event event;
};

/* Zero-initialise to begin. */
struct lp_recording {
	struct lp_roster
		roster; /* hosts and components, sorted when finished */
	struct lp_recording_event *events; /* in the order of the stream */
	size_t n_events, events_capacity;
	bool partial; /* hosts were left out on purpose; the caller's to set */
	struct lp_arena arena;
};

/* Put every item of the streams, or all of a stream at once; finish once. */
int lp_recording_put(struct lp_recording *recording, const struct lp_item *item,
		     struct lp_error *err);
int lp_recording_run(struct lp_recording *recording, struct lp_stream *stream,
		     struct lp_error *err);
void lp_recording_finish(struct lp_recording *recording);
void lp_recording_done(struct lp_recording *recording);

/* The host of this name, or NULL. */
const struct lp_roster_host *lp_recording_host(
	const struct lp_recording *recording, const char *name);
/* The longest interval of any host; 0: not known. */
int64_t lp_recording_interval(const struct lp_recording *recording);
/* From the first sample of any host to the last; 0: no samples. */
int64_t lp_recording_span(const struct lp_recording *recording);

/*
 * Whether the host's recorder ended in order and did not begin again between
 * then and time_ns: what is missing at time_ns is no absence.
 */
bool lp_recording_stopped(const struct lp_recording *recording,
			  const char *host, int64_t time_ns);

/*
 * The step of the comparison. wanted_ns 0: the default, which is the interval
 * for less than two hours of data, else 15 s. The step is a multiple of the
 * coarsest host's interval; if it had to be rounded up, or if the hosts'
 * intervals differ, the note says so ("" otherwise). 0: no interval is known.
 */
#define LP_STEP_NOTE 256
int64_t lp_recording_step(const struct lp_recording *recording,
			  int64_t wanted_ns, char note[LP_STEP_NOTE]);

#endif
