/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples as text for other programs: CSV, JSON lines, OpenMetrics.
 *
 * To add a format: a file export_NAME.c, its functions here, a row in
 * cmd_export.c, and a section in limpid-export(1).
 */
#ifndef LP_EXPORT_EXPORT_H
#define LP_EXPORT_EXPORT_H

#include "survey/seen.h"

#include <stdio.h>

/* How a column is called in files: limpid-csv(5), "retrans:gauge". */
#define LP_EXPORT_NAME 192
const char *lp_export_name(const struct lp_class *class,
			   const struct lp_column *column,
			   char name[LP_EXPORT_NAME]);

/* "3493>10.0.0.7" of class tcp: length of the local part; else 0. */
size_t lp_export_local(const struct lp_class *class, const char *instance);

/*
 * CSV in the shape that import reads, of one class, which has been surveyed
 * and must stay. Keeps the last time of each host, to part samples of one time.
 */
struct lp_export_csv;

struct lp_export_csv *lp_export_csv_new(const struct lp_seen_class *class);
void lp_export_csv_free(struct lp_export_csv *csv);
void lp_export_csv_header(const struct lp_export_csv *csv, FILE *out);
/* What is selected of the chunk. 0 or -ENOMEM. */
int lp_export_csv_chunk(struct lp_export_csv *csv,
			const struct lp_selection *selection,
			const struct lp_chunk *chunk, FILE *out);

/* One object per host, time, class and component, each on a line. */
void lp_export_json(FILE *out, const struct lp_selection *selection,
		    const struct lp_chunk *chunk);

/*
 * OpenMetrics wants all values of a column together, those of one component
 * in the order of time. So one column after the other is gathered and
 * written.
 */
struct lp_openmetrics;

struct lp_openmetrics *lp_openmetrics_new(const struct lp_seen_class *class,
					  const struct lp_column *column);
void lp_openmetrics_free(struct lp_openmetrics *metrics);
/* 0 or -ENOMEM. */
int lp_openmetrics_add(struct lp_openmetrics *metrics,
		       const struct lp_selection *selection,
		       const struct lp_chunk *chunk);
/* Write the family. */
void lp_openmetrics_write(struct lp_openmetrics *metrics, FILE *out);
/* What ends a file. */
void lp_openmetrics_end(FILE *out);

#endif
