/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings for people and for programs.
 */
#ifndef LP_REPORT_VERDICT_H
#define LP_REPORT_VERDICT_H

#include "base/zone.h"
#include "model/findings.h"
#include "report/evidence_kind.h"

#include <stdio.h>

struct lp_verdict_report {
	const struct lp_findings *findings;
	const struct lp_evidence_kind *const *kinds; /* NULL: limpid's */
	size_t top;                 /* findings, or lines per hour, to show */
	const struct lp_zone *zone; /* of times in text */
	bool colour;                /* text only */
	bool all;                   /* text: every peer, everything left out */
};

/*
 * What the first line adds if little is known of the peers: " (disks, taken for
 * peers by their load)"; "" otherwise.
 */
const char *lp_verdict_ground(const struct lp_findings *findings);

/* 80 columns: the verdict, the evidence, who was compared and how. */
void lp_verdict_text(const struct lp_verdict_report *report, FILE *out);
/* The persistence list of every hour (thesis, figure 5.3). */
void lp_verdict_hourly(const struct lp_verdict_report *report, FILE *out);
/* One object on one line; its keys stand in limpid-diagnose(1). */
void lp_verdict_json(const struct lp_verdict_report *report, FILE *out);
/* One line as Nagios and Icinga take it from a plugin, with numbers. */
void lp_verdict_nagios(const struct lp_verdict_report *report, FILE *out);
/* The same where there is no verdict, for a reason. */
void lp_verdict_nagios_unknown(const char *reason, FILE *out);

/* "cdf, cwnd": what was used. */
#define LP_METHODS_TEXT 64
const char *lp_verdict_methods(const struct lp_findings *findings,
			       char text[LP_METHODS_TEXT]);

/* Whether limpid's own method was used; what follows is "" otherwise. */
bool lp_verdict_is_own(const struct lp_findings *findings);
/* From where on it accuses, and how often it errs: a sentence, no dot. */
#define LP_LIMIT_TEXT 400
const char *lp_verdict_limit(const struct lp_findings *findings,
			     char text[LP_LIMIT_TEXT]);
/* "a disk that became 12 % slower, ...": the least that it would have seen. */
#define LP_SEEN_TEXT 400
const char *lp_verdict_seen(const struct lp_findings *findings,
			    char text[LP_SEEN_TEXT]);

/* A number of a metric for people: "182", "0.03", "1.2e+07"; "-" for NaN. */
#define LP_VALUE_TEXT 24
const char *lp_value_text(double v, char text[LP_VALUE_TEXT]);

/* Of a finding that may go on, unseen: why, in a sentence. */
#define LP_UNJUDGED_TEXT 320
const char *lp_verdict_unjudged(const struct lp_finding *finding,
				const struct lp_zone *zone,
				char text[LP_UNJUDGED_TEXT]);

/*
 * Between which times a finding began and ended, in a sentence: "It started
 * between 01:59:48 and 01:59:55 and ended between ..."; "" if only its windows
 * are known.
 */
#define LP_BOUNDS_TEXT 400
const char *lp_verdict_bounds(const struct lp_finding *finding,
			      const struct lp_zone *zone,
			      char text[LP_BOUNDS_TEXT]);

#endif
