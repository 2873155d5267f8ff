/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A storage server's disks over a day, made up: what the benchmarks feed.
 *
 * A device that works has a rate that wanders over minutes (log-normal, slowly
 * changing), requests that arrive by chance (Poisson), sizes in multiples of
 * 4 KiB, and times per request that wander as well. An intermittent one does
 * so in bursts, a tenth of the time; an idle one counts nothing.
 */
#ifndef LP_BENCH_SERVER_DAY_H
#define LP_BENCH_SERVER_DAY_H

#include "model/chunk.h"

#define DAY_START_NS INT64_C(1794700800000000000)
#define DAY_DEVICES 72
#define DAY_COUNTERS 11 /* rd_ios to weighted_ms: all that Linux 2.6 had */

enum day_activity { DAY_BUSY, DAY_INTERMITTENT, DAY_IDLE };

struct day_device {
	enum day_activity activity;
	double log_rate[2], latency_ms[2], size_4k[2]; /* reads, writes */
	int burst_left;
	uint64_t counters[DAY_COUNTERS];
	uint64_t rng;
};

struct server_day {
	size_t n_devices;
	struct day_device devices[DAY_DEVICES];
	int64_t time_ns;
	struct lp_chunk chunk;
	struct lp_panel panel;
};

/* Devices in the order busy, intermittent, idle. */
struct server_day *server_day_new(size_t n_devices, size_t busy,
				  size_t intermittent);
void server_day_free(struct server_day *day);
/* The next n seconds. Valid until the next call. */
const struct lp_chunk *server_day_next(struct server_day *day, size_t n);

#endif
