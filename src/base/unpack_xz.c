/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack_kind.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

/* 'xz -9' needs 65 MiB to unpack; a file can ask for 4 GiB. */
#define MEMORY_LIMIT (UINT64_C(512) << 20)

static void *begin(void)
{
	lzma_stream *x = malloc(sizeof(*x));

	if (!x)
		return NULL;
	*x = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(x, MEMORY_LIMIT, 0) == LZMA_OK)
		return x;
	free(x);
	return NULL;
}

static int step(void *state, struct lp_unpack_io *io)
{
	lzma_stream *x = state;
	lzma_ret code;

	x->next_in = io->in;
	x->avail_in = io->in_left;
	x->next_out = io->out;
	x->avail_out = io->out_left;
	code = lzma_code(x, LZMA_RUN);
	io->in = x->next_in;
	io->in_left = x->avail_in;
	io->out = x->next_out;
	io->out_left = x->avail_out;
	if (code == LZMA_STREAM_END)
		return 1;
	if (code == LZMA_OK || code == LZMA_BUF_ERROR)
		return 0;
	return code == LZMA_MEM_ERROR || code == LZMA_MEMLIMIT_ERROR ? -ENOMEM
								     : -EBADMSG;
}

static void end(void *state)
{
	lzma_end(state);
	free(state);
}

const struct lp_unpack_kind lp_unpack_xz = { begin, step, end };
