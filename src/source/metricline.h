/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of the text that exporters give Prometheus, in its own format and in
 * OpenMetrics:
 *
 *   # HELP node_disk_reads_completed_total The total number of reads.
 *   node_disk_reads_completed_total{device="sda"} 36371
 *   node_disk_io_now{device="sda"} 0 1794775514250
 *   limpid_disk_rd_seconds_total{instance="oss1"} 4.7 1794775514.25
 */
#ifndef LP_SOURCE_METRICLINE_H
#define LP_SOURCE_METRICLINE_H

#include "model/inventory.h"

#include <stddef.h>

#define LP_METRIC_LABELS 64

/* A series; the strings are another's. */
struct lp_metric_series {
	const char *metric;
	struct lp_label labels[LP_METRIC_LABELS];
	size_t n_labels;
};

/* NULL: it has no such label. */
const char *lp_metric_series_get(const struct lp_metric_series *series,
				 const char *key);

struct lp_metric_line {
	struct lp_metric_series series;
	double value; /* may be NaN or infinite */
	bool timed;
	int64_t time_ns;
};

enum lp_metric_outcome {
	LP_METRIC_SAMPLE,
	LP_METRIC_NOTHING, /* a comment, or empty */
	LP_METRIC_EOF,     /* "# EOF" */
	LP_METRIC_BAD,     /* *what says why */
};

/*
 * Read the n bytes of a line without its newline, text[n] being yours to change
 * as the rest of it is: the strings point into it.
 */
enum lp_metric_outcome lp_metric_line_parse(char *text, size_t n,
					    struct lp_metric_line *line,
					    const char **what);

/* "1794775514.25": seconds since the epoch. False: no time. */
bool lp_metric_seconds(const char *text, size_t n, int64_t *time_ns);
/* Also "NaN", "+Inf", "-Inf". False: no number. */
bool lp_metric_number(const char *text, size_t n, double *value);

#endif
