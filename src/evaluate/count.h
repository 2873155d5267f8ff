/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what was said of labelled runs to the tables of FAST'10 11.
 *
 * Per run: ITP, all faulty servers were indicted; IFP, at least one other was;
 * DTP, all of them with the right cause; DFP, a wrong cause was given, and a
 * wrong server always has a wrong one. A faulty server counts if what it was
 * indicted for meets the time from the fault's start to its end plus one
 * window; any other server is a false one at any time.
 *
 * Over runs: ITP and DTP are shares of the runs with a fault, IFP and DFP of
 * all runs, with the controls. Runs whose cause is not known have no DTP and
 * no DFP.
 */
#ifndef LP_EVALUATE_COUNT_H
#define LP_EVALUATE_COUNT_H

#include "base/error.h"
#include "base/memory.h"
#include "model/finding.h"

struct lp_truth {
	const char *workload; /* "" if it is not said */
	const char *fault;    /* "none": a control */
	const char **servers;
	size_t n_servers;
	enum lp_cause cause; /* LP_CAUSES: not known */
	int64_t start_ns, end_ns;
	struct lp_arena arena;
};

/* -EINVAL: it is no truth; err names file and key. */
int lp_truth_read(const char *path, struct lp_truth *truth,
		  struct lp_error *err);
/* The same from memory; name is for messages. */
int lp_truth_parse(const char *name, const char *text, size_t size,
		   struct lp_truth *truth, struct lp_error *err);
void lp_truth_done(struct lp_truth *truth);
bool lp_truth_is_control(const struct lp_truth *truth);

/* The cause of a fault of FAST'10; LP_CAUSES: another fault. */
enum lp_cause lp_fault_cause(const char *fault);

struct lp_indictment {
	const char *host, *component;
	enum lp_cause cause;
	int64_t since_ns, until_ns;
	int64_t known_ns; /* when it could first be said */
};

/* What became of one run. */
struct lp_score {
	bool control, has_cause;
	bool itp, ifp, dtp, dfp;
	size_t false_alarms; /* indictments of others, and of faulty servers at
				other times */
	int64_t latency_ns;  /* until all were indicted; below 0: they were
				not */
};

void lp_score_run(const struct lp_truth *truth,
		  const struct lp_indictment *indicted, size_t n,
		  int64_t window_ns, struct lp_score *score);

struct lp_share {
	size_t hits, of;
};

/* hits / of in percent; NaN: of nothing. */
double lp_share_percent(struct lp_share share);

struct lp_tally {
	struct lp_share itp, ifp, dtp, dfp;
	size_t runs, controls, false_alarms;
	double server_hours;
	int64_t *latencies_ns; /* of the hits */
	size_t n_latencies, latencies_capacity;
};

/* 0 or -ENOMEM. */
int lp_tally_add(struct lp_tally *tally, const struct lp_score *score,
		 double server_hours);
void lp_tally_done(struct lp_tally *tally);
/* Median; below 0: none. */
int64_t lp_tally_latency(const struct lp_tally *tally);

#endif
