/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid io says: a trace judged, and a model, as text, JSON and one HTML
 * page that needs nothing else. Errors of the stream are left in it.
 */
#ifndef LP_IO_REPORTS_H
#define LP_IO_REPORTS_H

#include "io/model/judge.h"

#include <stdio.h>

#define LP_IO_FILES_SHOWN 20
#define LP_IO_GROUPS_SHOWN 12

struct lp_io_report {
	const char *name; /* of the trace */
	const struct lp_io_judgement *judgement;
	const char *const *notes; /* more doubts and warnings; NULL ends */
};

void lp_report_io_text(FILE *out, const struct lp_io_report *report);
/* One object on one line. */
void lp_report_io_json(FILE *out, const struct lp_io_report *report);
/* 0 or -ENOMEM; the page is not whole then. */
int lp_report_io_html(FILE *out, const struct lp_io_report *report,
		      struct lp_error *err);

/* The lines and their errors (Kunkel 2015, table 3), sizes that misbehave, and
   the throughput by size (table 1). */
void lp_report_io_model_text(FILE *out, const struct lp_io_model *model);

/* ---- shared by the forms ---- */

/* A line: the head, then a name from outside. */
void lp_io_put_name(FILE *out, const char *head, const char *name);

/* The sizes that a table of throughputs has columns for. */
#define LP_IO_COLUMNS 9
size_t lp_io_model_columns(const struct lp_io_model *model,
			   int64_t bytes[LP_IO_COLUMNS]);
const struct lp_io_size *lp_io_size_of(const struct lp_io_factor *factor,
				       int64_t bytes);

/* "All reads and writes together": of both gains. */
struct lp_io_gain lp_io_whole_gain(const struct lp_io_judgement *judgement);
/* All operations. */
struct lp_io_tally lp_io_whole_tally(const struct lp_io_judgement *judgement);
/* In a word: what the report says first. */
const char *lp_io_headline(const struct lp_io_judgement *judgement, char *text,
			   size_t size);
/* Whether most I/O was timed, and by a clock that is fine enough. */
bool lp_io_is_sure(const struct lp_io_judgement *judgement);
/* Whether operations were unexpectedly slow, as far as that can be told. */
const char *lp_io_slow_text(const struct lp_io_judgement *judgement, char *text,
			    size_t size);
/* What was not compared, and the longest of it, without its file; or "". */
const char *lp_io_lone_text(const struct lp_io_judgement *judgement, char *text,
			    size_t size);

/* What must be known to read the numbers: sentences without a full stop. */
#define LP_IO_REMARKS 8
#define LP_IO_REMARK 512
size_t lp_io_remarks(const struct lp_io_judgement *judgement,
		     char text[LP_IO_REMARKS][LP_IO_REMARK]);

#endif
