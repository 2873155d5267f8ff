/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What somebody may have meant by a name that does not exist.
 */
#ifndef LP_BASE_NEAREST_H
#define LP_BASE_NEAREST_H

#include <stddef.h>

/*
 * Letters to change, add, leave out or swap; names above 63 bytes are far away.
 */
#define LP_NEAREST_LONGEST 63
size_t lp_nearest_distance(const char *a, const char *b);

/* The search: begin with the wrong name, offer candidates, look at best. */
struct lp_nearest {
	const char *wrong;
	const char *best; /* NULL: none is near */
	size_t distance;
};

/* A third of the letters may differ: beyond that it is no typo. */
struct lp_nearest lp_nearest_begin(const char *wrong);
void lp_nearest_offer(struct lp_nearest *nearest, const char *candidate);
/* " (did you mean disk-busy?)", or nothing. */
#define LP_NEAREST_HINT 96
const char *lp_nearest_hint(const struct lp_nearest *nearest,
			    char text[LP_NEAREST_HINT]);

#endif
