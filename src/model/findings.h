/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of a diagnosis, as it is reported, stored and sent: the findings,
 * what was compared and how, and what a reader should know. It stands for
 * itself: all of it is its own memory, whatever it was made of is gone.
 *
 * diagnose/publish.h makes one, report/findings_json.h writes and reads it,
 * limpid-findings(5), and report/ renders it.
 */
#ifndef LP_MODEL_FINDINGS_H
#define LP_MODEL_FINDINGS_H

#include "base/names.h"
#include "model/finding.h"

/* What makes them peers. */
enum lp_peers_by {
	LP_PEERS_STATED, /* a file, or what is known of them */
	LP_PEERS_LOAD,   /* similar load, and nothing else */
	LP_PEERS_NAMES,  /* equal names, though their load differs */
	LP_PEERS_BYS,
};

/* One metric of one peer group, judged by one method. */
struct lp_comparison {
	const char *group, *metric, *class, *method;
	size_t group_number;
	const char *ground; /* NULL, or why they are taken for peers, where that
			       is less than sure */
	enum lp_peers_by by;
	size_t n;         /* components */
	size_t n_trained; /* that have a threshold of their own */
	double threshold; /* of the others */
	size_t windows;
	size_t n_compared, n_split; /* of them */
	bool values;                /* any component had one */
	/*
	 * Of quantities: what the threshold rests on, "given", "lab", "site" or
	 * "recording", and if it was measured, on so many hours of healthy
	 * components; the smallest effects that would have been accused, as a
	 * difference from the peers and as a change. NULL and NaN of others.
	 */
	const char *limit_by;
	double tail_hours, least_level, least_change;
};

/* A method, as it was used. */
struct lp_method {
	const char *name, *help;
	size_t smooth, window, shift, k; /* in steps; votes */
	int64_t block_ns; /* of one that sees all metrics at once; else 0 */
};

/* The persistence list at the end of an hour (thesis 3.4, figure 5.3). */
struct lp_persistent {
	int64_t time_ns;
	size_t value; /* the accumulator: windows */
	const char *component, *group;
	size_t group_number; /* set in lp_findings */
};

struct lp_not_compared {
	const char *component, *reason;
};

struct lp_findings {
	enum lp_outcome outcome;
	const char *reason;       /* of "undecided": one line; "" otherwise */
	struct lp_finding *items; /* the worst first */
	size_t n;
	struct lp_comparison *comparisons;
	size_t n_comparisons;
	struct lp_method *methods; /* in the order of their first use */
	size_t n_methods;
	struct lp_persistent *hourly; /* by time, then by value */
	size_t n_hourly;
	struct lp_not_compared *left_out;
	size_t n_left_out;
	const char **notes; /* what a reader should know, a sentence each */
	size_t n_notes;
	size_t n_hosts, n_groups, n_components; /* that are compared */
	int64_t step_ns, first_ns, last_ns;
	/* The windows of the main method, and which faults they show. */
	size_t window, shift, k, of;
	int64_t least_ns, sure_ns, needed_ns;
	bool trained;           /* by a thresholds file, at least in part */
	const char *trained_on; /* "": not known */
	const char *budget;     /* "1 false alarm per month of the whole
				   system"; NULL: the method has none */
	size_t inputs_left_out, inputs_read_in_part;
	const struct lp_map *map; /* NULL: none was asked for, or is there */
	struct lp_names names;    /* all of its texts */
	struct lp_arena arena;    /* all else */
};

void lp_findings_done(struct lp_findings *findings);

/* A text that it keeps; NULL: out of memory. */
const char *lp_findings_text(struct lp_findings *findings, const char *text);

/* How many components they name: one that was ill twice has two findings. */
size_t lp_findings_components(const struct lp_findings *findings);

/*
 * Whether the verdict rests on peers that nobody stated and of which little is
 * known: of those that are accused, or if none is, of any.
 */
enum lp_peers_by lp_findings_ground(const struct lp_findings *findings);

/* Whether a comparison is of the same metric and group as an earlier one. */
bool lp_findings_judged_before(const struct lp_findings *findings,
			       size_t comparison);
/* Whether any is. */
bool lp_findings_several(const struct lp_findings *findings);

#endif
