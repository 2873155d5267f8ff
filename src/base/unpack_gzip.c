/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack_kind.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, and gzip's head instead of zlib's. */
#define GZIP_WINDOW (15 + 16)

static void *begin(void)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (z && inflateInit2(z, GZIP_WINDOW) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static uInt at_most(size_t n)
{
	return n < UINT_MAX ? (uInt)n : UINT_MAX;
}

static int step(void *state, struct lp_unpack_io *io)
{
	z_stream *z = state;
	uInt in = at_most(io->in_left), out = at_most(io->out_left);
	int code;

	z->next_in = (Bytef *)io->in;
	z->avail_in = in;
	z->next_out = io->out;
	z->avail_out = out;
	code = inflate(z, Z_NO_FLUSH);
	io->in += in - z->avail_in;
	io->in_left -= in - z->avail_in;
	io->out += out - z->avail_out;
	io->out_left -= out - z->avail_out;
	if (code == Z_STREAM_END)
		return 1;
	if (code == Z_OK || code == Z_BUF_ERROR)
		return 0;
	return code == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
}

static void end(void *state)
{
	inflateEnd(state);
	free(state);
}

const struct lp_unpack_kind lp_unpack_gzip = { begin, step, end };
