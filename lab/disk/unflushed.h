/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk's volatile cache. What a write overwrites is kept until a flush that
 * came after it is answered; a power cut puts it back. So the store always
 * holds what the disk would answer, and reads need not look here.
 *
 * Memory is bounded: above that the oldest writes are taken for written to the
 * platter, as a real disk's cache makes room (counted in `destaged`).
 */
#ifndef LAB_DISK_UNFLUSHED_H
#define LAB_DISK_UNFLUSHED_H

#include "disk/settings.h"

#define LAB_UNFLUSHED_MOST (UINT64_C(256) << 20)

/* What stood where something was written. */
struct lab_write {
	uint64_t number; /* of the write; a discard may have several pieces */
	uint64_t offset;
	size_t n;
	unsigned char *bytes; /* NULL: a hole */
	bool kept;            /* used by the power cut */
};

/* Begin with zeros and the store. */
struct lab_unflushed {
	int store;
	bool keeps;              /* is the cache volatile? */
	uint64_t most;           /* bytes; 0: LAB_UNFLUSHED_MOST */
	struct lab_write *write; /* from `first` on, in their order */
	size_t first, n, capacity;
	uint64_t numbered;       /* writes so far */
	uint64_t bytes;          /* that are kept in memory */
	uint64_t lost, destaged; /* writes so far */
};

void lab_unflushed_done(struct lab_unflushed *unflushed);

/* Volatile or not: when it no longer is, all that was written is safe. */
void lab_unflushed_keep(struct lab_unflushed *unflushed, bool keeps);

/* Store bytes, or discard them. 0 or -errno. */
int lab_unflushed_write(struct lab_unflushed *unflushed, const void *bytes,
			size_t n, uint64_t offset);
int lab_unflushed_discard(struct lab_unflushed *unflushed, uint64_t n,
			  uint64_t offset);

/* Writes up to this number are on the platter. */
void lab_unflushed_settle(struct lab_unflushed *unflushed, uint64_t number);

/* How many writes are not, and how many bytes they have. */
uint64_t lab_unflushed_writes(const struct lab_unflushed *unflushed);
uint64_t lab_unflushed_bytes(const struct lab_unflushed *unflushed);

/* The power fails: what is not on the platter is lost, as the cut says. */
int lab_unflushed_cut(struct lab_unflushed *unflushed,
		      const struct lab_disk_cut *cut);

#endif
