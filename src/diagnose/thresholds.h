/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thresholds from training, as a file:
 *
 *     # limpid thresholds 1
 *     # trained on: oss1 oss2 oss3, 2026-11-14T00:00:00Z to ...
 *     # step: 15s
 *     method,class,metric,component,threshold
 *     cdf,disk,await,oss1/wwid:naa.5000c500a1b2c3d4,4.6
 *     cdf,disk,await,,5.2
 *     cwnd,tcp,cwnd,>clients,0.74
 *     cwnd,tcp,cwnd,clients>,0.81
 *
 * A component without a line of its own gets the median of its group's; if
 * there is none, that of the component "". Sockets have one threshold for each
 * direction. Distances grow and shrink with the step: thresholds of one step
 * say nothing of another.
 */
#ifndef LP_DIAGNOSE_THRESHOLDS_H
#define LP_DIAGNOSE_THRESHOLDS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct lp_thresholds;

/* NULL: out of memory. */
struct lp_thresholds *lp_thresholds_new(void);
void lp_thresholds_free(struct lp_thresholds *thresholds);

int lp_thresholds_read(const char *path, struct lp_thresholds **thresholds,
		       struct lp_error *err);
/* The same from memory; name is for the messages. */
int lp_thresholds_parse(const char *name, const char *text, size_t size,
			struct lp_thresholds **thresholds,
			struct lp_error *err);

/* The last one set counts. 0 or -ENOMEM. */
int lp_thresholds_set(struct lp_thresholds *thresholds, const char *method,
		      const char *class_name, const char *metric,
		      const char *component, double threshold);

/*
 * Take over what flags nothing that either was trained on: the larger, or the
 * smaller where lower is worse. 0, -EINVAL (of another step) or -ENOMEM.
 */
int lp_thresholds_merge(struct lp_thresholds *into,
			const struct lp_thresholds *from);

/* NaN: there is none. */
double lp_thresholds_get(const struct lp_thresholds *thresholds,
			 const char *method, const char *class_name,
			 const char *metric, const char *component);

/* What the header says it was trained on, or "". */
const char *lp_thresholds_origin(const struct lp_thresholds *thresholds);

/* The step that they were trained at, in ns; 0: not known. */
int64_t lp_thresholds_step(const struct lp_thresholds *thresholds);
void lp_thresholds_set_step(struct lp_thresholds *thresholds, int64_t step_ns);
/* 0, or -EINVAL: they are known to be of another step. */
int lp_thresholds_check_step(const struct lp_thresholds *thresholds,
			     int64_t step_ns, struct lp_error *err);

size_t lp_thresholds_count(const struct lp_thresholds *thresholds);

#endif
