/* SPDX-License-Identifier: Apache-2.0 */
#include "source/procfile.h"

#include "base/memory.h"
#include "source/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* seq files give a page at a time; a little more room ends in one call less. */
#define FIRST_CAPACITY 8192
/*
 * The kernel fills a page with whole records. A read that left room for
 * another record, none of which is that long, came to the end: asking once
 * more would walk all the devices again.
 */
#define PAGE_BYTES 4096
#define MOST_RECORD 1024
/* No file of the kernel is that large; what a user put there might be. */
#define LARGEST_FILE (64u << 20)

/*
 * /proc/net is /proc/self/net, the namespace of the process; only thread-self
 * follows a thread into another one.
 */
static int name_path(char **path, const struct lp_reader_context *context,
		     const char *name)
{
	bool other =
		context->netns_fd >= 0 && strncmp(name, "proc/net/", 9) == 0;
	int n = other ? asprintf(path, "/proc/thread-self/%s", name + 5)
		      : asprintf(path, "%s/%s", context->root, name);

	return n < 0 ? -ENOMEM : other;
}

int lp_procfile_init(struct lp_procfile *file,
		     const struct lp_reader_context *context, const char *path)
{
	char *text = NULL;
	int other = name_path(&text, context, path);

	if (other < 0)
		return other;
	*file = (struct lp_procfile){ .path = text,
				      .fd = -1,
				      .netns_fd =
					      other ? context->netns_fd : -1 };
	return 0;
}

void lp_procfile_done(struct lp_procfile *file)
{
	if (file->path && file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file->text);
	*file = (struct lp_procfile){ .fd = -1 };
}

static int open_here(void *argument)
{
	struct lp_procfile *file = argument;

	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return file->fd < 0 ? -errno : 0;
}

static int open_file(struct lp_procfile *file, struct lp_error *err)
{
	struct lp_error entering = { "" };
	int status = lp_netns_run(file->netns_fd, open_here, file, &entering);

	if (status < 0 && entering.text[0])
		return lp_fail(err, -status, "%s", entering.text);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot open %s",
				     file->path);
	return 0;
}

static int make_room(struct lp_procfile *file)
{
	size_t need = file->capacity ? file->size + file->capacity / 4
				     : FIRST_CAPACITY;

	if (file->size + 4096 <= file->capacity)
		return 0;
	if (need > LARGEST_FILE)
		return -EFBIG;
	return lp_grow(&file->text, &file->capacity, need + 4096, 1);
}

/* A pipe in a test's tree cannot be read at a place. */
static ssize_t read_some(struct lp_procfile *file, bool *pipe)
{
	char *to = file->text + file->size;
	size_t room = file->capacity - file->size;
	ssize_t n = pread(file->fd, to, room, (off_t)file->size);

	*pipe = n < 0 && errno == ESPIPE;
	return *pipe ? read(file->fd, to, room) : n;
}

static int read_all(struct lp_procfile *file)
{
	bool pipe;
	ssize_t n;

	file->size = 0;
	do {
		int status = make_room(file);

		if (status < 0)
			return status;
		n = read_some(file, &pipe);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			file->size += (size_t)n;
	} while (n < 0 || n > PAGE_BYTES - MOST_RECORD || (pipe && n > 0));
	return 0;
}

int lp_procfile_read(struct lp_procfile *file, struct lp_error *err)
{
	int status = file->fd < 0 ? open_file(file, err) : 0;

	if (status < 0)
		return status;
	status = read_all(file);
	if (status == 0)
		return 0;
	close(file->fd);
	file->fd = -1;
	return lp_fail_errno(err, -status, "cannot read %s", file->path);
}

bool lp_next_line(const char **at, const char *end, const char **line,
		  const char **line_end)
{
	const char *newline;

	if (*at == end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	*line = *at;
	*line_end = newline ? newline : end;
	*at = newline ? newline + 1 : end;
	return true;
}

static size_t line_number(const struct lp_procfile *file, const char *line)
{
	size_t n = 1;

	for (const char *p = file->text; p < line; p++)
		n += *p == '\n';
	return n;
}

void lp_bad_line(const struct lp_procfile *file, const char *line,
		 const char *line_end, size_t *broken, struct lp_error *err)
{
	int shown = line_end - line > 60 ? 60 : (int)(line_end - line);

	if ((*broken)++ > 0)
		return;
	lp_fail(err, EINVAL, "%s: line %zu not understood: '%.*s'",
		file->path ? file->path : "-", line_number(file, line), shown,
		line);
}
