/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/input/log_lines.h"

#include "base/memory.h"
#include "base/stdin.h"
#include "base/timestamp.h"
#include "base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Holds the longest line, and enough that reads are few. */
#define BUFFER (4 * LP_LOG_LINE_MOST)

struct lp_log_lines {
	char *buffer;
	size_t at, n; /* what was not given yet */
	int fd;
	struct lp_unpacker *unpacker; /* NULL: plain */
	bool ended, cut, skipping;
	uint64_t number;
	int64_t written_ns;
	const char *path; /* own */
	struct lp_error lost;
};

static void lose(struct lp_log_lines *l, int code)
{
	l->ended = true;
	if (l->lost.text[0] == '\0')
		lp_fail_errno(&l->lost, code, "%s: line %llu", l->path,
			      (unsigned long long)l->number + 1);
}

static ssize_t read_some(struct lp_log_lines *l, char *to, size_t n)
{
	ssize_t got;

	if (l->unpacker) {
		got = lp_unpack_read(l->unpacker, (uint8_t *)to, n, &l->lost);
		return got < 0 ? 0 : got;
	}
	do
		got = read(l->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		lose(l, errno);
	return got < 0 ? 0 : got;
}

/* More bytes behind those that are there, which move to the front. */
static void fill(struct lp_log_lines *l)
{
	ssize_t got;

	if (l->at > 0) {
		memmove(l->buffer, l->buffer + l->at, l->n - l->at);
		l->n -= l->at;
		l->at = 0;
	}
	if (l->ended || l->n == BUFFER)
		return;
	got = read_some(l, l->buffer + l->n, BUFFER - l->n);
	if (got <= 0)
		l->ended = true;
	else
		l->n += (size_t)got;
}

static int look_at_packing(struct lp_log_lines *l, struct lp_error *err)
{
	const struct lp_packing *packing;

	while (l->n < 8 && !l->ended)
		fill(l);
	packing = lp_packing_of((const uint8_t *)l->buffer, l->n);
	if (!packing)
		return 0;
	if (lseek(l->fd, 0, SEEK_SET) < 0)
		return lp_fail(err, ESPIPE,
			       "%s: compressed; unpack it before the pipe",
			       l->path);
	l->n = 0;
	l->ended = false;
	return lp_unpack_open(packing, l->fd, l->path, &l->unpacker, err);
}

static struct lp_log_lines *make(const char *path)
{
	struct lp_log_lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->fd = -1;
	l->written_ns = LP_TIME_MAX;
	l->buffer = malloc(BUFFER);
	l->path = strdup(path);
	if (l->buffer && l->path)
		return l;
	lp_log_lines_close(l);
	return NULL;
}

static int open_fd(const char *path, struct lp_error *err)
{
	int fd = lp_is_stdin(path) ? lp_stdin_take(err)
				   : open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 && !lp_is_stdin(path)
		       ? lp_fail_errno(err, errno, "%s", path)
		       : fd;
}

int lp_log_lines_open(const char *path, struct lp_log_lines **lines,
		      struct lp_error *err)
{
	struct lp_log_lines *l =
		make(lp_is_stdin(path) ? "standard input" : path);
	struct stat status;
	int code;

	if (!l)
		return lp_fail_memory(err);
	l->fd = open_fd(path, err);
	code = l->fd < 0 ? l->fd : look_at_packing(l, err);
	if (code < 0) {
		lp_log_lines_close(l);
		return code;
	}
	if (fstat(l->fd, &status) == 0 && S_ISREG(status.st_mode))
		l->written_ns = status.st_mtim.tv_sec * LP_NS_PER_S;
	*lines = l;
	return 0;
}

struct lp_log_lines *lp_log_lines_of(const char *bytes, size_t n)
{
	struct lp_log_lines *l = make("memory");
	char *buffer = l ? realloc(l->buffer, n > BUFFER ? n : BUFFER) : NULL;

	if (!buffer) {
		lp_log_lines_close(l);
		return NULL;
	}
	l->buffer = buffer;
	if (n > 0)
		memcpy(l->buffer, bytes, n);
	l->n = n;
	l->ended = true;
	return l;
}

void lp_log_lines_close(struct lp_log_lines *l)
{
	if (!l)
		return;
	lp_unpack_close(l->unpacker);
	if (l->fd >= 0)
		close(l->fd);
	free(l->buffer);
	free((char *)l->path);
	free(l);
}

static bool give(struct lp_log_lines *l, size_t length, size_t taken,
		 const char **text, size_t *n)
{
	*text = l->buffer + l->at;
	l->at += taken;
	l->cut = length > LP_LOG_LINE_MOST;
	*n = l->cut ? LP_LOG_LINE_MOST : length;
	if (*n > 0 && (*text)[*n - 1] == '\r')
		--*n;
	l->number++;
	return true;
}

/* The rest of a line that was cut off. */
static void skip_rest(struct lp_log_lines *l)
{
	while (l->skipping) {
		const char *end = memchr(l->buffer + l->at, '\n', l->n - l->at);

		l->skipping = !end && !(l->ended && l->at == l->n);
		l->at = end ? (size_t)(end + 1 - l->buffer) : l->n;
		if (l->skipping)
			fill(l);
	}
}

bool lp_log_lines_next(struct lp_log_lines *l, const char **text, size_t *n)
{
	skip_rest(l);
	for (;;) {
		const char *begin = l->buffer + l->at;
		const char *end = memchr(begin, '\n', l->n - l->at);
		size_t length = end ? (size_t)(end - begin) : l->n - l->at;

		if (end)
			return give(l, length, length + 1, text, n);
		if (l->ended || length > LP_LOG_LINE_MOST) {
			l->skipping = !l->ended;
			return length > 0 && give(l, length, length, text, n);
		}
		fill(l);
	}
}

uint64_t lp_log_lines_number(const struct lp_log_lines *l)
{
	return l->number;
}

bool lp_log_lines_is_cut(const struct lp_log_lines *l)
{
	return l->cut;
}

size_t lp_log_lines_peek(struct lp_log_lines *l, const char **bytes)
{
	while (!l->ended && l->n - l->at < LP_LOG_LINE_MOST)
		fill(l);
	*bytes = l->buffer + l->at;
	return l->n - l->at;
}

const char *lp_log_lines_lost(const struct lp_log_lines *l)
{
	return l->lost.text[0] ? l->lost.text : NULL;
}

int64_t lp_log_lines_written_ns(const struct lp_log_lines *l)
{
	return l->written_ns;
}
