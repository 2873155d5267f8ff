/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A diagnosis as one HTML page that needs nothing else: the verdict, a list of
 * contents, a map of when each component differed, for each finding its series
 * and its distribution among its peers with the numbers, and how it was found.
 *
 * The page is whole without its script. Its size is bounded by the limits
 * below; what they leave out is said on the page.
 */
#ifndef LP_REPORT_HTML_H
#define LP_REPORT_HTML_H

#include "base/outfile.h"
#include "diagnose/diagnose.h"

#include <stdio.h>

#define LP_HTML_FINDINGS 200 /* the rest is counted */
#define LP_HTML_PICTURED 10  /* findings with figures */
#define LP_HTML_FIGURES 3    /* of one finding */
#define LP_HTML_PEERS 20     /* lines of peers in a figure */
#define LP_HTML_NAMES 400    /* in a list of names */
#define LP_HTML_ROWS 100     /* of the map; of those never flagged fewer */
#define LP_HTML_ROWS_LEAST 30
#define LP_HTML_COLUMNS 240

/* Every page of limpid, of this report and of others. */
extern const struct lp_outkind lp_outkind_page;

struct lp_html_report {
	const struct lp_diagnose_input *input;
	const struct lp_diagnosis *diagnosis;
	const char *trained_on;   /* of the thresholds; NULL: none were given */
	const char *const *notes; /* of the command, ended by NULL; or NULL */
};

/*
 * Write the page. Errors of the stream are left in it. 0 or -ENOMEM; the page
 * is not whole then.
 */
int lp_report_html(FILE *out, const struct lp_html_report *report,
		   struct lp_error *err);

#endif
