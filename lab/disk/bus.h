/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bus that several disks share, such as a controller's: a small file that
 * each of their processes maps, with the bus's rate and the time until which
 * it is busy. Bookings are one compare-and-swap, so that a process that is
 * killed leaves nothing locked.
 */
#ifndef LAB_DISK_BUS_H
#define LAB_DISK_BUS_H

#include "base/error.h"

#include <stdint.h>

struct lab_bus;

/*
 * Map the bus in the file at path. A rate other than 0 is set for all its
 * disks; the file is made if it is missing, and made anew if it is of before
 * the machine's last start, when the clock was another: both need a rate.
 */
int lab_bus_open(const char *path, uint64_t rate, struct lab_bus **bus,
		 struct lp_error *err);
/* Accepts NULL. */
void lab_bus_close(struct lab_bus *bus);

uint64_t lab_bus_rate(const struct lab_bus *bus);

/* When bytes that are at the bus now are over it; both CLOCK_MONOTONIC. */
int64_t lab_bus_book(struct lab_bus *bus, int64_t now_ns, uint64_t bytes);

#endif
