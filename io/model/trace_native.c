/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads limpid-io-trace(5). Blocks stand alone but for the names of files, so
 * one that is damaged costs only itself.
 */
#include "io/model/trace_build.h"
#include "io/model/trace_format.h"

#include "base/crc32c.h"

#include <errno.h>
#include <stdlib.h>

/* The trace's number of a file, and ours. */
struct name {
	uint32_t number, file;
};

struct native {
	const char *name; /* of the trace, for messages */
	const uint8_t *bytes;
	size_t n;
	struct lp_io_build *build;
	struct name *names;
	size_t n_names, name_capacity;
	/* Of the block that is being read. */
	struct lp_io_state state;
	struct lp_cursor at;
	uint32_t task;
};

static int fail(const struct native *native, size_t offset, const char *text,
		struct lp_error *err)
{
	return lp_fail(err, EINVAL, "%s: offset %zu: %s", native->name, offset,
		       text);
}

/* Of the header all that cannot change while programs write. */
static uint32_t header_crc(const uint8_t *bytes, size_t header_bytes)
{
	uint32_t crc = lp_crc32c(0, bytes + LP_IO_CRC_FROM,
				 LP_IO_COUNTERS - LP_IO_CRC_FROM);

	return lp_crc32c(crc, bytes + LP_IO_STRINGS,
			 header_bytes - LP_IO_STRINGS);
}

static void take_account(const struct lp_io_header *header,
			 struct lp_io_account *account)
{
	if (header->account != 1)
		return;
	*account = (struct lp_io_account){
		.known = true,
		.rchar = header->rchar,
		.wchar = header->wchar,
		.read_bytes = header->read_bytes,
		.write_bytes = header->write_bytes,
		.passed_read = header->passed_read,
		.passed_written = header->passed_written,
		.refill = header->refill,
		.aio_bytes = header->aio_bytes,
		.trace_bytes = header->claimed,
		.rings = header->rings,
	};
}

static int read_header(struct native *native, struct lp_io_header *header,
		       struct lp_error *err)
{
	struct lp_io_build *build = native->build;
	const char *strings = (const char *)native->bytes + LP_IO_STRINGS;
	size_t room;

	if (native->n < sizeof(*header))
		return fail(native, native->n, "the trace ends in its header",
			    err);
	memcpy(header, native->bytes, sizeof(*header));
	if (header->version != LP_IO_VERSION)
		return lp_fail(err, EINVAL,
			       "%s: offset 8: version %u; this limpid reads "
			       "version %u",
			       native->name, header->version, LP_IO_VERSION);
	if (header->header_bytes < LP_IO_STRINGS ||
	    header->header_bytes > native->n)
		return fail(native, 12, "the header is cut off", err);
	if (header_crc(native->bytes, header->header_bytes) != header->crc)
		return fail(native, 16, "the header is damaged", err);
	room = header->header_bytes - LP_IO_STRINGS;
	if (header->host_bytes > room ||
	    header->command_bytes > room - header->host_bytes)
		return fail(native, 16, "the header is damaged", err);
	build->trace.host =
		lp_arena_string_n(&build->arena, strings, header->host_bytes);
	build->trace.command =
		lp_arena_string_n(&build->arena, strings + header->host_bytes,
				  header->command_bytes);
	if (!build->trace.host || !build->trace.command)
		return lp_fail_memory(err);
	build->trace.start_ns = header->start_ns;
	build->trace.clock_ns = header->clock_ns;
	build->trace.record_ns = header->record_ns;
	build->trace.n_lost = header->lost;
	take_account(header, &build->trace.account);
	return 0;
}

/* Records. Each: 0, -ENOMEM, or -EINVAL (the cursor may have failed, too). */

static int read_name(struct native *native)
{
	struct lp_cursor *at = &native->at;
	uint64_t number = lp_cursor_varint(at);
	size_t length;
	const char *path = lp_cursor_string(at, &length);
	struct name name = { .number = (uint32_t)number };

	if (at->failed || number > UINT32_MAX || length == 0)
		return -EINVAL;
	name.file = lp_io_build_file(native->build, path, length);
	if (name.file == LP_NAME_NONE ||
	    lp_grow(&native->names, &native->name_capacity, native->n_names + 1,
		    sizeof(name)) < 0)
		return -ENOMEM;
	native->names[native->n_names++] = name;
	return 0;
}

