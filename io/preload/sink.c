/* SPDX-License-Identifier: Apache-2.0 */
#include "preload.h"

#include "base/crc32c.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* A thread's first block is small, since many threads and processes do little;
 * each next one is four times as large. */
#define BLOCK_FIRST LP_IO_TRACE_PAGE
#define BLOCK_LAST (64 * LP_IO_TRACE_PAGE)

/* What this thread writes to. */
struct thread {
	struct lp_io_state state;
	uint8_t *block, *at, *end;
	uint32_t block_bytes; /* of the last one */
	uint32_t generation;
	volatile bool busy; /* a signal handler may interrupt recording */
};

struct lp_sink lp_sink;
static __thread struct thread self __attribute__((tls_model("initial-exec")));

void lp_sink_lose(void)
{
	if (lp_sink.header)
		__atomic_fetch_add(&lp_sink.header->lost, 1, __ATOMIC_RELAXED);
}

/* Blocks. */

/*
 * Occupy the file's pages now: writing to one later, on a full disk, would
 * kill the program by SIGBUS. Kernels before 5.14 cannot do it through the
 * map; there the file is opened for a moment.
 */
static bool occupy(size_t offset, size_t bytes)
{
	long fd, r;

	if (syscall(SYS_madvise, lp_sink.map + offset, bytes,
		    MADV_POPULATE_WRITE) == 0)
		return true;
	if (errno != EINVAL)
		return false;
	fd = syscall(SYS_openat, AT_FDCWD, lp_sink.path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	r = syscall(SYS_fallocate, fd, 0, offset, bytes);
	syscall(SYS_close, fd);
	return r == 0;
}

static uint8_t *claim(size_t bytes)
{
	uint64_t offset = __atomic_fetch_add(&lp_sink.header->claimed, bytes,
					     __ATOMIC_RELAXED);

	if (offset > lp_sink.bytes || bytes > lp_sink.bytes - offset ||
	    !occupy(offset, bytes)) {
		atomic_store(&lp_sink.full, true);
		return NULL;
	}
	return lp_sink.map + offset;
}

static void close_block(struct thread *t)
{
	struct lp_io_block *block = (struct lp_io_block *)t->block;

	block->closed = 1;
	block->crc =
		lp_crc32c(0, t->block + LP_IO_BLOCK_CRC_FROM,
			  sizeof(*block) - LP_IO_BLOCK_CRC_FROM + block->used);
}

static size_t next_bytes(const struct thread *t, size_t need)
{
	size_t bytes = t->block_bytes ? 4ul * t->block_bytes : BLOCK_FIRST;

	bytes = bytes > BLOCK_LAST ? BLOCK_LAST : bytes;
	while (bytes < need + sizeof(struct lp_io_block))
		bytes *= 2;
	return bytes;
}

static bool begin_block(struct thread *t, size_t need, int64_t now_ns)
{
	size_t bytes = next_bytes(t, need);
	struct lp_io_block head = { .magic = LP_IO_BLOCK_MAGIC,
				    .capacity = (uint32_t)bytes,
				    .base_ns = now_ns };
	uint8_t *block = claim(bytes);

	if (!block)
		return false;
	head.process = syscall(SYS_getpid);
	head.thread = syscall(SYS_gettid);
	memcpy(block, &head, sizeof(head));
	if (t->block && t->generation == lp_sink.generation)
		close_block(t);
	t->block = block;
	t->block_bytes = (uint32_t)bytes;
	t->at = block + sizeof(head);
	t->end = block + bytes;
	t->generation = lp_sink.generation;
	t->state = (struct lp_io_state){ .last_ns = now_ns };
	return true;
}

/* In a child, whoever made it: the blocks are the parent's. */
static void after_fork(void)
{
	*lp_sink.alive = 1;
	lp_sink.generation++;
	lp_entries_shared();
}

static bool has_room(const struct thread *t, size_t need)
{
	return *lp_sink.alive && t->generation == lp_sink.generation &&
	       (size_t)(t->end - t->at) >= need;
}

__attribute__((noinline)) static bool make_room(struct thread *t, size_t need,
						int64_t now_ns)
{
	int code = errno;
	bool good;

	if (!*lp_sink.alive)
		after_fork();
	if (t->generation != lp_sink.generation)
		t->block_bytes = 0;
	good = !atomic_load(&lp_sink.full) && begin_block(t, need, now_ns);
	errno = code;
	return good;
}

/* The bytes are there before their number: whoever dies in between leaves a
 * block that is whole. */
static void publish(struct thread *t, uint8_t *at)
{
	struct lp_io_block *block = (struct lp_io_block *)t->block;

	t->at = at;
	__atomic_store_n(&block->used,
			 (uint32_t)((size_t)(at - t->block) - sizeof(*block)),
			 __ATOMIC_RELEASE);
}

void lp_record(struct lp_io_operation *op, uint64_t start, uint64_t stop)
{
	struct thread *t = &self;

	if (t->busy) {
		lp_sink_lose();
		return;
	}
	t->busy = true;
	op->start_ns = lp_io_ticks_ns(lp_sink.header, start);
	op->duration_ns = lp_io_ticks_ns(lp_sink.header, stop) - op->start_ns;
	if (has_room(t, LP_IO_RECORD_MAX) ||
	    make_room(t, LP_IO_RECORD_MAX, op->start_ns))
		publish(t, lp_io_encode(&t->state, t->at, op));
	else
		lp_sink_lose();
	t->busy = false;
}

/* Names. */

/* Paths that have a number, so that opening a file a million times names it
 * once: 40 bits of the path's hash and 24 of its number. */
#define CACHE 4096u
static _Atomic uint64_t cache[CACHE];

/* Eight bytes at a time, multiplied and folded. */
static uint64_t hash(const char *path, size_t length)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u; /* of the golden ratio */
	uint64_t h = length * factor, word = 0;

	for (; length >= 8; length -= 8, path += 8) {
		memcpy(&word, path, 8);
		h = (h ^ word) * factor;
		h ^= h >> 29;
	}
	word = 0;
	memcpy(&word, path, length);
	h = (h ^ word) * factor;
	h ^= h >> 32;
	return h * factor;
}

