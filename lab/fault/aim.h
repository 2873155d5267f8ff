/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a disk's time to take, so that its requests take so many times
 * as long as those of its peers.
 *
 * No formula gives that: with a part f of the time taken, an idle disk's
 * requests take about 1 / (1 - f) times as long, a busy one's much longer, as
 * they queue. So it is found by control. Once a second the disk's await is
 * divided by the median of its peers', smoothed over some seconds, and the load
 * f / (1 - f) is multiplied by a power of (wanted / seen): it settles within
 * a minute and then hardly moves. While there is too little I/O to tell,
 * it stays as it is.
 */
#ifndef LAB_FAULT_AIM_H
#define LAB_FAULT_AIM_H

#include <stddef.h>
#include <stdint.h>

struct lab_aim {
	double factor; /* wanted */
	double load;   /* f / (1 - f) */
	double seen;   /* smoothed factor; 0: nothing seen yet */
};

void lab_aim_init(struct lab_aim *aim, double factor);
/* Both in ms; below 0: no I/O to tell by. */
void lab_aim_update(struct lab_aim *aim, double await, double peers_await);
/* The part of the disk's time to take, 0 to 1. */
double lab_aim_share(const struct lab_aim *aim);

#define LAB_AIM_MOST_DISKS 16

/* What /sys/block/DEVICE/stat says of await. */
struct lab_diskstat {
	uint64_t ios, ticks_ms;
};

/*
 * "  127  0  1016  12  88  0  704  35  0  40  47 ...": reads, merged, sectors,
 * ms, then the same of writes. 0 or -EINVAL.
 */
int lab_diskstat_parse(const char *text, size_t n, struct lab_diskstat *stat);

#endif
