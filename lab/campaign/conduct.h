/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conduct a campaign: make clusters, make the runs that are not there yet,
 * repeat those that failed at the end, leave the machine clean.
 */
#ifndef LAB_CAMPAIGN_CONDUCT_H
#define LAB_CAMPAIGN_CONDUCT_H

#include "campaign/campaign.h"

#include <stdio.h>

struct lab_conduct {
	const struct lab_campaign *campaign;
	const struct lab_plan *plan;
	const char *dir;     /* of the runs; lab_runs_open was called */
	const char *lab_dir; /* of the lab */
	const char *only;    /* a pattern of run names, or NULL */
	unsigned block;      /* this one, or 0 */
	size_t limit;        /* at most so many runs now, or 0 */
	int64_t for_ns;      /* begin none that would end later, or 0 */
	const volatile int *stop;
	FILE *out;    /* a line per run */
	FILE *status; /* a terminal for what goes on now, or NULL */
};

/* What became of it. */
struct lab_tallied {
	size_t wanted;         /* runs of the plan that are asked for */
	size_t done;           /* of these, finished so far */
	size_t made, failures; /* in this sitting */
};

/*
 * 0, also if runs failed: *tallied says it. -EINTR when *stop became
 * non-zero. Else -errno: the cluster cannot be made, the disk is full. The
 * machine is clean afterwards, and finished runs stay.
 */
int lab_campaign_conduct(const struct lab_conduct *conduct,
			 struct lab_tallied *tallied, struct lp_error *err);

/* The plan, a line per run, and how long it takes. */
void lab_campaign_print(const struct lab_conduct *conduct);

#endif
