/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of exporters, which come series by series or scrape by scrape, made
 * into limpid's chunks, host by host.
 *
 *     lp_gather_series(g, &series, &handle);
 *     lp_gather_value(g, handle, time_ns, 36371);
 *     ...
 *     while ((status = lp_gather_next(g, &item, err)) > 0)
 *             ...
 *
 * Series that differ only in labels that limpid does not know are replicas of
 * one: of each value the replica with the most samples counts, and the others
 * where it has a gap.
 */
#ifndef LP_SOURCE_GATHER_H
#define LP_SOURCE_GATHER_H

#include "model/stream.h"
#include "source/metricline.h"

struct lp_gather;

/*
 * host_label: the label that names the host; a port behind it is left out
 * unless two would have one name then. NULL: out of memory.
 */
struct lp_gather *lp_gather_new(const char *host_label);
void lp_gather_free(struct lp_gather *gather);

/*
 * The host of series without that label: `host` if it is `firm`, else what the
 * exporter says of itself (node_uname_info), else `host`. The string stays.
 */
void lp_gather_host(struct lp_gather *gather, const char *host, bool firm);

/*
 * A series, the same one again if it has the same labels. *handle is
 * LP_GATHER_NONE if limpid has no use for it. 0 or -ENOMEM.
 */
#define LP_GATHER_NONE UINT32_MAX
int lp_gather_series(struct lp_gather *gather,
		     const struct lp_metric_series *series, uint32_t *handle);
/* A value of it; what cannot be one is left out. 0 or -ENOMEM. */
int lp_gather_value(struct lp_gather *gather, uint32_t handle, int64_t time_ns,
		    double value);
/* Values gathered and not given out. */
size_t lp_gather_count(const struct lp_gather *gather);
/* Values left out so far: negative or infinite ones. */
uint64_t lp_gather_odd(const struct lp_gather *gather);
/* Forget the values; hosts, components and labels stay. */
void lp_gather_clear(struct lp_gather *gather);

/*
 * Give out what was gathered: inventories, boots, chunks of all hosts in turn,
 * so that none runs far ahead. 1; 0: that was all, and the values are
 * forgotten; below 0: -errno. Values come again only after the 0.
 */
int lp_gather_next(struct lp_gather *gather, struct lp_item *item,
		   struct lp_error *err);

#endif
