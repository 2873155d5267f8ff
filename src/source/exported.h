/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What exporters of Prometheus call limpid's columns: node_exporter, and limpid
 * itself (limpid export --to openmetrics).
 *
 * To add a metric: one line in the table in exported.c.
 */
#ifndef LP_SOURCE_EXPORTED_H
#define LP_SOURCE_EXPORTED_H

#include "model/catalogue.h"
#include "source/metricline.h"

enum lp_exported_kind {
	LP_EXPORTED_COLUMN, /* a value of a component */
	LP_EXPORTED_INFO,   /* labels of a component: the value says nothing */
	LP_EXPORTED_SPEED,  /* of an interface, in bytes a second */
	LP_EXPORTED_HOST,   /* labels of the host */
	LP_EXPORTED_BOOT,   /* when the host booted, in seconds */
	LP_EXPORTED_CLOCK,  /* of the exporter's host, in seconds */
};

struct lp_exported {
	enum lp_exported_kind kind;
	const struct lp_class *class; /* NULL: of the host */
	int column;
	uint64_t times, by; /* value * times / by is the column's */
	/* The labels that name the component, and what joins them; NULL: the
	   host, or one label. */
	const char *first, *between, *second;
};

/* False: limpid has no use for the metric. */
bool lp_exported_find(const char *metric, struct lp_exported *exported);

/*
 * The name of the component that a series is of, "mlx5_0:1" from device and
 * port. False: it has not the labels that tell, or they are too long.
 */
#define LP_EXPORTED_INSTANCE 256
bool lp_exported_instance(const struct lp_exported *exported,
			  const struct lp_metric_series *series,
			  char instance[LP_EXPORTED_INSTANCE]);
/* Whether the label is part of that name, or one of an LP_EXPORTED_INFO. */
bool lp_exported_names(const struct lp_exported *exported, const char *key);

/* limpid's name for a label of an LP_EXPORTED_INFO; NULL: it has no use. */
const char *lp_exported_label(const struct lp_class *class, const char *key);

/*
 * The bits of a column for a value. False: it cannot be one (negative, not a
 * number).
 */
bool lp_exported_bits(const struct lp_exported *exported, double value,
		      uint64_t *bits);

/* The names above as a regular expression of Prometheus. */
extern const char lp_exported_pattern[];

#endif
