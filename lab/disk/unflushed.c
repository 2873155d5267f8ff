/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/unflushed.h"

#include "base/memory.h"
#include "disk/chance.h"
#include "disk/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A discard is kept in pieces of at most so many bytes. */
#define PIECE ((uint64_t)1 << 20)
#define SECTOR 512

/* ---- the list ---- */

static void drop_first(struct lab_unflushed *u)
{
	struct lab_write *w = &u->write[u->first];

	if (w->bytes)
		u->bytes -= w->n;
	free(w->bytes);
	u->first++;
	if (--u->n == 0)
		u->first = 0;
}

static void make_room(struct lab_unflushed *u, uint64_t n)
{
	const uint64_t most = u->most ? u->most : LAB_UNFLUSHED_MOST;

	while (u->n > 0 && u->bytes + n > most) {
		drop_first(u);
		u->destaged++;
	}
}

static int push(struct lab_unflushed *u, const struct lab_write *write)
{
	int status = 0;

	/* Half of the array was left behind: move the rest to its start. */
	if (u->first > 0 && u->first >= u->capacity / 2) {
		memmove(u->write, u->write + u->first,
			u->n * sizeof(*u->write));
		u->first = 0;
	}
	status = lp_grow(&u->write, &u->capacity, u->first + u->n + 1,
			 sizeof(*u->write));
	if (status < 0)
		return status;
	u->write[u->first + u->n++] = *write;
	if (write->bytes)
		u->bytes += write->n;
	return 0;
}

void lab_unflushed_done(struct lab_unflushed *u)
{
	while (u->n > 0)
		drop_first(u);
	free(u->write);
	u->write = NULL;
	u->capacity = 0;
}

void lab_unflushed_keep(struct lab_unflushed *u, bool keeps)
{
	u->keeps = keeps;
	while (!keeps && u->n > 0)
		drop_first(u);
}

void lab_unflushed_settle(struct lab_unflushed *u, uint64_t number)
{
	while (u->n > 0 && u->write[u->first].number <= number)
		drop_first(u);
}

uint64_t lab_unflushed_writes(const struct lab_unflushed *u)
{
	uint64_t writes = 0, last = 0;

	for (size_t i = u->first; i < u->first + u->n; i++) {
		writes += u->write[i].number != last;
		last = u->write[i].number;
	}
	return writes;
}

uint64_t lab_unflushed_bytes(const struct lab_unflushed *u)
{
	uint64_t bytes = 0;

	for (size_t i = u->first; i < u->first + u->n; i++)
		bytes += u->write[i].n;
	return bytes;
}

/* ---- what is in the store ---- */

/* Copy what is there, NULL if it is a hole. */
static int take_copy(int store, uint64_t offset, size_t n,
		     unsigned char **bytes)
{
	uint64_t from, to;
	int status = lab_store_data(store, offset, &from, &to);

	*bytes = NULL;
	if (status < 0)
		return status;
	if (status == 0 || from >= offset + n)
		return 0;
	*bytes = malloc(n);
	if (!*bytes)
		return -ENOMEM;
	status = lab_store_read(store, *bytes, n, offset);
	if (status < 0) {
		free(*bytes);
		*bytes = NULL;
	}
	return status;
}

static int put(int store, const struct lab_write *w, size_t n)
{
	return w->bytes ? lab_store_write(store, w->bytes, n, w->offset)
			: lab_store_discard(store, n, w->offset);
}

static int keep_piece(struct lab_unflushed *u, uint64_t offset, size_t n)
{
	struct lab_write write = {
		.number = u->numbered,
		.offset = offset,
		.n = n,
	};
	int status = take_copy(u->store, offset, n, &write.bytes);

	if (status < 0)
		return status;
	make_room(u, write.bytes ? n : 0);
	status = push(u, &write);
	if (status < 0)
		free(write.bytes);
	return status;
}

int lab_unflushed_write(struct lab_unflushed *u, const void *bytes, size_t n,
			uint64_t offset)
{
	int status = 0;

	u->numbered++;
	if (u->keeps)
		status = keep_piece(u, offset, n);
	return status < 0 ? status
			  : lab_store_write(u->store, bytes, n, offset);
}

/* Holes stay holes: only data is kept. */
static int keep_range(struct lab_unflushed *u, uint64_t at, uint64_t end)
{
	uint64_t from, to;
	int status;

	while ((status = lab_store_data(u->store, at, &from, &to)) > 0 &&
	       from < end) {
		at = to < end ? to : end;
		for (; from < at && status >= 0; from += PIECE)
			status = keep_piece(u, from,
					    (size_t)(at - from < PIECE
							     ? at - from
							     : PIECE));
		if (status < 0 || at == end)
			break;
	}
	return status < 0 ? status : 0;
}

int lab_unflushed_discard(struct lab_unflushed *u, uint64_t n, uint64_t offset)
{
	int status = 0;

	u->numbered++;
	if (u->keeps)
		status = keep_range(u, offset, offset + n);
	return status < 0 ? status : lab_store_discard(u->store, n, offset);
}

/* ---- the power cut ---- */

/* Which writes reach the platter nevertheless. */
static void choose(struct lab_unflushed *u, const struct lab_disk_cut *cut,
		   uint64_t *chance)
{
	uint64_t writes = 0, last = 0;
	bool kept = false;

	for (size_t i = u->first; i < u->first + u->n; i++) {
		struct lab_write *w = &u->write[i];

		if (w->number != last)
			kept = cut->keep == LAB_KEEP_RANDOM
				       ? lab_chance_part(chance) < cut->part
				       : cut->keep == LAB_KEEP_FIRST &&
						 writes < cut->first;
		writes += w->number != last;
		u->lost += w->number != last && !kept;
		last = w->number;
		w->kept = kept;
	}
}

/* The store as it was; what is kept now holds what was written. */
static int take_back(struct lab_unflushed *u)
{
	int status = 0;

	for (size_t i = u->first + u->n; i-- > u->first && status == 0;) {
		struct lab_write *w = &u->write[i];
		unsigned char *written = NULL;

		if (w->kept)
			status = take_copy(u->store, w->offset, w->n, &written);
		if (status == 0)
			status = put(u->store, w, w->n);
		if (w->kept) {
			u->bytes += written ? w->n : 0;
			u->bytes -= w->bytes ? w->n : 0;
			free(w->bytes);
			w->bytes = written;
		}
	}
	return status;
}

static const struct lab_write *last_kept(const struct lab_unflushed *u)
{
	for (size_t i = u->first + u->n; i-- > u->first;)
		if (u->write[i].kept)
			return &u->write[i];
	return NULL;
}

int lab_unflushed_cut(struct lab_unflushed *u, const struct lab_disk_cut *cut)
{
	const struct lab_write *torn;
	uint64_t chance = cut->seed;
	int status;

	choose(u, cut, &chance);
	torn = cut->torn ? last_kept(u) : NULL;
	status = take_back(u);
	for (size_t i = u->first; i < u->first + u->n && status == 0; i++) {
		const struct lab_write *w = &u->write[i];
		size_t n = w->n;

		/* Some of its sectors, at least one, and never all. */
		if (w == torn && n >= 2 * SECTOR)
			n = SECTOR * (1 + (size_t)(lab_chance(&chance) %
						   (n / SECTOR - 1)));
		if (w->kept)
			status = put(u->store, w, n);
	}
	while (u->n > 0)
		drop_first(u);
	return status;
}
