/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the nodes' logs gained in each phase of a run:
 *
 *     DIR/logs/1-healthy/s3/brick.log.zst
 *
 * Names are those of the file system; bricks/a.log is bricks_a.log.
 */
#ifndef LAB_FAILURE_LOGTAIL_H
#define LAB_FAILURE_LOGTAIL_H

#include "site/lab.h"

struct lab_logtail;

/* From here on; what is in the logs already belongs to no phase. */
int lab_logtail_begin(const struct lab *lab, struct lab_logtail **tail,
		      struct lp_error *err);
/* What came since the phase before. */
int lab_logtail_phase(struct lab_logtail *tail, const char *dir,
		      const char *phase, struct lp_error *err);
/* Accepts NULL. */
void lab_logtail_end(struct lab_logtail *tail);

#endif
