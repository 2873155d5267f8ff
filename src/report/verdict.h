/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A diagnosis for people and for programs.
 */
#ifndef LP_REPORT_VERDICT_H
#define LP_REPORT_VERDICT_H

#include "base/zone.h"
#include "diagnose/diagnose.h"

#include <stdio.h>

struct lp_verdict_report {
	const struct lp_diagnosis *diagnosis;
	const struct lp_plan *plan;
	const struct lp_thresholds *thresholds; /* NULL: none were given */
	const char *const *notes;   /* of the command: steps, ended by NULL */
	size_t top;                 /* findings, or lines per hour, to show */
	const struct lp_zone *zone; /* of times in text */
	bool colour;                /* text only */
	bool all;                   /* text: every peer, everything left out */
	size_t left_out;            /* inputs that could not be read */
	size_t read_in_part;
};

/*
 * What the first line adds if little is known of the peers: " (disks, taken for
 * peers by their load)"; "" otherwise.
 */
const char *lp_verdict_ground(const struct lp_diagnosis *diagnosis);

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

/* How many components have peers. */
size_t lp_verdict_compared(const struct lp_plan *plan);

/* "cdf, cwnd": what was used. */
#define LP_METHODS_TEXT 64
const char *lp_verdict_methods(const struct lp_diagnosis *diagnosis,
			       char text[LP_METHODS_TEXT]);

/* Whether any metric of a group is judged by more than one method. */
bool lp_verdict_several(const struct lp_diagnosis *diagnosis);

/* A number of a metric for people: "182", "0.03", "1.2e+07"; "-" for NaN. */
#define LP_VALUE_TEXT 24
const char *lp_value_text(double v, char text[LP_VALUE_TEXT]);

/* Of a finding that may go on, unseen: why, in a sentence. */
#define LP_UNJUDGED_TEXT 320
const char *lp_verdict_unjudged(const struct lp_finding *finding,
				const struct lp_zone *zone,
				char text[LP_UNJUDGED_TEXT]);

#endif
