/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often healthy components reach a distance by chance, and which limit
 * therefore keeps an operator's budget of false alarms.
 *
 * The largest distance of each component in each hour is kept. Most components
 * are healthy in most hours: those that differ most are left out, and what the
 * others reach falls off as an exponential, from a distance on that many reach.
 * Beyond the hours that were seen this is a model and no measurement.
 */
#ifndef LP_DETECT_TAIL_H
#define LP_DETECT_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * So many hours of a component in which the largest distance is above z:
 * rate * exp(-(z - from) / scale), for z above `from`.
 */
struct lp_tail {
	double from, scale, rate;
	size_t excesses; /* that it was made of; 0: not measured here */
	double hours;    /* of components, that were looked at */
};

/* That of the lab; its rate is of servers, not of components. */
extern const struct lp_tail lp_tail_lab;

/* No measured tail makes the limit smaller than this. */
#define LP_LIMIT_LEAST 5

/* The distance that is exceeded so often, per hour of what the rate counts. */
double lp_tail_limit(const struct lp_tail *tail, double per_hour);

/* Whether a tail has been measured well enough to go by it. */
bool lp_tail_is_measured(const struct lp_tail *tail);

/* ---- the largest distances ---- */

struct lp_maxima;

/* Of n components. NULL: out of memory. */
struct lp_maxima *lp_maxima_new(size_t n);
void lp_maxima_free(struct lp_maxima *maxima);

/* A distance of component i in the block that ends then. 0 or -ENOMEM. */
int lp_maxima_add(struct lp_maxima *maxima, int64_t end_ns, size_t i,
		  double distance);

/* Only the last seven days tell how far healthy components go; forget others.
 */
void lp_maxima_forget(struct lp_maxima *maxima);

/*
 * The tail of all hours that are kept, of several groups together. One that has
 * too few excesses has no scale and rate. 0 or -ENOMEM.
 */
int lp_maxima_tail(const struct lp_maxima *const *groups, size_t n_groups,
		   struct lp_tail *tail);

#endif
