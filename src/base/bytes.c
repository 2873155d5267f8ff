/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include "base/memory.h"

#include <stdlib.h>

uint8_t *lp_buffer_extend(struct lp_buffer *buffer, size_t n)
{
	uint8_t *room;

	if (buffer->failed || n > SIZE_MAX / 2 - buffer->size ||
	    (n > buffer->capacity - buffer->size &&
	     lp_grow(&buffer->data, &buffer->capacity, buffer->size + n, 1) <
		     0)) {
		buffer->failed = true;
		return NULL;
	}
	room = buffer->data + buffer->size;
	buffer->size += n;
	return room;
}

void lp_buffer_put(struct lp_buffer *buffer, const void *bytes, size_t n)
{
	uint8_t *room = lp_buffer_extend(buffer, n);

	if (room && n)
		memcpy(room, bytes, n);
}

void lp_buffer_u32(struct lp_buffer *buffer, uint32_t v)
{
	v = htole32(v);
	lp_buffer_put(buffer, &v, sizeof(v));
}

void lp_buffer_u64(struct lp_buffer *buffer, uint64_t v)
{
	v = htole64(v);
	lp_buffer_put(buffer, &v, sizeof(v));
}

void lp_buffer_long_varint(struct lp_buffer *buffer, uint64_t v)
{
	uint8_t *room = lp_buffer_extend(buffer, 10);
	size_t n = 0;

	if (!room)
		return;
	while (v >= 0x80) {
		room[n++] = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	room[n++] = (uint8_t)v;
	buffer->size -= 10 - n;
}

void lp_buffer_string(struct lp_buffer *buffer, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	lp_buffer_varint(buffer, n);
	lp_buffer_put(buffer, text, n);
}

void lp_buffer_done(struct lp_buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct lp_buffer){ 0 };
}

const uint8_t *lp_cursor_take(struct lp_cursor *cursor, size_t n)
{
	const uint8_t *bytes = cursor->at;

	if (cursor->failed || n > lp_cursor_left(cursor)) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += n;
	return bytes;
}

uint8_t lp_cursor_u8(struct lp_cursor *cursor)
{
	const uint8_t *byte = lp_cursor_take(cursor, 1);

	return byte ? *byte : 0;
}

uint32_t lp_cursor_u32(struct lp_cursor *cursor)
{
	const uint8_t *bytes = lp_cursor_take(cursor, 4);

	return bytes ? lp_load_u32(bytes) : 0;
}

uint64_t lp_cursor_u64(struct lp_cursor *cursor)
{
	const uint8_t *bytes = lp_cursor_take(cursor, 8);

	return bytes ? lp_load_u64(bytes) : 0;
}

uint64_t lp_cursor_varint(struct lp_cursor *cursor)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = lp_cursor_u8(cursor);

		/* The tenth byte has room for one bit only. */
		if (cursor->failed || (shift == 63 && byte > 1))
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	cursor->failed = true;
	return 0;
}

const char *lp_cursor_string(struct lp_cursor *cursor, size_t *n)
{
	uint64_t length = lp_cursor_varint(cursor);
	const uint8_t *bytes;

	bytes = length > lp_cursor_left(cursor)
			? NULL
			: lp_cursor_take(cursor, (size_t)length);
	if (!bytes) {
		cursor->failed = true;
		*n = 0;
		return NULL;
	}
	*n = (size_t)length;
	return (const char *)bytes;
}
