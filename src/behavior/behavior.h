/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who executes other things than its peers: windows of profiles, their
 * distances, votes, and what differs.
 */
#ifndef LP_BEHAVIOR_BEHAVIOR_H
#define LP_BEHAVIOR_BEHAVIOR_H

#include "behavior/collection.h"

/* Of S3: 60 s every 30 s, 3 of 5. */
#define LP_BEHAVIOR_WINDOW 6 /* slots */
#define LP_BEHAVIOR_SHIFT 3
#define LP_BEHAVIOR_VOTES 3
#define LP_BEHAVIOR_OF (2 * LP_BEHAVIOR_VOTES - 1)
#define LP_BEHAVIOR_WINDOW_NS (LP_BEHAVIOR_WINDOW * LP_PROFILE_SLOT_NS)
#define LP_BEHAVIOR_SHIFT_NS (LP_BEHAVIOR_SHIFT * LP_PROFILE_SLOT_NS)

/* Untrained: the larger of so much CPU time (10 samples at 99 Hz), and this
 * share of the host's own window. */
#define LP_BEHAVIOR_FLOOR_S 0.101
#define LP_BEHAVIOR_SHARE 0.02
/* A host with fewer samples in a window is idle: nothing is said of it. */
#define LP_BEHAVIOR_LEAST 50
#define LP_BEHAVIOR_PEERS 3 /* with itself */

enum lp_behavior_method { LP_BEHAVIOR_EXCESS, LP_BEHAVIOR_MANHATTAN };

struct lp_behavior_options {
	enum lp_behavior_method method;
	const char *const *ignore; /* patterns of functions, ended by NULL */
	/* Of manhattan: in samples, as trained and doubled; 0: not known. */
	double threshold;
};

/* How a host differs. */
enum lp_behavior_way {
	LP_BEHAVIOR_MORE, /* it does more */
	LP_BEHAVIOR_LESS,
	LP_BEHAVIOR_OTHER, /* as much, but other things */
};

#define LP_BEHAVIOR_TOP 10

/* A function in the time of a finding; in seconds of CPU per second. */
struct lp_behavior_function {
	const char *key;   /* "PROGRAM\tIMAGE\tFUNCTION" */
	double own, peers; /* the median of the peers */
	double low, high;  /* least and most of them */
};

/* A host in a window; for those that are shown only. */
struct lp_behavior_window {
	const char *host;
	int64_t begin_ns, end_ns;
	const char *kind; /* what was compared */
	double distance, threshold;
	bool decided, flagged, anomalous;
	enum lp_behavior_way way;
	size_t n_peers;            /* without itself */
	double own_cpu, peers_cpu; /* all functions: CPU s per s */
	double foreign; /* share of its CPU time in functions that none of
			   its peers runs */
	struct lp_behavior_function top[LP_BEHAVIOR_TOP];
	size_t n_top;
};

typedef int lp_behavior_say(void *user,
			    const struct lp_behavior_window *window);

struct lp_behavior; /* the state from window to window */

/* The collection must stay. NULL: out of memory. */
struct lp_behavior *lp_behavior_new(const struct lp_collection *collection,
				    const struct lp_behavior_options *options);
/*
 * Judge the windows that end until then and were not judged yet; says each
 * host of each. 0, -ENOMEM, or what `say` gave.
 */
int lp_behavior_advance(struct lp_behavior *behavior, int64_t until_ns,
			lp_behavior_say *say, void *user);
/* The next window begins then: what is before is not needed. */
int64_t lp_behavior_needs(const struct lp_behavior *behavior);
void lp_behavior_free(struct lp_behavior *behavior);

#endif
