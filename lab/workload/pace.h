/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the next bytes are due, so that a process moves so many a second.
 *
 * A schedule, not a sleep between records: the time a record takes is not
 * added to the wait. Who falls behind by more than LAB_PACE_DEBT_NS has lost
 * that time: a fault that held it up is not followed by a burst.
 */
#ifndef LAB_WORKLOAD_PACE_H
#define LAB_WORKLOAD_PACE_H

#include <stddef.h>
#include <stdint.h>

#define LAB_PACE_DEBT_NS INT64_C(1000000000)

struct lab_pace {
	double bytes_per_s; /* 0: as fast as it goes */
	int64_t due_ns;     /* of the next record, CLOCK_MONOTONIC */
};

/* phase, 0 to 1: how far into a record's time the first one begins. */
void lab_pace_init(struct lab_pace *pace, double bytes_per_s, size_t record,
		   double phase, int64_t now_ns);

/*
 * Nanoseconds to wait before the next `bytes` may be moved, 0 if they are
 * due; they count as moved.
 */
int64_t lab_pace_take(struct lab_pace *pace, uint64_t bytes, int64_t now_ns);

/* The same, and wait. */
void lab_pace_wait(struct lab_pace *pace, uint64_t bytes);

/* Sleep; signals that do not end the process do not shorten it. */
void lab_sleep_ns(int64_t ns);

#endif