static int read_task(struct native *native)
{
	uint64_t process = lp_cursor_varint(&native->at);
	uint64_t thread = lp_cursor_varint(&native->at);

	if (native->at.failed || process > INT64_MAX || thread > INT64_MAX)
		return -EINVAL;
	native->task = lp_io_build_task(native->build, (int64_t)process,
					(int64_t)thread);
	return native->task == LP_NAME_NONE ? -ENOMEM : 0;
}

static int read_lost(struct native *native)
{
	uint64_t *lost = &native->build->trace.n_lost;
	uint64_t n = lp_cursor_varint(&native->at);

	*lost = n > UINT64_MAX - *lost ? UINT64_MAX : *lost + n;
	return native->at.failed ? -EINVAL : 0;
}

/* A varint that must be a time or a span: below 2^62. */
static int64_t read_span(struct lp_cursor *at)
{
	uint64_t v = lp_cursor_varint(at);

	at->failed |= v >> 62 != 0;
	return (int64_t)v;
}

static int read_operation(struct native *native, uint8_t tag)
{
	struct lp_io_operation op = { .kind = tag & LP_IO_TAG_KIND,
				      .task = native->task };
	struct lp_io_state *state = &native->state;
	struct lp_cursor *at = &native->at;
	struct lp_io_expect *slot;
	int64_t gap;

	if (tag & LP_IO_TAG_FILE)
		state->file = (uint32_t)lp_cursor_varint(at);
	op.file = state->file;
	slot = lp_io_expect(state, op.file);
	op.offset = slot->next;
	if (tag & LP_IO_TAG_OFFSET)
		op.offset =
			(int64_t)((uint64_t)slot->next +
				  (uint64_t)lp_unzigzag(lp_cursor_varint(at)));
	op.size = tag & LP_IO_TAG_SIZE ? lp_unzigzag(lp_cursor_varint(at))
				       : slot->size;
	op.result = tag & LP_IO_TAG_RESULT ? lp_unzigzag(lp_cursor_varint(at))
					   : op.size;
	gap = read_span(at);
	op.duration_ns = read_span(at);
	if (at->failed || op.kind >= LP_IO_KINDS || op.offset < -1 ||
	    op.size < 0 ||
	    __builtin_add_overflow(state->last_ns, gap, &op.start_ns) ||
	    __builtin_add_overflow(op.start_ns, op.duration_ns,
				   &state->last_ns))
		return -EINVAL;
	lp_io_expect_move(slot, op.offset, op.size, op.result);
	return lp_io_build_add(native->build, &op);
}

static int read_record(struct native *native)
{
	uint8_t tag = lp_cursor_u8(&native->at);

	switch (tag) {
	case LP_IO_TAG_NAME:
		return read_name(native);
	case LP_IO_TAG_TASK:
		return read_task(native);
	case LP_IO_TAG_LOST:
		return read_lost(native);
	default:
		return read_operation(native, tag);
	}
}

/* Blocks. */

static int read_records(struct native *native, const struct lp_io_block *block,
			const uint8_t *records)
{
	native->state = (struct lp_io_state){ .last_ns = block->base_ns };
	native->at = (struct lp_cursor){ .at = records,
					 .end = records + block->used };
	native->task =
		lp_io_build_task(native->build, block->process, block->thread);
	if (native->task == LP_NAME_NONE)
		return -ENOMEM;
	while (native->at.at < native->at.end) {
		const uint8_t *begin = native->at.at;
		int status = read_record(native);

		if (status == -ENOMEM)
			return status;
		if (status < 0) {
			lp_io_build_damage(native->build,
					   (uint64_t)(begin - native->bytes),
					   "no record of an operation");
			return 0;
		}
	}
	return 0;
}

static bool block_is_sane(const struct lp_io_block *block, size_t left)
{
	return block->magic == LP_IO_BLOCK_MAGIC &&
	       block->capacity >= sizeof(*block) && block->capacity <= left &&
	       block->capacity % 8 == 0 &&
	       block->used <= block->capacity - sizeof(*block) &&
	       block->base_ns >= 0;
}

