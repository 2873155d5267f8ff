/* SPDX-License-Identifier: Apache-2.0 */
#include "base/textfile.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 16)

static int read_all(struct lp_text_file *file, int fd, const char *path,
		    struct lp_error *err)
{
	struct lp_buffer buffer = { 0 };
	ssize_t n;

	do {
		uint8_t *room = lp_buffer_extend(&buffer, PIECE);

		if (!room) {
			lp_buffer_done(&buffer);
			return lp_fail_memory(err);
		}
		n = read(fd, room, PIECE);
		buffer.size -= PIECE - (size_t)(n > 0 ? n : 0);
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0) {
		int code = errno;

		lp_buffer_done(&buffer);
		return lp_fail_errno(err, code, "cannot read %s", path);
	}
	*file = (struct lp_text_file){ .text = (char *)buffer.data,
				       .n = buffer.size,
				       .size = buffer.size };
	return 0;
}

/* The descriptor, or -errno. */
static int open_text(const char *path, struct stat *st, struct lp_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

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

	return fd < 0 ? fd : read_all(file, fd, path, err);
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
		return read_all(file, fd, path, err);
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
