/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings as JSON, there and back: limpid-findings(5). All keys of the output
 * of 'limpid diagnose --json' (version 1, report/verdict.h) are in it.
 */
#ifndef LP_REPORT_FINDINGS_JSON_H
#define LP_REPORT_FINDINGS_JSON_H

#include "base/outfile.h"
#include "report/evidence_kind.h"

#define LP_FINDINGS_VERSION 2

extern const struct lp_outkind lp_outkind_findings;

/*
 * One object on one line. What is written, read and written again is the same
 * bytes. kinds of evidence: NULL for limpid's, here and below.
 */
void lp_findings_write(const struct lp_findings *findings,
		       const struct lp_evidence_kind *const *kinds, FILE *out);

/*
 * Read what the above wrote; "-" is standard input. -EINVAL: it is no JSON, or
 * not of this format; err names the line and column, or the member.
 */
int lp_findings_read(const char *path,
		     const struct lp_evidence_kind *const *kinds,
		     struct lp_findings *findings, struct lp_error *err);
/* The same from memory; name is for messages. */
int lp_findings_parse(const char *name, const char *text, size_t n,
		      const struct lp_evidence_kind *const *kinds,
		      struct lp_findings *findings, struct lp_error *err);

#endif
