/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A span of time of a Prometheus, as an archive: raw samples with their own
 * times, fetched piece by piece.
 */
#ifndef LP_CMD_PROM_FETCH_H
#define LP_CMD_PROM_FETCH_H

#include "prom_http.h"

struct lp_prom_request {
	const char *url;
	const struct lp_prom_settings *settings;
	int64_t since_ns, until_ns; /* both inclusive */
	int fd;                     /* where the archive goes */
};

/*
 * 0 or -errno with a line; the descriptor is closed in any case. If only the
 * beginning could be fetched, the archive has that, and lost says why; it is ""
 * if all could.
 */
#define LP_PROM_LOST 256
int lp_prom_fetch(const struct lp_prom_request *request,
		  char lost[LP_PROM_LOST], struct lp_error *err);

#endif
