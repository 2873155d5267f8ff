/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/scan.h"

#include "archive/archive.h"
#include "base/crc32c.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_ATTEMPTS 4
#define RESYNC_WINDOW ((size_t)1 << 18)

/* n bytes at `at`, or fewer where the file ends. */
static ssize_t read_at(const struct scan *scan, uint8_t *bytes, size_t n,
		       uint64_t at, struct lp_error *err)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(scan->fd, bytes + done, n - done,
				    (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lp_fail_errno(err, errno, "%s: cannot read",
					     scan->path);
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static int file_size(struct scan *scan, struct lp_error *err)
{
	struct stat st;

	if (fstat(scan->fd, &st) < 0)
		return lp_fail_errno(err, errno, "%s", scan->path);
	if (S_ISDIR(st.st_mode))
		return lp_fail(err, EISDIR,
			       "%s is a directory; name its files, %s/*.limpid",
			       scan->path, scan->path);
	if (!S_ISREG(st.st_mode))
		return lp_fail(err, EINVAL,
			       "%s: an archive must be a file, not a pipe or a "
			       "device; save it to a file first",
			       scan->path);
	scan->size = (uint64_t)st.st_size;
	return 0;
}

int lp_scan_head(struct scan *scan, struct lp_error *err)
{
	uint8_t head[FILE_HEAD_SIZE];
	ssize_t n = read_at(scan, head, sizeof(head), 0, err);
	uint32_t version;

	if (n < 0)
		return (int)n;
	if (n == 0)
		return lp_fail(err, EBADMSG, "%s: the file is empty",
			       scan->path);
	version = n < FILE_HEAD_SIZE ? 0 : lp_load_u32(head + HEAD_VERSION_AT);
	if (version == 0 || version > MOST_VERSION ||
	    !lp_archive_recognise(head, sizeof(head)))
		return lp_fail(err, EBADMSG,
			       "%s: not a limpid archive (or its first bytes "
			       "are damaged: 'limpid archive repair' saves "
			       "the rest)",
			       scan->path);
	if (version > FILE_VERSION)
		return lp_fail(err, ENOTSUP,
			       "%s: an archive of format version %" PRIu32
			       ", written by a newer limpid; this one reads "
			       "versions up to %d",
			       scan->path, version, FILE_VERSION);
	return 0;
}

static int adopt(struct scan *scan, int fd, const char *path,
		 struct lp_error *err)
{
	int code;

	*scan = (struct scan){ .fd = fd, .path = strdup(path) };
	scan->at = FILE_HEAD_SIZE;
	code = scan->path ? file_size(scan, err) : lp_fail_memory(err);
	if (code < 0)
		lp_scan_close(scan);
	return code;
}

int lp_scan_open_fd(struct scan *scan, int fd, const char *path,
		    struct lp_error *err)
{
	int code = adopt(scan, fd, path, err);

	if (code == 0)
		code = lp_scan_head(scan, err);
	if (code < 0)
		lp_scan_close(scan);
	return code;
}

int lp_scan_open_any(struct scan *scan, const char *path, struct lp_error *err)
{
	/* Without O_NONBLOCK a pipe would keep us waiting. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*scan = (struct scan){ .fd = -1 };
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	return adopt(scan, fd, path, err);
}

int lp_scan_open(struct scan *scan, const char *path, struct lp_error *err)
{
	int code = lp_scan_open_any(scan, path, err);

	if (code == 0)
		code = lp_scan_head(scan, err);
	if (code < 0)
		lp_scan_close(scan);
	return code;
}

void lp_scan_close(struct scan *scan)
{
	if (scan->fd >= 0)
		close(scan->fd);
	free(scan->path);
	*scan = (struct scan){ .fd = -1 };
}

int lp_scan_header(struct scan *scan, struct block_header *header,
		   struct lp_error *err)
{
	uint8_t bytes[BLOCK_HEADER_SIZE];
	ssize_t n = read_at(scan, bytes, sizeof(bytes), scan->at, err);

	if (n < 0)
		return (int)n;
	if (n == 0)
		return SCAN_EOF;
	if (n < BLOCK_HEADER_SIZE || !lp_block_header_unpack(bytes, header))
		return SCAN_HEADER;
	if (lp_block_size(header) > scan->size - scan->at) {
		/* A recorder may have gone on since we opened the file. */
		int code = file_size(scan, err);

		if (code < 0)
			return code;
	}
	if (scan->at > scan->size ||
	    lp_block_size(header) > scan->size - scan->at)
		return SCAN_SHORT;
	return SCAN_BLOCK;
}

static int block_once(struct scan *scan, struct block *block,
		      struct lp_buffer *payload, struct lp_error *err)
{
	int found = lp_scan_header(scan, &block->header, err);
	size_t n = block->header.payload;
	ssize_t got;

	if (found != SCAN_BLOCK)
		return found;
	payload->size = 0;
	if (n && !lp_buffer_extend(payload, n)) {
		payload->failed = false;
		return lp_fail_memory(err);
	}
	got = read_at(scan, payload->data, n, scan->at + BLOCK_HEADER_SIZE,
		      err);
	if (got < 0)
		return (int)got;
	if ((size_t)got < n)
		return SCAN_SHORT;
	block->payload = payload->data;
	return lp_crc32c(0, payload->data, n) == block->header.payload_crc
		       ? SCAN_BLOCK
		       : SCAN_PAYLOAD;
}

int lp_scan_block(struct scan *scan, struct block *block,
		  struct lp_buffer *payload, struct lp_error *err)
{
	int found = SCAN_EOF;

	*block = (struct block){ 0 };
	for (int i = 0; i < TAIL_ATTEMPTS; i++) {
		found = block_once(scan, block, payload, err);
		if (found == SCAN_BLOCK || found == SCAN_EOF || found < 0)
			break;
	}
	return found;
}

/* The first good header among the bytes, or n. */
static size_t find_header(const uint8_t *bytes, size_t n)
{
	uint8_t magic[4];
	struct block_header header;
	size_t i = 0;

	lp_store_u32(magic, BLOCK_MAGIC);
	while (n - i >= BLOCK_HEADER_SIZE) {
		const uint8_t *p =
			memmem(bytes + i, n - i, magic, sizeof(magic));

		if (!p)
			break;
		i = (size_t)(p - bytes);
		if (n - i < BLOCK_HEADER_SIZE)
			break;
		if (lp_block_header_unpack(p, &header))
			return i;
		i++;
	}
	return n;
}

int lp_scan_resync(struct scan *scan, uint64_t from, uint64_t *found,
		   struct lp_error *err)
{
	lp_auto_free uint8_t *window = malloc(RESYNC_WINDOW);

	if (!window)
		return lp_fail_memory(err);
	for (uint64_t at = from; at < scan->size;
	     at += RESYNC_WINDOW - BLOCK_HEADER_SIZE) {
		ssize_t n = read_at(scan, window, RESYNC_WINDOW, at, err);
		size_t i;

		if (n < 0)
			return (int)n;
		i = find_header(window, (size_t)n);
		if (i < (size_t)n) {
			*found = at + i;
			return 0;
		}
	}
	*found = scan->size;
	return 0;
}

static void count_lost(struct scan *scan, uint64_t at)
{
	if (scan->n_lost++ == 0)
		scan->first_lost = at;
	if (scan->n_lost == 1)
		snprintf(scan->lost, sizeof(scan->lost),
			 "1 damaged block at offset %" PRIu64 " was left out",
			 at);
	else
		snprintf(scan->lost, sizeof(scan->lost),
			 "%" PRIu64 " damaged blocks were left out, the first "
			 "at offset %" PRIu64,
			 scan->n_lost, scan->first_lost);
}

/* What a crash left or a copy that was cut off: no block follows. */
static void count_cut(struct scan *scan)
{
	if (scan->n_lost++ == 0)
		snprintf(scan->lost, sizeof(scan->lost),
			 "cut off: the file ends within the block at offset "
			 "%" PRIu64,
			 scan->at);
}

const char *lp_scan_lost(const struct scan *scan)
{
	return scan->n_lost ? scan->lost : NULL;
}

/* 0 where the scan is tolerant, and it is counted; else the error for it. */
static int damaged(struct scan *scan, uint64_t at, const char *why,
		   struct lp_error *err)
{
	if (scan->tolerant) {
		count_lost(scan, at);
		return 0;
	}
	return lp_fail(err, EBADMSG,
		       "%s: the block at offset %" PRIu64
		       " is damaged (%s); 'limpid archive repair' saves the "
		       "others",
		       scan->path, at, why);
}

int lp_scan_refused(struct scan *scan, uint64_t at, int code, const char *why,
		    struct lp_error *err)
{
	if (code == -EBADMSG)
		return damaged(scan, at, why, err);
	if (code != -ENOTSUP)
		return lp_fail_memory(err);
	scan->n_skipped++;
	return 0;
}

/*
 * Something at scan->at is no sound block. With good blocks behind it, it is
 * damage; without, it is what a crash left or a recorder is writing. Behind a
 * block that was growing we are within a longer one that took its place.
 * 1: it was passed over; 0: the end; below 0: the error.
 */
static int bad_or_end(struct scan *scan, int found, struct lp_error *err)
{
	static const char *const why[] = {
		[SCAN_HEADER] = "its header",
		[SCAN_SHORT] = "it is cut off",
		[SCAN_PAYLOAD] = "its checksum differs",
	};
	uint64_t next;
	int code;

	if (scan->behind_open)
		return 0;
	code = lp_scan_resync(scan, scan->at + 1, &next, err);
	if (code < 0)
		return code;
	if (next >= scan->size) {
		count_cut(scan);
		return 0;
	}
	code = damaged(scan, scan->at, why[found], err);
	if (code < 0)
		return code;
	scan->at = next;
	return 1;
}

static bool wanted(const struct block_header *h, const struct lp_query *query)
{
	if (h->type == BLOCK_SAMPLES || h->type == BLOCK_COUNTS)
		return lp_query_wants_span(query, h->first_ns, h->last_ns);
	/* Identities and boots matter to samples of any time. */
	return h->type == BLOCK_INVENTORY || h->type == BLOCK_EVENT ||
	       h->type == BLOCK_PROSE;
}

int lp_scan_next(struct scan *scan, const struct lp_query *query,
		 struct block *block, struct lp_buffer *payload,
		 struct lp_error *err)
{
	for (;;) {
		struct block_header header;
		int found = lp_scan_header(scan, &header, err);

		if (found == SCAN_BLOCK && !wanted(&header, query)) {
			scan->n_skipped += !lp_block_known(&header);
			lp_scan_skip(scan, &header);
			continue;
		}
		if (found >= 0)
			found = lp_scan_block(scan, block, payload, err);
		if (found <= 0)
			return found;
		if (found != SCAN_BLOCK) {
			found = bad_or_end(scan, found, err);
			if (found <= 0)
				return found;
			continue;
		}
		lp_scan_skip(scan, &block->header);
		return 1;
	}
}
