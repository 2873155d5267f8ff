/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/format.h"

#include "archive/archive.h"
#include "base/crc32c.h"

/* As PNG's: a text transfer that changes line ends is noticed at once. */
const uint8_t lp_archive_head[FILE_HEAD_SIZE] = {
	0x89, 'L',  'I',  'M',  'P',          'I', 'D', '\r',
	'\n', 0x1a, '\n', '\0', FILE_VERSION, 0,   0,   0,
};

#define HEAD_MAGIC_SIZE HEAD_VERSION_AT
#define HEADER_CRC_AT 60

bool lp_archive_recognise(const uint8_t *head, size_t n)
{
	return n >= HEAD_MAGIC_SIZE &&
	       memcmp(head, lp_archive_head, HEAD_MAGIC_SIZE) == 0;
}

void lp_block_header_pack(const struct block_header *h,
			  uint8_t bytes[BLOCK_HEADER_SIZE])
{
	memset(bytes, 0, BLOCK_HEADER_SIZE);
	lp_store_u32(bytes, BLOCK_MAGIC);
	bytes[4] = h->type;
	bytes[5] = h->flags;
	lp_store_u64(bytes + 8, h->payload);
	lp_store_u64(bytes + 16, (uint64_t)h->first_ns);
	lp_store_u64(bytes + 24, (uint64_t)h->last_ns);
	lp_store_u32(bytes + 32, h->n_samples);
	lp_store_u32(bytes + 36, h->directory_stored);
	lp_store_u32(bytes + 40, h->directory_raw);
	lp_store_u64(bytes + 48, h->n_values);
	lp_store_u32(bytes + 56, h->payload_crc);
	lp_store_u32(bytes + HEADER_CRC_AT, lp_crc32c(0, bytes, HEADER_CRC_AT));
}

static bool plausible(const struct block_header *h)
{
	return h->payload <= MAX_PAYLOAD && h->payload % BLOCK_ALIGN == 0 &&
	       h->directory_stored <= h->payload &&
	       h->directory_raw <= MAX_RAW && h->n_samples <= MAX_SAMPLES;
}

bool lp_block_header_unpack(const uint8_t bytes[BLOCK_HEADER_SIZE],
			    struct block_header *h)
{
	if (lp_load_u32(bytes) != BLOCK_MAGIC ||
	    lp_load_u32(bytes + HEADER_CRC_AT) !=
		    lp_crc32c(0, bytes, HEADER_CRC_AT))
		return false;
	*h = (struct block_header){
		.type = bytes[4],
		.flags = bytes[5],
		.payload = lp_load_u64(bytes + 8),
		.first_ns = (int64_t)lp_load_u64(bytes + 16),
		.last_ns = (int64_t)lp_load_u64(bytes + 24),
		.n_samples = lp_load_u32(bytes + 32),
		.directory_stored = lp_load_u32(bytes + 36),
		.directory_raw = lp_load_u32(bytes + 40),
		.n_values = lp_load_u64(bytes + 48),
		.payload_crc = lp_load_u32(bytes + 56),
	};
	return plausible(h);
}
