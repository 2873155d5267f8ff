/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/daemons.h"

#include <fnmatch.h>
#include <stdio.h>

/* Those that move data first: a server is known by the first that it runs. */
const char *const lp_daemons[] = {
	"glusterfsd",     "ceph-osd",     "ost_io*",  "ll_ost*",
	"beegfs-storage", "pvfs2-server", "mmfsd",    "nfsd",
	"ganesha.nfsd",   "mdt*",         "ceph-mds", "beegfs-meta",
	"ceph-mon",       "smbd",         NULL,
};

size_t lp_daemon_find(const char *program, size_t n)
{
	char name[80];

	snprintf(name, sizeof(name), "%.*s", (int)n, program);
	for (size_t i = 0; lp_daemons[i]; i++)
		if (fnmatch(lp_daemons[i], name, 0) == 0)
			return i;
	return LP_NO_DAEMON;
}
