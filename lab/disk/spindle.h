/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One spindle, as arithmetic: a request begins when those before it are done,
 * takes bytes / rate, and a seek more unless it goes on where the last ended.
 * No clock is read here: times come in, times go out.
 */
#ifndef LAB_DISK_SPINDLE_H
#define LAB_DISK_SPINDLE_H

#include <stdbool.h>
#include <stdint.h>

/* The product of remainder and 10^9 must fit into 64 bits. */
#define LAB_RATE_MIN UINT64_C(1000)
#define LAB_RATE_MAX UINT64_C(10000000000)

/* Begin with zeros, rate and seek. Both may be changed between requests. */
struct lab_spindle {
	uint64_t rate;    /* bytes a second */
	uint64_t seek_ns; /* of a request that is not sequential */
	uint64_t head;    /* where the last request ended */
	int64_t busy_until_ns;
	uint64_t seeks, busy_ns; /* so far */
};

/* Nanoseconds that bytes take at a rate, both as bounded above. */
int64_t lab_transfer_ns(uint64_t bytes, uint64_t rate);

/* When a request that comes now will be done. */
int64_t lab_spindle_book(struct lab_spindle *spindle, int64_t now_ns,
			 uint64_t offset, uint64_t bytes);

/*
 * The disk's own clock. It stands while the disk is stuck, so that everything
 * that was on its way goes on afterwards as if no time had passed. Begin with
 * zeros.
 */
struct lab_clock {
	bool stands;
	int64_t since_ns; /* when it was stopped */
	int64_t lost_ns;  /* how far it is behind */
};

int64_t lab_clock_read(const struct lab_clock *clock, int64_t now_ns);
/* Both may be repeated. */
void lab_clock_stop(struct lab_clock *clock, int64_t now_ns);
void lab_clock_go(struct lab_clock *clock, int64_t now_ns);

#endif
