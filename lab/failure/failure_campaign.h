/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A matrix of failures: which of them befall which sets of nodes, how often;
 * limpid-failure-campaign(5). The plan follows from the file alone.
 */
#ifndef LAB_FAILURE_FAILURE_CAMPAIGN_H
#define LAB_FAILURE_FAILURE_CAMPAIGN_H

#include "base/memory.h"
#include "driver/driver.h"
#include "failure/failure.h"
#include "fault/fault.h"
#include "site/spec.h"

#define LAB_MATRIX_NAMES 32

/* One entry of the list `cases`: each failure on each set. */
struct lab_matrix_case {
	const struct lab_failure *failure[LAB_MATRIX_NAMES]; /* NULL: none */
	size_t n_failures;
	const char *set[LAB_MATRIX_NAMES];
	size_t n_sets;
	double strength;                 /* 0: the usual one */
	bool idle;                       /* no writers while it happens */
	const struct lab_failure *then;  /* a second one, when the first was
					    undone a moment ago; or NULL */
	const struct lab_fault *limping; /* on a server that does not fail */
	unsigned repeats;                /* 0: those of the file */
};

struct lab_matrix_limits {
	double up_s, tool_s, work_s;
};

struct lab_matrix {
	const char *path, *text, *title;
	uint64_t seed;
	unsigned repeats;
	bool fresh; /* a lab for each run */
	unsigned files;
	double megabytes;
	unsigned passes;
	double delay_s; /* between the failure and the tools */
	struct lab_matrix_limits limits;
	struct lab_spec cluster;
	struct lab_matrix_case *cases;
	size_t n_cases, capacity;
	struct lp_arena arena;
};

int lab_matrix_read(const char *path, struct lab_matrix *matrix,
		    struct lp_error *err);
/* The same from memory. lab_matrix_done in any case. */
int lab_matrix_parse(const char *name, const char *text,
		     struct lab_matrix *matrix, struct lp_error *err);
void lab_matrix_done(struct lab_matrix *matrix);

/* ---- the plan ---- */

/* One run: "2-redundancy-cut-off". */
struct lab_matrix_run {
	char name[96];
	unsigned repeat; /* from 1 */
	const struct lab_matrix_case *of;
	const struct lab_failure *failure; /* NULL: none */
	const char *set;                   /* "" with none */
	struct lab_members members;
	char limping[16]; /* the node that limps; "" */
	uint64_t seed;
};

struct lab_matrix_plan {
	struct lab_matrix_run *run;
	size_t n, capacity;
};

/* The first repeat of all cells, then the second ... */
int lab_matrix_plan(const struct lab_matrix *matrix,
		    struct lab_matrix_plan *plan, struct lp_error *err);
void lab_matrix_plan_done(struct lab_matrix_plan *plan);

/* Seconds that a run takes at most, about. */
double lab_matrix_usual_s(const struct lab_matrix *matrix);

#endif
