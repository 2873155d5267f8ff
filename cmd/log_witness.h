/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs beside recordings: the helper limpid-logs reads them, and what it finds
 * is put into the case.
 */
#ifndef LP_CMD_LOG_WITNESS_H
#define LP_CMD_LOG_WITNESS_H

#include "case_files.h"

/* Of limpid diagnose. */
struct lp_log_options {
	struct lp_option_list paths; /* none: no logs */
	const char *model;
};

/* After lp_case_load, before the case is judged. */
int lp_logs_put(struct lp_case_files *c, const struct lp_log_options *options,
		struct lp_error *err);

#endif
