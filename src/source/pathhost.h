/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host of a file that names none, by its path.
 */
#ifndef LP_SOURCE_PATHHOST_H
#define LP_SOURCE_PATHHOST_H

#include "source/source.h"

/*
 * As the options say; else "oss1" of "a/oss1.csv" and "a/oss1.csv.gz", where
 * ".csv" is one of the suffixes (ended by NULL). Yours; NULL: out of memory.
 */
char *lp_path_host(const char *path, const struct lp_source_options *options,
		   const char *const *suffixes);
/* How long the path is without what a packer added and one of the suffixes. */
size_t lp_path_stem(const char *path, const char *const *suffixes);

#endif
