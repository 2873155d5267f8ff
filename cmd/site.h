/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster file of this machine: what commands plan by when none is given.
 * It is $LIMPID_CLUSTER, or /etc/limpid/cluster.conf if that variable is not
 * set; an empty variable: there is none.
 */
#ifndef LP_CMD_SITE_H
#define LP_CMD_SITE_H

#include "cluster/cluster.h"

struct lp_site {
	struct lp_cluster *cluster; /* NULL: none is used */
	char note[512];             /* that the machine's own is, or not; "" */
};

/* -EINVAL: --cluster and --no-cluster were both given. */
int lp_site_check(const char *given, bool none, struct lp_error *err);

/*
 * Plan by the file `given`, or by the machine's own if that names a host of
 * the recording, or without one (`none`). The note is in the plan, too. Free
 * the site by lp_site_done after the plan.
 */
int lp_site_plan(struct lp_site *site, const char *given, bool none,
		 const struct lp_survey *recording,
		 const struct lp_matrix *matrix, struct lp_plan *plan,
		 struct lp_error *err);
void lp_site_done(struct lp_site *site);

#endif
