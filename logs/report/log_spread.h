/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who said what first, in time: how a failure spreads from node to node.
 */
#ifndef LP_LOGS_LOG_SPREAD_H
#define LP_LOGS_LOG_SPREAD_H

#include "logs/verdict/log_study.h"

#include <stdio.h>

/* What comes after so many steps is counted only. */
#define LP_LOG_STEPS_MOST 500

/* The first line of one kind on one node. */
struct lp_log_step {
	const struct lp_log_evidence *what;
	int64_t after_ns; /* since the first of all */
	uint32_t lane;    /* of the node: in the order in which they speak */
	bool is_first;    /* of its node */
	/* The first step of the node that it speaks of, if that is earlier. */
	const struct lp_log_step *because;
};

struct lp_log_spread {
	const struct lp_log_study *study;
	struct lp_log_step *steps; /* by time */
	size_t n, left_out, later; /* lines without a time; too many */
	uint32_t n_lanes;
	int64_t begin_ns;
};

/* -ENOMEM. The study is resolved, and must stay. */
int lp_log_spread_make(const struct lp_log_study *study,
		       struct lp_log_spread *spread);
void lp_log_spread_done(struct lp_log_spread *spread);

void lp_log_spread_text(const struct lp_log_spread *spread, FILE *out);
void lp_log_spread_json(const struct lp_log_spread *spread, FILE *out);
/* For Graphviz. */
void lp_log_spread_dot(const struct lp_log_spread *spread, FILE *out);
/* A page that loads nothing. */
void lp_log_spread_html(const struct lp_log_spread *spread, FILE *out);

/* "its storage does not work", by the rule's own words if it has some. */
const char *lp_log_says(const struct lp_log_evidence *evidence);

#endif
