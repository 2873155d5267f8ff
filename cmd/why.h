/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of limpid why: its command line (cmd_why.c), what each unit saw of
 * a component (why_view.c), what a joint detector says of it (why_scores.c),
 * and how that is told (why_text.c, why_scores_text.c, why_json.c).
 */
#ifndef LP_CMD_WHY_H
#define LP_CMD_WHY_H

#include "case_files.h"

struct lp_why_value {
	const struct lp_metric *quantity;
	struct lp_compared compared;
};

/* All scores of one component at the end of one block. */
struct lp_why_scores {
	size_t group, peer;     /* in the plan */
	size_t blocks, accused; /* in which it was compared; accused */
	bool known;             /* there was a block; what follows is of it */
	int64_t end_ns;
	bool split; /* too many of the group are accused to name anybody */
	double nearness;
	struct lp_reason *reasons;
	size_t n, capacity;
	/* What it did in the window of the nearest score. */
	struct lp_why_value *values;
	size_t n_values, values_capacity;
};

struct lp_why {
	const char *name; /* that was asked for */
	struct lp_case_files c;
	struct lp_diagnosis d;
	int64_t at_ns; /* LP_TIME_MIN: all the time */
	struct lp_why_scores *scores;
	size_t n_scores, scores_capacity;
	struct lp_json *json; /* NULL: text */
};

/* By its own name, or by that of its host. */
bool lp_why_is_named(const struct lp_peer *peer, const char *name);

/* ---- joint detectors ---- */

/* What is missing to an accusation. */
enum lp_why_lack {
	LP_LACKS_NOTHING,
	LP_LACKS_DISTANCE,
	LP_LACKS_EFFECT,
	LP_LACKS_BOTH,
	LP_LACKS_LOAD,  /* beyond that of its peers */
	LP_LACKS_LEVEL, /* it changed, but is like its peers now */
	LP_LACKS_RATIO, /* its loss is not twice that of its peers */
	LP_LACKS,
};
enum lp_why_lack lp_why_lacks(const struct lp_reason *reason);
/* "distance"; of nothing NULL. */
const char *lp_why_lack_name(enum lp_why_lack lack);

/* An lp_diagnose_blocks: keeps what is to be told. */
int lp_why_take_block(void *why, const struct lp_joint_block *block);
/* An lp_diagnose_wants: has the group a component that was named? */
bool lp_why_wants(void *why, const struct lp_peer_group *group);
/* What was kept of a component, or NULL. */
const struct lp_why_scores *lp_why_scores(const struct lp_why *why,
					  size_t group, size_t peer);
/* The score that accuses, or comes nearest to it; NULL: there is none. */
const struct lp_reason *lp_why_nearest(const struct lp_why_scores *scores);
void lp_why_scores_done(struct lp_why *why);

/* An effect of this quantity in percent. */
double lp_why_percent(const struct lp_metric *metric, double residual);
void lp_why_print_scores(const struct lp_why *why,
			 const struct lp_why_scores *scores, bool accused);
void lp_why_scores_legend(void);

/* ---- all detectors ---- */

/* What is known of one unit's view of the component. */
struct lp_why_view {
	struct lp_evidence evidence;
	size_t windows, flagged, anomalous, absent;
};

/* The finding that accuses, or has as evidence, this component; or NULL. */
const struct lp_finding *lp_why_finding(const struct lp_diagnosis *d,
					const struct lp_peer *who);

/*
 * The finding's own numbers where it has some: the same question must not get
 * two answers. f may be NULL. 0 or -ENOMEM.
 */
int lp_why_look(const struct lp_why *why, const struct lp_unit *u, size_t peer,
		const struct lp_finding *f, struct lp_why_view *view);
/* The recording does not hold this metric. */
bool lp_why_is_empty(const struct lp_why_view *view);
/* How near it comes to an accusation: more is nearer. */
double lp_why_nearness(const struct lp_unit *u, const struct lp_why_view *view);

/*
 * Print what is known of all components of that name, or of a host of that
 * name, and count them. 0 or -ENOMEM.
 */
int lp_why_explain(const struct lp_why *why, const char *name, size_t *found);
/* It is only evidence: it works for somebody who is absent. */
bool lp_why_is_taker(const struct lp_finding *f, const char *label);
/* Then what the columns of its tables are. */
void lp_why_legend(const struct lp_why *why, const char *name);

/* ---- JSON: begin, put components and others, end ---- */

void lp_why_put_begin(const struct lp_why *why);
/* What is known of a component. 0 or -ENOMEM. */
int lp_why_put(const struct lp_why *why, size_t group, size_t peer);
/* One that was not compared, and why. */
void lp_why_put_other(const struct lp_why *why, const char *label,
		      const char *reason);
void lp_why_put_end(const struct lp_why *why);

#endif
