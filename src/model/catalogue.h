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
 * reader that fills it. To add a metric: one line there; one that accuses says
 * its role, its floor and `indicts`, and nothing else changes. To add a class:
 * one file, its name in LP_CLASSES; one that is compared says its kin.
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
	double bytes;        /* that one of these is, of what moved; 0: none */
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

/* What a metric says of its component. Causes are rules over these. */
enum lp_metric_role {
	LP_LEVEL,      /* nothing of the following */
	LP_LOAD,       /* work that it is given */
	LP_LATENCY,    /* how long work takes, waiting included */
	LP_SERVICE,    /* the same without the waiting */
	LP_QUEUE,      /* work that waits */
	LP_CONGESTION, /* how freely it may send */
	LP_LOSS,       /* what was sent in vain */
	LP_ERROR,
	LP_METRIC_ROLES,
};

/* Which way the work goes, where it goes one way. */
enum lp_flow { LP_FLOW_ANY, LP_FLOW_IN, LP_FLOW_OUT, LP_FLOWS };

/*
 * What of a component's work a metric counts, where it does: the quantities of
 * a class are made of these (detect/blocks.h).
 */
enum lp_input {
	LP_INPUT_NONE,
	LP_INPUT_BUSY,     /* ms with work in hand */
	LP_INPUT_REQUESTS, /* that were served */
	LP_INPUT_WAIT,     /* ms of each request: a mean */
	LP_INPUT_IN,       /* what came in: sectors written, bytes received */
	LP_INPUT_OUT,      /* what went out */
	LP_INPUT_RESENT,   /* of that, in vain */
	LP_INPUT_RESENT_PACKETS, /* the same where bytes are not counted */
	LP_INPUTS,
};

/* Widths in the metric's unit below which a difference says nothing. */
struct lp_floor {
	double idle;   /* of a bin when the group is mostly idle */
	double always; /* no bin is narrower; 0: there is no such width */
};

/* Those of the usual units. */
#define LP_FLOOR_MS                                                            \
	{                                                                      \
		/* Solid-state disks may differ by less than 1 ms. */          \
		.idle = 1                                                      \
	}
#define LP_FLOOR_SECTORS                                                       \
	{                                                                      \
		.idle = 20, .always = 20                                       \
	}
#define LP_FLOOR_BYTES                                                         \
	{                                                                      \
		.idle = 10e3, .always = 10e3                                   \
	}
#define LP_FLOOR_PACKETS                                                       \
	{                                                                      \
		.idle = 10, .always = 10                                       \
	}

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
	const char *name;  /* as in sysstat before version 12, and in files */
	const char *title; /* of a quantity, in words; else NULL */
	const char *unit;
	/*
	 * The same as today's sar shows it: `sar_factor` times the value. NULL:
	 * by the name above.
	 */
	const char *sar_name, *sar_unit;
	double sar_factor;
	enum lp_resource resource;
	enum lp_metric_role role;
	enum lp_flow flow;
	bool lower_is_worse;   /* than that of its peers; else higher is */
	struct lp_floor floor; /* what is too little to be told apart */
	bool indicts; /* method: only these accuse, the others are evidence */
	bool total;   /* others added up: not judged or shown beside them */
	bool minor;   /* first to go where there is no room for all */
	enum lp_input input;
	/* Of a quantity: the metric whose values show it; else NULL. */
	const char *shown_by;
	double scale;
	bool largest;   /* the largest term above, instead of their sum */
	bool per_speed; /* divided by the link's speed, in Mbit/s, too */
	const char *above[LP_METRIC_TERMS];
	const char *instead_above[LP_METRIC_TERMS];
	const char *below[LP_METRIC_TERMS];
	const char *instead_below[LP_METRIC_TERMS];
	const char *help;
};

/* A row of a class: packets or segments per second. */
#define LP_METRIC_PACKETS(n, what, way, column, h)                             \
	{                                                                      \
		.name = n, .unit = "packets/s", .resource = LP_NETWORK,        \
		.role = what, .flow = way, .floor = LP_FLOOR_PACKETS,          \
		.scale = 1, .above = { column }, .help = h                     \
	}

/* How the peers of a class are found (cluster/plan.c). */
enum lp_kin {
	LP_KIN_NONE,    /* it is not compared */
	LP_KIN_DISKS,   /* equal disks of servers of one role */
	LP_KIN_LINKS,   /* what carries the servers' data */
	LP_KIN_SOCKETS, /* all connections between a server and its clients */
	LP_KINS,
};