static uint32_t write_name(const char *path, size_t length)
{
	size_t need = lp_io_name_room(length);
	struct thread *t = &self;
	uint32_t number;

	number = __atomic_fetch_add(&lp_sink.header->next_file, 1,
				    __ATOMIC_RELAXED);
	if (!has_room(t, need) &&
	    !make_room(t, need, lp_io_ticks_ns(lp_sink.header, lp_now())))
		return 0;
	publish(t, lp_io_encode_name(t->at, number, path, length));
	return number;
}

uint32_t lp_sink_name(const char *path, size_t length)
{
	uint64_t h = hash(path, length), known;
	_Atomic uint64_t *slot = &cache[h % CACHE];
	uint32_t number = 0;

	known = atomic_load(slot);
	if (known && known >> 24 == h >> 24)
		return known & 0xffffff;
	if (self.busy)
		return 0;
	self.busy = true;
	number = write_name(path, length);
	self.busy = false;
	if (number > 0 && number <= 0xffffff)
		atomic_store(slot, (h >> 24 << 24) | number);
	return number;
}

/* Begin. */

/* The system call, since mmap and pread are wrapped here. */
static void *map_memory(size_t bytes, int flags, int fd)
{
	long r = syscall(SYS_mmap, 0L, bytes, PROT_READ | PROT_WRITE, flags, fd,
			 0L);

	return r == -1 ? NULL : (void *)r;
}

static bool make_alive_page(void)
{
	void *page =
		map_memory(LP_IO_TRACE_PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (!page)
		return false;
	/* Where this is not to be had, the handlers below see most forks. */
	madvise(page, LP_IO_TRACE_PAGE, MADV_WIPEONFORK);
	lp_sink.alive = page;
	*lp_sink.alive = 1;
	return true;
}

static void in_child(void)
{
	if (lp_sink.alive)
		*lp_sink.alive = 0;
}

/* A program that may not use much address space keeps most of it. */
static size_t map_bytes(uint64_t limit)
{
	struct rlimit space;

	if (getrlimit(RLIMIT_AS, &space) == 0 &&
	    space.rlim_cur != RLIM_INFINITY && limit > space.rlim_cur / 16)
		limit = space.rlim_cur / 16;
	return limit / LP_IO_TRACE_PAGE * LP_IO_TRACE_PAGE;
}

static bool map_trace(int fd)
{
	struct lp_io_header header;
	size_t bytes;
	void *map;

	if (syscall(SYS_pread64, fd, &header, sizeof(header), 0L) !=
		    sizeof(header) ||
	    memcmp(header.magic, LP_IO_MAGIC, LP_IO_MAGIC_BYTES) != 0 ||
	    header.version != LP_IO_VERSION || header.finished)
		return false;
	bytes = map_bytes(header.limit);
	if (bytes < 2 * LP_IO_TRACE_PAGE)
		return false;
	map = map_memory(bytes, MAP_SHARED, fd);
	if (!map)
		return false;
	lp_sink.map = map;
	lp_sink.bytes = bytes;
	lp_sink.header = map;
	lp_sink.clock = header.clock;
	return true;
}

/* What recording costs by itself, on this machine, the least of some rounds: a
 * call that does nothing, into memory that is no block of the trace. */
static void measure_cost(void)
{
	enum { ROUNDS = 16, EACH = 64 };
	uint8_t scratch[sizeof(struct lp_io_block) + EACH * LP_IO_RECORD_MAX];
	struct lp_io_header *header = lp_sink.header;
	uint64_t least = UINT64_MAX;

	lp_traced_invent(LP_FDS - 1);
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = lp_now();

		self = (struct thread){ .block = scratch,
					.at = scratch +
					      sizeof(struct lp_io_block),
					.end = scratch + sizeof(scratch) };
		for (int n = 0; n < EACH; n++) {
			struct lp_call call;

			if (lp_begin(&call, LP_FDS - 1))
				lp_end_here(&call, LP_IO_READ, 4096, 4096);
		}
		begin = lp_now() - begin;
		least = begin < least ? begin : least;
	}
	self = (struct thread){ 0 };
	lp_traced_forget(LP_FDS - 1);
	header->record_ns =
		(uint32_t)(lp_io_ticks_ns(header, header->tick_zero + least) /
			   EACH);
}

void lp_sink_open(void)
{
	const char *path = secure_getenv("LIMPID_IO_TRACE");
	int code = errno;
	long fd;

	if (!path || strlen(path) >= sizeof(lp_sink.path))
		return;
	memcpy(lp_sink.path, path, strlen(path) + 1);
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd >= 0 && make_alive_page() && map_trace((int)fd)) {
		pthread_atfork(NULL, lp_entries_shared, in_child);
		lp_sink.sandbox = lp_sandbox();
		atomic_store(&lp_sink.on, true);
		if (lp_sink.header->record_ns == 0)
			measure_cost();
	}
	if (fd >= 0)
		syscall(SYS_close, fd);
	errno = code;
}
