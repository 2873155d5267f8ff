/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/planner.h"

#include <errno.h>

int lp_cluster_read(const char *path, struct lp_cluster **cluster,
		    struct lp_error *err)
{
	(void)cluster;
	return lp_fail(err, ENOSYS, "%s: cluster files are not read yet", path);
}

void lp_cluster_free(struct lp_cluster *cluster)
{
	(void)cluster;
}

bool lp_cluster_lists(const struct lp_cluster *cluster,
		      const struct lp_class *class)
{
	(void)cluster;
	(void)class;
	return false;
}

bool lp_cluster_has_roles(const struct lp_cluster *cluster)
{
	(void)cluster;
	return false;
}

bool lp_cluster_has_ports(const struct lp_cluster *cluster)
{
	(void)cluster;
	return false;
}

bool lp_cluster_port(const struct lp_cluster *cluster, long port)
{
	(void)cluster;
	(void)port;
	return false;
}
