/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of limpid evaluate.
 */
#ifndef LP_CMD_EVALUATE_H
#define LP_CMD_EVALUATE_H

#include "case_files.h"

#include "evaluate/count.h"

/* A directory with recordings and truth.json. */
struct lp_eval_run {
	const char *dir;
	struct lp_truth truth;
	char **paths; /* ended by NULL */
	size_t n_paths, paths_capacity;
	const char *cluster; /* its own, or its parent's, cluster.conf; or
				NULL */
};

struct lp_eval_runs {
	struct lp_eval_run *items;
	size_t n, capacity;
	struct lp_arena arena;
};

/* What was said of a run under one setting. */
struct lp_eval_result {
	struct lp_score score;
	struct lp_indictment *indicted;
	size_t n_indicted;
	enum lp_outcome outcome;
	const char *reason; /* of "undecided" */
};

/* Whether the finding of this indictment was not shown before it. */
bool lp_eval_is_first(const struct lp_eval_result *result, size_t i);

/*
 * Add a run, or all runs in a directory of runs. need_truth: false for
 * training, where all that is wanted is recordings.
 */
int lp_eval_runs_add(struct lp_eval_runs *runs, const char *dir,
		     bool need_truth, struct lp_error *err);
void lp_eval_runs_done(struct lp_eval_runs *runs);

/*
 * Read the run's recordings. -LP_EVAL_USAGE: the options are wrong, exit 2.
 * lp_case_done in any case.
 */
#define LP_EVAL_USAGE EBADR
int lp_eval_load(const struct lp_eval_run *run,
		 const struct lp_case_options *options, struct lp_case_files *c,
		 struct lp_error *err);
/* Diagnose what was read, and count. Strings go to the arena. */
int lp_eval_judge(const struct lp_eval_run *run, struct lp_case_files *c,
		  const struct lp_diagnose_options *options,
		  struct lp_arena *arena, struct lp_eval_result *result,
		  struct lp_error *err);

/* Count what result->indicted says; window_ns: how late a finding may begin. */
void lp_eval_score(const struct lp_eval_run *run, const struct lp_case_files *c,
		   int64_t window_ns, struct lp_eval_result *result);

/* Thresholds that no training run exceeds. You own them. */
int lp_eval_train(const struct lp_eval_runs *runs,
		  const struct lp_case_options *options,
		  struct lp_thresholds **thresholds, struct lp_error *err);

/* Runs that are counted together. */
struct lp_eval_row {
	const char *fault;
	double strength; /* NaN: of any */
	const char *unit;
	struct lp_tally tally;
};

struct lp_eval_table {
	struct lp_eval_row *rows;
	size_t n, capacity;
	struct lp_eval_row all;
};

/* One row a fault, in the order met. */
int lp_eval_by_fault(const struct lp_eval_runs *runs,
		     const struct lp_eval_result *results,
		     struct lp_eval_table *table, struct lp_error *err);
/*
 * One row a fault and strength, the weakest first, of the faults that there
 * are in several.
 */
int lp_eval_by_strength(const struct lp_eval_runs *runs,
			const struct lp_eval_result *results,
			struct lp_eval_table *table, struct lp_error *err);
void lp_eval_table_done(struct lp_eval_table *table);

/* Untrained results and trained ones; either may be NULL; [runs->n] each. */
struct lp_eval {
	const char *title; /* of the untrained ones */
	const struct lp_eval_runs *runs;
	const struct lp_eval_result *plain, *trained;
	size_t shared; /* runs that were trained on as well */
};

int lp_eval_text(const struct lp_eval *eval, FILE *out, struct lp_error *err);
int lp_eval_json(const struct lp_eval *eval, FILE *out, struct lp_error *err);

/* Whether the text of --sweep is one. 0, -EINVAL, -ENOMEM. */
int lp_eval_sweep_check(const char *spec, struct lp_error *err);
/* "window=32..128,votes=1..5" as CSV. */
int lp_eval_sweep(const char *spec, const struct lp_eval_runs *runs,
		  const struct lp_case_options *options, FILE *out,
		  struct lp_error *err);

#endif
