/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files put into a case: recordings surveyed, read and planned; what diagnose,
 * train, why and evaluate begin with.
 */
#ifndef LP_CMD_CASE_FILES_H
#define LP_CMD_CASE_FILES_H

#include "inputs.h"
#include "method_help.h"
#include "period.h"
#include "site.h"

#include "base/option.h"
#include "case/reading.h"
#include "detect/curve.h"
#include "detect/vote.h"
#include "diagnose/diagnose.h"

/* The options that all three have. */
struct lp_case_options {
	const char *command;
	struct lp_option_list methods, metrics;
	const struct lp_matrix_metric *also; /* to read beside; or NULL */
	const char *cluster;
	bool no_cluster;
	struct lp_period_options period;
	int64_t step_ns;
	unsigned long window, shift, smooth, k;
	/* Without a method, those that are trained: set it after
	   lp_case_options_init. */
	bool trained;
	const char *thresholds, *threshold, *cwnd_threshold;
	const char *false_alarms, *calibration;
	struct lp_option_list exclude;
	bool filter_server_workloads;
	struct lp_input_options input;
};

/*
 * Rows of an option table, for a struct whose first member is the above: the
 * method, what is compared, its windows, and the rest.
 */
#define LP_CASE_METHOD_OPTION                                                  \
	{                                                                      \
		.long_name = "method", .type = LP_OPTION_LIST,                 \
		.value = "NAME[,NAME]",                                        \
		.offset = offsetof(struct lp_case_options, methods),           \
		.help_of = lp_help_of_methods                                  \
	}

#define LP_CASE_WHAT_OPTIONS                                                   \
	{ .long_name = "metric",                                               \
	  .type = LP_OPTION_LIST,                                              \
	  .value = "NAME[,NAME]",                                              \
	  .offset = offsetof(struct lp_case_options, metrics),                 \
	  .help = "compare only these metrics" },                              \
		{ .long_name = "cluster",                                      \
		  .type = LP_OPTION_STRING,                                    \
		  .value = "FILE",                                             \
		  .offset = offsetof(struct lp_case_options, cluster),         \
		  .help = "cluster file: what is compared with what, see "     \
			  "limpid-cluster(5) (default: "                       \
			  "/etc/limpid/cluster.conf, if it exists)" },         \
		{ .long_name = "no-cluster",                                   \
		  .type = LP_OPTION_FLAG,                                      \
		  .offset = offsetof(struct lp_case_options, no_cluster),      \
		  .help = "use no cluster file" },                             \
		LP_PERIOD_OPTIONS(struct lp_case_options, period),             \
	{                                                                      \
		.short_name = 'i', .long_name = "interval",                    \
		.type = LP_OPTION_DURATION, .value = "STEP",                   \
		.offset = offsetof(struct lp_case_options, step_ns),           \
		.help = "compare samples of this length (default: as "         \
			"recorded; for two hours or more 10 s, or 15 s with "  \
			"methods other than limpid)",                          \
		.low = 1                                                       \
	}

#define LP_CASE_WINDOW_OPTIONS                                                 \
	{ .long_name = "window",                                               \
	  .type = LP_OPTION_UINT,                                              \
	  .value = "N",                                                        \
	  .offset = offsetof(struct lp_case_options, window),                  \
	  .help = "samples in a window",                                       \
	  .low = 1,                                                            \
	  .high = LP_WINDOW_MAX },                                             \
		{ .long_name = "shift",                                        \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "N",                                                \
		  .offset = offsetof(struct lp_case_options, shift),           \
		  .help = "samples from one window to the next",               \
		  .low = 1,                                                    \
		  .high = LP_WINDOW_MAX },                                     \
		{ .long_name = "smooth",                                       \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "N",                                                \
		  .offset = offsetof(struct lp_case_options, smooth),          \
		  .help = "samples in the moving average (1: no average)",     \
		  .low = 1,                                                    \
		  .high = LP_WINDOW_MAX },                                     \
	{                                                                      \
		.short_name = 'k', .long_name = "votes",                       \
		.type = LP_OPTION_UINT, .value = "K",                          \
		.offset = offsetof(struct lp_case_options, k),                 \
		.help = "windows that must differ, of the last 2K-1",          \
		.low = 1, .high = LP_VOTE_K_MAX                                \
	}

#define LP_CASE_INPUT_OPTIONS                                                  \
	{ .long_name = "exclude",                                              \
	  .type = LP_OPTION_LIST,                                              \
	  .value = "COMPONENT",                                                \
	  .offset = offsetof(struct lp_case_options, exclude),                 \
	  .help = "do not accuse this component or host; it stays "            \
		  "a peer of the others" },                                    \
		{ .long_name = "filter-server-workloads",                      \
		  .type = LP_OPTION_FLAG,                                      \
		  .offset = offsetof(struct lp_case_options,                   \
				     filter_server_workloads),                 \
		  .help = "accuse a component only if it also differs from "   \
			  "the others of its server" },                        \
		LP_INPUT_FORMAT(struct lp_case_options),                       \
		LP_INPUT_HOST(struct lp_case_options),                         \
		LP_INPUT_HOST_FROM_PATH(struct lp_case_options),               \
		LP_INPUT_STRICT(struct lp_case_options)

