/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case: one diagnosis from samples to findings, of files and of what is
 * being recorded now alike.
 *
 *     open ── put, put ... ── advance(T) ── findings ── put ... ── close
 *
 * Put what came: chunks, inventories, events and counts of any host, those of
 * one host in their order. Advance says how far: all points up to that time are
 * judged, and what comes later for them is left out. Findings may be asked for
 * at any time; they are those of the points up to the last advance, whatever
 * the pieces in which the samples were put. For files: put all, and advance to
 * LP_TIME_MAX.
 *
 * Who is compared with whom follows from a survey. Of files it is made before,
 * of all that they hold. A case that is given none makes its own, of the recent
 * past, and plans anew when components come, go or change, and now and then:
 * what is compared as before goes on as if nothing had been planned; groups
 * that changed are judged anew, as far as their points are kept.
 *
 * Memory: components × (window + history). Of files all points are kept; so
 * they are long where recordings are (detect/reach.h). What is counted in
 * single samples (loss) is then read once more, as recorded, and not kept.
 */
#ifndef LP_CASE_CASE_H
#define LP_CASE_CASE_H

#include "diagnose/diagnose.h"
#include "diagnose/witness.h"

/*
 * Make a plan of what is known; NULL: lp_cluster_plan without a cluster file.
 * What the plan points into must outlive the case.
 */
typedef int lp_case_planner(void *user, const struct lp_survey *recording,
			    const struct lp_matrix *matrix,
			    struct lp_plan *plan, struct lp_error *err);

/* Open all samples once more, by time; what is not wanted may be missing. */
typedef int lp_case_samples(void *user, struct lp_stream **stream,
			    struct lp_error *err);

struct lp_case_config {
	int64_t step_ns;            /* of the points; above 0 */
	int64_t since_ns, until_ns; /* points that count, both inclusive */
	int64_t history_ns; /* how long points are kept; 0: all of them. It is
			       at least the time that a finding needs. */
	const struct lp_matrix_metric *metrics; /* must outlive the case */
	const struct lp_survey *recording;      /* the survey; NULL: its own */
	lp_case_planner *plan;
	void *plan_user;
	/*
	 * Of files whose points are longer than their samples: how long these
	 * are, a part of the step, and who opens them. 0: points are samples.
	 * Advance goes to LP_TIME_MAX at once then.
	 */
	int64_t sample_ns;
	lp_case_samples *samples;
	void *samples_user;
	const struct lp_witness *const *witnesses; /* NULL: limpid's */
	/* What it points to must outlive the case. */
	struct lp_diagnose_options options;
};

struct lp_case;

int lp_case_open(const struct lp_case_config *config, struct lp_case **opened,
		 struct lp_error *err);
/* Accepts NULL. */
void lp_case_close(struct lp_case *c);

int lp_case_put(struct lp_case *c, const struct lp_item *item,
		struct lp_error *err);
/* All of a stream, after which nothing more of its hosts comes. */
int lp_case_take(struct lp_case *c, struct lp_stream *stream,
		 struct lp_error *err);

/*
 * How findings are made. Units begin anew with the next advance, which judges
 * all points that are kept.
 */
void lp_case_set_options(struct lp_case *c,
			 const struct lp_diagnose_options *options);

/*
 * Make the plan now, of what was put so far. Advance does so when there is
 * none. That nothing can be compared is no error but plan->refusal.
 */
int lp_case_plan(struct lp_case *c, struct lp_error *err);

/*
 * Judge all points up to this time, and no longer wait for what is missing in
 * them: of files LP_TIME_MAX; of recorders that are running, twice their period
 * ago.
 */
int lp_case_advance(struct lp_case *c, int64_t horizon_ns,
		    struct lp_error *err);

/*
 * What is to be said of the points so far; valid until the next call for this
 * case, and to be freed by lp_diagnosis_done. After an advance.
 */
int lp_case_findings(struct lp_case *c, struct lp_diagnosis *diagnosis,
		     struct lp_error *err);

/* After an advance: see lp_units_measure. */
struct lp_calibration;
int lp_case_measure(const struct lp_case *c, struct lp_calibration *calibration,
		    struct lp_error *err);

/* Values, plan and survey, for `why` and the like; until the next call. */
const struct lp_diagnose_input *lp_case_input(const struct lp_case *c);

#endif
