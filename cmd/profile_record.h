/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LP_CMD_PROFILE_RECORD_H
#define LP_CMD_PROFILE_RECORD_H

#include "command.h"

#include <limits.h>

#define LP_PROFILE_NO_COUNT ULONG_MAX

struct lp_profile_record_options {
	const char *output, *host, *cgroup;
	unsigned long count, keep_days, rate;
	bool no_chains, no_waits, verbose;
	struct lp_option_list waits;
};

extern const struct lp_usage lp_profile_record_usage;

#endif
