/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack.h"

#include "base/memory.h"
#include "base/unpack_kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 16)

struct lp_packing {
	const char *name, *suffix;
	const char *magic;
	size_t magic_n;
	const struct lp_unpack_kind *kind; /* NULL: not built */
};

#ifdef LP_HAVE_ZLIB
#define GZIP &lp_unpack_gzip
#else
#define GZIP NULL
#endif
#ifdef LP_HAVE_LZMA
#define XZ &lp_unpack_xz
#else
#define XZ NULL
#endif
#ifdef LP_HAVE_BZIP2
#define BZIP2 &lp_unpack_bzip2
#else
#define BZIP2 NULL
#endif

static const struct lp_packing packings[] = {
	{ "gzip", ".gz", "\x1f\x8b\x08", 3, GZIP },
	{ "xz", ".xz", "\3757zXZ", 6, XZ }, /* and a zero byte */
	{ "zstd", ".zst", "\x28\xb5\x2f\xfd", 4, &lp_unpack_zstd },
	{ "bzip2", ".bz2", "BZh", 3, BZIP2 },
};

static bool begins(const struct lp_packing *packing, const uint8_t *head,
		   size_t n)
{
	return n >= packing->magic_n &&
	       memcmp(head, packing->magic, packing->magic_n) == 0;
}

const struct lp_packing *lp_packing_of(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < lp_array_size(packings); i++)
		if (begins(&packings[i], head, n))
			return &packings[i];
	return NULL;
}

const char *lp_packing_name(const struct lp_packing *packing)
{
	return packing->name;
}

bool lp_packing_is_built(const struct lp_packing *packing)
{
	return packing->kind != NULL;
}

size_t lp_packing_stem(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < lp_array_size(packings); i++) {
		size_t m = strlen(packings[i].suffix);

		if (n > m && strcmp(path + n - m, packings[i].suffix) == 0)
			return n - m;
	}
	return n;
}

struct lp_unpacker {
	const struct lp_packing *packing;
	const char *path;
	int fd;
	void *state;       /* NULL: between two files */
	bool eof, ended;   /* no more to read; no more to give */
	int failed;        /* -errno, to be told once what came before is out */
	size_t at, filled; /* of `bytes` */
	uint8_t bytes[PIECE];
};

int lp_unpack_open(const struct lp_packing *packing, int fd, const char *path,
		   struct lp_unpacker **unpacker, struct lp_error *err)
{
	struct lp_unpacker *u;

	if (!packing->kind)
		return lp_fail(err, ENOTSUP,
			       "%s: is compressed with %s; this limpid was "
			       "built without it; unpack it first",
			       path, packing->name);
	u = calloc(1, sizeof(*u));
	if (u)
		u->state = packing->kind->begin();
	if (!u || !u->state) {
		free(u);
		return lp_fail_memory(err);
	}
	u->packing = packing;
	u->path = path;
	u->fd = fd;
	*unpacker = u;
	return 0;
}

void lp_unpack_close(struct lp_unpacker *u)
{
	if (u && u->state)
		u->packing->kind->end(u->state);
	free(u);
}

/* More bytes behind those that were not used. 0 or -errno. */
static int refill(struct lp_unpacker *u)
{
	ssize_t n;

	memmove(u->bytes, u->bytes + u->at, u->filled - u->at);
	u->filled -= u->at;
	u->at = 0;
	do
		n = read(u->fd, u->bytes + u->filled, PIECE - u->filled);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	u->eof = n == 0;
	u->filled += (size_t)n;
	return 0;
}

/* Begin the next of several files; without one all is given. 0 or -errno. */
static int begin_next(struct lp_unpacker *u)
{
	while (!u->eof && u->filled - u->at < u->packing->magic_n) {
		int status = refill(u);

		if (status < 0)
			return status;
	}
	u->ended = !begins(u->packing, u->bytes + u->at, u->filled - u->at);
	if (u->ended)
		return 0;
	u->state = u->packing->kind->begin();
	return u->state ? 0 : -ENOMEM;
}

/* Let the library work once. 0 or -errno. */
static int step(struct lp_unpacker *u, struct lp_unpack_io *io)
{
	size_t in = u->filled - u->at, out = io->out_left;
	int status;

	io->in = u->bytes + u->at;
	io->in_left = in;
	status = u->packing->kind->step(u->state, io);
	u->at = u->filled - io->in_left;
	if (status > 0) {
		u->packing->kind->end(u->state);
		u->state = NULL;
		return 0;
	}
	if (status < 0 || in != io->in_left || out != io->out_left)
		return status;
	/* Nothing in, nothing out: it waits for what is not there. */
	if (in > 0)
		return -EBADMSG;
	return u->eof ? -ENODATA : 0;
}

static int advance(struct lp_unpacker *u, struct lp_unpack_io *io)
{
	int status = 0;

	if (!u->state)
		return begin_next(u);
	if (u->at == u->filled && !u->eof)
		status = refill(u);
	return status < 0 ? status : step(u, io);
}

static int tell(const struct lp_unpacker *u, struct lp_error *err)
{
	switch (u->failed) {
	case -ENOMEM:
		return lp_fail_memory(err);
	case -ENODATA:
		return lp_fail(err, ENODATA,
			       "%s: the compressed file is cut off", u->path);
	case -EBADMSG:
		return lp_fail(err, EBADMSG,
			       "%s: the compressed file is damaged ('%s -t' "
			       "says where)",
			       u->path, u->packing->name);
	default:
		return lp_fail_errno(err, -u->failed, "%s: cannot read",
				     u->path);
	}
}

ssize_t lp_unpack_read(struct lp_unpacker *u, void *bytes, size_t n,
		       struct lp_error *err)
{
	struct lp_unpack_io io = { .out = bytes, .out_left = n };

	while (io.out_left > 0 && !u->ended && u->failed == 0)
		u->failed = advance(u, &io);
	if (io.out_left == n && u->failed < 0)
		return tell(u, err);
	return (ssize_t)(n - io.out_left);
}
