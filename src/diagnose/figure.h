/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a picture of a finding is made of: the values of a whole peer group in
 * one metric around the time of the finding, short enough to be drawn, and its
 * samples within that time, sorted.
 */
#ifndef LP_DIAGNOSE_FIGURE_H
#define LP_DIAGNOSE_FIGURE_H

#include "diagnose/diagnose.h"
#include "diagnose/slots.h"

enum lp_figure_part {
	LP_PART_SUSPECT,
	LP_PART_ALSO, /* in the same finding */
	LP_PART_PEER,
};

struct lp_figure {
	const struct lp_peer_group *group;
	size_t metric_index;   /* of the matrix */
	size_t suspect;        /* of the group */
	uint8_t *part;         /* [group->n] of enum lp_figure_part */
	int64_t begin_ns;      /* of the first point shown */
	size_t first, points;  /* of the matrix: what is shown */
	size_t since, until;   /* points of the finding within; exclusive */
	bool whole;            /* all of the recording is shown */
	struct lp_slots slots; /* one series a component of the group */
	double *samples;       /* [group->n][room], the present ones sorted */
	size_t room, *counts;
	size_t stride; /* every so many points is in the samples */
	size_t *drawn; /* peers that get a line of their own */
	size_t n_drawn, n_peers;
};

/*
 * 1: made. 0: the group or the metric is not in the matrix, or nothing is
 * present. -ENOMEM. Release what was made with lp_figure_done().
 */
int lp_figure_make(struct lp_figure *figure,
		   const struct lp_diagnose_input *input,
		   const struct lp_finding *finding,
		   const struct lp_evidence *evidence, size_t most_drawn);
void lp_figure_done(struct lp_figure *figure);

/* The sorted samples of a component. */
const double *lp_figure_samples(const struct lp_figure *figure, size_t i);

#endif
