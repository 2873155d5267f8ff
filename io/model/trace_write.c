/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace_write.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "base/textfile.h"
#include "io/model/trace.h"
#include "io/model/trace_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

const struct lp_outkind lp_outkind_io_trace = {
	.name = "a trace of limpid io",
	.beginnings = (const char *const[]){ LP_IO_MAGIC, NULL },
};

size_t lp_io_header_bytes(struct lp_io_header *header, const char *host,
			  const char *command, uint8_t bytes[LP_IO_HEADER_MAX])
{
	const size_t room = LP_IO_HEADER_MAX - LP_IO_STRINGS;
	uint32_t crc;
	size_t n;

	memcpy(header->magic, LP_IO_MAGIC, LP_IO_MAGIC_BYTES);
	header->version = LP_IO_VERSION;
	header->host_bytes = (uint32_t)strnlen(host, room);
	header->command_bytes =
		(uint32_t)strnlen(command, room - header->host_bytes);
	n = LP_IO_STRINGS + header->host_bytes + header->command_bytes;
	/* What is being written has its blocks on pages. */
	n = header->finished ? (n + 7) / 8 * 8 : LP_IO_TRACE_PAGE;
	header->header_bytes = (uint32_t)n;
	memset(bytes, 0, LP_IO_HEADER_MAX);
	memcpy(bytes, header, sizeof(*header));
	memcpy(bytes + LP_IO_STRINGS, host, header->host_bytes);
	memcpy(bytes + LP_IO_STRINGS + header->host_bytes, command,
	       header->command_bytes);
	crc = lp_crc32c(0, bytes + LP_IO_CRC_FROM,
			LP_IO_COUNTERS - LP_IO_CRC_FROM);
	header->crc = lp_crc32c(crc, bytes + LP_IO_STRINGS, n - LP_IO_STRINGS);
	memcpy(bytes, header, sizeof(*header));
	return n;
}

/* A block with no room left over, and its checksum. */
static void put_block(const uint8_t *bytes, FILE *out)
{
	static const uint8_t zeros[8] = { 0 };
	struct lp_io_block block;
	size_t padding;

	memcpy(&block, bytes, sizeof(block));
	padding = -(sizeof(block) + block.used) % 8;
	block.capacity = (uint32_t)(sizeof(block) + block.used + padding);
	block.closed = 1;
	block.crc = lp_crc32c(0, (uint8_t *)&block + LP_IO_BLOCK_CRC_FROM,
			      sizeof(block) - LP_IO_BLOCK_CRC_FROM);
	block.crc = lp_crc32c(block.crc, bytes + sizeof(block), block.used);
	fwrite(&block, sizeof(block), 1, out);
	fwrite(bytes + sizeof(block), 1, block.used, out);
	fwrite(zeros, 1, padding, out);
}

static void put_header(struct lp_io_header *header, const char *host,
		       const char *command, FILE *out)
{
	uint8_t bytes[LP_IO_HEADER_MAX];

	header->finished = 1;
	fwrite(bytes, 1, lp_io_header_bytes(header, host, command, bytes), out);
}

void lp_io_header_write(struct lp_io_header *header, const char *command,
			FILE *out)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	put_header(header, host, command, out);
}

void lp_io_tape_write(const struct lp_io_tape *tape, FILE *out)
{
	for (size_t i = 0; i < tape->next_block; i++)
		put_block(tape->block[i], out);
}

int lp_io_trace_write(const char *path, struct lp_io_header *header,
		      const char *host, const char *command,
		      struct lp_io_tape *const *tapes, size_t n,
		      struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_create(&file, path, &lp_outkind_io_trace, err);

	if (status < 0)
		return status;
	for (size_t i = 0; i < n; i++)
		header->lost += tapes[i]->lost;
	put_header(header, host, command, file.out);
	for (size_t i = 0; i < n; i++)
		lp_io_tape_write(tapes[i], file.out);
	return lp_outfile_commit(&file, err);
}

/* The file that programs write to. */

