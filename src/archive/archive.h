/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native archive: append-only blocks of columns, limpid-archive(5).
 *
 * A file holds chunks, inventories, events and counts in the order in which
 * they were put, of one host or of several. Sealed blocks are never touched
 * again; only the tail block, the last one, is rewritten in place as it grows,
 * and a crash loses at most that one.
 */
#ifndef LP_ARCHIVE_ARCHIVE_H
#define LP_ARCHIVE_ARCHIVE_H

#include "model/stream.h"

#define LP_ARCHIVE_SUFFIX ".limpid"

struct lp_archive_writer;

enum lp_archive_mode {
	/*
	 * The file appears at once and grows: for the recorder. -EEXIST if it
	 * is there already.
	 */
	LP_ARCHIVE_LIVE,
	/*
	 * The file appears, or replaces an older archive, only when it is
	 * finished: for import, repair, compact. Never replaces a file that
	 * is no archive.
	 */
	LP_ARCHIVE_ATOMIC,
};

int lp_archive_create(const char *path, enum lp_archive_mode mode,
		      struct lp_archive_writer **writer, struct lp_error *err);

/*
 * Write to a descriptor of an empty file that can be written and sought,
 * which the writer now owns: for helpers, whose parent reads it, and for what
 * is not to last; it is never synced. name is for messages.
 */
int lp_archive_create_fd(int fd, const char *name,
			 struct lp_archive_writer **writer,
			 struct lp_error *err);

/* Append and seal. A chunk too large for one block is split; it may be brief
 * (builder.h), here and below. */
int lp_archive_put_chunk(struct lp_archive_writer *writer,
			 const struct lp_chunk *chunk, struct lp_error *err);
/*
 * Write the chunk as the tail, in place of the tail before; put_chunk with
 * the grown chunk seals it. At -ENOSPC what was in the file stays as it was.
 */
int lp_archive_put_tail(struct lp_archive_writer *writer,
			const struct lp_chunk *chunk, struct lp_error *err);
/*
 * The same in two steps, as the tail or sealed: after the first the chunk is
 * not needed any more, and nothing is written until the second. -EFBIG: more
 * than one block.
 */
int lp_archive_stage(struct lp_archive_writer *writer,
		     const struct lp_chunk *chunk, bool sealed,
		     struct lp_error *err);
int lp_archive_put_staged(struct lp_archive_writer *writer,
			  struct lp_error *err);
int lp_archive_put_inventory(struct lp_archive_writer *writer,
			     const struct lp_inventory *inventory,
			     struct lp_error *err);
int lp_archive_put_event(struct lp_archive_writer *writer,
			 const struct lp_event *event, struct lp_error *err);
/* -EINVAL: they are not as counts.h says. */
int lp_archive_put_counts(struct lp_archive_writer *writer,
			  const struct lp_counts *counts, struct lp_error *err);
/* Whatever the item is. */
int lp_archive_put_item(struct lp_archive_writer *writer,
			const struct lp_item *item, struct lp_error *err);

/* fdatasync; of a live file, the first time, its directory as well. */
int lp_archive_sync(struct lp_archive_writer *writer, struct lp_error *err);
uint64_t lp_archive_size(const struct lp_archive_writer *writer);

/* Seal, mark the end, sync, close; frees the writer whatever happens. */
int lp_archive_finish(struct lp_archive_writer *writer, struct lp_error *err);
/* Close as it is; an unfinished atomic file is removed. Accepts NULL. */
void lp_archive_abandon(struct lp_archive_writer *writer);

/* Whether a file that begins with these bytes is (part of) an archive. */
bool lp_archive_recognise(const uint8_t *head, size_t n);

/*
 * A stream over the archive. A damaged block in the middle is an error that
 * names the offset, or is passed over if the query is tolerant. An unfinished
 * block at the end (a crash, a copy that was cut off, or a recorder at work) is
 * the end of the stream; lp_stream_lost tells of it.
 */
int lp_archive_open(const char *path, const struct lp_query *query,
		    struct lp_stream **stream, struct lp_error *err);
/* The same on a descriptor, which the stream now owns; path is for messages. */
int lp_archive_open_fd(int fd, const char *path, const struct lp_query *query,
		       struct lp_stream **stream, struct lp_error *err);

#endif
