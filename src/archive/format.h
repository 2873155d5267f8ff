/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of an archive, as limpid-archive(5) draws them. All numbers are
 * little-endian.
 *
 *     file    = head, block, block, ...
 *     head    = 89 'L' 'I' 'M' 'P' 'I' 'D' 0D 0A 1A 0A 00, u32 version
 *     block   = header (64 bytes), payload (a multiple of 8 bytes)
 *
 *  header  0         4    5     6       8              16
 *          +---------+----+-----+-------+--------------+
 *          | "LPBK"  |type|flags|   0   |payload bytes |
 *          +---------+----+-----+-------+--------------+
 *       16 | first time, ns             | last time, ns|
 *          +---------+----------+-------+------+-------+
 *       32 |samples  | directory stored | raw  |   0   |
 *          +---------+----------+-------+------+-------+
 *       48 | values             | payload CRC| head CRC |
 *          +--------------------+------------+----------+
 *
 *     payload of a samples block = directory, frame, frame, ..., zeroes
 *     payload of an inventory, an event or counts = directory, zeroes
 *
 * A directory or a frame is one zstd frame, or plain bytes when its stored
 * length equals its raw length. Decompressed frames, put together, are
 * sections:
 *
 *     section = times | presence of a panel | column of a panel
 *     sections = times, then for each panel its presence and its columns
 *
 * A column section describes all series of the panel:
 *
 *     codes   one byte a series: mode, shift flag, width
 *     scales  one byte a series, for doubles only
 *     heads   for each series that is not absent: varint presence bitmap,
 *             varint shift (if flagged), varint base (unless zero)
 *     planes  all lowest bytes of all series with width >= 1, then all
 *             second bytes of those with width >= 2, ...
 */
#ifndef LP_ARCHIVE_FORMAT_H
#define LP_ARCHIVE_FORMAT_H

#include "base/bytes.h"

#define FILE_HEAD_SIZE 16
#define HEAD_VERSION_AT 12
#define FILE_VERSION 2   /* what is written; all before it are read */
#define MOST_VERSION 255 /* what is larger is damage */
#define BLOCK_HEADER_SIZE 64
#define BLOCK_ALIGN 8
#define BLOCK_MAGIC 0x4b42504cu /* "LPBK" */

enum block_type {
	BLOCK_SAMPLES = 1,
	BLOCK_INVENTORY = 2,
	BLOCK_PROSE = 3, /* an event of version 1 */
	BLOCK_END = 4,   /* the file was closed in order */
	BLOCK_EVENT = 5,
	BLOCK_COUNTS = 6,
};

/* The block is still growing: the writer will replace it. */
#define BLOCK_OPEN 1

/* What a decoder accepts; the writer stays far below. */
#define MAX_PAYLOAD (UINT64_C(1) << 28)
#define MAX_RAW (UINT64_C(1) << 28)          /* directory or all sections */
#define MAX_SAMPLES (UINT32_C(1) << 22)      /* in a block */
#define MAX_CELLS (UINT64_C(1) << 26)        /* decoded values in a block */
#define MAX_VALUES_TABLE (UINT64_C(1) << 24) /* series * columns */
#define MAX_SECTIONS (UINT64_C(1) << 18)     /* bounds classes and columns */
#define MAX_TEXTS (UINT64_C(1) << 22)
/* The writer splits chunks above this many values (32 MiB decoded). */
#define SPLIT_CELLS (UINT64_C(1) << 22)

enum mode {
	MODE_ABSENT = 0, /* no value at all */
	MODE_ZERO = 1,
	MODE_CONSTANT = 2,
	MODE_DELTA = 3,  /* v[i] = v[i-1] + x[i] */
	MODE_ZIGZAG = 4, /* v[i] = v[i-1] + unzigzag(x[i]) */
	MODE_OFFSET = 5, /* v[i] = base + x[i] */
	MODE_XOR = 6,    /* v[i] = v[i-1] ^ x[i] */
	MODES
};

#define CODE_MODE 0x07
#define CODE_SHIFTED 0x08
#define CODE_WIDTH(code) ((unsigned)(code) >> 4)

#define SCALE_BITS 0xff /* the double's own bits */
#define SCALE_MAX 15    /* else the number is an integer / 10^scale */

#define COLUMN_OPTIONAL 1
#define COLUMN_PARTNER 2
#define COLUMN_BOUND 4

struct block_header {
	uint8_t type, flags;
	uint64_t payload; /* bytes */
	int64_t first_ns, last_ns;
	uint32_t n_samples;
	uint32_t directory_stored, directory_raw;
	uint64_t n_values;
	uint32_t payload_crc;
};

extern const uint8_t lp_archive_head[FILE_HEAD_SIZE];

void lp_block_header_pack(const struct block_header *header,
			  uint8_t bytes[BLOCK_HEADER_SIZE]);
/* False: no block header, or one that was damaged. */
bool lp_block_header_unpack(const uint8_t bytes[BLOCK_HEADER_SIZE],
			    struct block_header *header);

/* False: a newer limpid wrote it. */
static inline bool lp_block_known(const struct block_header *header)
{
	return header->type >= BLOCK_SAMPLES && header->type <= BLOCK_COUNTS;
}

static inline uint64_t lp_block_size(const struct block_header *header)
{
	return BLOCK_HEADER_SIZE + header->payload;
}

#endif
