/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What repair and compact need of the writer beside archive.h.
 */
#ifndef LP_ARCHIVE_WRITER_H
#define LP_ARCHIVE_WRITER_H

#include "archive/archive.h"
#include "archive/decode.h"

/*
 * An atomic archive. replace_any: even what does not begin as an archive
 * does, since the caller knows that it is a damaged one.
 */
int lp_writer_create(const char *path, bool replace_any,
		     struct lp_archive_writer **writer, struct lp_error *err);
/* Counts as a block behind `out`, and such blocks into the file. */
int lp_writer_encode_counts(struct lp_archive_writer *writer,
			    const struct lp_counts *counts,
			    struct lp_buffer *out, struct lp_error *err);
int lp_writer_put_bytes(struct lp_archive_writer *writer, const uint8_t *bytes,
			size_t n, struct lp_error *err);
/* A block of another archive, as it is, sealed. */
int lp_writer_put_block(struct lp_archive_writer *writer,
			const struct block *block, struct lp_error *err);

#endif
