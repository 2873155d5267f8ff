/* SPDX-License-Identifier: Apache-2.0 */
#include "base/textfile.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/stdin.h"
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 16)

static int too_large(const char *path, struct lp_error *err)
{
	return lp_fail(err, EFBIG,
		       "%s: larger than 16 MiB, the maximum for such a file",
		       path);
}

static int not_text(const char *path, struct lp_error *err)
{
	return lp_fail(err, EINVAL,
		       "%s: not a text file: it contains a zero byte", path);
}

/* The next bytes, or as many as there are. -errno with a line. */
static ssize_t read_piece(int fd, void *bytes, size_t n, const char *path,
			  struct lp_error *err)
{
	ssize_t got;

	do
		got = read(fd, bytes, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? lp_fail_errno(err, errno, "cannot read %s", path)
		       : got;
}

/* Bytes from fd to the buffer: their number, 0 at the end. */
static ssize_t append(struct lp_buffer *buffer, int fd, const char *path,
		      struct lp_error *err)
{
	uint8_t *room = lp_buffer_extend(buffer, PIECE);
	ssize_t n;

	if (!room)
		return lp_fail_memory(err);
	n = read_piece(fd, room, PIECE, path, err);
	buffer->size -= PIECE - (size_t)(n > 0 ? n : 0);
	if (n > 0 && memchr(room, '\0', (size_t)n))
		return not_text(path, err);
	if (buffer->size > LP_TEXT_MOST)
		return too_large(path, err);
	return n;
}

static int read_all(struct lp_text_file *file, int fd, const char *path,
		    struct lp_error *err)
{
	struct lp_buffer buffer = { 0 };
	ssize_t n;

	do
		n = append(&buffer, fd, path, err);
	while (n > 0);
	if (n < 0) {
		lp_buffer_done(&buffer);
		return (int)n;
	}
	*file = (struct lp_text_file){ .text = (char *)buffer.data,
				       .n = buffer.size,
				       .size = buffer.size };
	return 0;
}

/*
 * What cannot be read twice, into a file that can. No format begins with a
 * zero byte; /dev/zero has nothing else.
 */
static int spool(struct lp_text_file *file, int fd, const char *path,
		 struct lp_error *err)
{
	struct lp_temp_file temp;
	char bytes[PIECE];
	ssize_t n;
	int status = lp_temp_file_open(&temp, err);

	if (status < 0)
		return status;
	while (status == 0 &&
	       (n = read_piece(fd, bytes, PIECE, path, err)) != 0) {
		if (n > 0 && temp.size == 0 && bytes[0] == '\0')
			status = not_text(path, err);
		else
			status = n < 0 ? (int)n
				       : lp_temp_file_write(&temp, bytes,
							    (size_t)n, path,
							    err);
	}
	if (status < 0) {
		close(temp.fd);
		return status;
	}
	*file = (struct lp_text_file){ .fd = temp.fd,
				       .windowed = true,
				       .size = temp.size };
	return 0;
}

/* The descriptor, or -errno. */
static int open_text(const char *path, struct stat *st, struct lp_error *err)
{
	bool standard = lp_is_stdin(path);
	int fd = standard ? lp_stdin_take(err)
			  : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && standard)
		return fd;
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (fstat(fd, st) == 0 && !S_ISDIR(st->st_mode))
		return fd;
	close(fd);
	return lp_fail(err, EISDIR, "%s is a directory", path);
}

int lp_text_file_open(struct lp_text_file *file, const char *path,
		      struct lp_error *err)
{
	struct stat st;
	lp_auto_close int fd = open_text(path, &st, err);

	if (fd < 0)
		return fd;
	if (S_ISREG(st.st_mode) && st.st_size > LP_TEXT_MOST)
		return too_large(path, err);
	return read_all(file, fd, path, err);
}

int lp_text_file_copy(const char *path, char **text, struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	char *copy;
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	copy = strndup(file.n ? file.text : "", file.n);
	lp_text_file_close(&file);
	if (!copy)
		return lp_fail_memory(err);
	*text = copy;
	return 0;
}

int lp_text_file_open_window(struct lp_text_file *file, const char *path,
			     struct lp_error *err)
{
	struct stat st;
	lp_auto_close int fd = open_text(path, &st, err);

	if (fd < 0)
		return fd;
	/* The files of /proc say that they are empty. */
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return spool(file, fd, path, err);
	*file = (struct lp_text_file){ .fd = fd,
				       .windowed = true,
				       .size = (uint64_t)st.st_size };
	fd = -1;
	return 0;
}

void lp_text_file_close(struct lp_text_file *file)
{
	if (file->windowed)
		close(file->fd);
	free(file->text);
	*file = (struct lp_text_file){ 0 };
}

static int fill(struct lp_text_file *file, size_t n)
{
	while (file->n < n) {
		ssize_t got = pread(file->fd, file->text + file->n, n - file->n,
				    (off_t)(file->offset + file->n));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			file->n = 0;
			return got < 0 ? -errno : -ESTALE;
		}
		file->n += (size_t)got;
	}
	return 0;
}

int lp_text_file_read(struct lp_text_file *file, uint64_t offset, size_t n)
{
	uint64_t rest = offset < file->size ? file->size - offset : 0;

	n = n < rest ? n : (size_t)rest;
	file->n = 0;
	file->offset = offset;
	if (lp_grow(&file->text, &file->capacity, n, 1) < 0)
		return -ENOMEM;
	return fill(file, n);
}
