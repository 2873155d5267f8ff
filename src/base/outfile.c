/* SPDX-License-Identifier: Apache-2.0 */
#include "base/outfile.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory that will hold the file, opened by itself or in a message. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int make_temp_name(struct lp_outfile *file)
{
	if (asprintf(&file->temp, "%s.tmp-%ld", file->path, (long)getpid()) < 0)
		file->temp = NULL;
	return file->temp ? 0 : -ENOMEM;
}

/*
 * A file without a name vanishes with its process, however that ends. Some
 * file systems have none: then one with a name beside the final one.
 */
static int open_new(struct lp_outfile *file)
{
	lp_auto_free char *directory = directory_of(file->path);
	int fd;

	if (!directory)
		return -ENOMEM;
	fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	if (make_temp_name(file) < 0)
		return -ENOMEM;
	unlink(file->temp); /* a crash left it */
	fd = open(file->temp, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : fd;
}

int lp_outfile_open(struct lp_outfile *file, const char *path,
		    struct lp_error *err)
{
	struct stat st;
	int fd;

	*file = (struct lp_outfile){ .path = strdup(path) };
	if (!file->path)
		return lp_fail_memory(err);
	file->direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	fd = file->direct ? open(path, O_WRONLY | O_CLOEXEC) : open_new(file);
	if (fd < 0) {
		int code = fd == -1 ? errno : -fd;

		free(file->temp);
		file->temp = NULL; /* it was never made */
		lp_outfile_abandon(file);
		return lp_fail_errno(err, code, "cannot write %s", path);
	}
	file->out = fdopen(fd, "w");
	if (!file->out) {
		close(fd);
		lp_outfile_abandon(file);
		return lp_fail_memory(err);
	}
	return 0;
}

bool lp_is_stdout(const char *path)
{
	static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1",
					     "/proc/self/fd/1" };

	for (size_t i = 0; i < lp_array_size(names); i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

static bool is_of_kind(const struct lp_outkind *kind, const char *head,
		       size_t n)
{
	bool begins = false;

	for (size_t i = 0; kind->beginnings[i] && !begins; i++) {
		size_t length = strlen(kind->beginnings[i]);

		begins = n >= length &&
			 memcmp(head, kind->beginnings[i], length) == 0;
	}
	return begins && (!kind->holds ||
			  memmem(head, n, kind->holds, strlen(kind->holds)));
}

/* A FIFO has no bytes to look at, and opening one may wait for ever. */
static int look_at(const char *path, const struct lp_outkind *kind,
		   struct lp_error *err)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[LP_OUTKIND_HEAD];
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (n < 0)
		return lp_fail_errno(err, errno,
				     "%s exists and cannot be read, so it was "
				     "left as it is",
				     path);
	if (n == 0 || (!kind->keep && is_of_kind(kind, head, (size_t)n)))
		return 0;
	if (kind->keep && is_of_kind(kind, head, (size_t)n))
		return lp_fail(err, EEXIST,
			       "%s exists and %s; it was left as it is", path,
			       kind->keep);
	return lp_fail(err, EEXIST,
		       "%s exists and is not %s; it was left as it is. Give "
		       "another name, or remove it first",
		       path, kind->name);
}

int lp_outfile_check(const char *path, const struct lp_outkind *kind,
		     struct lp_error *err)
{
	struct stat st;

	if (lp_is_stdout(path) || stat(path, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return lp_fail_errno(err, EISDIR, "cannot write %s", path);
	return S_ISREG(st.st_mode) ? look_at(path, kind, err) : 0;
}

/* Closing the stream must leave standard output open for others. */
static int open_stdout(struct lp_outfile *file, struct lp_error *err)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return lp_fail_errno(err, errno, "standard output");
	*file = (struct lp_outfile){ .path = strdup("standard output"),
				     .out = fdopen(fd, "w"),
				     .direct = 1 };
	if (file->path && file->out)
		return 0;
	if (!file->out)
		close(fd);
	lp_outfile_abandon(file);
	return lp_fail_memory(err);
}

int lp_outfile_create(struct lp_outfile *file, const char *path,
		      const struct lp_outkind *kind, struct lp_error *err)
{
	int status = lp_outfile_check(path, kind, err);

	if (status < 0)
		return status;
	if (!lp_is_stdout(path))
		return lp_outfile_open(file, path, err);
	fflush(stdout); /* what was printed before comes before */
	return open_stdout(file, err);
}

/* Give the file its name, in place of an older one. */
static int put_in_place(struct lp_outfile *file)
{
	char self[64];

	if (file->direct)
		return 0;
	if (fdatasync(fileno(file->out)) < 0 && errno != EINVAL)
		return -errno;
	if (!file->temp) {
		if (make_temp_name(file) < 0)
			return -ENOMEM;
		snprintf(self, sizeof(self), "/proc/self/fd/%d",
			 fileno(file->out));
		unlink(file->temp);
		if (linkat(AT_FDCWD, self, AT_FDCWD, file->temp,
			   AT_SYMLINK_FOLLOW) < 0)
			return -errno;
	}
	if (rename(file->temp, file->path) < 0)
		return -errno;
	free(file->temp);
	file->temp = NULL;
	return 0;
}

/* 0, or why something could not be written: one byte more says it again. */
static int flush(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && ferror(out)) {
		clearerr(out);
		fputc('\n', out);
		if (fflush(out) == 0)
			return -EIO;
	}
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}

int lp_outfile_commit(struct lp_outfile *file, struct lp_error *err)
{
	int code = flush(file->out);

	if (code == 0)
		code = put_in_place(file);
	if (code < 0)
		lp_fail_errno(err, -code, "cannot write %s", file->path);
	lp_outfile_abandon(file);
	return code;
}

void lp_outfile_abandon(struct lp_outfile *file)
{
	if (file->out)
		fclose(file->out);
	if (file->temp)
		unlink(file->temp);
	free(file->temp);
	free(file->path);
	*file = (struct lp_outfile){ 0 };
}

bool lp_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}
