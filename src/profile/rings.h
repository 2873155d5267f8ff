/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of all CPUs by perf_event_open: one event and one ring a CPU, read
 * together and sorted by time.
 */
#ifndef LP_PROFILE_RINGS_H
#define LP_PROFILE_RINGS_H

#include "base/bytes.h"
#include "base/error.h"

#include <linux/perf_event.h>
#include <poll.h>

struct lp_ring {
	int fd; /* below 0: this CPU is not sampled */
	uint8_t *pages;
};

struct lp_rings {
	struct lp_ring *rings; /* by CPU */
	struct pollfd *fds;    /* of the same; fd -1 where there is none */
	size_t n_cpus;
	unsigned rate;
	bool hardware; /* cycles; else a timer */
	bool chains, build_ids;
	/* What was read and not handed out yet. */
	struct lp_buffer batch;
	struct lp_ring_entry *entries;
	size_t n_entries, entries_capacity;
};

/* A record of the kernel; points into the batch. */
struct lp_ring_record {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint32_t pid, tid;
	const struct perf_event_header *header;
	/* Of a sample only. The first of the chain is its own address. */
	uint64_t address;
	const uint64_t *chain;
	size_t n_chain;
};

/*
 * -EACCES: says which permission is missing; -ENOENT: this kernel has no
 * perf events.
 */
int lp_rings_open(struct lp_rings *rings, unsigned rate, bool chains,
		  struct lp_error *err);
/* Look for CPUs that came or went; how many are sampled now. */
size_t lp_rings_refresh(struct lp_rings *rings);
/* All records that are there, oldest first. 0 or -ENOMEM. */
int lp_rings_read(struct lp_rings *rings,
		  void (*take)(void *user, const struct lp_ring_record *record),
		  void *user);
void lp_rings_close(struct lp_rings *rings);

#endif
