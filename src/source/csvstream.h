/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CSV file as a stream: one builder per host gathers lines into ticks.
 */
#ifndef LP_SOURCE_CSVSTREAM_H
#define LP_SOURCE_CSVSTREAM_H

#include "model/stream.h"

/* host is that of lines that name none; map is the text of --map or NULL. */
int lp_csv_stream_open(const char *path, const char *host, const char *map,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err);

#endif
