/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/stages.h"

#include "base/memory.h"

/* Of the other workloads, in the order of their draws. */
static const struct lab_workload *const kinds[] = {
	&lab_workload_ddw,     &lab_workload_ddr,      &lab_workload_iozonew,
	&lab_workload_iozoner, &lab_workload_postmark, &lab_workload_mixed,
};
/* At the workload's own pace the disks are busy two thirds of the time. */
static const double intensities[] = { 0.25, 0.5, 0.75, 1 };
/* Every so manieth stage nothing is done, but never twice in a row. */
#define IDLE_ONE_IN 5

void lab_stages_init(struct lab_stages *stages, uint64_t seed,
		     const struct lab_stage_lengths *lengths)
{
	*stages = (struct lab_stages){ .lengths = *lengths };
	lab_draw_init(&stages->draw, seed, 0);
}

static bool is_idle(const struct lab_stages *stages)
{
	return stages->now.end_s > 0 && !stages->now.workload;
}

void lab_stages_next(struct lab_stages *stages)
{
	const struct lab_stage_lengths *l = &stages->lengths;
	struct lab_draw *draw = &stages->draw;
	bool idle = lab_draw_below(draw, IDLE_ONE_IN) == 0 && !is_idle(stages);
	size_t kind = lab_draw_below(draw, lp_array_size(kinds));
	size_t much = lab_draw_below(draw, lp_array_size(intensities));
	double length_s = l->shortest_s + (l->longest_s - l->shortest_s) *
						  lab_draw_uniform(draw);

	stages->now = (struct lab_stage){
		.workload = idle ? NULL : kinds[kind],
		.intensity = idle ? 0 : intensities[much],
		.start_s = stages->now.end_s,
		.end_s = stages->now.end_s + length_s,
	};
}

double lab_stage_pace(const struct lab_stage *stage, double pace)
{
	if (!stage->workload)
		return 0;
	return stage->intensity * (double)stage->workload->pace * pace /
	       (double)lab_workload_varied.pace;
}
