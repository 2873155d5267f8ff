/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that a user gives a host.
 */
#ifndef LP_BASE_HOSTNAME_H
#define LP_BASE_HOSTNAME_H

#include "base/error.h"

/*
 * Whether a host can be called so: at least one and at most 255 bytes, no
 * control characters. 0 or -EINVAL; option is for the message. NULL: none was
 * given, 0.
 */
int lp_host_name_check(const char *option, const char *name,
		       struct lp_error *err);

#endif
