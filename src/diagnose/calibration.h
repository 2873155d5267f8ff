/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far healthy components of a site go by chance, as a file,
 * limpid-calibration(5):
 *
 *     # limpid calibration 1
 *     # measured on: oss1 oss2 oss3, 2026-11-14T00:00:00Z to ...
 *     # block: 10s
 *     kind,class,from,scale,rate,excesses,hours,group
 *     tail,disk,2.61,0.74,0.11,412,8640,12 x 12 TB disks of 8 servers
 *     tail,disk,2.58,0.75,0.1,503,9100,
 *
 * A line without a group is of all groups of the class together; a group that
 * the file does not name goes by it.
 */
#ifndef LP_DIAGNOSE_CALIBRATION_H
#define LP_DIAGNOSE_CALIBRATION_H

#include "base/error.h"
#include "detect/tail.h"

#include <stdio.h>

struct lp_calibration;

/* NULL: out of memory. */
struct lp_calibration *lp_calibration_new(void);
void lp_calibration_free(struct lp_calibration *calibration);

int lp_calibration_read(const char *path, struct lp_calibration **calibration,
			struct lp_error *err);
/* The same from memory; name is for the messages. */
int lp_calibration_parse(const char *name, const char *text, size_t size,
			 struct lp_calibration **calibration,
			 struct lp_error *err);

/* group "": that of the class. The last one set counts. 0 or -ENOMEM. */
int lp_calibration_set(struct lp_calibration *calibration,
		       const char *class_name, const char *group,
		       const struct lp_tail *tail);
/* That of the group, or of its class; NULL: there is none. */
const struct lp_tail *lp_calibration_tail(
	const struct lp_calibration *calibration, const char *class_name,
	const char *group);
size_t lp_calibration_count(const struct lp_calibration *calibration);

/* The length of the blocks that it was measured in; 0: not known. */
int64_t lp_calibration_block(const struct lp_calibration *calibration);
void lp_calibration_set_block(struct lp_calibration *calibration,
			      int64_t block_ns);
/* 0, or -EINVAL: it is of blocks of another length. */
int lp_calibration_check(const struct lp_calibration *calibration,
			 int64_t block_ns, struct lp_error *err);

/* The first line and the tails; origin: what it was measured on. */
void lp_calibration_write(const struct lp_calibration *calibration,
			  const char *origin, FILE *out);

#endif
