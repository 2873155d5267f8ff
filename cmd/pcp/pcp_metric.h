/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of a PCP archive that limpid has a use for, and the instances
 * of each.
 */
#ifndef LP_CMD_PCP_METRIC_H
#define LP_CMD_PCP_METRIC_H

#include "pcp_mapping.h"
#include "pcp_sink.h"
#include "pcp_units.h"

struct lp_pcp_metric {
	pmID pmid;
	const struct lp_pcp_rule *rule; /* NULL: no use for it */
	const struct lp_pcp_family *family;
	pmDesc desc;
	struct lp_pcp_scale scale;
	int column;    /* of the catalogue */
	bool real;     /* the column holds doubles */
	uint64_t tick; /* the last one it was in */
	/* The instances of the last record, in its order. */
	struct lp_pcp_slot {
		int instance;
		struct lp_pcp_series *series;
	} * slots;
	size_t n_slots, slots_capacity;
	uint64_t generation; /* of the sink, when the slots were filled */
};

/* By number of the metric. Zero-initialise. */
struct lp_pcp_metrics {
	struct lp_pcp_metric **table; /* open addressing */
	size_t size, count;
};

/*
 * The metric, looked up in PCP's current context and declared to the sink if
 * it is new; NULL: out of memory.
 */
struct lp_pcp_metric *lp_pcp_metrics_get(struct lp_pcp_metrics *metrics,
					 pmID pmid, struct lp_pcp_sink *sink);
void lp_pcp_metrics_done(struct lp_pcp_metrics *metrics);

/*
 * Fill the slots for these values, if the instances are not those of the last
 * record or `anew` is set. An instance that PCP cannot name has no series.
 * 0 or -ENOMEM.
 */
int lp_pcp_metric_slots(struct lp_pcp_metric *metric, const pmValueSet *values,
			bool anew, struct lp_pcp_sink *sink);

#endif
