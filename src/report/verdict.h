/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A diagnosis for people and for programs.
 */
#ifndef LP_REPORT_VERDICT_H
#define LP_REPORT_VERDICT_H

#include "diagnose/diagnose.h"

#include <stdio.h>

struct lp_verdict_report {
	const struct lp_diagnosis *diagnosis;
	const struct lp_plan *plan;
	const struct lp_thresholds *thresholds; /* NULL: none were given */
	const char *const *notes; /* of the command: steps, ended by NULL */
	size_t top;               /* findings, or lines per hour, to show */
	bool colour;              /* text only */
	bool all;                 /* text: every peer, everything left out */
};

/* 80 columns: the verdict, the evidence, who was compared and how. */
void lp_verdict_text(const struct lp_verdict_report *report, FILE *out);
/* The persistence list of every hour (thesis, figure 5.3). */
void lp_verdict_hourly(const struct lp_verdict_report *report, FILE *out);
/* One object on one line; its keys stand in limpid-diagnose(1). */
void lp_verdict_json(const struct lp_verdict_report *report, FILE *out);

/* "cdf, cwnd": what was used. */
#define LP_METHODS_TEXT 64
const char *lp_verdict_methods(const struct lp_diagnosis *diagnosis,
			       char text[LP_METHODS_TEXT]);

/* A number of a metric for people: "182", "0.03", "1.2e+07"; "-" for NaN. */
#define LP_VALUE_TEXT 24
const char *lp_value_text(double v, char text[LP_VALUE_TEXT]);

#endif
