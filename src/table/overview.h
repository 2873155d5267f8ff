/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stream holds, at a glance: hosts, their interval, and components
 * that did something.
 */
#ifndef LP_TABLE_OVERVIEW_H
#define LP_TABLE_OVERVIEW_H

#include "base/names.h"
#include "model/stream.h"

struct lp_overview_host {
	int64_t interval_ns; /* 0: one sample only */
	int64_t first_ns, last_ns;
	size_t n_samples;
	size_t n_between; /* of these, not at a whole second */
};

struct lp_overview_component {
	uint64_t print; /* of the values first seen */
	bool seen, active;
	size_t alias_length; /* 0: it has none */
};

/* Zero-initialise. */
struct lp_overview {
	struct lp_names hosts;
	struct lp_overview_host *host; /* by number */
	size_t host_capacity;
	struct lp_names components; /* "class host name" */
	struct lp_overview_component *component;
	size_t component_capacity;
	struct lp_names columns; /* "class column" that have values */
	bool has_speeds;         /* of some network link */
};

/* Read the stream to its end. */
int lp_overview_read(struct lp_overview *overview, struct lp_stream *stream,
		     struct lp_error *err);
void lp_overview_done(struct lp_overview *overview);

/* The longest interval of any host; 0: not known. */
int64_t lp_overview_interval(const struct lp_overview *overview);
/* Whether the metric can be known of any component of the class. */
bool lp_overview_has_metric(const struct lp_overview *overview,
			    const struct lp_class *class,
			    const struct lp_metric *metric);
/* Whether the component's values ever changed. */
bool lp_overview_active(const struct lp_overview *overview, const char *host,
			const char *class_name, const char *name);

#endif
