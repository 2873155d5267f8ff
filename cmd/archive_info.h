/* SPDX-License-Identifier: Apache-2.0 */
/* What `limpid archive info` prints. */
#ifndef LP_CMD_ARCHIVE_INFO_H
#define LP_CMD_ARCHIVE_INFO_H

#include "archive/maintain.h"

#include <stdio.h>

void lp_info_text(FILE *out, const char *path, const struct lp_info *info);
/* One object, on one line. */
void lp_info_json(FILE *out, const char *path, const struct lp_info *info);

#endif
