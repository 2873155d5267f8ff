/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a matrix on a lab that is up: work, the failure, the recovery
 * tools, work again; then the failure is undone, and all of that once more, so
 * that an outage is told from a loss. Every step is bounded.
 */
#ifndef LAB_FAILURE_ORDEAL_H
#define LAB_FAILURE_ORDEAL_H

#include "failure/failure_campaign.h"
#include "verify/verify.h"

#include <stdio.h>

#define LAB_TOOLS_MOST 8
#define LAB_TIMELINE_MOST 32

/* When the tools were called. */
enum lab_tool_phase {
	LAB_TOOLS_HEALTHY,
	LAB_TOOLS_FAILED,
	LAB_TOOLS_UNDONE,
	LAB_TOOL_PHASES
};

/* Work whose result is kept. */
enum lab_work {
	LAB_WORK_BEFORE,  /* ageing and the files that are read later */
	LAB_WORK_WRITERS, /* while it happened */
	LAB_WORK_WARM,    /* reads with what clients have in memory */
	LAB_WORK_COLD,
	LAB_WORK_ASYNC,
	LAB_WORK_SYNC,
	LAB_WORK_UNDONE, /* cold reads, when the failure was undone */
	LAB_WORKS
};

const char *lab_tool_phase_name(enum lab_tool_phase phase);
const char *lab_work_name(enum lab_work work);

struct lab_moment {
	const char *step;
	int64_t begin_ns, end_ns;
};

/* What became of it. */
struct lab_ordeal {
	struct lab_tool_result tool[LAB_TOOL_PHASES][LAB_TOOLS_MOST];
	bool has_tools[LAB_TOOL_PHASES];
	struct lab_verify_result work[LAB_WORKS];
	bool has_work[LAB_WORKS];
	int64_t begin_ns, failed_ns, undone_ns, end_ns;
	bool bites, undone;
	char seen[200], undo_error[200];
	char no_lab[200];  /* it did not come up: nothing else is there */
	char died[200];    /* daemons of nodes that did not fail: "s1 brick" */
	unsigned remounts; /* that failed */
	struct lab_moment timeline[LAB_TIMELINE_MOST];
	size_t n_moments;
};

void lab_ordeal_done(struct lab_ordeal *ordeal);

struct lab_ordeal_bench {
	struct lab *lab;
	const struct lab_matrix *matrix;
	const volatile int *stop;
	/* Told each step and its limit; may be NULL. */
	void (*step)(void *context, const char *step, double limit_s);
	void *context;
};

/*
 * Make the run in the empty directory dir. -EINTR when *stop became non-zero;
 * else a failure is that of the lab, not of the file system.
 */
int lab_ordeal_run(const struct lab_ordeal_bench *bench,
		   const struct lab_matrix_run *run, const char *dir,
		   struct lab_ordeal *ordeal, struct lp_error *err);

/* truth.json and outcome.json. */
int lab_ordeal_write(const struct lab_matrix *matrix,
		     const struct lab_matrix_run *run,
		     const struct lab_ordeal *ordeal, const char *dir,
		     struct lp_error *err);

#endif
