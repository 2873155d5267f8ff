/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anomalous windows of a host that follow each other, as one; and what is said
 * of it.
 */
#ifndef LP_BEHAVIOR_EPISODE_H
#define LP_BEHAVIOR_EPISODE_H

#include "behavior/behavior.h"

struct lp_episode {
	const char *host, *kind;
	int64_t begin_ns, end_ns; /* of the flagged windows */
	size_t n_windows;         /* anomalous */
	struct lp_behavior_window worst;
};

/* Zero-initialise. */
struct lp_episodes {
	struct lp_episode *items;
	size_t n, capacity;
	/* The flagged windows that may begin one. */
	struct lp_flagged_since *since;
	size_t n_since, since_capacity;
};

/* The next window of a host. 0 or -ENOMEM. */
int lp_episodes_put(struct lp_episodes *episodes,
		    const struct lp_behavior_window *window);
void lp_episodes_done(struct lp_episodes *episodes);

/* "31 % of its CPU time is in functions that its peers do not run: ..." */
#define LP_EPISODE_TEXT 400
const char *lp_episode_sentence(const struct lp_behavior_window *window,
				char text[LP_EPISODE_TEXT]);

/* The next image of which hosts run different builds, as a sentence. */
bool lp_builds_next(const struct lp_collection *collection, size_t *at,
		    char *text, size_t size);

#endif
