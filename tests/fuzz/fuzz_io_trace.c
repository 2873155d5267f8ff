/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of both formats. Checksums would keep a fuzzer out of the records, so
 * whatever comes is also read as the records of an open block.
 */
#include "io/model/trace.h"
#include "io/model/trace_write.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size)
{
	struct lp_io_trace *trace;
	struct lp_error err;

	if (lp_io_trace_parse("fuzz", data, size, &trace, &err) < 0)
		return;
	for (size_t i = 0; i < trace->n_operations; i++)
		if (trace->operation[i].file >= trace->n_files ||
		    trace->operation[i].task >= trace->n_tasks)
			abort();
	lp_io_trace_free(trace);
}

static void read_as_records(const uint8_t *data, size_t size)
{
	struct lp_io_block block = { .magic = LP_IO_BLOCK_MAGIC,
				     .used = (uint32_t)size,
				     .process = 1,
				     .thread = 1 };
	struct lp_io_header header = { .finished = 1 };
	uint8_t head[LP_IO_HEADER_MAX], *bytes;
	size_t n = lp_io_header_bytes(&header, "host", "command", head);
	size_t room = (sizeof(block) + size + 7) / 8 * 8;

	bytes = calloc(1, n + room);
	if (!bytes)
		return;
	block.capacity = (uint32_t)room;
	memcpy(bytes, head, n);
	memcpy(bytes + n, &block, sizeof(block));
	memcpy(bytes + n + sizeof(block), data, size);
	read_all(bytes, n + room);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 1 << 20)
		return 0;
	read_all(data, size);
	read_as_records(data, size);
	return 0;
}
