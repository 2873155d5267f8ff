/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points in the plane that lie close together (DBSCAN; Ester and others,
 * KDD'96): a point with `least` points within a distance, itself among them, is
 * a core; cores within that distance of each other are one cluster, with all
 * points within that distance of one of them. The rest is noise.
 */
#ifndef LP_STATS_DBSCAN_H
#define LP_STATS_DBSCAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * kept[n]: whether the point is in the largest cluster; of equal ones in any.
 * Without a cluster nothing is. 0 or -ENOMEM.
 */
int lp_dbscan_largest(const double *x, const double *y, size_t n,
		      double distance, size_t least, bool *kept);

#endif
