/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case: recordings read, laid on one grid, and planned: what diagnose, train
 * and why begin with.
 */
#ifndef LP_CMD_CASE_H
#define LP_CMD_CASE_H

#include "inputs.h"
#include "shards.h"

#include "base/option.h"
#include "diagnose/diagnose.h"

/* The options that all three have. */
struct lp_case_options {
	struct lp_option_list methods, metrics;
	const char *cluster;
	int64_t since_ns, until_ns, step_ns;
	unsigned long window, shift, smooth, k;
	const char *threshold, *cwnd_threshold;
	struct lp_option_list exclude;
	bool filter_server_workloads;
	struct lp_input_options input;
};

/* Rows of an option table, for a struct whose first member is the above. */
#define LP_CASE_OPTIONS                                                        \
	{ .long_name = "method",                                               \
	  .type = LP_OPTION_LIST,                                              \
	  .value = "NAME[,NAME]",                                              \
	  .offset = offsetof(struct lp_case_options, methods),                 \
	  .help = "cdf, pdf, median, thresh, cwnd (default: cdf,cwnd)" },      \
		{ .long_name = "metric",                                       \
		  .type = LP_OPTION_LIST,                                      \
		  .value = "NAME[,NAME]",                                      \
		  .offset = offsetof(struct lp_case_options, metrics),         \
		  .help = "compare these only, of those that accuse" },        \
		{ .long_name = "cluster",                                      \
		  .type = LP_OPTION_STRING,                                    \
		  .value = "FILE",                                             \
		  .offset = offsetof(struct lp_case_options, cluster),         \
		  .help = "who is whose peer, as in limpid-cluster(5)" },      \
		{ .long_name = "since",                                        \
		  .type = LP_OPTION_TIME,                                      \
		  .value = "TIME",                                             \
		  .offset = offsetof(struct lp_case_options, since_ns),        \
		  .help = "from this time on (UTC unless it names a zone)" },  \
		{ .long_name = "until",                                        \
		  .type = LP_OPTION_TIME,                                      \
		  .value = "TIME",                                             \
		  .offset = offsetof(struct lp_case_options, until_ns),        \
		  .help = "up to this time" },                                 \
		{ .short_name = 'i',                                           \
		  .long_name = "interval",                                     \
		  .type = LP_OPTION_DURATION,                                  \
		  .value = "STEP",                                             \
		  .offset = offsetof(struct lp_case_options, step_ns),         \
		  .help = "compare samples of STEP (default: as recorded; 15 " \
			  "s from two hours on)" },                            \
		{ .long_name = "window",                                       \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "N",                                                \
		  .offset = offsetof(struct lp_case_options, window),          \
		  .help = "samples in a window" },                             \
		{ .long_name = "shift",                                        \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "N",                                                \
		  .offset = offsetof(struct lp_case_options, shift),           \
		  .help = "samples from window to window" },                   \
		{ .long_name = "smooth",                                       \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "N",                                                \
		  .offset = offsetof(struct lp_case_options, smooth),          \
		  .help = "samples in the moving average" },                   \
		{ .short_name = 'k',                                           \
		  .long_name = "votes",                                        \
		  .type = LP_OPTION_UINT,                                      \
		  .value = "K",                                                \
		  .offset = offsetof(struct lp_case_options, k),               \
		  .help = "windows that must differ, of the last 2K-1" },      \
		{ .long_name = "exclude",                                      \
		  .type = LP_OPTION_LIST,                                      \
		  .value = "COMPONENT",                                        \
		  .offset = offsetof(struct lp_case_options, exclude),         \
		  .help = "accuse all but this component or host; it stays a " \
			  "peer of the others" },                              \
		{ .long_name = "filter-server-workloads",                      \
		  .type = LP_OPTION_FLAG,                                      \
		  .offset = offsetof(struct lp_case_options,                   \
				     filter_server_workloads),                 \
		  .help = "accuse only what differs from its own server's "    \
			  "components, too" },                                 \
		LP_INPUT_FORMAT(struct lp_case_options),                       \
		LP_INPUT_HOST(struct lp_case_options),                         \
		LP_INPUT_HOST_FROM_PATH(struct lp_case_options)

#define LP_CASE_METHODS_MAX 8

/* Zero-initialise; lp_case_done frees. */
struct lp_case {
	struct lp_inputs inputs;
	struct lp_shards shards;
	struct lp_recording recording;
	struct lp_matrix *matrix;
	struct lp_matrix_metric *metrics;
	const char **columns; /* that these need, ended by NULL */
	size_t columns_capacity;
	struct lp_cluster *cluster;
	struct lp_plan plan;
	bool planned;
	bool single; /* no host has two samples */
	char step_note[LP_STEP_NOTE];
	char exclude_note[256];
	const char *notes[3]; /* of the command, for the report */
	const struct lp_detector *methods[LP_CASE_METHODS_MAX + 1];
	const char **exclude;
	struct lp_diagnose_input input;
	struct lp_diagnose_options options;
};

/* The values that mean "not given". */
void lp_case_options_init(struct lp_case_options *options);
void lp_case_options_done(struct lp_case_options *options);
/* Whether they make sense, before anything is read. 0 or -EINVAL: exit 2. */
int lp_case_options_check(const struct lp_case_options *options,
			  struct lp_error *err);

/*
 * Read the files at paths (ended by NULL) and plan. -EINVAL with
 * *usage = true: the options are wrong, exit 2.
 */
int lp_case_load(struct lp_case *c, const struct lp_case_options *options,
		 char **paths, bool *usage, struct lp_error *err);
void lp_case_done(struct lp_case *c);

#endif
