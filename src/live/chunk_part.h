/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last samples of a chunk, as a chunk: a view, no value is copied.
 */
#ifndef LP_LIVE_CHUNK_PART_H
#define LP_LIVE_CHUNK_PART_H

#include "base/memory.h"
#include "model/chunk.h"

/*
 * Samples from `from` on. What it is made of is in the arena; values are those
 * of the chunk, which must outlive it. 0 or -ENOMEM.
 */
int lp_chunk_part(const struct lp_chunk *chunk, size_t from,
		  struct lp_arena *arena, struct lp_chunk *part);

#endif
