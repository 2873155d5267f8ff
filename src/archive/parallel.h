/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LP_ARCHIVE_PARALLEL_H
#define LP_ARCHIVE_PARALLEL_H

#include "archive/archive.h"

/*
 * lp_archive_open with query->threads threads that decode blocks side by side;
 * the items are the same, in the same order. Memory grows with the threads:
 * one decoded block each.
 */
int lp_archive_open_parallel(const char *path, const struct lp_query *query,
			     struct lp_stream **stream, struct lp_error *err);
/* The same on a descriptor, which the stream now owns; path is for messages. */
int lp_archive_open_parallel_fd(int fd, const char *path,
				const struct lp_query *query,
				struct lp_stream **stream,
				struct lp_error *err);

#endif
