/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles of several hosts, by time: what is compared and shown.
 */
#ifndef LP_BEHAVIOR_COLLECTION_H
#define LP_BEHAVIOR_COLLECTION_H

#include "behavior/profile.h"

/* How often one function was counted. */
struct lp_function_count {
	uint32_t function; /* of the collection */
	uint64_t count;
};

/* Ten seconds of a host. */
struct lp_behavior_slot {
	int64_t time_ns;
	uint64_t rate; /* 0: it was not recorded whole */
	uint64_t cpus, taken, lost, throttled, moved;
	struct lp_function_count *items; /* by function */
	size_t n, capacity;
	size_t daemon; /* the first of lp_daemons that ran; or LP_NO_DAEMON */
};

struct lp_behavior_host {
	char *name;
	struct lp_behavior_slot *slots; /* by time */
	size_t n, capacity;
};

/* Zero-initialise. */
struct lp_collection {
	const char *kind;          /* LP_PROFILE_SAMPLES or LP_PROFILE_WAITS */
	struct lp_names functions; /* keys, "PROGRAM\tIMAGE\tFUNCTION" */
	struct lp_names builds;    /* "HOST\tIMAGE\tBUILD", once each */
	struct lp_behavior_host *hosts;
	size_t n_hosts, capacity;
};

/*
 * Add counts of its kind; others are passed over. Slots outside of [since,
 * until] are left out. 0, -ENOMEM, -EINVAL: they are broken.
 */
int lp_collection_add(struct lp_collection *collection,
		      const struct lp_counts *counts, int64_t since_ns,
		      int64_t until_ns);
/* The host's slot that begins then; NULL: there is none. */
const struct lp_behavior_slot *lp_behavior_slot_at(
	const struct lp_behavior_host *host, int64_t time_ns);
/* Whether the slot was recorded, and lost no more than one in twenty. */
bool lp_behavior_slot_counts(const struct lp_behavior_slot *slot);
/* Forget slots that begin before. */
void lp_collection_forget(struct lp_collection *collection, int64_t before_ns);
void lp_collection_done(struct lp_collection *collection);

#endif
