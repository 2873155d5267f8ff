/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the workload `varied` does when: stages of some minutes, each of them
 * one of the other workloads at a part of its pace, or nothing. They follow
 * from the seed alone, so that all processes change together, and the truth
 * of a run can say what was done.
 */
#ifndef LAB_WORKLOAD_STAGES_H
#define LAB_WORKLOAD_STAGES_H

#include "workload/draw.h"
#include "workload/workload.h"

struct lab_stage {
	const struct lab_workload *workload; /* NULL: nothing is done */
	double intensity;                    /* part of its pace; 0: nothing */
	double start_s, end_s;               /* since the workload began */
};

struct lab_stages {
	struct lab_draw draw;
	struct lab_stage_lengths lengths;
	struct lab_stage now;
};

void lab_stages_init(struct lab_stages *stages, uint64_t seed,
		     const struct lab_stage_lengths *lengths);
/* The first, then each time the one that follows: stages->now. */
void lab_stages_next(struct lab_stages *stages);

/* Bytes a second of all processes, at the pace that `varied` was given. */
double lab_stage_pace(const struct lab_stage *stage, double pace);

#endif
