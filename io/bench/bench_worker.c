/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread of a benchmark. Between two operations it computes where the next
 * goes, seeks, thinks, evicts: none of that is timed.
 */
#include "io/bench/bench.h"
#include "io/model/trace_clock.h"
#include "io/model/trace_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct work {
	struct lp_bench_worker *worker;
	const struct lp_bench_run *run;
	int fd;
	bool reads;
	char *buffer, *map;
	struct lp_walk memory, file;
	int64_t position; /* of the descriptor */
};

static int open_file(const struct lp_bench_worker *worker)
{
	const struct lp_bench_run *run = worker->run;
	int flags = O_CLOEXEC;

	flags |= run->access == LP_BENCH_MAP       ? O_RDWR
		 : run->operation == LP_BENCH_READ ? O_RDONLY
						   : O_WRONLY;
	flags |= run->access == LP_BENCH_DIRECT ? O_DIRECT : 0;
	flags |= run->access == LP_BENCH_SYNC ? O_SYNC : 0;
	/* An operation's pages are looked up by reading. */
	if (worker->truth && !(flags & O_RDWR))
		flags = (flags & ~O_WRONLY) | O_RDWR;
	return open(worker->path, flags);
}

static void *get_memory(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Touched, and not all zero, which some file systems do not store. */
static void initialise(char *buffer, uint64_t bytes, uint64_t seed)
{
	struct lp_random random;

	lp_random_init(&random, seed, 1);
	for (uint64_t i = 0; i + 8 <= bytes; i += 8) {
		uint64_t word = lp_random_u64(&random);

		memcpy(buffer + i, &word, sizeof(word));
	}
}

static int set_up(struct work *work)
{
	struct lp_bench_worker *worker = work->worker;
	const struct lp_bench_run *run = work->run;
	uint64_t seed = run->seed * 1000003 + worker->number;

	work->reads = run->operation == LP_BENCH_READ;
	work->fd = open_file(worker);
	if (work->fd < 0)
		return -errno;
	work->buffer = get_memory(run->buffer_bytes);
	if (!work->buffer || lp_io_tape_reserve(worker->tape, run->repeats) < 0)
		return -ENOMEM;
	initialise(work->buffer, run->buffer_bytes, seed);
	if (run->access == LP_BENCH_MAP) {
		work->map = mmap(NULL, run->file_bytes, PROT_READ | PROT_WRITE,
				 MAP_SHARED, work->fd, 0);
		if (work->map == MAP_FAILED) {
			work->map = NULL;
			return -errno;
		}
	}
	lp_walk_init(&work->memory, &run->memory, run->buffer_bytes, run->size,
		     seed);
	lp_walk_init(&work->file, &run->file, run->file_bytes, run->size,
		     seed + 1);
	lp_io_tape_name(worker->tape, worker->file, worker->path);
	return 0;
}

static void tear_down(struct work *work)
{
	const struct lp_bench_run *run = work->run;

	if (work->map)
		munmap(work->map, run->file_bytes);
	if (work->buffer)
		munmap(work->buffer, run->buffer_bytes);
	/* What is dirty must not disturb the next run. */
	if (work->fd >= 0 && !work->reads && run->state != LP_BENCH_DISCARD)
		fdatasync(work->fd);
	if (work->fd >= 0)
		close(work->fd);
}

/* Before an operation, not timed. */
static void get_ready(struct work *work, uint64_t offset, uint64_t i)
{
	const struct lp_bench_run *run = work->run;
	struct lp_residency *truth = work->worker->truth;

	if (run->think_ns > 0) {
		struct timespec pause = {
			.tv_sec = (time_t)(run->think_ns / 1000000000),
			.tv_nsec = (long)(run->think_ns % 1000000000),
		};

		nanosleep(&pause, NULL);
	}
	if (run->evict && run->state == LP_BENCH_UNCACHED) {
		uint64_t first = offset / 4096 * 4096;
		uint64_t end = (offset + run->size + 4095) / 4096 * 4096;

		if (work->map)
			madvise(work->map + first, end - first, MADV_DONTNEED);
		lp_evict(work->fd, first, end - first);
	}
	if (truth && lp_residency(work->fd, offset, run->size, &truth[i]) < 0)
		truth[i] = (struct lp_residency){ 0 };
	if (run->access == LP_BENCH_POSITION &&
	    work->position != (int64_t)offset)
		work->position = lseek(work->fd, (off_t)offset, SEEK_SET);
}

static ssize_t call(struct work *work, uint64_t offset, char *buffer)
{
	size_t size = work->run->size;

	switch (work->run->access) {
	case LP_BENCH_MAP:
		if (work->reads)
			memcpy(buffer, work->map + offset, size);
		else
			memcpy(work->map + offset, buffer, size);
		return (ssize_t)size;
	case LP_BENCH_POSITION:
		return work->reads ? read(work->fd, buffer, size)
				   : write(work->fd, buffer, size);
	default:
		return work->reads
			       ? pread(work->fd, buffer, size, (off_t)offset)
			       : pwrite(work->fd, buffer, size, (off_t)offset);
	}
}

/* One operation, timed and kept. */
static ssize_t operate(struct work *work, uint64_t i)
{
	const struct lp_io_header *header = work->worker->header;
	uint64_t offset = lp_walk_next(&work->file), start, stop;
	char *buffer = work->buffer + lp_walk_next(&work->memory);
	struct lp_io_operation op = {
		.offset = (int64_t)offset,
		.size = (int64_t)work->run->size,
		.file = work->worker->file,
		.kind = work->reads ? LP_IO_READ : LP_IO_WRITE,
	};
	ssize_t r;

	get_ready(work, offset, i);
	start = lp_io_clock_read(header->clock);
	r = call(work, offset, buffer);
	stop = lp_io_clock_read(header->clock);
	op.result = r < 0 ? -errno : r;
	op.start_ns = lp_io_ticks_ns(header, start);
	op.duration_ns = lp_io_ticks_ns(header, stop) - op.start_ns;
	work->position += r > 0 ? r : 0;
	lp_io_tape_put(work->worker->tape, &op);
	return op.result;
}

static void loop(struct work *work)
{
	struct lp_bench_worker *worker = work->worker;
	const struct lp_io_header *header = worker->header;
	uint64_t begin = lp_io_clock_read(header->clock);
	int64_t end_ns =
		lp_io_ticks_ns(header, begin) + (int64_t)work->run->limit_ns;

	for (uint64_t i = 0; i < work->run->repeats; i++) {
		ssize_t r;

		if (*worker->bench->stop)
			return;
		r = operate(work, i);
		if (r < 0) {
			worker->report->error = (int)-r;
			return;
		}
		worker->report->done++;
		if (worker->tape->state.last_ns > end_ns &&
		    i + 1 < work->run->repeats) {
			worker->report->cut_short = true;
			return;
		}
	}
}

void lp_bench_work(struct lp_bench_worker *worker)
{
	struct work work = { .worker = worker, .run = worker->run, .fd = -1 };
	int status = set_up(&work);

	if (status < 0) {
		worker->report->error = -status;
		worker->report->in_setup = true;
	}
	/* Also after a failure: the others wait. */
	worker->wait(worker->context);
	if (status == 0)
		loop(&work);
	tear_down(&work);
}
