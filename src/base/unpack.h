/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed files: gzip, xz, zstd and bzip2, told by their first bytes.
 *
 * Each but zstd is an optional part of the build. To add one: a row in
 * unpack.c and its functions in a file unpack_NAME.c.
 */
#ifndef LP_BASE_UNPACK_H
#define LP_BASE_UNPACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lp_packing;
struct lp_unpacker;

/* How a file that begins with these bytes is compressed; NULL: it is not. */
const struct lp_packing *lp_packing_of(const uint8_t *head, size_t n);
/* "xz" */
const char *lp_packing_name(const struct lp_packing *packing);
/* Whether this build can unpack it. */
bool lp_packing_is_built(const struct lp_packing *packing);
/* Bytes of the name before ".gz", ".xz", ".zst", ".bz2"; all without one. */
size_t lp_packing_stem(const char *path);

/*
 * Unpack what the descriptor has from where it stands; it stays yours and must
 * stay open. -ENOTSUP: not built. path is for messages and must stay.
 */
int lp_unpack_open(const struct lp_packing *packing, int fd, const char *path,
		   struct lp_unpacker **unpacker, struct lp_error *err);
/*
 * Up to n bytes: fewer only at the end, where 0 follows. -ENODATA: the file is
 * cut off, -EBADMSG: it is damaged; what came before was given. Files one
 * behind the other are one; other bytes behind the last one are not looked at.
 */
ssize_t lp_unpack_read(struct lp_unpacker *unpacker, void *bytes, size_t n,
		       struct lp_error *err);
/* Accepts NULL. */
void lp_unpack_close(struct lp_unpacker *unpacker);

#endif
