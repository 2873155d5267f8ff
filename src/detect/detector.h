/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detectors: who differs from its peers. There are two kinds. Most judge one
 * window of one metric (`judge`). A joint one sees all metrics of a group at
 * once, row by row, and keeps its own past (`joint`, see joint.h).
 *
 * To add one: a file with its struct lp_detector (and its place in
 * src/meson.build), its name in LP_DETECTORS below, a paragraph under METHODS
 * in limpid-diagnose(1), a section in docs/methods, and hand-computed cases in
 * the tests.
 */
#ifndef LP_DETECT_DETECTOR_H
#define LP_DETECT_DETECTOR_H

#include "base/error.h"
#include "base/timestamp.h"
#include "detect/curve.h"
#include "model/catalogue.h"

/* Every number of a method; zero-valued fields take the method's default. */
struct lp_detector_params {
	size_t smooth;    /* points of the moving average */
	size_t window;    /* samples in a window */
	size_t shift;     /* samples from window to window */
	unsigned k;       /* of the last 2k - 1 windows */
	double threshold; /* of components without one of their own; NaN: the
			     method has no untrained default */
};

/* What a detector says of one component in one window. */
struct lp_verdict {
	bool flag;       /* it differs */
	uint16_t metric; /* of several, the index of that which tells most */
	uint32_t others; /* peers it was compared with; fewer than 2: nobody
			    can tell; 0 for all: nothing to tell apart */
	/* Only when asked for (`exact`, explain), else 0 and NaN: */
	uint32_t over;          /* pairs over the threshold */
	double median_distance; /* to its peers; NaN: none */
	double critical; /* the flag is "critical > threshold"; NaN: none */
};

struct lp_judge_input {
	struct lp_window window;
	const double *thresholds; /* [n] */
	struct lp_floor floor;    /* of the width of bins */
	bool exact;               /* all fields of all verdicts */
	/*
	 * Not NULL: a place, NULL at first, for what was made of this window
	 * in memory of the arena. Whoever explains with the same memo and
	 * arena finds it.
	 */
	void **memo;
};

/* Above it, as with sysstat's intervals, detectors have other windows. */
#define LP_COARSE_STEP_NS (60 * LP_NS_PER_S)
#define LP_COARSE_WINDOWS                                                      \
	{                                                                      \
		.smooth = 1, .window = 12, .shift = 6, .k = 2                  \
	}

struct lp_joint;

struct lp_detector {
	const char *name;
	const char *help;
	/*
	 * It judges the accusing metrics of this role only, and no other
	 * detector does. LP_LEVEL: all that no detector has for itself.
	 */
	enum lp_metric_role role;
	bool usual; /* it judges unless others are asked for */
	/* The same where thresholds are trained, or were. */
	bool usual_trained;
	/* The flag is "critical < threshold" instead. */
	bool lower_is_worse;
	/* A flag counts only where the component lost segments too. */
	bool needs_loss;
	/* A threshold of NaN: there is none without training. */
	struct lp_detector_params defaults;
	/* Above LP_COARSE_STEP_NS, where not 0. */
	struct lp_detector_params coarse;
	/*
	 * Not 0: the moving average is this long whatever the step, and of the
	 * parameters only the threshold can be chosen.
	 */
	int64_t smooth_ns;
	/*
	 * The threshold is in bins, and bins grow as windows shrink: 12 bins
	 * of a window of 60 are about six times the spread of the group, and
	 * so are 7 of a window of 12. The default follows the window.
	 */
	bool threshold_in_bins;
	/*
	 * The largest critical value that such windows can have; a threshold
	 * of that or more is never exceeded. NULL: there is none.
	 */
	double (*most)(const struct lp_detector_params *params);
	/*
	 * It sees all metrics of a group at once. Of the following and of the
	 * above it then has none but help, name, usual, defaults.threshold,
	 * defaults.smooth and defaults.k. NULL: it judges the windows of one
	 * metric:
	 */
	const struct lp_joint *joint;
	/*
	 * verdicts[n]. The arena is for what is needed meanwhile; the caller
	 * resets it. 0 or -ENOMEM.
	 */
	int (*judge)(const struct lp_judge_input *input, struct lp_arena *arena,
		     struct lp_verdict *verdicts);
	/*
	 * The same of component i alone, with all fields of the verdict, in
	 * time that grows as n. NULL: judge takes no more than that and always
	 * gives all fields. 0 or -ENOMEM.
	 */
	int (*explain)(const struct lp_judge_input *input, size_t i,
		       struct lp_arena *arena, struct lp_verdict *verdict);
};

