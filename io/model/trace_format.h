/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a trace, limpid-io-trace(5), and how operations become bytes.
 * The preload library includes this file and nothing of liblimpid: everything
 * is inline, nothing allocates, nothing calls the C library but memcpy.
 *
 *      0 +----------------------+
 *        | header, host, command|  lp_io_header
 *   4096 +----------------------+  (a finished trace: right behind it)
 *        | block of one thread  |  lp_io_block, then records
 *        +----------------------+
 *        | block of any thread  |
 *        +----------------------+
 *
 * A record of an operation:
 *
 *     tag | file | offset | size | result | gap | duration
 *      1     |       |       |       |
 *            +-------+-------+-------+-- only if the tag says so
 */
#ifndef LP_IO_MODEL_TRACE_FORMAT_H
#define LP_IO_MODEL_TRACE_FORMAT_H

#include "base/bytes.h"
#include "io/model/operation.h"

#define LP_IO_MAGIC "LIMPIDIO"
#define LP_IO_MAGIC_BYTES 8
#define LP_IO_VERSION 1u
#define LP_IO_BLOCK_MAGIC 0x424f494cu /* "LIOB" */
#define LP_IO_TRACE_PAGE 4096u
#define LP_IO_STRINGS 192u /* where host and command stand in the header */

enum lp_io_clock_kind {
	LP_IO_CLOCK_SYSTEM = 0, /* clock_gettime(CLOCK_MONOTONIC) */
	LP_IO_CLOCK_TSC = 1,    /* the processor's time stamp counter */
};

/*
 * At the beginning of the file, little-endian. While programs write, the
 * counters change in place; a finished trace has all of it final.
 */
struct lp_io_header {
	char magic[LP_IO_MAGIC_BYTES];
	uint32_t version;
	uint32_t header_bytes; /* the first block stands there */
	uint32_t crc;          /* of what follows, without the counters */
	uint32_t finished;     /* 1: by a writer that came to its end */
	int64_t start_ns;      /* since the epoch */
	int64_t clock_ns;
	uint32_t clock;      /* enum lp_io_clock_kind */
	uint32_t tick_shift; /* ns = ticks * tick_factor >> tick_shift */
	uint64_t tick_factor;
	uint64_t tick_zero; /* the clock at start_ns */
	uint64_t limit;     /* of the file's size while it is written */
	uint32_t host_bytes;
	uint32_t command_bytes;
	/* What the kernel counted until the program's end: /proc/PID/io. */
	uint32_t account; /* 1: it is known */
	uint32_t reserved_account;
	uint64_t rchar, wchar, read_bytes, write_bytes;
	uint64_t reserved;
	/* Counters: not in the checksum. */
	uint64_t claimed;   /* bytes of the file that are given out */
	uint64_t lost;      /* operations that found no room */
	uint32_t next_file; /* number for the next file; begins at 1 */
	uint32_t record_ns; /* what recording one operation costs; 0: unknown */
	/* See struct lp_io_account; 0 in traces of limpid 0.1.0. */
	uint64_t passed_read, passed_written, refill, aio_bytes;
	uint32_t rings;
	uint32_t reserved_counter;
};
_Static_assert(sizeof(struct lp_io_header) == LP_IO_STRINGS, "drawn so");
#define LP_IO_COUNTERS offsetof(struct lp_io_header, claimed)
#define LP_IO_CRC_FROM offsetof(struct lp_io_header, finished)

struct lp_io_block {
	uint32_t magic;
	uint32_t crc;      /* of all that follows it; once closed */
	uint32_t capacity; /* of the block, header included */
	uint32_t used;     /* bytes of records, right behind this header */
	uint32_t closed;   /* 1: the checksum is there */
	uint32_t reserved;
	int64_t base_ns; /* the first gap begins here */
	int64_t process, thread;
};
_Static_assert(sizeof(struct lp_io_block) == 48, "drawn so");
#define LP_IO_BLOCK_CRC_FROM offsetof(struct lp_io_block, capacity)

/* The tag: the kind, and what differs from what was to be expected. */
#define LP_IO_TAG_KIND 0x0fu
#define LP_IO_TAG_FILE 0x10u   /* another file than before */
#define LP_IO_TAG_OFFSET 0x20u /* not where the file's last one ended */
#define LP_IO_TAG_SIZE 0x40u   /* not of the file's last size */
#define LP_IO_TAG_RESULT 0x80u /* not all of what was asked for */

