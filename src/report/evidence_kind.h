/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kind of evidence looks like as text and on the page.
 *
 * To add a kind: a file evidence_NAME.c with its struct lp_evidence_kind,
 * declared below, and one line in evidence_kinds.c. Whoever makes such evidence
 * puts what only the kind knows into its `data`, as JSON: it is stored and read
 * back without being understood, so that neither diagnose/ nor any other file
 * of report/ changes, and an older limpid loses nothing.
 *
 * Whatever is read from a file may hold any text: what goes to a page goes
 * through lp_markup_text(), what goes to a terminal through lp_shown() or
 * lp_wrap().
 */
#ifndef LP_REPORT_EVIDENCE_KIND_H
#define LP_REPORT_EVIDENCE_KIND_H

#include "model/findings.h"

#include <stdio.h>

struct lp_page;

/* Where evidence is shown. */
struct lp_evidence_view {
	const struct lp_finding *finding; /* that it is of */
	bool name_method;                 /* several were used: say which */
};

#define LP_SENTENCE_TEXT 256

/* Every function may be NULL: then the sentence stands for it. */
struct lp_evidence_kind {
	const char *name; /* as in struct lp_evidence */
	bool told; /* the finding's own text says it: its summary need not */
	bool of_metric; /* it is about one: evidence without is not shown so */
	/* Without its dot; "": nothing to say. NULL: the evidence has it. */
	const char *(*sentence)(const struct lp_evidence *evidence,
				const struct lp_evidence_view *view,
				char text[LP_SENTENCE_TEXT]);
	/* A line of the table of evidence, as text. */
	void (*line)(const struct lp_evidence *evidence,
		     const struct lp_evidence_view *view, FILE *out);
	/* The same on the page: a row of LP_EVIDENCE_COLUMNS. */
	void (*row)(const struct lp_evidence *evidence,
		    const struct lp_evidence_view *view, FILE *out);
	/* What the head of the page says of it, after a space. */
	void (*summary)(const struct lp_evidence *evidence,
			const struct lp_evidence_view *view, FILE *out);
	/* Its picture, below the table; nothing if there is none. -ENOMEM. */
	int (*figure)(const struct lp_evidence *evidence, struct lp_page *page);
};

#define LP_EVIDENCE_COLUMNS 11

extern const struct lp_evidence_kind lp_evidence_metric, lp_evidence_absence,
	lp_evidence_idleness, lp_evidence_moved, lp_evidence_software,
	lp_evidence_waits;

extern const struct lp_evidence_kind lp_evidence_logs, lp_evidence_logs_verdict;

/* All of them, ended by NULL. */
extern const struct lp_evidence_kind *const lp_evidence_kinds[];

/*
 * The kind in a table (NULL: the one above); never NULL: one that is not there
 * has its sentence, and what is known of a metric.
 */
const struct lp_evidence_kind *lp_evidence_kind_of(
	const struct lp_evidence_kind *const *kinds,
	const struct lp_evidence *evidence);
/* Whether the table has it. */
bool lp_evidence_kind_is_known(const struct lp_evidence_kind *const *kinds,
			       const char *name);

/* Its sentence, whoever makes it; "": it has none. */
const char *lp_evidence_sentence(const struct lp_evidence_kind *kind,
				 const struct lp_evidence *evidence,
				 const struct lp_evidence_view *view,
				 char text[LP_SENTENCE_TEXT]);

#endif
