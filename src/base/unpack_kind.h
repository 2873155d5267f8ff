/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What unpack.c wants of a library.
 */
#ifndef LP_BASE_UNPACK_KIND_H
#define LP_BASE_UNPACK_KIND_H

#include <stddef.h>
#include <stdint.h>

/* What is still to be read and to be written; both are moved on. */
struct lp_unpack_io {
	const uint8_t *in;
	size_t in_left;
	uint8_t *out;
	size_t out_left;
};

struct lp_unpack_kind {
	/* The state for one compressed file; NULL: out of memory. */
	void *(*begin)(void);
	/* 1: the file's end; 0: go on; -EBADMSG: damaged; -ENOMEM. */
	int (*step)(void *state, struct lp_unpack_io *io);
	void (*end)(void *state);
};

extern const struct lp_unpack_kind lp_unpack_gzip, lp_unpack_xz, lp_unpack_zstd,
	lp_unpack_bzip2;

#endif
