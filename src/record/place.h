/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory that archives go to, held by one recorder per host.
 */
#ifndef LP_RECORD_PLACE_H
#define LP_RECORD_PLACE_H

#include "base/error.h"

/*
 * Make the directory if it is missing (not its parents), see that it can be
 * written, and hold it for this host. A descriptor that holds it until it is
 * closed, or -errno; -EBUSY: another recorder does.
 */
int lp_place_hold(const char *dir, const char *host, struct lp_error *err);

#endif
