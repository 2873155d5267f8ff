/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conduct a matrix: a lab for each run that is not there yet, the run, the lab
 * down again. What an earlier sitting left of its lab is removed first.
 */
#ifndef LAB_FAILURE_MATRIX_CONDUCT_H
#define LAB_FAILURE_MATRIX_CONDUCT_H

#include "failure/failure_campaign.h"

#include <stdio.h>

struct lab_matrix_sitting {
	const struct lab_matrix *matrix;
	const struct lab_matrix_plan *plan;
	const char *dir;     /* of the runs; lab_runs_open was called */
	const char *lab_dir; /* of the lab */
	const char *only;    /* a pattern of run names, or NULL */
	size_t limit;        /* at most so many runs now, or 0 */
	int64_t for_ns;      /* begin none that would end later, or 0 */
	const volatile int *stop;
	FILE *out;    /* a line per run */
	FILE *status; /* a terminal for what goes on now, or NULL */
};

struct lab_matrix_tally {
	size_t wanted, done, made;
};

/*
 * 0, also if the file system failed. -EINTR; -errno: the lab cannot be taken
 * down, the disk is full.
 */
int lab_matrix_conduct(const struct lab_matrix_sitting *sitting,
		       struct lab_matrix_tally *tally, struct lp_error *err);

/* The plan, a line per run. */
void lab_matrix_print(const struct lab_matrix_sitting *sitting);

#endif