/* Every detector, in the order in which it is listed. */
#define LP_DETECTORS(X)                                                        \
	X(limpid)                                                              \
	X(cdf)                                                                 \
	X(pdf)                                                                 \
	X(median)                                                              \
	X(thresh)                                                              \
	X(cwnd)

#define LP_DECLARE_DETECTOR(name)                                              \
	extern const struct lp_detector lp_detector_##name;
LP_DETECTORS(LP_DECLARE_DETECTOR)

/* All of them, ended by NULL. */
extern const struct lp_detector *const lp_detectors[];

/* Not one of them: it only sees who is absent, for joint ones. */
extern const struct lp_detector lp_presence;

/* NULL: no such detector. */
const struct lp_detector *lp_detector_find(const char *name);

/* Whether this detector judges the metric. */
bool lp_detector_applies(const struct lp_detector *detector,
			 const struct lp_metric *metric);

/* It judges metrics of one role, not all. */
static inline bool lp_detector_is_special(const struct lp_detector *detector)
{
	return detector->role != LP_LEVEL;
}

/* Its windows can be chosen. */
bool lp_detector_is_windowed(const struct lp_detector *detector);

/* "cdf, pdf, median": the names of all detectors. Returns text. */
#define LP_DETECTORS_TEXT 128
const char *lp_detector_names(char text[LP_DETECTORS_TEXT]);

/*
 * The first that judges any metric. Where list is NULL or has no such one: of
 * the usual ones, or of those that are usually trained.
 */
const struct lp_detector *lp_detector_main(
	const struct lp_detector *const *list);

/* Of all detectors. */
#define LP_DETECTORS_MOST 8
/* Those that are trained unless others are asked for, ended by NULL. */
void lp_detectors_trained(const struct lp_detector *list[LP_DETECTORS_MOST]);

/* Components have a threshold without training. */
bool lp_detector_is_ready(const struct lp_detector *detector);

/*
 * Why a component differs or not: one line of an explanation. A detector of
 * one metric gives one, a joint one as many as it has grounds.
 */
#define LP_REASON_PARTS 6
struct lp_reason {
	const struct lp_metric *metric; /* NULL: the only one */
	const char *name;               /* of a quantity that the detector makes
					   of several metrics; NULL: the metric */
	const char *kind;               /* "level", "change"; NULL: one only */
	int64_t begin_ns, end_ns;       /* that it is about */
	/* It differs if the distance is above the limit. NaN: not known. */
	double distance, limit;
	bool lower;          /* if it is below */
	double share;        /* of the peers, beyond; NaN: not counted */
	double effect, gate; /* is it enough to matter; NaN: not asked */
	bool accuses;        /* it differs, and all that is asked beside it */
	/* What the distance was made of, to the first without a name. */
	struct {
		const char *name;
		double value;
	} parts[LP_REASON_PARTS];
};

typedef int lp_reason_sink(void *user, const struct lp_reason *reason);

/* The part of this name; NaN: it has none. */
double lp_reason_part(const struct lp_reason *reason, const char *name);

/* How near it is to its limit: at 1 it differs. NaN: not known. */
double lp_reason_nearness(const struct lp_reason *reason);

/* What a verdict with all its fields says in these words. */
struct lp_reason lp_verdict_reason(const struct lp_detector *detector,
				   const struct lp_verdict *verdict,
				   double threshold);

/*
 * What a component without samples, or in a window where all are equal, is
 * told.
 */
struct lp_verdict lp_verdict_none(void);

/* All fields of one verdict; see struct lp_detector. 0 or -ENOMEM. */
int lp_detector_explain(const struct lp_detector *detector,
			const struct lp_judge_input *input, size_t i,
			struct lp_arena *arena, struct lp_verdict *verdict);

/*
 * `given` with what the detector does by default at this step, which is above
 * 0, where it is 0.
 */
struct lp_detector_params lp_detector_params_at(
	const struct lp_detector *detector,
	const struct lp_detector_params *given, int64_t step_ns);

/* `given` with the detector's defaults where it is 0. */
struct lp_detector_params lp_detector_params(
	const struct lp_detector *detector,
	const struct lp_detector_params *given);

/*
 * How far back from the end of its last window lies all that a verdict depends
 * on; of these parameters, none of them 0.
 */
int64_t lp_detector_looks_back(const struct lp_detector *detector,
			       const struct lp_detector_params *params,
			       int64_t step_ns);

/* -EINVAL and why, for parameters (defaults filled in) that cannot be used. */
int lp_detector_check(const struct lp_detector_params *params,
		      struct lp_error *err);

#endif
