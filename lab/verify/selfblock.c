/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/selfblock.h"

#include "base/crc32c.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define SECTOR 512
#define SECTORS (LAB_SELFBLOCK / SECTOR)
#define MAGIC UINT32_C(0x4b4c504c) /* "LPLK" */
#define CRC_AT (LAB_SELFBLOCK - 4)

struct head {
	uint32_t magic;
	struct lab_selfblock is;
};

static const char *const words[] = {
	[LAB_IS_OK] = "ok",
	[LAB_IS_READ_ONLY] = "read-only",
	[LAB_IS_NO_SPACE] = "no space",
	[LAB_IS_INVALID] = "invalid argument",
	[LAB_IS_STALE] = "stale file",
	[LAB_IS_NO_FILE] = "no such file",
	[LAB_IS_UNREACHED] = "communication error",
	[LAB_IS_IO_ERROR] = "I/O error",
	[LAB_IS_OTHER] = "other error",
	[LAB_IS_MISSING] = "missing",
	[LAB_IS_SHORT] = "short",
	[LAB_IS_OLD] = "old",
	[LAB_IS_ZEROS] = "zeros",
	[LAB_IS_TORN] = "torn",
	[LAB_IS_FOREIGN] = "of another file",
	[LAB_IS_CORRUPT] = "corrupt",
	[LAB_IS_LOST] = "lost",
	[LAB_IS_ABORTED] = "aborted",
	[LAB_IS_HANG] = "hang",
};

const char *lab_verdict_word(enum lab_verdict verdict)
{
	return words[verdict];
}

enum lab_verdict lab_verdict_find(const char *word)
{
	int i = 0;

	while (i < LAB_VERDICTS && strcmp(words[i], word) != 0)
		i++;
	return (enum lab_verdict)i;
}

enum lab_verdict lab_verdict_of_errno(int code)
{
	switch (code) {
	case 0:
		return LAB_IS_OK;
	case EIO:
		return LAB_IS_IO_ERROR;
	case EROFS:
		return LAB_IS_READ_ONLY;
	case ENOSPC:
	case EDQUOT:
		return LAB_IS_NO_SPACE;
	case EINVAL:
		return LAB_IS_INVALID;
	case ESTALE:
		return LAB_IS_STALE;
	case ENOENT:
		return LAB_IS_NO_FILE;
	case ENOTCONN:
	case ECONNABORTED:
	case ECONNRESET:
	case ECONNREFUSED:
	case ETIMEDOUT:
	case EHOSTDOWN:
	case EHOSTUNREACH:
	case ENETUNREACH:
	case EPIPE:
		return LAB_IS_UNREACHED;
	default:
		return LAB_IS_OTHER;
	}
}

/* ---- making ---- */

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

void lab_selfblock_make(unsigned char bytes[LAB_SELFBLOCK],
			const struct lab_selfblock *is)
{
	const struct head head = { MAGIC, *is };
	uint64_t x = ((uint64_t)is->file << 32 | is->number) * 2 + 1 +
		     ((uint64_t)is->generation << 20);
	uint32_t crc;

	for (size_t i = 0; i < LAB_SELFBLOCK; i += sizeof(x)) {
		next(&x);
		memcpy(bytes + i, &x, sizeof(x));
	}
	for (size_t i = 0; i < SECTORS; i++)
		memcpy(bytes + i * SECTOR, &head, sizeof(head));
	crc = lp_crc32c(0, bytes, CRC_AT);
	memcpy(bytes + CRC_AT, &crc, sizeof(crc));
}

/* ---- checking ---- */

static struct head head_of(const unsigned char *bytes, size_t sector)
{
	struct head head;

	memcpy(&head, bytes + sector * SECTOR, sizeof(head));
	return head;
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
}

/* Sectors of different writes, or of a write and nothing. */
static bool is_torn(const unsigned char *bytes)
{
	const struct head first = head_of(bytes, 0);

	for (size_t i = 1; i < SECTORS; i++) {
		const struct head head = head_of(bytes, i);

		if (memcmp(&head, &first, sizeof(head)) != 0 &&
		    (head.magic == MAGIC ||
		     is_zero(bytes + i * SECTOR, SECTOR)) &&
		    (first.magic == MAGIC || is_zero(bytes, SECTOR)))
			return true;
	}
	return false;
}

enum lab_verdict lab_selfblock_check(const unsigned char bytes[LAB_SELFBLOCK],
				     const struct lab_selfblock *wanted)
{
	const struct head head = head_of(bytes, 0);
	uint32_t crc;

	memcpy(&crc, bytes + CRC_AT, sizeof(crc));
	if (is_zero(bytes, LAB_SELFBLOCK))
		return LAB_IS_ZEROS;
	if (crc != lp_crc32c(0, bytes, CRC_AT) || head.magic != MAGIC)
		return is_torn(bytes) ? LAB_IS_TORN : LAB_IS_CORRUPT;
	if (head.is.file != wanted->file || head.is.number != wanted->number)
		return LAB_IS_FOREIGN;
	return head.is.generation == wanted->generation ? LAB_IS_OK
							: LAB_IS_OLD;
}
