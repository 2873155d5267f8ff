/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings that are read into a case, in two passes:
 *
 *     survey ── put ── plan of the case, advance, findings ── done
 *
 * The first learns who there is, and with it the step and the metrics; the
 * second fills the case, host by host. Of long recordings the case reads once
 * more what is counted in single samples.
 */
#ifndef LP_CASE_READING_H
#define LP_CASE_READING_H

#include "base/option.h"
#include "case/case.h"
#include "cluster/step.h"
#include "table/needs.h"
#include "table/shards.h"

/* Open an input for a pass that needs what the query says, which stays. */
typedef int lp_reading_open_fn(void *context, size_t input,
			       const struct lp_query *query,
			       struct lp_stream **stream, struct lp_error *err);

/* What it points to must outlive the reading. */
struct lp_reading_config {
	lp_reading_open_fn *open;
	void *context;
	size_t n;                             /* inputs */
	int64_t since_ns, until_ns;           /* both inclusive */
	int64_t step_ns;                      /* 0: as the recordings suggest */
	const struct lp_option_list *metrics; /* that may accuse; none: all */
	/* To be read beside those, ended by a class of NULL; or NULL. */
	const struct lp_matrix_metric *also;
	lp_case_planner *plan; /* as in case.h */
	void *plan_user;
	struct lp_diagnose_options options;
};

/* Zero-initialise; lp_reading_done frees. */
struct lp_reading {
	struct lp_reading_config config;
	struct lp_query query; /* of the pass */
	struct lp_shards shards;
	struct lp_survey recording; /* the survey */
	int64_t step_ns;
	char step_note[LP_STEP_NOTE]; /* why the step is another; or "" */
	bool single;                  /* no host has two samples */
	struct lp_matrix_metric *metrics;
	struct lp_needs survey_needs, needs;  /* of the two passes */
	const char *classes[LP_COMPARED_MAX]; /* that are compared */
	const char *counted[LP_COMPARED_MAX]; /* of these, by samples */
	struct lp_case *open;                 /* NULL: nothing was put yet */
};

int lp_reading_survey(struct lp_reading *reading,
		      const struct lp_reading_config *config,
		      struct lp_error *err);
/* Open the case, and put all into it. After the survey. */
int lp_reading_put(struct lp_reading *reading, struct lp_error *err);
void lp_reading_done(struct lp_reading *reading);

#endif
