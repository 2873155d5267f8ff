/* SPDX-License-Identifier: Apache-2.0 */
/* What --help says of methods, made of the table of detectors. */
#ifndef LP_CMD_METHOD_HELP_H
#define LP_CMD_METHOD_HELP_H

#include <stddef.h>

/* "cdf, pdf, median, thresh, cwnd (default: cdf,cwnd)" */
const char *lp_help_of_methods(char *text, size_t size);
/* "threshold of components ... (default: cdf 12, pdf 2)" */
const char *lp_help_of_threshold(char *text, size_t size);

#endif