/* Where the search for the next block goes on; 0: out of memory. */
static size_t read_block(struct native *native, size_t offset)
{
	const uint8_t *bytes = native->bytes + offset;
	struct lp_io_block block;

	memcpy(&block, bytes, sizeof(block));
	/* Given out, but nothing was written there yet. */
	if (block.magic == 0)
		return offset + 8;
	if (!block_is_sane(&block, native->n - offset)) {
		lp_io_build_damage(native->build, offset, "no block begins");
		return offset + 8;
	}
	if (block.closed && lp_crc32c(0, bytes + LP_IO_BLOCK_CRC_FROM,
				      sizeof(block) - LP_IO_BLOCK_CRC_FROM +
					      block.used) != block.crc) {
		lp_io_build_damage(native->build, offset,
				   "the block's checksum differs");
		return offset + block.capacity;
	}
	if (read_records(native, &block, bytes + sizeof(block)) < 0)
		return 0;
	return offset + block.capacity;
}

/* The next place that could be a block. */
static size_t find_magic(const struct native *native, size_t offset)
{
	while (offset + sizeof(struct lp_io_block) <= native->n &&
	       lp_load_u32(native->bytes + offset) != LP_IO_BLOCK_MAGIC)
		offset += 8;
	return offset;
}

static int read_blocks(struct native *native, size_t offset,
		       struct lp_error *err)
{
	while (native->n - offset >= sizeof(struct lp_io_block)) {
		size_t next = read_block(native, offset);

		if (next == 0)
			return lp_fail_memory(err);
		offset = find_magic(native, next);
		if (offset > native->n)
			break;
	}
	return 0;
}

/* Numbers of files become indices. */

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* A file whose name stood in a block that is lost. */
static uint32_t nameless(struct native *native, uint32_t number)
{
	char text[48];
	int n = snprintf(text, sizeof(text), "(file %u, name lost)", number);

	return lp_io_build_file(native->build, text, (size_t)n);
}

static uint32_t file_of(struct native *native, uint32_t number)
{
	struct name key = { .number = number }, *found = NULL;

	if (native->n_names > 0)
		found = bsearch(&key, native->names, native->n_names,
				sizeof(key), compare_names);
	return found ? found->file : nameless(native, number);
}

static int resolve_files(struct native *native, struct lp_error *err)
{
	struct lp_io_trace *trace = &native->build->trace;
	uint32_t number = 0, file = LP_NAME_NONE;

	if (native->n_names > 0)
		qsort(native->names, native->n_names, sizeof(*native->names),
		      compare_names);
	for (size_t i = 0; i < trace->n_operations; i++) {
		struct lp_io_operation *op = &trace->operation[i];

		if (file == LP_NAME_NONE || op->file != number) {
			number = op->file;
			file = file_of(native, number);
			if (file == LP_NAME_NONE)
				return lp_fail_memory(err);
		}
		op->file = file;
	}
	return 0;
}

static int refuse_rubbish(const struct native *native, struct lp_error *err)
{
	const struct lp_io_trace *trace = &native->build->trace;

	if (trace->n_operations > 0 || trace->n_damaged == 0)
		return 0;
	return lp_fail(
		err, EINVAL, "%s: offset %zu: %s, and no operation can be read",
		native->name, (size_t)trace->damage_offset, trace->damage);
}

int lp_io_native_parse(const char *name, const uint8_t *bytes, size_t n,
		       struct lp_io_trace **trace, struct lp_error *err)
{
	struct native native = { .name = name, .bytes = bytes, .n = n };
	struct lp_io_header header = { 0 };
	int status;

	native.build = lp_io_build_new();
	if (!native.build)
		return lp_fail_memory(err);
	status = read_header(&native, &header, err);
	if (status == 0)
		status = read_blocks(&native, header.header_bytes, err);
	if (status == 0)
		status = resolve_files(&native, err);
	if (status == 0)
		status = refuse_rubbish(&native, err);
	free(native.names);
	if (status < 0) {
		lp_io_trace_free(&native.build->trace);
		return status;
	}
	return lp_io_build_finish(native.build, trace, err);
}
