/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings as one HTML page that needs nothing else: the verdict, a list of
 * contents, a map of when each component differed, for each finding its series
 * and its distribution among its peers with the numbers, and how it was found.
 *
 * The page is whole without its script. Its size is bounded by the limits
 * below; what they leave out is said on the page.
 */
#ifndef LP_REPORT_HTML_H
#define LP_REPORT_HTML_H

#include "base/outfile.h"
#include "model/findings.h"
#include "report/evidence_kind.h"

#include <stdio.h>

#define LP_HTML_FINDINGS LP_MAP_FINDINGS /* the rest is counted */
#define LP_HTML_NAMES 400                /* in a list of names */

/* Every page of limpid, of this report and of others. */
extern const struct lp_outkind lp_outkind_page;

/*
 * Write the page. kinds of evidence: NULL for those that limpid knows; a test
 * may have others. Errors of the stream are left in it. 0 or -ENOMEM; the page
 * is not whole then.
 */
int lp_report_html(FILE *out, const struct lp_findings *findings,
		   const struct lp_evidence_kind *const *kinds,
		   struct lp_error *err);

#endif
