/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units: which (metric, peer group) is judged by which method, and what its
 * windows said.
 *
 * A unit is pushed as far as rows are closed, any number of times: all at once
 * or one by one, its track is the same.
 */
#ifndef LP_DIAGNOSE_UNIT_H
#define LP_DIAGNOSE_UNIT_H

#include "diagnose/diagnose.h"

/* All that is judged. Zero-initialise. */
struct lp_units {
	struct lp_unit *items;
	size_t n, capacity;
	struct lp_arena arena;      /* of their thresholds */
	size_t servers, components; /* that are compared, in all groups */
};

/*
 * Fill units with all that is to be judged; unit.thresholds are set. own: the
 * groups of one server's components instead of peers.
 */
int lp_units_plan(const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool own,
		  struct lp_units *units, struct lp_error *err);

/*
 * Under which component the threshold of a peer stands in a thresholds file:
 * its own, by what outlasts a boot; of sockets the direction, ">clients" or
 * "clients>", since these have two thresholds in all (FAST'10 10.1).
 */
const char *lp_unit_threshold_key(const struct lp_unit *unit, size_t peer);

/*
 * Whether the rows of the matrix are for this unit: points, or of what is
 * counted in single samples (loss) these, if input->sample_ns says so.
 */
bool lp_unit_takes(const struct lp_unit *unit,
		   const struct lp_diagnose_input *input);
/* Whether any of the units is for samples and not for points. */
bool lp_units_count_samples(const struct lp_units *units,
			    const struct lp_diagnose_input *input);

/*
 * Judge the rows of the matrix that are for it and not yet pushed. The options
 * are the same in all calls. 0 or -errno.
 */
int lp_unit_push(struct lp_unit *unit, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options);
/* All of them, by options->threads threads. last: no rows will follow. */
int lp_units_push(struct lp_units *units, const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool last);

/* ---- units that are judged together, by a joint detector ---- */

/*
 * Add the units of a group, one for each quantity whose metrics the matrix
 * has, and one that sees who is gone.
 */
int lp_units_plan_jointly(const struct lp_diagnose_input *input,
			  const struct lp_diagnose_options *options,
			  const struct lp_detector *detector, size_t group,
			  struct lp_units *units, struct lp_error *err);
/* The metrics that such a unit takes, and where the matrix has them. */
size_t lp_unit_inputs(const struct lp_unit *unit,
		      const struct lp_diagnose_input *input,
		      const struct lp_metric *metrics[LP_INPUTS],
		      size_t index[LP_INPUTS]);
/* lp_unit_push of these. */
int lp_unit_push_jointly(struct lp_unit *unit,
			 const struct lp_diagnose_input *input,
			 const struct lp_diagnose_options *options);
/* Accepts NULL. */
void lp_joint_run_free(struct lp_joint_run *run);
/* Begin anew, as if nothing had been pushed. */
void lp_unit_restart(struct lp_unit *unit);

/* Count servers and components of a plan. 0 or -ENOMEM. */
int lp_units_count(struct lp_units *units, const struct lp_plan *plan);
/* The limit of a joint unit, by the options; see limits.c. */
void lp_unit_set_limit(struct lp_unit *unit, const struct lp_units *units,
		       const struct lp_diagnose_options *options);
/*
 * All rows were pushed: where this recording shows a tail of its own, and none
 * was known, the limit follows from it and the unit begins anew: all rows are
 * to be pushed once more. 0 or -errno.
 */
int lp_units_calibrate(struct lp_units *units,
		       const struct lp_diagnose_options *options);

/*
 * What the rows that were pushed show of how far healthy components go by
 * chance: tails of all groups and classes that have one. 0 or -ENOMEM.
 */
int lp_units_measure(const struct lp_units *units, int64_t step_ns,
		     struct lp_calibration *calibration);

/* The worst peak of a component between these times, or NULL. */
const struct lp_peak *lp_unit_peak(const struct lp_unit *unit, size_t peer,
				   int64_t since_ns, int64_t until_ns);

/* A unit and its thresholds. 0, -EINVAL, -ENOMEM. */
int lp_units_add(struct lp_units *units, const struct lp_unit *unit,
		 const struct lp_diagnose_options *options,
		 struct lp_error *err);
/* Whether the options let this metric accuse. */
bool lp_unit_wanted(const struct lp_diagnose_options *options,
		    const struct lp_metric *metric);
/* Make room for one more window. 0 or -ENOMEM. */
int lp_unit_reserve(struct lp_unit *unit);

/* Forget what is only needed for further rows; the track stays. */
void lp_unit_close(struct lp_unit *unit);
void lp_unit_done(struct lp_unit *unit);
void lp_units_done(struct lp_units *units);

/*
 * An array of them as they are now, which borrows their tracks: it is valid
 * until the next push, and may be changed (lp_unit_change) without changing
 * them. Each is to be done, and the array freed. 0 or -ENOMEM.
 */
int lp_units_view(const struct lp_units *units, struct lp_unit **view);
/* The track is about to be changed: a borrowed one is copied. 0 or -ENOMEM. */
int lp_unit_change(struct lp_unit *unit);

/* The first window of the vote that made the state in this one. */
size_t lp_mark_first(const struct lp_unit *unit, size_t window, size_t peer,
		     bool gone);
/* How many of these windows were flagged (or without samples). */
size_t lp_mark_count(const struct lp_unit *unit, size_t first, size_t last,
		     size_t peer, bool gone);
/*
 * From when on, and until when, a component was ill whose state in this window
 * is anomalous (or gone). The window that began the vote counts.
 */
int64_t lp_mark_since(const struct lp_unit *unit, size_t window, size_t peer,
		      bool gone, int64_t step_ns);
int64_t lp_mark_until(const struct lp_unit *unit, size_t window, size_t peer,
		      bool gone, int64_t step_ns);

/*
 * Forget the windows that ended at this time or before, but for the episodes
 * they were part of, and for the persistence they add up to: memory stays
 * bounded however long units are pushed. The points of history_ns after that
 * time are still there, and before it at least those that are a half of it
 * older than any peak that was not dated yet. 0 or -ENOMEM.
 */
int lp_units_forget(struct lp_units *units,
		    const struct lp_diagnose_input *input,
		    const struct lp_diagnose_options *options, int64_t until_ns,
		    int64_t history_ns);

/*
 * Let units go on as those of an earlier plan did, where the same are compared
 * in the same way; others begin anew. What goes on is taken out of `from`.
 */
void lp_units_carry_on(struct lp_units *units, struct lp_units *from);

/* Points during which a part of a pool counts as active after it sent. */
size_t lp_active_points(const struct lp_unit *unit, int64_t step_ns);

static inline uint8_t *lp_unit_at(const struct lp_unit *unit, size_t window,
				  size_t peer)
{
	return &unit->track[window * unit->group->n + peer];
}

/* The time that a window covers: begin exclusive, end inclusive. */
static inline int64_t lp_unit_begin(const struct lp_unit *unit, size_t window,
				    int64_t step_ns)
{
	return unit->end_ns[window] - (int64_t)unit->params.window * step_ns;
}

#endif
