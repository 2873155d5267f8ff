/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack_kind.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

static void *begin(void)
{
	return ZSTD_createDStream();
}

static int step(void *state, struct lp_unpack_io *io)
{
	ZSTD_inBuffer in = { io->in, io->in_left, 0 };
	ZSTD_outBuffer out = { io->out, io->out_left, 0 };
	size_t code = ZSTD_decompressStream(state, &out, &in);

	io->in += in.pos;
	io->in_left -= in.pos;
	io->out += out.pos;
	io->out_left -= out.pos;
	if (!ZSTD_isError(code))
		return code == 0;
	return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation
		       ? -ENOMEM
		       : -EBADMSG;
}

static void end(void *state)
{
	ZSTD_freeDStream(state);
}

const struct lp_unpack_kind lp_unpack_zstd = { begin, step, end };
