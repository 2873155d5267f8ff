/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack_kind.h"

#include <bzlib.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static void *begin(void)
{
	bz_stream *b = calloc(1, sizeof(*b));

	if (b && BZ2_bzDecompressInit(b, 0, 0) == BZ_OK)
		return b;
	free(b);
	return NULL;
}

static unsigned at_most(size_t n)
{
	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static int step(void *state, struct lp_unpack_io *io)
{
	bz_stream *b = state;
	unsigned in = at_most(io->in_left), out = at_most(io->out_left);
	int code;

	b->next_in = (char *)io->in;
	b->avail_in = in;
	b->next_out = (char *)io->out;
	b->avail_out = out;
	code = BZ2_bzDecompress(b);
	io->in += in - b->avail_in;
	io->in_left -= in - b->avail_in;
	io->out += out - b->avail_out;
	io->out_left -= out - b->avail_out;
	if (code == BZ_STREAM_END)
		return 1;
	if (code == BZ_OK)
		return 0;
	return code == BZ_MEM_ERROR ? -ENOMEM : -EBADMSG;
}

static void end(void *state)
{
	BZ2_bzDecompressEnd(state);
	free(state);
}

const struct lp_unpack_kind lp_unpack_bzip2 = { begin, step, end };
