/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much a component moved, roughly: enough to tell busy from idle and the
 * interface that carries the data from the one that carries the logins.
 */
#ifndef LP_SURVEY_AMOUNT_H
#define LP_SURVEY_AMOUNT_H

#include "model/chunk.h"

/*
 * By how much a counter increased within the chunk, or a rate times the chunk's
 * time. What moved between two chunks and in chunks in which a counter began
 * anew is left out.
 */
double lp_amount_of(const struct lp_chunk *chunk,
		    const struct lp_column *column,
		    const struct lp_values *values);

#endif
