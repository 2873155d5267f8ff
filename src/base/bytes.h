/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes in files: little-endian numbers, varints, and a growing buffer.
 */
#ifndef LP_BASE_BYTES_H
#define LP_BASE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t lp_load_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t lp_load_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void lp_store_u32(void *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void lp_store_u64(void *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

/* Signed numbers near 0, of either sign, become small unsigned ones. */
static inline uint64_t lp_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t lp_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static inline uint64_t lp_double_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static inline double lp_bits_double(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/*
 * A growing buffer. Zero-initialise to begin. When memory runs out `failed`
 * is set, further puts do nothing, and the user checks once at the end.
 */
struct lp_buffer {
	uint8_t *data;
	size_t size, capacity;
	bool failed;
};

void lp_buffer_put(struct lp_buffer *buffer, const void *bytes, size_t n);
static inline void lp_buffer_u8(struct lp_buffer *buffer, uint8_t v)
{
	if (buffer->size < buffer->capacity && !buffer->failed)
		buffer->data[buffer->size++] = v;
	else
		lp_buffer_put(buffer, &v, 1);
}
void lp_buffer_u32(struct lp_buffer *buffer, uint32_t v);
void lp_buffer_u64(struct lp_buffer *buffer, uint64_t v);
/* LEB128: seven bits a byte, low ones first, at most ten bytes. */
void lp_buffer_long_varint(struct lp_buffer *buffer, uint64_t v);
static inline void lp_buffer_varint(struct lp_buffer *buffer, uint64_t v)
{
	if (v < 0x80)
		lp_buffer_u8(buffer, (uint8_t)v);
	else
		lp_buffer_long_varint(buffer, v);
}
/* A varint length and the bytes. NULL is written as "". */
void lp_buffer_string(struct lp_buffer *buffer, const char *text);
/* n bytes to be written by the caller, or NULL. */
uint8_t *lp_buffer_extend(struct lp_buffer *buffer, size_t n);
void lp_buffer_done(struct lp_buffer *buffer);

/*
 * A cursor over bytes that cannot be trusted: a read past the end sets
 * `failed` and gives 0; the user checks once at the end of a part.
 */
struct lp_cursor {
	const uint8_t *at, *end;
	bool failed;
};

static inline size_t lp_cursor_left(const struct lp_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* n bytes in place, or NULL. */
const uint8_t *lp_cursor_take(struct lp_cursor *cursor, size_t n);
uint8_t lp_cursor_u8(struct lp_cursor *cursor);
uint32_t lp_cursor_u32(struct lp_cursor *cursor);
uint64_t lp_cursor_u64(struct lp_cursor *cursor);
uint64_t lp_cursor_varint(struct lp_cursor *cursor);
/* Bytes of a string in place, not terminated; NULL at failure. */
const char *lp_cursor_string(struct lp_cursor *cursor, size_t *n);

#endif
