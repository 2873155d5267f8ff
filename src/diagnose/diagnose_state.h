/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a diagnosis leaves to that of the next day, limpid-state(5): the
 * accumulators of components (persistence.c), which of them were reset when,
 * and which are not to be accused. Components are known by what outlasts a
 * boot.
 *
 * In a file it is counts (model/counts.h), which lp_state_put gives and
 * lp_state_take takes, beside the last samples.
 */
#ifndef LP_DIAGNOSE_DIAGNOSE_STATE_H
#define LP_DIAGNOSE_DIAGNOSE_STATE_H

#include "base/error.h"
#include "base/names.h"
#include "model/counts.h"

#include <stdbool.h>

#define LP_STATE_VERSION 1

/* A component that differed, or was gone, and so was there before. */
struct lp_known {
	const char *class_name;
	const char *lasting, *label, *host; /* as of a peer, cluster.h */
	const char *group;                  /* its name */
	bool gone;                          /* in the last window */
	size_t value;                       /* of its accumulator */
};

/* That a component was repaired. */
struct lp_state_reset {
	const char *lasting;
	int64_t time_ns;
};

/* Zero-initialise; lp_state_done frees. */
struct lp_state {
	bool whole;                /* it has the following */
	int64_t from_ns, until_ns; /* of the samples beside it; windows up to
				      until_ns are counted */
	int64_t period_ns;         /* from window to window */
	struct lp_known *known;
	size_t n_known, known_capacity;
	struct lp_names keys; /* of the known, by number */
	struct lp_state_reset *resets;
	size_t n_resets, resets_capacity;
	struct lp_names excluded; /* components by what lasts, and hosts */
	struct lp_arena arena;
};

void lp_state_done(struct lp_state *state);

/* Texts are copied. 0 or -ENOMEM; what is known already is replaced. */
int lp_state_know(struct lp_state *state, const struct lp_known *known);
int lp_state_reset(struct lp_state *state, const char *lasting,
		   int64_t time_ns);
/* LP_NAME_NONE, or the number of the component in `known`. */
uint32_t lp_state_find(const struct lp_state *state, const char *class_name,
		       const char *lasting);
bool lp_state_has_reset(const struct lp_state *state, const char *lasting,
			int64_t time_ns);

/*
 * Take what counts say; other kinds are passed over. -EINVAL: they are not what
 * lp_state_put gives, or of a later version. name is for messages.
 */
int lp_state_take(struct lp_state *state, const struct lp_counts *counts,
		  const char *name, struct lp_error *err);

/* Give all of it as counts, valid during the call. What put returns, or
   -ENOMEM. */
typedef int lp_state_put_fn(void *user, const struct lp_counts *counts,
			    struct lp_error *err);
int lp_state_put(const struct lp_state *state, lp_state_put_fn *put, void *user,
		 struct lp_error *err);

#endif
