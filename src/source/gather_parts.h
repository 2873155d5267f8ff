/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What gather.c gathers and gather_give.c gives out. Used by these two and
 * gather_labels.c only.
 */
#ifndef LP_SOURCE_GATHER_PARTS_H
#define LP_SOURCE_GATHER_PARTS_H

#include "base/names.h"
#include "model/builder.h"
#include "source/exported.h"
#include "source/gather.h"

struct lp_gather_point {
	int64_t time_ns;
	double value;
};

/* One of Prometheus's series. */
struct lp_gather_series {
	struct lp_exported exported;
	uint32_t component; /* or the host, of a boot time */
	uint32_t next;      /* of the same component and column */
	struct lp_gather_point *points;
	size_t n, capacity;
	bool unsorted;
	size_t at; /* the first that was not given out */
};

struct lp_gather_component {
	uint32_t host;
	const struct lp_class *class;
	const char *name;
	uint32_t listed;  /* in the host's inventory; LP_GATHER_NONE: not */
	uint32_t *series; /* by column: the first, or LP_GATHER_NONE */
};

struct lp_gather_host {
	const char *raw; /* the label; "": it had none */
	char *name;      /* as it is given out; NULL: not yet */
	struct lp_inventory *inventory;
	bool changed; /* the inventory */
	uint32_t *components;
	size_t n_components, capacity;
	uint32_t boot;   /* the series, or LP_GATHER_NONE */
	int64_t boot_ns; /* 0: not known */
	/* While values are given out: */
	int64_t *ticks;
	size_t n_ticks, at;
	struct lp_builder *builder;
};

struct lp_gather {
	char *host_label;
	const char *default_host;
	bool firm;
	struct lp_names keys;  /* of series; number = index */
	struct lp_names names; /* of components: HOST \x1f CLASS \x1f NAME */
	struct lp_names raws;  /* of hosts */
	struct lp_gather_series *series;
	struct lp_gather_component *components;
	struct lp_gather_host *hosts;
	size_t series_capacity, components_capacity, hosts_capacity;
	uint32_t n_series, n_components, n_hosts;
	size_t count;
	uint64_t odd;
	/* While values are given out: */
	bool giving;
	uint32_t turn; /* the host */
	struct lp_event event;
};

/* What labels say of a host or a component. 0 or -ENOMEM. */
int lp_gather_labels(struct lp_gather *gather, uint32_t host,
		     const struct lp_gather_component *component,
		     const struct lp_exported *exported,
		     const struct lp_metric_series *series);
/* The speed of an interface, in bytes a second. 0 or -ENOMEM. */
int lp_gather_speed(struct lp_gather *gather,
		    const struct lp_gather_component *component, double speed);
/* Names for hosts that have none yet. 0 or -ENOMEM. */
int lp_gather_name_hosts(struct lp_gather *gather);

#endif
