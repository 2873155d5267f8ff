/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The diagnosis: from peer groups and their values to who is ill, of what.
 *
 * The unit of work is (metric, peer group): its rows go through an engine
 * (detect/engine.h) one by one, and what the windows said is kept in a track.
 * Tracks become suspects, suspects findings. Only metrics that indict accuse;
 * the others are evidence.
 */
#ifndef LP_DIAGNOSE_DIAGNOSE_H
#define LP_DIAGNOSE_DIAGNOSE_H

#include "base/option.h"
#include "cluster/cluster.h"
#include "detect/budget.h"
#include "detect/engine.h"
#include "detect/joint.h"
#include "detect/reach.h"
#include "detect/tail.h"
#include "diagnose/thresholds.h"
#include "model/findings.h"

#include <math.h>

/* ---- what to look at, and how ---- */

struct lp_diagnose_input {
	const struct lp_matrix *matrix;
	const struct lp_matrix_metric *metrics; /* of the matrix */
	int64_t step_ns;                        /* of the points */
	/*
	 * Not 0: points are longer than the samples, which are of this length.
	 * What counts single samples is then pushed from a matrix of them, in
	 * the place of that above, and all else is not (lp_unit_takes).
	 */
	int64_t sample_ns;
	const struct lp_plan *plan;
	const struct lp_survey *recording; /* NULL: no events are known */
	const struct lp_testimony
		*testimonies; /* of witnesses, see witness.h */
	size_t n_testimonies;
};

struct lp_reset {
	const char *component;
	int64_t time_ns;
};

/* Work on a component, or on all of a host, that accuses nobody. */
struct lp_expected {
	const char *component, *what; /* "oss3/sdc", "rebuild" */
	int64_t from_ns, to_ns;       /* LP_TIME_MIN, LP_TIME_MAX: always */
};

/* Called with every window of every unit when dumping. 0 or -errno. */
struct lp_unit;
struct lp_units;
struct lp_state;
typedef int lp_diagnose_dump(void *user, const struct lp_unit *unit,
			     const struct lp_judged *judged);

/* What a joint detector said at the end of a block of one group. */
struct lp_joint_block {
	const struct lp_unit *units; /* of its quantities, in their order */
	size_t n_units;
	int64_t end_ns, block_ns;
	const struct lp_ground *grounds; /* [unit][n] */
	bool split;  /* too many are accused for anybody to be named */
	void *state; /* for explain and tell_sums of the detector */
};
/* Called with every block of every group. 0 or -errno. */
typedef int lp_diagnose_blocks(void *user, const struct lp_joint_block *block);
/* Whether the blocks of a group are asked for. */
typedef bool lp_diagnose_wants(void *user, const struct lp_peer_group *group);

struct lp_calibration;

/* Zero-initialise for the defaults. */
struct lp_diagnose_options {
	/* Ended by NULL; NULL: the usual ones. */
	const struct lp_detector *const *methods;
	/* Of the methods with windows; 0: the defaults for this step. */
	struct lp_detector_params params;
	/* Of joint detectors without a threshold: which false alarms are
	   accepted, and what is known of the site (calibration.h) or NULL. */
	struct lp_budget budget;
	const struct lp_calibration *calibration;
	double cwnd_threshold; /* of those with a metric of their own; 0: the
				  default */
	const struct lp_thresholds *thresholds; /* trained; NULL: none */
	/* Metrics that accuse, by name; none: all. What is listed outlives it.
	 */
	struct lp_option_list only;
	bool exact;                   /* all pairs, where bounds would do */
	bool all_metrics;             /* judge those that do not indict, too */
	bool filter_server_workloads; /* thesis 6.2.3 */
	bool train_filtered; /* training: windows may differ, votes may not */
	const char *const *exclude; /* shown names, ended by NULL; or NULL */
	const struct lp_reset *resets;
	size_t n_resets;
	const struct lp_expected *expected;
	size_t n_expected;
	size_t listed; /* lines of an hour's list at most; 0: the usual 100 */
	/* What earlier recordings left (diagnose_state.h); NULL: nothing. */
	const struct lp_state *state;
	/* Gets the accumulators at the end; NULL: nobody needs them. */
	struct lp_state *left;
	unsigned threads;       /* 0: one */
	lp_diagnose_dump *dump; /* makes it exact and single-threaded */
	void *dump_user;
	/* Of joint detectors, of the groups that are wanted (NULL: all), which
	   are then judged in the exact way; single-threaded. */
	lp_diagnose_blocks *blocks;
	lp_diagnose_wants *wants;
	void *blocks_user;
	/* Limits by the lab's tail are not the last word: of such groups
	   `blocks` is not called. */
	bool provisional;
};

/* ---- what came out ---- */

/* Of one component in one window. */
enum {
	LP_TRACK_FLAG = 1,      /* it differed in this window */
	LP_TRACK_ANOMALOUS = 2, /* k of the last 2k - 1 did, and it counts */
	LP_TRACK_ABSENT = 4,    /* no samples while its peers had some */
	LP_TRACK_GONE = 8,      /* k of 2k - 1 of that, and it counts */
	LP_TRACK_COMPARED = 16, /* it had at least two others */
	LP_TRACK_SPLIT = 32,    /* at least half of the group was anomalous:
				   nobody can tell who is right */
};

/* Windows of one component that were forgotten, in the anomalous state. */
struct lp_past {
	int64_t since_ns, until_ns;
	size_t windows; /* so many; 0: none */
	size_t span;    /* from the first to the last that was forgotten */
	size_t flagged; /* of the span */
};

/* When something began or ended, by the samples. */
struct lp_edge {
	int64_t at_ns, low_ns, high_ns; /* most likely; and at most these */
	bool seen; /* false: it was so from the first sample on, or to the
		      last; at_ns is the time of that */
};

