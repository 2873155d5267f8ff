/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/rings.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Read when half full: at 99 Hz about every ten seconds of a busy CPU. */
#define RING_PAGES 64
#define MOST_CHAIN 8
#define MOST_CPUS 4096

struct lp_ring_entry {
	uint64_t time_ns;
	size_t at, order;
};

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t ring_bytes(void)
{
	return RING_PAGES * page_size();
}

static struct perf_event_attr attributes(const struct lp_rings *r)
{
	struct perf_event_attr a = {
		.size = sizeof(a),
		.type = r->hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = r->hardware ? PERF_COUNT_HW_CPU_CYCLES
				      : PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = r->rate,
		.freq = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME |
			       (r->chains ? PERF_SAMPLE_CALLCHAIN : 0U),
		.exclude_idle = 1,
		.exclude_callchain_user = 1,
		.mmap2 = 1,
		.mmap = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(ring_bytes() / 2),
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.build_id = r->build_ids,
		.sample_max_stack = r->chains ? MOST_CHAIN : 0,
	};

	return a;
}

static int open_event(const struct lp_rings *r, size_t cpu)
{
	struct perf_event_attr a = attributes(r);
	long fd = syscall(SYS_perf_event_open, &a, -1, (int)cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int open_ring(struct lp_rings *r, size_t cpu)
{
	int fd = open_event(r, cpu);
	void *pages;

	if (fd < 0)
		return fd;
	pages = mmap(NULL, page_size() + ring_bytes(), PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	if (pages == MAP_FAILED) {
		int status = -errno;

		close(fd);
		return status;
	}
	r->rings[cpu] = (struct lp_ring){ fd, pages };
	r->fds[cpu] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return 0;
}

static void close_ring(struct lp_rings *r, size_t cpu)
{
	if (r->rings[cpu].fd < 0)
		return;
	munmap(r->rings[cpu].pages, page_size() + ring_bytes());
	close(r->rings[cpu].fd);
	r->rings[cpu].fd = -1;
	r->fds[cpu].fd = -1;
}

static int explain(int status, struct lp_error *err)
{
	switch (-status) {
	case EACCES:
	case EPERM:
		return lp_fail(err, EACCES,
			       "samples of all CPUs are not permitted: run it "
			       "as root or give it the capability CAP_PERFMON "
			       "(before Linux 5.8: CAP_SYS_ADMIN); "
			       "/proc/sys/kernel/perf_event_paranoid says who "
			       "else may");
	case ENOENT:
	case ENOSYS:
	case EOPNOTSUPP:
		return lp_fail(err, ENOENT,
			       "this kernel has no perf events: nothing can be "
			       "sampled");
	case EMFILE:
		return lp_fail(err, EMFILE,
			       "too many open files: raise 'ulimit -n' above "
			       "the number of CPUs");
	}
	return lp_fail_errno(err, -status, "cannot sample a CPU");
}

size_t lp_rings_refresh(struct lp_rings *r)
{
	size_t n = 0;

	for (size_t cpu = 0; cpu < r->n_cpus; cpu++) {
		if (r->fds[cpu].revents & (POLLHUP | POLLERR))
			close_ring(r, cpu);
		if (r->rings[cpu].fd < 0)
			open_ring(r, cpu);
		n += r->rings[cpu].fd >= 0;
	}
	return n;
}

/* The best that this kernel has: cycles, and build ids (Linux 5.12). */
static int choose(struct lp_rings *r)
{
	int status = -ENOENT;

	for (int way = 0; way < 4; way++) {
		r->hardware = way < 2;
		r->build_ids = way % 2 == 0;
		for (size_t cpu = 0; cpu < r->n_cpus; cpu++) {
			status = open_ring(r, cpu);
			if (status != -ENODEV)
				break;
		}
		if (status == 0 || status == -EACCES || status == -EPERM)
			return status;
	}
	return status;
}

int lp_rings_open(struct lp_rings *r, unsigned rate, bool chains,
		  struct lp_error *err)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	int status;

	*r = (struct lp_rings){ .rate = rate, .chains = chains };
	r->n_cpus = n < 1 ? 1 : n > MOST_CPUS ? MOST_CPUS : (size_t)n;
	r->rings = calloc(r->n_cpus, sizeof(*r->rings));
	r->fds = calloc(r->n_cpus, sizeof(*r->fds));
	if (!r->rings || !r->fds) {
		free(r->rings);
		free(r->fds);
		r->n_cpus = 0;
		return lp_fail_memory(err);
	}
	for (size_t cpu = 0; cpu < r->n_cpus; cpu++)
		r->rings[cpu].fd = r->fds[cpu].fd = -1;
	status = choose(r);
	if (status < 0) {
		lp_rings_close(r);
		return explain(status, err);
	}
	lp_rings_refresh(r);
	return 0;
}

/* ---- reading ---- */

/* Where the time of a record is: of others, in the id at its end. */
static uint64_t time_of(const struct perf_event_header *h)
{
	const uint8_t *at = (const uint8_t *)h;
	uint64_t time_ns;

	at += h->type == PERF_RECORD_SAMPLE ? sizeof(*h) + 16
					    : (size_t)h->size - 8;
	memcpy(&time_ns, at, sizeof(time_ns));
	return time_ns;
}

static int note_entry(struct lp_rings *r, size_t at)
{
	const struct perf_event_header *h = (const void *)(r->batch.data + at);

	if (h->size < sizeof(*h) + 24 && h->type == PERF_RECORD_SAMPLE)
		return 0;
	if (lp_grow(&r->entries, &r->entries_capacity, r->n_entries + 1,
		    sizeof(*r->entries)) < 0)
		return -ENOMEM;
	r->entries[r->n_entries] =
		(struct lp_ring_entry){ h->size >= 16 ? time_of(h) : 0, at,
					r->n_entries };
	r->n_entries++;
	return 0;
}

/* Out of the ring, whose end may lie in the midst of a record. */
static int drain(struct lp_rings *r, struct lp_ring *ring)
{
	struct perf_event_mmap_page *head = (void *)ring->pages;
	const uint8_t *data = ring->pages + page_size();
	uint64_t to = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	uint64_t from = head->data_tail, size = ring_bytes();
	size_t begin = r->batch.size;
	int status = 0;

	while (from < to) {
		uint64_t at = from % size, n = to - from;

		if (n > size - at)
			n = size - at;
		lp_buffer_put(&r->batch, data + at, n);
		from += n;
	}
	__atomic_store_n(&head->data_tail, to, __ATOMIC_RELEASE);
	if (r->batch.failed)
		return -ENOMEM;
	while (r->batch.size - begin >= 8 && status == 0) {
		const struct perf_event_header *h =
			(const void *)(r->batch.data + begin);

		if (h->size < 8 || h->size > r->batch.size - begin)
			break;
		status = note_entry(r, begin);
		begin += h->size;
	}
	return status;
}

static int by_time(const void *left, const void *right)
{
	const struct lp_ring_entry *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static struct lp_ring_record record_at(const struct lp_rings *r,
				       const struct lp_ring_entry *entry)
{
	const uint8_t *at = r->batch.data + entry->at;
	const struct perf_event_header *h = (const void *)at;
	struct lp_ring_record record = { .time_ns = entry->time_ns,
					 .header = h };
	uint64_t n;

	if (h->type != PERF_RECORD_SAMPLE) {
		if (h->size >= 24) {
			memcpy(&record.pid, at + h->size - 16, 4);
			memcpy(&record.tid, at + h->size - 12, 4);
		}
		return record;
	}
	memcpy(&record.address, at + 8, 8);
	memcpy(&record.pid, at + 16, 4);
	memcpy(&record.tid, at + 20, 4);
	if (r->chains && h->size >= 40) {
		memcpy(&n, at + 32, 8);
		record.chain = (const void *)(at + 40);
		record.n_chain = n <= (h->size - 40) / 8u ? (size_t)n : 0;
	}
	return record;
}

int lp_rings_read(struct lp_rings *r,
		  void (*take)(void *user, const struct lp_ring_record *record),
		  void *user)
{
	int status = 0;

	for (size_t cpu = 0; cpu < r->n_cpus && status == 0; cpu++)
		if (r->rings[cpu].fd >= 0)
			status = drain(r, &r->rings[cpu]);
	if (r->n_entries)
		qsort(r->entries, r->n_entries, sizeof(*r->entries), by_time);
	for (size_t i = 0; i < r->n_entries; i++) {
		struct lp_ring_record record = record_at(r, &r->entries[i]);

		take(user, &record);
	}
	r->n_entries = 0;
	r->batch.size = 0;
	r->batch.failed = false;
	return status;
}

void lp_rings_close(struct lp_rings *r)
{
	for (size_t cpu = 0; cpu < r->n_cpus; cpu++)
		close_ring(r, cpu);
	free(r->rings);
	free(r->fds);
	free(r->batch.data);
	free(r->entries);
	*r = (struct lp_rings){ 0 };
}
