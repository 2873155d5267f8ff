/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the page.
 */
#ifndef LP_REPORT_HTML_PAGE_H
#define LP_REPORT_HTML_PAGE_H

#include "report/html.h"

struct lp_page {
	FILE *out;
	const struct lp_findings *findings;
	const struct lp_evidence_kind *const *kinds; /* or NULL */
	unsigned id;                                 /* of the last picture */
};

/* Up to <main>. */
void lp_html_head(FILE *out, const char *title);
/* Section `number` (from 0). */
int lp_html_finding(struct lp_page *page, size_t number);
/* The pictures of one piece of evidence. */
int lp_html_figures(struct lp_page *page, const struct lp_evidence *evidence);
/* The map, if there is one. */
int lp_html_map(struct lp_page *page);
void lp_html_hourly(struct lp_page *page);
int lp_html_footer(struct lp_page *page);

/* Names as a list; how many more there are when it gets long. */
void lp_html_names(FILE *out, const char *const *names, size_t n);
/* A legend entry: a sample of the class, and what it is. */
void lp_html_key(FILE *out, const char *class_name, bool filled,
		 const char *text);

#endif
