/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page that a daemon with a software fault shares with the lab: a file
 * beside the library that was put into it, LIBRARY.page. The lab says what to
 * do and for how long; the library counts what it did.
 */
#ifndef LAB_INJECT_PAYLOAD_PAGE_H
#define LAB_INJECT_PAYLOAD_PAGE_H

#include <stdatomic.h>
#include <stdint.h>

#define PAYLOAD_PAGE_SUFFIX ".page"
#define PAYLOAD_MAGIC 0x646c7970u

enum payload_deed {
	PAYLOAD_NOTHING,  /* a control: the library is there, and no more */
	PAYLOAD_SPIN,     /* a thread computes `amount` per cent of the time */
	PAYLOAD_POLL,     /* a thread asks again and again (sched_yield) */
	PAYLOAD_CHECKSUM, /* reads and writes are summed `amount` times */
	PAYLOAD_CONVOY,   /* they wait for a lock that is held `amount` µs */
	PAYLOAD_DEEDS
};

struct payload_page {
	uint32_t magic;
	uint32_t deed;
	uint32_t amount;
	/* Not 0 while it lasts. The library looks, and nobody tells it. */
	atomic_uint on;
	/* Of the daemon's calls that were found and are led through it. */
	atomic_uint hooked;
	/* Nanoseconds, calls, bytes or waits, as the deed has it. */
	atomic_uint_fast64_t done;
};

#endif
