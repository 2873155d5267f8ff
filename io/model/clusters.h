/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of durations without knowing anything of their cause: the density of
 * the logarithms has a maximum for each relevant factor, and the minima between
 * them part the operations into classes (Kunkel 2015, 4.1).
 *
 * What counts as a maximum of its own is a rule, since one lone operation makes
 * one, too: its density is at least 1e-6 of the highest, and at least one
 * operation in a hundred lies between the minima around it. Others belong to
 * the next one below, or, if there is none, above. Between two that count the
 * lowest minimum parts them.
 *
 * Operations are unexpectedly slow beyond the point where, after the last
 * maximum, the density first falls to 0.05 of that maximum. The last is here
 * the last that has 0.05 of the highest: a few operations that were disturbed
 * alike are a class to look at, but must not move the limit behind themselves.
 * In the same way durations begin where the density before the first maximum
 * is 0.05 of it.
 *
 * Durations of a coarse clock are multiples of its resolution. Their logarithms
 * lie on a comb, whose teeth must not become classes: what is below the
 * resolution counts as the resolution, and the bandwidth is at least the
 * distance of two teeth, ln(1 + resolution / d). For d the hundredth part of
 * the operations that is fastest is left out: it is too few for a class.
 */
#ifndef LP_IO_MODEL_CLUSTERS_H
#define LP_IO_MODEL_CLUSTERS_H

#include "stats/density.h"

#include <stddef.h>
#include <stdint.h>

#define LP_IO_ADJUST 2.0    /* of the bandwidth: Kunkel 2015, footnote 9 */
#define LP_IO_CUT 0.05      /* of a maximum: 4.1 */
#define LP_IO_FAINTEST 1e-6 /* of the highest maximum */
#define LP_IO_FEWEST 0.01   /* of the operations */

/* Two operations have a density, but no one should believe it. */
#define LP_IO_ENOUGH 50

struct lp_io_cluster {
	double from,
		to;    /* natural logarithms; -INFINITY and INFINITY at ends */
	double peak;   /* where it is densest */
	double height; /* the density there */
	size_t n;      /* operations in it; slow ones are in the last */
};

struct lp_io_clusters {
	struct lp_density density;
	struct lp_io_cluster *cluster; /* fastest first */
	size_t n;
	double last;  /* logarithm: where the last maximum of those is */
	double begin; /* logarithm: below it hardly any lies */
	double limit; /* logarithm: beyond it is unexpectedly slow */
	size_t n_slow;
};

/* The logarithm of a duration; of none at all that of 1 ns. */
double lp_io_log(int64_t duration_ns);
/* The same by a clock with a resolution, which is the least then. */
double lp_io_log_coarse(int64_t duration_ns, int64_t resolution_ns);

/*
 * n logarithms, which are only read. 0, -EINVAL (fewer than two, or not
 * finite) or -ENOMEM.
 */
int lp_io_clusters_init(struct lp_io_clusters *clusters, const double *log_ns,
			size_t n);
/* The same of a clock with a resolution; 0 or 1 ns is as without. */
int lp_io_clusters_init_coarse(struct lp_io_clusters *clusters,
			       const double *log_ns, size_t n,
			       int64_t resolution_ns);
/* Accepts a zeroed one. */
void lp_io_clusters_done(struct lp_io_clusters *clusters);

/* Which one a logarithm is in. */
size_t lp_io_cluster_of(const struct lp_io_clusters *clusters, double log_ns);

#endif
