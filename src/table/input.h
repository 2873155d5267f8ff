/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any file that limpid reads, as a stream: an archive, or what a source
 * recognises; as it is, or compressed.
 */
#ifndef LP_TABLE_INPUT_H
#define LP_TABLE_INPUT_H

#include "source/source.h"

/* The name of standard input. */
#define LP_INPUT_STDIN "-"

/* NULL, "limpid" or a source's name: 0. Else -EINVAL, naming what there is. */
int lp_input_check_format(const char *format, struct lp_error *err);

/*
 * format is a source's name, "limpid", or NULL: by the file's first bytes.
 * -EINVAL: there is no such format, or nothing recognises the file. A
 * compressed file is unpacked into a temporary one that the stream holds.
 */
int lp_input_open(const char *path, const char *format,
		  const struct lp_source_options *options,
		  const struct lp_query *query, struct lp_stream **stream,
		  struct lp_error *err);

/* What reads it if it is foreign; NULL: it is an archive, or nothing does. */
const struct lp_source *lp_input_source(
	const char *path, const char *format,
	const struct lp_source_options *options);

/*
 * What can be read only once, a pipe or LP_INPUT_STDIN, to its end: *fd is a
 * temporary file with its bytes that you now own, for options->content. What
 * nothing recognises (or is not of the format) is refused at its beginning.
 */
int lp_input_spool(const char *path, const char *format, int *fd,
		   struct lp_error *err);

/*
 * For choosing the files of a directory. 1: an archive, or a source (that of
 * the format, unless it is NULL) recognises it; 0: not; below 0: it cannot be
 * told, with a line in err.
 */
int lp_input_recognise(const char *path, const char *format,
		       struct lp_error *err);

/*
 * How many bytes of the path name its recording: files with the same are
 * parts of one (PCP's NAME.meta, NAME.index, NAME.0) and are read once.
 */
size_t lp_input_stem(const char *path);

#endif
