/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PCP archive, read record by record as pmlogger wrote it: no interpolation,
 * every value at its own time.
 */
#ifndef LP_CMD_PCP_RECORDING_H
#define LP_CMD_PCP_RECORDING_H

#include "base/error.h"

#include <stdint.h>

struct lp_pcp_request {
	const char *archive;        /* any name that pmNewContext(3) takes */
	const char *host;           /* NULL: as the archive says */
	int64_t since_ns, until_ns; /* both inclusive */
	int fd;                     /* where the archive goes */
};

/*
 * 0 or -errno with a line; the descriptor is closed in any case. An archive
 * that is cut off or damaged is read as far as that, and lost says where; it is
 * "" for a whole one.
 */
#define LP_PCP_LOST 256
int lp_pcp_convert(const struct lp_pcp_request *request, char lost[LP_PCP_LOST],
		   struct lp_error *err);

#endif
