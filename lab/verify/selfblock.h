/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of 4 KiB that say what they are, so that a reader can tell what it got
 * instead of what it wanted:
 *
 *     each sector of 512 bytes    magic, file, number, generation (4 bytes
 *                                 each), then bytes made from these
 *     the last 4 bytes            CRC32C of all before them
 *
 * The sectors' heads tell a block of which a part was written (torn) from one
 * in which a bit changed (corrupt).
 */
#ifndef LAB_VERIFY_SELFBLOCK_H
#define LAB_VERIFY_SELFBLOCK_H

#include <stddef.h>
#include <stdint.h>

#define LAB_SELFBLOCK 4096

/* What a block says it is. */
struct lab_selfblock {
	uint32_t file, number, generation;
};

/* What became of a file, a block or a call; the worse, the later. */
enum lab_verdict {
	LAB_IS_OK,
	LAB_IS_READ_ONLY, /* EROFS */
	LAB_IS_NO_SPACE,  /* ENOSPC, EDQUOT */
	LAB_IS_INVALID,   /* EINVAL */
	LAB_IS_STALE,     /* ESTALE */
	LAB_IS_NO_FILE,   /* ENOENT where a file is made */
	LAB_IS_UNREACHED, /* ENOTCONN, ETIMEDOUT and their like */
	LAB_IS_IO_ERROR,  /* EIO */
	LAB_IS_OTHER,     /* any other errno */
	LAB_IS_MISSING,   /* no file of that name */
	LAB_IS_SHORT,     /* it ends too early */
	LAB_IS_OLD,       /* an earlier generation */
	LAB_IS_ZEROS,
	LAB_IS_TORN,
	LAB_IS_FOREIGN, /* of another file, or of another place in it */
	LAB_IS_CORRUPT,
	LAB_IS_LOST,    /* it was synced, and is not there */
	LAB_IS_ABORTED, /* the process that worked was ended */
	LAB_IS_HANG,    /* it did not end within its limit */
	LAB_VERDICTS
};

/* "of another file" */
const char *lab_verdict_word(enum lab_verdict verdict);
/* LAB_VERDICTS: there is no such word. */
enum lab_verdict lab_verdict_find(const char *word);
enum lab_verdict lab_verdict_of_errno(int code);

void lab_selfblock_make(unsigned char bytes[LAB_SELFBLOCK],
			const struct lab_selfblock *is);
/* Of the bytes that stand where `wanted` should. */
enum lab_verdict lab_selfblock_check(const unsigned char bytes[LAB_SELFBLOCK],
				     const struct lab_selfblock *wanted);

#endif
