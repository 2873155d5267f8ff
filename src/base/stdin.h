/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard input where a file is named.
 */
#ifndef LP_BASE_STDIN_H
#define LP_BASE_STDIN_H

#include "base/error.h"

#include <stdbool.h>

/* Whether a path for input means standard input: "-". */
bool lp_is_stdin(const char *path);

/*
 * A descriptor of standard input, for the caller to close. It is given once:
 * whoever reads it a second time would find it empty. -EBUSY: it was taken.
 */
int lp_stdin_take(struct lp_error *err);

#endif
