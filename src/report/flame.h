/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph as one SVG file: each frame as wide as the CPU time spent in
 * it and in what it called. No script: the name and the numbers of a frame are
 * its title, which a browser shows.
 *
 * With another side, colours say what this one does more (red) and less (blue)
 * than it; grey is within chance.
 */
#ifndef LP_REPORT_FLAME_H
#define LP_REPORT_FLAME_H

#include "base/outfile.h"

#include <stddef.h>
#include <stdio.h>

struct lp_flame {
	const char *title, *subtitle; /* subtitle: or NULL */
	size_t n;
	const char *const *paths; /* "a;b;c" */
	const double *own;        /* seconds of each */
	const double *other;      /* of the other side; NULL: there is none */
	/* Samples a second of CPU time: for chance. */
	double rate;
};

extern const struct lp_outkind lp_flame_outkind;

/* 0 or -ENOMEM. */
int lp_flame_write(FILE *out, const struct lp_flame *flame);

#endif
