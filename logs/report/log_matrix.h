/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many lines of each type, by phase (name of the file) and node: figure 2
 * of PFault.
 */
#ifndef LP_LOGS_LOG_MATRIX_H
#define LP_LOGS_LOG_MATRIX_H

#include "logs/verdict/log_study.h"

#include <stdio.h>

/* As text or as JSON; the study was made by phase. -ENOMEM. */
int lp_log_matrix(const struct lp_log_study *study, bool json, FILE *out);

#endif
