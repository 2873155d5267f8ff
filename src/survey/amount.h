/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much a component moved, roughly: enough to tell busy from idle and the
 * interface that carries the data from the one that carries the logins.
 */
#ifndef LP_SURVEY_AMOUNT_H
#define LP_SURVEY_AMOUNT_H

#include "model/chunk.h"

/*
 * Bytes that the series moved within the chunk. What moved between two chunks
 * and in chunks in which a counter began anew is left out. False, *bytes
 * untouched: the chunk has no column that tells.
 */
bool lp_amount_of(const struct lp_chunk *chunk, const struct lp_panel *panel,
		  const struct lp_series *series, double *bytes);

#endif
