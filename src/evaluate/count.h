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
 * no DFP. False alarms are counted against the time in which servers were
 * healthy.
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
	double strength;           /* of the fault; NaN: not said */
	const char *strength_unit; /* "x", "%"; "" */
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
	bool lasting; /* until the end of the recording, or longer */
	bool dated;   /* and these are between: */
	int64_t since_low_ns, since_high_ns, until_low_ns, until_high_ns;
	int64_t known_ns; /* when it could first be said */
	double score;     /* larger is worse; NaN: the method has none */
};

/* What became of one run. */
struct lp_score {
	bool control, has_cause;
	bool itp, ifp, dtp, dfp;
	size_t false_alarms; /* indictments of others, and of faulty servers at
				other times */
	int64_t latency_ns;  /* until all were indicted; below 0: they were
				not */
	/* What was said less what is true; of several servers that which is
	   farthest off; NaN: not indicted, or the end was not recorded. */
	double start_error_s, end_error_s;
	/* The bounds of these that were said: how wide, NaN: none; and whether
	   they hold. Of several servers those of the last. */
	double start_width_s, end_width_s;
	bool start_holds, end_holds;
	/* All that was recorded of servers, and what was healthy of it. Both
	   are the caller's to set. */
	double server_hours, healthy_hours;
};

void lp_score_run(const struct lp_truth *truth,
		  const struct lp_indictment *indicted, size_t n,
		  int64_t window_ns, struct lp_score *score);

/*
 * How much of a recording of the host, from first to last, it was healthy: all
 * but the fault and a window after it.
 */
double lp_truth_healthy_hours(const struct lp_truth *truth, const char *host,
			      int64_t first_ns, int64_t last_ns,
			      int64_t window_ns);

struct lp_share {
	size_t hits, of;
};

/* hits / of in percent; NaN: of nothing. */
double lp_share_percent(struct lp_share share);

/* Numbers of which quantiles are asked for. */
struct lp_sample {
	double *items;
	size_t n, capacity;
};

struct lp_tally {
	struct lp_share itp, ifp, dtp, dfp;
	size_t runs, controls, false_alarms;
	double server_hours, healthy_hours;
	struct lp_sample latency_s;              /* of the hits */
	struct lp_sample start_off_s, end_off_s; /* how far, either way */
	struct lp_share bounds;    /* of starts and ends: which hold */
	struct lp_sample bounds_s; /* how wide they are */
};

/* 0 or -ENOMEM. */
int lp_tally_add(struct lp_tally *tally, const struct lp_score *score);
void lp_tally_done(struct lp_tally *tally);

/* R's type 7; reorders. NaN: of nothing. */
double lp_sample_quantile(const struct lp_sample *sample, double p);

/* False alarms per healthy hour, and the exact 95 % interval of that. */
struct lp_rate {
	double per_hour, low, high; /* NaN: nothing was recorded */
};

struct lp_rate lp_tally_rate(const struct lp_tally *tally);

#endif
