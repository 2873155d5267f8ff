/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions make a host differ from its peers in a span.
 */
#ifndef LP_BEHAVIOR_DIFFER_H
#define LP_BEHAVIOR_DIFFER_H

#include "behavior/behavior.h"
#include "behavior/span.h"

/* Fill own_cpu, peers_cpu, foreign and top of the window, for a row of the
 * span. 0 or -ENOMEM. */
int lp_behavior_differ(const struct lp_profile_span *span,
		       const struct lp_collection *collection, size_t row,
		       struct lp_behavior_window *window);

#endif