/* Tags of what is no operation: kind 15. */
#define LP_IO_TAG_NAME 0x1fu /* number, length, path */
#define LP_IO_TAG_TASK 0x2fu /* process, thread: of what follows */
#define LP_IO_TAG_LOST 0x3fu /* number of operations not kept */

/* No record of an operation is longer: a tag and six varints. */
#define LP_IO_RECORD_MAX 64u

/* What the last operation on a file was like; files share slots. */
#define LP_IO_SLOTS 16u
struct lp_io_expect {
	int64_t next; /* where the next one is expected */
	int64_t size;
};

/* What encoder and decoder both know; zero at the begin of a block. */
struct lp_io_state {
	int64_t last_ns; /* the end of the last operation; first base_ns */
	uint32_t file;
	struct lp_io_expect slot[LP_IO_SLOTS];
};

static inline uint8_t *lp_io_put_varint(uint8_t *at, uint64_t v)
{
	while (v >= 0x80) {
		*at++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*at++ = (uint8_t)v;
	return at;
}

static inline struct lp_io_expect *lp_io_expect(struct lp_io_state *state,
						uint32_t file)
{
	return &state->slot[file % LP_IO_SLOTS];
}

/* Where the next operation on a file begins, if it goes on. */
static inline void lp_io_expect_move(struct lp_io_expect *slot, int64_t offset,
				     int64_t size, int64_t result)
{
	uint64_t step = result > 0 ? (uint64_t)result : 0;

	slot->next = offset < 0 ? LP_IO_NO_OFFSET
				: (int64_t)((uint64_t)offset + step);
	slot->size = size;
}

/*
 * Append an operation, whose file is a number of the trace here, at `at`,
 * where LP_IO_RECORD_MAX bytes must be free; returns the end of it. An
 * operation that begins before the last one of its thread ended (which no
 * clock should say) begins at that end.
 */
static inline uint8_t *lp_io_encode(struct lp_io_state *state, uint8_t *at,
				    const struct lp_io_operation *op)
{
	struct lp_io_expect *slot = lp_io_expect(state, op->file);
	int64_t gap = op->start_ns - state->last_ns;
	uint8_t *tag = at++, bits = op->kind & LP_IO_TAG_KIND;

	if (op->file != state->file) {
		bits |= LP_IO_TAG_FILE;
		at = lp_io_put_varint(at, op->file);
		state->file = op->file;
	}
	if (op->offset != slot->next) {
		bits |= LP_IO_TAG_OFFSET;
		at = lp_io_put_varint(
			at, lp_zigzag((int64_t)((uint64_t)op->offset -
						(uint64_t)slot->next)));
	}
	if (op->size != slot->size) {
		bits |= LP_IO_TAG_SIZE;
		at = lp_io_put_varint(at, lp_zigzag(op->size));
	}
	if (op->result != op->size) {
		bits |= LP_IO_TAG_RESULT;
		at = lp_io_put_varint(at, lp_zigzag(op->result));
	}
	*tag = bits;
	gap = gap < 0 ? 0 : gap;
	at = lp_io_put_varint(at, (uint64_t)gap);
	at = lp_io_put_varint(at, (uint64_t)op->duration_ns);
	state->last_ns += gap + op->duration_ns;
	lp_io_expect_move(slot, op->offset, op->size, op->result);
	return at;
}

/* The bytes that a name's record needs at most. */
static inline size_t lp_io_name_room(size_t length)
{
	return 1 + 5 + 5 + length;
}

static inline uint8_t *lp_io_encode_name(uint8_t *at, uint32_t file,
					 const char *path, size_t length)
{
	*at++ = LP_IO_TAG_NAME;
	at = lp_io_put_varint(at, file);
	at = lp_io_put_varint(at, length);
	memcpy(at, path, length);
	return at + length;
}

/* Ticks of the trace's clock as nanoseconds since its start. */
static inline int64_t lp_io_ticks_ns(const struct lp_io_header *header,
				     uint64_t ticks)
{
	unsigned __int128 wide = ticks - header->tick_zero;

	return (int64_t)(wide * header->tick_factor >> header->tick_shift);
}

#endif
