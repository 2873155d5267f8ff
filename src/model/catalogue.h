/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: every raw column and every metric limpid knows, once, as
 * data. Text, JSON, CSV, the page limpid-metrics(7) and the web page are made
 * from these rows.
 *
 * A class is a kind of thing that is sampled: disk, net, tcp, ib, host. It has
 * raw columns (what the kernel counts) and metrics (what a person reads).
 *
 * To add a column: one line in its class's file (class_disk.c ...), and the
 * reader that fills it. To add a metric: one line there. To add a class: one
 * file, one line in classes.c.
 */
#ifndef LP_MODEL_CATALOGUE_H
#define LP_MODEL_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lp_kind {
	LP_COUNTER,    /* counts up, wraps at 2^width */
	LP_SATURATING, /* counts up, stays at 2^width - 1 */
	LP_GAUGE,      /* a level at the time of the sample */
	LP_WEIGHTED,   /* a mean, whose weight is the column `partner` */
	LP_MOMENTS,    /* counter: count, sum or sum of squares (bound 0, 1,
			  2) of the distribution named `partner` */
	LP_HISTOGRAM,  /* counter: values <= bound of the distribution named
			  `partner` and above the bucket before */
	LP_STATE,      /* a word; its number is an index of the chunk's texts */
	LP_KINDS,
};

/* How the 64 bits of a value are read. */
enum lp_type { LP_U64, LP_F64, LP_TEXT, LP_TYPES };

struct lp_column {
	const char *name;
	const char *unit;
	enum lp_kind kind;
	enum lp_type type;
	uint8_t width; /* of counters, in bits */
	bool optional; /* kernels without it are treated as if it were 0 */
	const char *partner; /* see enum lp_kind; NULL: none */
	double bound;        /* see enum lp_kind */
	const char *origin;  /* the kernel's own name where a reader goes by
				it: "meminfo:Dirty"; NULL: by position */
	const char *help;
};

/* What an operator would replace or repair. */
enum lp_resource {
	LP_STORAGE,
	LP_NETWORK,
	LP_CPU,
	LP_MEMORY,
	LP_RESOURCES,
};

#define LP_METRIC_TERMS 4

/*
 * A metric is scale * sum(above) / sum(below), where a counter stands for its
 * increase over the interval and a gauge for its (weighted) mean. Nothing
 * below: counters are divided by the seconds of the interval, gauges are not.
 * %ifutil is the exception: the larger of its terms, divided by the speed that
 * the inventory knows.
 * All names are columns of the same class; an alternative (`instead_above`,
 * `instead_below`) is used where the first is not recorded: sysstat keeps
 * reads and writes together, for example.
 */
struct lp_metric {
	const char *name; /* as in sysstat before version 12, and in files */
	const char *unit;
	/*
	 * The same as today's sar shows it: `sar_factor` times the value. NULL:
	 * by the name above.
	 */
	const char *sar_name, *sar_unit;
	double sar_factor;
	enum lp_resource resource;
	bool indicts; /* method: only these accuse, the others are evidence */
	bool minor;   /* first to go where there is no room for all */
	double scale;
	bool largest;   /* the largest term above, instead of their sum */
	bool per_speed; /* divided by the link's speed, in Mbit/s, too */
	const char *above[LP_METRIC_TERMS];
	const char *instead_above[LP_METRIC_TERMS];
	const char *below[LP_METRIC_TERMS];
	const char *instead_below[LP_METRIC_TERMS];
	const char *help;
};

struct lp_class {
	const char *name;
	const char *noun;      /* "device", "interface": the CSV column */
	const char *separator; /* of host and instance: "/" or ">"; "" when
				  the host itself is the instance */
	const struct lp_column *columns;
	size_t n_columns;
	const struct lp_metric *metrics;
	size_t n_metrics;
	size_t n_usual; /* the first of them: shown unless others are asked
			   for */
	const char *const *sar_usual; /* the same as today's sar shows them,
					 by these names, ended by NULL; NULL:
					 the first of them */
};

extern const struct lp_class lp_class_disk, lp_class_net, lp_class_tcp,
	lp_class_ib, lp_class_host;

/* All classes, ended by NULL. */
extern const struct lp_class *const lp_classes[];

/* The name of the one instance of a class that describes the host itself. */
#define LP_HOST_INSTANCE "-"

/* NULL: no such class. */
const struct lp_class *lp_class_find(const char *name);
/* -1: no such column. */
int lp_class_column(const struct lp_class *class, const char *name);
/* By the name that files have. NULL: no such metric. */
const struct lp_metric *lp_class_metric(const struct lp_class *class,
					const char *name);
/* By any name that a person may give it: "rd_sec" or "rkB/s". */
bool lp_metric_is_named(const struct lp_metric *metric, const char *name,
			size_t length);
/* The name, unit and factor by which a person is shown it. */
const char *lp_metric_shown(const struct lp_metric *metric, bool sar,
			    const char **unit, double *factor);

/*
 * A column that holds a metric as another tool computed it (an imported
 * gauge): named like the metric, a double, with an optional weight.
 */
struct lp_column lp_metric_column(const struct lp_metric *metric,
				  const char *weight);

const char *lp_kind_name(enum lp_kind kind);
const char *lp_resource_name(enum lp_resource resource);

/*
 * The metric as it is computed where only its alternatives are recorded.
 * False, *other untouched: it has none.
 */
bool lp_metric_alternative(const struct lp_metric *metric,
			   struct lp_metric *other);

/* "Δ(rd_ms + wr_ms) / Δ(rd_ios + wr_ios)" in UTF-8. Returns text. */
#define LP_FORMULA_TEXT 256
const char *lp_metric_formula(const struct lp_class *class,
			      const struct lp_metric *metric,
			      char text[LP_FORMULA_TEXT]);

#endif
