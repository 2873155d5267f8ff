/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any file that limpid reads, as a stream: an archive, or what a source
 * recognises.
 */
#ifndef LP_TABLE_INPUT_H
#define LP_TABLE_INPUT_H

#include "source/source.h"

/* NULL, "limpid" or a source's name: 0. Else -EINVAL, naming what there is. */
int lp_input_check_format(const char *format, struct lp_error *err);

/*
 * format is a source's name, "limpid", or NULL: by the file's first bytes.
 * -EINVAL: there is no such format, or nothing recognises the file.
 */
int lp_input_open(const char *path, const char *format,
		  const struct lp_source_options *options,
		  const struct lp_query *query, struct lp_stream **stream,
		  struct lp_error *err);

/*
 * Whether the file is an archive or recognised by a source. For choosing the
 * files of a directory.
 */
bool lp_input_recognised(const char *path);

/*
 * How many bytes of the path name its recording: files with the same are
 * parts of one (PCP's NAME.meta, NAME.index, NAME.0) and are read once.
 */
size_t lp_input_stem(const char *path);

#endif