/*
 * Blocks in which a joint detector accused a component of one quantity, with
 * less than a minute between them: what spoke most against it.
 */
struct lp_peak {
	size_t peer;
	int64_t first_ns, last_ns;               /* ends of these blocks */
	int64_t first_window_ns, last_window_ns; /* that accused in them */
	size_t blocks;
	bool dated;             /* its points may be forgotten: */
	struct lp_edge began;   /* when it did */
	struct lp_ground worst; /* the largest distance; its weight and loaded
				   are the most of all */
};

/* What the limit of a joint detector rests on. */
enum lp_limit_by {
	LP_LIMIT_GIVEN, /* it was given */
	LP_LIMIT_LAB,   /* the tail of the lab */
	LP_LIMIT_SITE,  /* that of a calibration of this site */
	LP_LIMIT_HERE,  /* that of this recording */
};

/* One metric of one peer group, judged by one method. */
struct lp_unit {
	const struct lp_detector *detector;
	struct lp_detector_params params; /* none of them 0 */
	const struct lp_class *class;
	const struct lp_metric *metric;
	const struct lp_peer_group *group;
	size_t metric_index, group_index;
	double *thresholds; /* [n] */
	bool *trained;      /* [n] */
	size_t n_trained;
	size_t windows, capacity;   /* judged */
	int64_t *end_ns;            /* [windows] */
	uint8_t *track;             /* [windows][n] of LP_TRACK_ */
	size_t n_compared, n_split; /* windows with a comparison; split */
	double largest;             /* value of any component; NaN: none */
	struct lp_unit_run *run;    /* what further rows need, or NULL */
	/*
	 * Of a joint detector: as many units from this one on are judged
	 * together; 0 in all but the first of them.
	 */
	size_t together;
	struct lp_joint_run *joint_run; /* in the first, or NULL */
	struct lp_peak *peaks;          /* by their begin */
	size_t n_peaks, peaks_capacity;
	/* Of joint detectors: */
	enum lp_limit_by limit_by;
	struct lp_tail tail;      /* that the limit follows from */
	struct lp_maxima *maxima; /* in the first; what the tail of this
				     recording is made of */
	/* The smallest effect that would have been accused lately, in the
	   median of the group; NaN: not known. */
	double least_level, least_change;
	size_t dropped; /* windows that were there before track[0] */
	size_t folded;  /* of the windows, the first: forgotten but for what
			   the next ones need of them */
	struct lp_past *past; /* [2][n]: by LP_PAST_; NULL: nothing forgotten */
	size_t *carried;      /* [n]: persistence up to then, in the group's
				 first unit; else NULL */
	int64_t carried_ns;
	bool over;              /* no rows follow */
	bool borrowed, changed; /* the track is another unit's; was copied */
	size_t n_stuck;         /* windows in which a counter stood still */
	size_t stuck;           /* the first such component */
	int64_t stuck_ns;       /* from there on */
};

enum { LP_PAST_FLAG, LP_PAST_GONE, LP_PASTS };

static inline struct lp_past *lp_unit_past(const struct lp_unit *unit,
					   bool gone, size_t peer)
{
	size_t kind = gone ? LP_PAST_GONE : LP_PAST_FLAG;

	return unit->past ? &unit->past[kind * unit->group->n + peer] : NULL;
}

/* Whether any component had a value; without one nothing was compared. */
static inline bool lp_unit_has_values(const struct lp_unit *unit)
{
	return !isnan(unit->largest);
}

struct lp_diagnosis {
	enum lp_outcome outcome;
	const char *reason; /* of "undecided": one line; "" otherwise */
	struct lp_finding *findings; /* the worst first */
	size_t n_findings, findings_capacity;
	struct lp_unit *units; /* what was compared, if it has values */
	size_t n_units;
	struct lp_units *held; /* whose tracks these borrow, or NULL: others' */
	struct lp_persistent *hourly; /* by time, then by value */
	size_t n_hourly, hourly_capacity;
	const char **notes; /* what a reader should know, a sentence each */
	size_t n_notes, notes_capacity;
	int64_t step_ns, first_ns, last_ns;
	struct lp_reach reach;   /* of the method with windows */
	bool trained;            /* by a thresholds file, at least in part */
	struct lp_budget budget; /* of joint detectors */
	struct lp_arena arena;
};

/*
 * Diagnose what the matrix holds. That nothing can be told is no error but an
 * outcome. The input outlives the diagnosis. 0, -EINVAL (a method without an
 * untrained threshold; thresholds of another step), or -ENOMEM.
 */
int lp_diagnose(const struct lp_diagnose_input *input,
		const struct lp_diagnose_options *options,
		struct lp_diagnosis *diagnosis, struct lp_error *err);

/*
 * The same from units that were pushed already (unit.h): peers, and with
 * filter_server_workloads the servers' own. They are not changed and outlive
 * the diagnosis, which is of the rows that were pushed.
 */
int lp_diagnose_units(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      const struct lp_units *peers, const struct lp_units *owns,
		      struct lp_diagnosis *diagnosis, struct lp_error *err);
void lp_diagnosis_done(struct lp_diagnosis *diagnosis);

/*
 * Add thresholds from fault-free data for all units: one for each component,
 * and for others (component "") the median of theirs; of sockets one for each
 * direction. They are of the input's step. 0, -EINVAL, -ENOMEM.
 */
int lp_diagnose_train(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      struct lp_thresholds *thresholds, struct lp_error *err);

/*
 * Where in the plan the component of this evidence is. False: the plan does not
 * have it.
 */
bool lp_evidence_place(const struct lp_evidence *evidence,
		       const struct lp_plan *plan, size_t *group, size_t *peer);

#endif