int lp_io_trace_create(const char *path, const char *command, uint64_t limit,
		       struct lp_error *err)
{
	struct lp_io_header header = { .limit = limit,
				       .claimed = LP_IO_TRACE_PAGE,
				       .next_file = 1 };
	uint8_t bytes[LP_IO_HEADER_MAX];
	lp_auto_close int fd = -1;
	char host[256] = "";
	size_t n;
	int status;

	status = lp_outfile_check(path, &lp_outkind_io_trace, err);
	if (status < 0)
		return status;
	gethostname(host, sizeof(host) - 1);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return lp_fail_errno(err, errno, "%s: cannot write", path);
	lp_io_clock_choose(&header);
	n = lp_io_header_bytes(&header, host, command, bytes);
	if (pwrite(fd, bytes, n, 0) != (ssize_t)n ||
	    ftruncate(fd, (off_t)limit) < 0) {
		int code = errno;

		unlink(path);
		return lp_fail_errno(err, code, "%s: cannot write", path);
	}
	return 0;
}

static void copy_blocks(const struct lp_text_file *file, size_t offset,
			FILE *out)
{
	while (offset + sizeof(struct lp_io_block) <= file->n) {
		struct lp_io_block block;

		memcpy(&block, file->text + offset, sizeof(block));
		if (block.magic != LP_IO_BLOCK_MAGIC ||
		    block.capacity < sizeof(block) ||
		    block.capacity > file->n - offset ||
		    block.used > block.capacity - sizeof(block)) {
			offset += LP_IO_TRACE_PAGE;
			continue;
		}
		if (block.used > 0)
			put_block((const uint8_t *)file->text + offset, out);
		offset += block.capacity;
	}
}

static void put_account(struct lp_io_header *header,
			const struct lp_io_account *account)
{
	header->account = account->known;
	header->rchar = account->rchar;
	header->wchar = account->wchar;
	header->read_bytes = account->read_bytes;
	header->write_bytes = account->write_bytes;
}

static int copy_finished(const struct lp_text_file *file, const char *path,
			 const struct lp_io_account *account,
			 struct lp_error *err)
{
	lp_auto_free char *host = NULL, *command = NULL;
	struct lp_io_header header;
	struct lp_outfile out;
	int status;

	memcpy(&header, file->text, sizeof(header));
	put_account(&header, account);
	host = strndup(file->text + LP_IO_STRINGS, header.host_bytes);
	command = strndup(file->text + LP_IO_STRINGS + header.host_bytes,
			  header.command_bytes);
	if (!host || !command)
		return lp_fail_memory(err);
	status = lp_outfile_open(&out, path, err);
	if (status < 0)
		return status;
	put_header(&header, host, command, out.out);
	copy_blocks(file, LP_IO_TRACE_PAGE, out.out);
	return lp_outfile_commit(&out, err);
}

static bool is_growing(const struct lp_text_file *file)
{
	struct lp_io_header header;

	if (file->n < LP_IO_TRACE_PAGE)
		return false;
	memcpy(&header, file->text, sizeof(header));
	return memcmp(header.magic, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) == 0 &&
	       !header.finished && header.header_bytes == LP_IO_TRACE_PAGE &&
	       header.host_bytes <= LP_IO_TRACE_PAGE - LP_IO_STRINGS &&
	       header.command_bytes <=
		       LP_IO_TRACE_PAGE - LP_IO_STRINGS - header.host_bytes;
}

int lp_io_trace_finish(const char *path, const struct lp_io_account *account,
		       struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open_window(&file, path, err);

	if (status < 0)
		return status;
	status = lp_text_file_read(&file, 0, LP_IO_TRACE_PAGE);
	if (status == 0 && is_growing(&file)) {
		uint64_t claimed = lp_load_u64(file.text + LP_IO_COUNTERS);

		status = lp_text_file_read(
			&file, 0,
			(size_t)(claimed < file.size ? claimed : file.size));
		if (status == 0)
			status = copy_finished(&file, path, account, err);
	} else if (status == 0) {
		status = lp_fail(err, EINVAL,
				 "%s: no trace that is being written", path);
	}
	lp_text_file_close(&file);
	return status;
}
