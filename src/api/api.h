/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is behind the opaque structs of limpid/limpid.h: for api_*.c only.
 */
#ifndef LP_API_API_H
#define LP_API_API_H

#include "limpid/limpid.h"

#include "base/option.h"
#include "case/case.h"

struct limpid_item {
	struct lp_item is;
};

/* Zero: not set. */
struct limpid_options {
	int64_t step_ns, since_ns, until_ns, history_ns;
	char *metric, *cluster;
	double threshold;
	unsigned threads;
};

_Static_assert(sizeof(struct limpid_error) == sizeof(struct lp_error),
	       "an error is written in place");

static inline struct lp_error *lp_api_error(struct limpid_error *err)
{
	return (struct lp_error *)err;
}

/* NULL: what a program gets that sets none. */
const struct limpid_options *lp_api_options(
	const struct limpid_options *options);
/* The metrics as a list of one text, which is the options'. */
struct lp_option_list lp_api_metrics(const struct limpid_options *options,
				     const char **text);
struct lp_diagnose_options lp_api_diagnose_options(
	const struct limpid_options *options);
/* Plan by a cluster file, or NULL: without. An lp_case_planner. */
int lp_api_plan(void *cluster, const struct lp_survey *recording,
		const struct lp_matrix *matrix, struct lp_plan *plan,
		struct lp_error *err);

/*
 * All that an open case has to say, judged up to the last advance. notes: as in
 * diagnose/publish.h.
 */
int lp_api_publish(struct lp_case *c, const char *const *notes,
		   size_t n_read_in_part, struct limpid_findings **findings,
		   struct lp_error *err);

#endif
