/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals as something that is read, beside other descriptors.
 */
#ifndef LP_BASE_SIGNALS_H
#define LP_BASE_SIGNALS_H

#include "base/error.h"

/*
 * A descriptor on which SIGTERM, SIGINT and SIGHUP arrive, which no longer end
 * the process; reading it does not block. SIGPIPE is ignored: writing says
 * -EPIPE. To be called before there are other threads. The descriptor or
 * -errno.
 */
int lp_signals_open(struct lp_error *err);

#endif
