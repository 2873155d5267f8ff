/* SPDX-License-Identifier: Apache-2.0 */
#include "base/textfile.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
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
	*file = (struct lp_text_file){ (const char *)buffer.data, buffer.size,
				       false };
	return 0;
}

static int map(struct lp_text_file *file, int fd, size_t size)
{
	void *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (text == MAP_FAILED)
		return -errno;
	madvise(text, size, MADV_SEQUENTIAL);
	*file = (struct lp_text_file){ text, size, true };
	return 0;
}

int lp_text_file_open(struct lp_text_file *file, const char *path,
		      struct lp_error *err)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (S_ISDIR(st.st_mode))
		return lp_fail(err, EISDIR, "%s is a directory", path);
	if (S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (uintmax_t)st.st_size <= SIZE_MAX &&
	    map(file, fd, (size_t)st.st_size) == 0)
		return 0;
	return read_all(file, fd, path, err);
}

void lp_text_file_close(struct lp_text_file *file)
{
	if (file->mapped)
		munmap((void *)file->text, file->size);
	else
		free((void *)file->text);
	*file = (struct lp_text_file){ 0 };
}
