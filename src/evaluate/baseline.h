/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Baselines: plain rules and rules of others, to compare limpid's methods with
 * on the same runs. They are no methods of a diagnosis: they explain nothing,
 * and nobody should act on them.
 *
 * To add one: a file baseline_NAME.c with its struct lp_baseline (and its place
 * in src/meson.build), its name in LP_BASELINES below, a row in the table of
 * limpid-evaluate(1), a section in docs/methods/baselines.md, and a case in
 * tests/unit/test_baseline.c. The help and the completion are made from the
 * table.
 */
#ifndef LP_EVALUATE_BASELINE_H
#define LP_EVALUATE_BASELINE_H

#include "evaluate/count.h"
#include "model/catalogue.h"

/* What they look at. Rates are per second, and of one step each. */
enum lp_quantity {
	LP_BUSY,       /* time with a request in flight, s/s */
	LP_REQUESTS,   /* reads and writes */
	LP_WAIT,       /* time that they took, summed, s/s */
	LP_DELAY,      /* the mean time of one, ms; also where only that is
			  recorded */
	LP_THROUGHPUT, /* bytes read and written */
	LP_TAKEN,      /* what comes in: written, received */
	LP_GIVEN,      /* what goes out: read, sent */
	LP_SENT,       /* bytes over sockets, those sent again included */
	LP_RESENT,     /* bytes sent again */
	LP_QUANTITIES,
};

/* How a class has it; NULL: not at all. */
const struct lp_metric *lp_quantity_metric(const struct lp_class *class,
					   enum lp_quantity quantity);

/* A peer group and what was recorded of it. */
struct lp_judged_group {
	const struct lp_class *class;
	size_t n;
	const char *const *hosts; /* [n]: who is accused */
	const char *const *labels;
	/* [points][n], NaN where missing; NULL: nobody has it. */
	const double *values[LP_QUANTITIES];
};

struct lp_judged_run {
	const struct lp_judged_group *groups;
	size_t n_groups;
	size_t points;
	int64_t first_ns, step_ns; /* of the points; a value is of the step that
				      ends there */
};

/* What was said; strings are those of the run. Zero-initialise. */
struct lp_alarms {
	struct lp_indictment *items;
	size_t n, capacity;
};

/* 0 or -ENOMEM. */
int lp_alarms_add(struct lp_alarms *alarms, const struct lp_indictment *alarm);
void lp_alarms_done(struct lp_alarms *alarms);

struct lp_baseline {
	const char *name;
	const char *help;
	/* Scores above it accuse; 0: it always accuses somebody. */
	double limit;
	/* How late after a fault a finding may begin to be of that fault. */
	int64_t window_ns;
	bool names_cause;
	bool trainable; /* its limit can be the largest score of healthy runs */
	/* 0 or -ENOMEM. NULL: it cannot be run, for this reason: */
	int (*judge)(const struct lp_judged_run *run, double limit,
		     struct lp_alarms *alarms);
	const char *not_run;
};

#define LP_BASELINES(X)                                                        \
	X(plain)                                                               \
	X(mad)                                                                 \
	X(busiest)                                                             \
	X(peer)                                                                \
	X(perseus)                                                             \
	X(iaso)                                                                \
	X(csr)

#define LP_DECLARE_BASELINE(name)                                              \
	extern const struct lp_baseline lp_baseline_##name;
LP_BASELINES(LP_DECLARE_BASELINE)

/* All of them, ended by NULL. */
extern const struct lp_baseline *const lp_baselines[];

/* NULL: there is none of this name. */
const struct lp_baseline *lp_baseline_find(const char *name);
/* "plain, mad": those that can be run. Returns text. */
#define LP_BASELINES_TEXT 128
const char *lp_baseline_names(char text[LP_BASELINES_TEXT]);

#endif