struct lp_class {
	const char *name;
	const char *noun;      /* "device", "interface": the CSV column */
	const char *separator; /* of host and instance: "/" or ">"; "" when
				  the host itself is the instance */
	bool usual;            /* it is shown unless others are asked for */
	enum lp_kin kin;
	const char *peer_noun; /* of a group: "disk", "data interface" */
	/* The layer of all its components; NULL: each has its own. */
	const char *layer;
	enum lp_resource resource;
	/*
	 * A peer is a pool of components that come and go: none of them can be
	 * replaced, and one without samples is not absent.
	 */
	bool pooled;
	bool two_ended; /* an instance names both ends: "LOCAL>PEER" */
	/* What such a component moves, one of that class of its host moves,
	   too; NULL: none. */
	const struct lp_class *carrier;
	/* The check to make if it is loaded; NULL: that of the cause. */
	const char *load_check;
	/*
	 * Columns that tell that a component is there where nothing that moved
	 * was recorded, ended by NULL; NULL: none.
	 */
	const char *const *present_by;
	/*
	 * Columns that are read whatever the metric, since one counter that
	 * began anew speaks for all of its component; ended by NULL, or NULL.
	 */
	const char *const *reset_by;
	/*
	 * Of pools: metrics that tell which parts work just now, the better
	 * first, ended by NULL; NULL: all count.
	 */
	const char *const *active_by;
	int64_t active_ns; /* so long after it worked a part still counts */
	const struct lp_column *columns;
	size_t n_columns;
	const struct lp_metric *metrics;
	size_t n_metrics;
	size_t n_usual; /* the first of them: shown unless others are asked
			   for */
	/*
	 * What a detector that sees all metrics at once makes of them, and
	 * accuses by: no files have these, and nobody else judges them.
	 */
	const struct lp_metric *quantities;
	size_t n_quantities;
	const char *const *sar_usual; /* the same as today's sar shows them,
					 by these names, ended by NULL; NULL:
					 the first of them */
};

/* Every class, in the order in which it is listed. */
#define LP_CLASSES(X)                                                          \
	X(disk)                                                                \
	X(net)                                                                 \
	X(tcp)                                                                 \
	X(ib)                                                                  \
	X(host)

#define LP_DECLARE_CLASS(name) extern const struct lp_class lp_class_##name;
LP_CLASSES(LP_DECLARE_CLASS)

/* All classes, ended by NULL. */
extern const struct lp_class *const lp_classes[];

/* The name of the one instance of a class that describes the host itself. */
#define LP_HOST_INSTANCE "-"
/* Its column of the clock's estimated error, in microseconds. */
#define LP_HOST_CLOCK_ERROR "clock_error"

/* The host itself is the only component of this class. */
static inline bool lp_class_is_host(const struct lp_class *class)
{
	return class && !*class->separator;
}
/* Whether components of this class are compared at all. */
static inline bool lp_class_is_compared(const struct lp_class *class)
{
	return class && class->kin != LP_KIN_NONE;
}
/* Whether its samples are counted, as those in which packets were lost. */
static inline bool lp_class_counts_samples(const struct lp_class *class)
{
	bool counts = false;

	for (size_t q = 0; q < class->n_quantities; q++)
		counts = counts || class->quantities[q].role == LP_LOSS;
	return counts;
}
static inline bool lp_class_is_storage(const struct lp_class *class)
{
	return class && class->kin != LP_KIN_NONE &&
	       class->resource == LP_STORAGE;
}

/* NULL: no such class. */
const struct lp_class *lp_class_find(const char *name);
/* The first class whose peers are found in this way. */
const struct lp_class *lp_class_of_kin(enum lp_kin kin);
/* -1: no such column. */
int lp_class_column(const struct lp_class *class, const char *name);
/* By the name that files have. NULL: no such metric. */
const struct lp_metric *lp_class_metric(const struct lp_class *class,
					const char *name);
/* The same of a quantity. */
const struct lp_metric *lp_class_quantity(const struct lp_class *class,
					  const char *name);
/* By any name that a person may give it: "rd_sec" or "rkB/s". */
bool lp_metric_is_named(const struct lp_metric *metric, const char *name,
			size_t length);
/* Whether one of the names in a list with commas is its. */
bool lp_metric_is_listed(const struct lp_metric *metric, const char *list);
/* The name, unit and factor by which a person is shown it. */
const char *lp_metric_shown(const struct lp_metric *metric, bool sar,
			    const char **unit, double *factor);

/*
 * A column that holds a metric as another tool computed it (an imported
 * gauge): named like the metric, a double, with an optional weight.
 */
struct lp_column lp_metric_column(const struct lp_metric *metric,
				  const char *weight);

/*
 * How many bytes one of this column is, also of a column that holds a metric;
 * 0: it does not say what moved.
 */
double lp_class_column_bytes(const struct lp_class *class, const char *column);
/* Whether it is a quantity, and not a metric that files have. */
static inline bool lp_metric_is_quantity(const struct lp_metric *metric)
{
	return metric->shown_by != NULL;
}
/* "rd_sec, wr_sec, await": the metrics that accuse, by name, each once. */
#define LP_ACCUSING_TEXT 256
const char *lp_accusing_names(bool quantities, char text[LP_ACCUSING_TEXT]);

const char *lp_kind_name(enum lp_kind kind);
const char *lp_metric_role_name(enum lp_metric_role role);
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
