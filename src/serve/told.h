/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people tell the service: the body of a request that changes something,
 * an object of JSON.
 *
 *     {"who": "ann", "why": "disk ordered", "component": "oss3/sdc"}
 */
#ifndef LP_SERVE_TOLD_H
#define LP_SERVE_TOLD_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define LP_WHO_MOST 100
#define LP_WHY_MOST 1000

/* Texts are NULL, times LP_TIME_MIN, where they are not given. */
struct lp_told {
	json_t *object;
	const char *who, *why, *component, *target;
	int64_t from_ns, to_ns, until_ns, time_ns;
	int64_t for_ns, every_ns; /* 0: not given */
};

/* -EINVAL: no object, or a member that is not known or not of its kind. Call
   lp_told_done in any case. */
int lp_told_read(struct lp_told *told, const char *body, size_t size,
		 struct lp_error *err);
void lp_told_done(struct lp_told *told);
/* -EINVAL: it does not say who, and why. */
int lp_told_who(const struct lp_told *told, struct lp_error *err);

#endif
