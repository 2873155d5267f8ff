/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int lp_site_check(const char *given, bool none, struct lp_error *err)
{
	return given && none ? lp_fail(err, EINVAL,
				       "--cluster %s and --no-cluster cannot "
				       "be used together",
				       given)
			     : 0;
}

/* The machine's own file, or NULL. */
static const char *own_file(void)
{
	const char *named = getenv("LIMPID_CLUSTER");

	if (named)
		return named[0] ? named : NULL;
	return access(LIMPID_CLUSTER_FILE, F_OK) == 0 ? LIMPID_CLUSTER_FILE
						      : NULL;
}

/* Recordings of other machines are not this cluster's. */
static int choose_own(struct lp_site *site, const char *path,
		      const struct lp_survey *recording, struct lp_error *err)
{
	int status = lp_cluster_read(path, &site->cluster, err);

	if (status < 0)
		return status;
	if (lp_cluster_concerns(site->cluster, recording)) {
		snprintf(site->note, sizeof(site->note),
			 "The cluster file %s is used. --no-cluster turns it "
			 "off.",
			 path);
		return 0;
	}
	snprintf(site->note, sizeof(site->note),
		 "The cluster file %s is not used: it names none of these "
		 "hosts.",
		 path);
	lp_cluster_free(site->cluster);
	site->cluster = NULL;
	return 0;
}

/* Who did not name the file must learn where it comes from. */
static int blame(int status, struct lp_error *err)
{
	struct lp_error why = *err;

	return lp_fail(err, -status,
		       "%s; to go without that file, use --no-cluster",
		       why.text);
}

int lp_site_plan(struct lp_site *site, const char *given, bool none,
		 const struct lp_survey *recording,
		 const struct lp_matrix *matrix, struct lp_plan *plan,
		 struct lp_error *err)
{
	const char *own = given || none ? NULL : own_file();
	int status = 0;

	if (given)
		status = lp_cluster_read(given, &site->cluster, err);
	else if (own)
		status = choose_own(site, own, recording, err);
	if (status == 0)
		status = lp_cluster_plan(site->cluster, recording, matrix, plan,
					 err);
	if (status < 0)
		return own ? blame(status, err) : status;
	if (site->note[0] && lp_plan_note(plan, site->note) < 0) {
		lp_plan_done(plan);
		return lp_fail_memory(err);
	}
	return 0;
}

void lp_site_done(struct lp_site *site)
{
	lp_cluster_free(site->cluster);
	site->cluster = NULL;
}
