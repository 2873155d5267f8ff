/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evidence: what speaks for a finding. Who, from when to when, how strong, and
 * of which kind. Everything here is copied: it points neither into the samples
 * nor into the plan that it was made from.
 *
 * Kinds are open: one that limpid does not know is shown by its sentence, and
 * written as it was read. What a kind looks like as text, JSON and on the page
 * is in report/evidence_kind.h, which also says how to add one.
 */
#ifndef LP_MODEL_EVIDENCE_H
#define LP_MODEL_EVIDENCE_H

#include "model/catalogue.h"
#include "model/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A metric over a time, beside the peers. The next three are that, too. */
#define LP_EVIDENCE_METRIC "metric"
/* There are no samples while the peers have some. */
#define LP_EVIDENCE_ABSENCE "absence"
/* There is no work while the peers do some. */
#define LP_EVIDENCE_IDLENESS "idleness"
/* Another component has the load that the absent one had. */
#define LP_EVIDENCE_MOVED "moved-load"
/* What logs say: a line of the host, and what all lines come to. */
#define LP_EVIDENCE_LOGS "logs"
#define LP_EVIDENCE_LOGS_VERDICT "logs-verdict"
/* No evidence: that logs were read at all. */
#define LP_EVIDENCE_LOGS_READ "logs-read"

/* NaN: not known. */
struct lp_evidence {
	const char *kind;
	const char *component;      /* as shown; mostly the finding's own, else
				       another of the same host */
	int64_t since_ns, until_ns; /* begin of the first flagged window, end of
				       the last */
	double strength;      /* how many times its threshold; NaN: not known */
	bool accuses;         /* it counts against the component */
	const char *sentence; /* NULL: the kind makes one of what follows */
	const char *data;     /* what else the kind knows, a value of JSON; NULL
				 where it needs none */

	/* ---- of kinds that look at a metric; in others, metric is NULL ----
	 */

	const struct lp_class *class;
	const struct lp_metric *metric;
	const char *group;   /* name of the peer group */
	size_t group_number; /* as limpid inventory counts them, from 1 */
	const char *method;  /* "cdf"; NULL: not judged, only shown */
	size_t n_peers;      /* that it was compared with */
	bool anomalous;      /* k of 2k - 1 windows */
	bool trained;        /* the threshold is the component's own */
	double value;        /* its median over this time */
	double peers_median, peers_iqr; /* of their samples */
	double own_mean, peers_mean;
	bool means; /* value and peers_median are means: their medians are the
		       same, as of two disks that rest most of the time */
	double distance;   /* largest median distance to its peers */
	double share_over; /* of its peers, in that window: 0 to 1 */
	double threshold;
	size_t windows, flagged; /* within the time of the finding */
	/*
	 * Of a quantity, in the window that speaks most against it; of other
	 * metrics, NaN, NULL and 0. The effect counts from the gate on.
	 */
	double peers_low, peers_high;
	double effect, gate, before;
	const char *reference; /* "level": its peers; "change": its past, too */
	int64_t window_ns;
	const struct lp_picture *picture; /* NULL: none was asked for */
};

/* Whether it is of this kind. */
bool lp_evidence_is(const struct lp_evidence *evidence, const char *kind);

#endif
