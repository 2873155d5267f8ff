/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysstat's files of today, read without sadf, which would take most of the
 * time of a diagnosis. Only what is known exactly is read: whole files of
 * little-endian machines with 64 bits, by sysstat 12.1 and later, without
 * structures that are not known here. All others are left to sadf.
 *
 *     magic       76 bytes: d596, 2175, version, size and shape of the header
 *     header      number of activities, their and the records' shape, names
 *     activities  36 bytes each: id, magic, items, sub-items, whether each
 *                 sample counts them anew, size and shape of an item
 *     records     24 bytes: uptime u64, time u64, extra u32, type, h, m, s
 *       a sample  of each activity [the number of items u32,] the items
 *       a restart u32
 *       a comment 64 bytes
 *
 * A shape is three numbers: how many long longs, longs and ints a structure
 * has, which stand first in it and in this order.
 */
#ifndef LP_SOURCE_SA_FILE_H
#define LP_SOURCE_SA_FILE_H

#include "source/sadf.h"

/* Where a record's items are, by activity of lp_sadf_activities. */
struct lp_sa_record {
	struct lp_sadf_head head;
	struct {
		uint64_t offset;
		uint32_t n;
	} items[LP_SADF_ACTIVITIES];
};

/* Zero-initialise but for path, which is the caller's, and fd. */
struct lp_sa_file {
	const char *path;
	int fd; /* -1: not at work; many files can be open at once */
	uint64_t size;
	struct lp_sadf_info info;
	uint32_t item_size[LP_SADF_ACTIVITIES];
	struct lp_sa_record *records;
	size_t n_records, capacity;
	/* Bytes that were read last. */
	uint64_t window_at;
	size_t window_n;
	uint8_t *window;
};

/* Whether it can be read here; false: leave it to sadf, for whatever reason. */
bool lp_sa_file_read(struct lp_sa_file *file);
/* Hold nothing open until bytes are asked for again. */
void lp_sa_file_rest(struct lp_sa_file *file);
void lp_sa_file_done(struct lp_sa_file *file);

/* All records' times. 0 or -ENOMEM. */
int lp_sa_file_clock(const struct lp_sa_file *file,
		     struct lp_sadf_clock *clock);
/* n bytes, at most 4096, valid until the next call; NULL: not there. */
const uint8_t *lp_sa_file_bytes(struct lp_sa_file *file, uint64_t offset,
				size_t n);

/* --- sa_items.c: the items of an activity, as sadf would print them ------- */

/* Whether an activity of this magic, size and shape is known. */
bool lp_sa_items_known(size_t activity, uint32_t magic, uint32_t size,
		       const uint32_t shape[3]);

struct lp_sa_items;

/* NULL: out of memory. The file must stay. */
struct lp_sa_items *lp_sa_items_new(struct lp_sa_file *file, size_t activity);
void lp_sa_items_free(struct lp_sa_items *items);
/* As lp_sadf_track_read, with the track's keys. */
int lp_sa_items_read(struct lp_sa_items *items, struct lp_names *keys,
		     struct lp_sadf_record *record, struct lp_error *err);

#endif
