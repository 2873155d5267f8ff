/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole trace, judged: how many operations and how much time fell in each
 * class, in all and by file; which were unexpectedly slow; how much time there
 * is to save (Kunkel 2015, 7).
 */
#ifndef LP_IO_MODEL_JUDGE_H
#define LP_IO_MODEL_JUDGE_H

#include "io/model/classify.h"
#include "io/model/clusters.h"
#include "io/model/coverage.h"
#include "io/model/durations.h"

struct lp_io_tally {
	uint64_t n;
	int64_t time_ns;
	uint64_t bytes;
};

/* Operations of one kind and size, enough of them for a density. */
struct lp_io_group {
	const struct lp_io_series *series;
	struct lp_io_clusters clusters;
	int64_t limit_ns; /* of those unexpectedly slow */
	int64_t time_ns;  /* of all */
};

/* Against the reference of the model: what it would be like if all were. */
struct lp_io_gain {
	struct lp_io_tally judged;
	double usual_ns;  /* what the reference takes for as much */
	uint64_t n;       /* operations that took longer than it ever does */
	double saving_ns; /* what they took above its usual */
};

struct lp_io_file_verdict {
	uint32_t file;
	struct lp_io_tally all;    /* every operation on it */
	struct lp_io_tally judged; /* reads, writes, copies that moved bytes */
	struct lp_io_tally slow;
	double saving_ns;
	struct lp_io_tally *class; /* [n_classes]; NULL without a model */
};

struct lp_io_slow {
	size_t operation; /* index */
	int64_t limit_ns;
};

#define LP_IO_SLOW_KEPT 20 /* of the slow ones: those that lost most time */

struct lp_io_judgement {
	const struct lp_io_trace *trace;
	const struct lp_io_model *model; /* NULL: none was given */
	struct lp_io_classifier classifier;
	uint8_t *class;  /* of each operation; NULL without a model */
	int64_t span_ns; /* from the first start to the last end */
	struct lp_io_tally kind[LP_IO_KINDS]; /* all operations */
	struct lp_io_coverage coverage;
	struct lp_io_tally failed;
	size_t n_processes, n_threads;   /* that did any of it */
	struct lp_io_tally *by_class[2]; /* of reads and of writes */
	struct lp_io_tally unclear[2];   /* the clock is too coarse for them */
	struct lp_io_gain gain[2];       /* with a reference */
	bool has_gain[2];
	uint64_t n_outside; /* judged, of a size beyond all that was measured */
	struct lp_io_durations durations;
	struct lp_io_group *group; /* most time first */
	size_t n_groups;
	const struct lp_io_group **group_of; /* [durations.n], or NULL there */
	struct lp_io_tally grouped;          /* enough of their kind and size */
	struct lp_io_tally lone; /* too few, so nobody knows what is slow */
	size_t longest_lone;     /* index, if there is any */
	struct lp_io_tally slow;
	double slow_excess_ns; /* above what is usual for their group */
	struct lp_io_slow slowest[LP_IO_SLOW_KEPT];
	size_t n_slowest;
	struct lp_io_file_verdict *file; /* most time first */
	size_t n_files;
	struct lp_arena arena;
};

/* Trace and model (which may be NULL) must stay. 0 or -ENOMEM. */
int lp_io_judge(struct lp_io_judgement *judgement,
		const struct lp_io_trace *trace,
		const struct lp_io_model *model);
/* Accepts a zeroed one. */
void lp_io_judgement_done(struct lp_io_judgement *judgement);

/* NULL: it is not judged, or there are too few like it. */
const struct lp_io_group *lp_io_group_of(
	const struct lp_io_judgement *judgement,
	const struct lp_io_operation *operation);

#endif
