/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of limpid why: its command line (cmd_why.c), what each unit saw of
 * a component (why_view.c), and how that is told (why_text.c).
 */
#ifndef LP_CMD_WHY_H
#define LP_CMD_WHY_H

#include "case_files.h"

struct lp_why {
	struct lp_case_files c;
	struct lp_diagnosis d;
	int64_t at_ns; /* LP_TIME_MIN: all the time */
};

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
/* Then what the columns of its tables are. */
void lp_why_legend(const struct lp_why *why, const char *name);

#endif