#define LP_CASE_OPTIONS                                                        \
	LP_CASE_METHOD_OPTION, LP_CASE_WHAT_OPTIONS, LP_CASE_WINDOW_OPTIONS,   \
		LP_CASE_INPUT_OPTIONS

/* For commands that judge. */
#define LP_CASE_BUDGET_OPTIONS                                                 \
	{ .long_name = "calibration",                                          \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "FILE",                                                     \
	  .offset = offsetof(struct lp_case_options, calibration),             \
	  .help = "method limpid: what 'limpid calibrate' measured" },         \
	{                                                                      \
		.long_name = "false-alarms", .type = LP_OPTION_STRING,         \
		.value = "N/TIME[/server]",                                    \
		.offset = offsetof(struct lp_case_options, false_alarms),      \
		.help = "method limpid: how many false alarms are accepted, "  \
			"as 1/month for the whole system or 1/100h/server "    \
			"(the default)"                                        \
	}

#define LP_CASE_THRESHOLD_OPTIONS                                              \
	{ .long_name = "thresholds",                                           \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "FILE",                                                     \
	  .offset = offsetof(struct lp_case_options, thresholds),              \
	  .help = "thresholds written by 'limpid train'" },                    \
		{ .long_name = "threshold",                                    \
		  .type = LP_OPTION_STRING,                                    \
		  .value = "X",                                                \
		  .offset = offsetof(struct lp_case_options, threshold),       \
		  .help_of = lp_help_of_threshold },                           \
	{                                                                      \
		.long_name = "cwnd-threshold", .type = LP_OPTION_STRING,       \
		.value = "X",                                                  \
		.offset = offsetof(struct lp_case_options, cwnd_threshold),    \
		.help = "the same for cwnd, as a fraction of the servers' "    \
			"median (default: 0.5)"                                \
	}

#define LP_CASE_METHODS_MAX LP_DETECTORS_MOST
/* What was done to the samples, who is not accused, what was not read. */
#define LP_CASE_NOTES 12

/* Zero-initialise; lp_case_done frees. */
struct lp_case_files {
	bool for_programs; /* set it before: the output is no text */
	struct lp_period period;
	struct lp_inputs inputs;
	struct lp_reading reading; /* survey, step, metrics, case */
	struct lp_site site;
	const char *cluster; /* of the options, for the planner */
	bool no_cluster;
	/* Set before loading: an archive with earlier samples, from there on;
	   NULL: none. */
	const char *state_path;
	int64_t state_from_ns;
	char exclude_note[256];
	char step_unknown[512]; /* of the thresholds: what to make of that */
	const char *notes[LP_CASE_NOTES + 1]; /* for the report */
	struct lp_thresholds *thresholds;     /* trained; NULL: none */
	struct lp_calibration *calibration;   /* of the site; NULL: none */
	const struct lp_detector *methods[LP_CASE_METHODS_MAX + 1];
	const char **exclude;
	struct lp_diagnose_input input; /* the case's: values, plan, survey */
	struct lp_diagnose_options options;
};

/* The values that mean "not given". command: "limpid why", for warnings. */
void lp_case_options_init(struct lp_case_options *options, const char *command);
void lp_case_options_done(struct lp_case_options *options);
/* Whether they make sense, before anything is read. 0 or -EINVAL: exit 2. */
int lp_case_options_check(const struct lp_case_options *options,
			  struct lp_error *err);

/*
 * Read the files at paths (ended by NULL) and plan. Those that cannot be read
 * are left out, with a line on standard error, and noted. -EINVAL with
 * *usage = true: the options are wrong, exit 2.
 */
int lp_case_load(struct lp_case_files *c, const struct lp_case_options *options,
		 char **paths, bool *usage, struct lp_error *err);
void lp_case_done(struct lp_case_files *c);

/*
 * The verdict on all that was loaded, any number of times; valid until the
 * next, and to be freed by lp_diagnosis_done.
 */
int lp_case_judge(struct lp_case_files *c,
		  const struct lp_diagnose_options *options,
		  struct lp_diagnosis *diagnosis, struct lp_error *err);

/*
 * Read trained thresholds, and use them. path NULL: there are none. After
 * lp_case_load.
 */
int lp_case_read_thresholds(struct lp_case_files *c, const char *path,
			    struct lp_error *err);

/*
 * Whether a name that a user gave exists; option is for the message, or "".
 * compared_only: only what is compared counts, and no host. -ENOENT: it does
 * not; the message says what may have been meant.
 */
int lp_case_check_name(const struct lp_case_files *c, const char *option,
		       const char *name, bool compared_only,
		       struct lp_error *err);
/* The same of all of --exclude. */
int lp_case_check_exclude(const struct lp_case_files *c, struct lp_error *err);

#endif
