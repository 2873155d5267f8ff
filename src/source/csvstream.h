/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CSV file as a stream: one builder per host gathers lines into ticks.
 */
#ifndef LP_SOURCE_CSVSTREAM_H
#define LP_SOURCE_CSVSTREAM_H

#include "source/source.h"

/* host is that of lines that name none; of the options map and content count.
 */
int lp_csv_stream_open(const char *path, const char *host,
		       const struct lp_source_options *options,
		       const struct lp_query *query, struct lp_stream **stream,
		       struct lp_error *err);

#endif
