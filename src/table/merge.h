/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several recordings as one stream, by time.
 *
 * Samples of one host and one time that different inputs hold (disks here,
 * networks there) become one sample; where both hold the same value, the
 * later input wins. Within an input the order stays as it is, even where its
 * clock went back. Small chunks are joined to chunks of useful length.
 *
 * Inputs that hold several hosts each are united where their chunks cover the
 * same spans of time, as those of CSV files and of archives with the same
 * interval do; else a host's samples come from one input after the other.
 */
#ifndef LP_TABLE_MERGE_H
#define LP_TABLE_MERGE_H

#include "model/stream.h"

/* Samples in a chunk that was joined. */
#define LP_MERGE_SAMPLES 600
/* Chunks of so many are long enough, and not worth a copy. */
#define LP_MERGE_WHOLE 64
/* Inputs that stay open after the look at their beginning. */
#define LP_MERGE_KEPT_OPEN 16

/*
 * Open the inputs 0 to n - 1 by `open`, which may be called twice for the same
 * one: all are looked into to learn where they begin, and only few are kept
 * open. An input without any item is fine.
 */
typedef int lp_merge_open_fn(void *context, size_t input,
			     struct lp_stream **stream, struct lp_error *err);

int lp_merge_open(lp_merge_open_fn *open, void *context, size_t n,
		  struct lp_stream **stream, struct lp_error *err);

#endif
