/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Change a virtual disk while it is in use: one line to its control socket,
 * one line back. limpid-disk(1) has all commands; those of the lab's faults:
 *
 *     rate 12000000             bytes a second of the spindle
 *     seek 8                    ms, of a request that is not sequential
 *     latency 20                ms more for every answer
 *     jitter 50 7               up to 50 ms more, by seed 7
 *     errors read after 1000000 EIO; none, read, write, both; after BYTES;
 *                               region FROM..TO
 *     stuck on                  nothing is answered until "stuck off"
 *     bus /run/bus 30000000     bytes a second of all disks on that bus
 *     status                    settings and counters, KEY=VALUE ...
 *     reset                     the settings it was started with
 */
#ifndef LAB_DISK_CONTROL_H
#define LAB_DISK_CONTROL_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Commands and replies are shorter than this, with their newline. */
#define LAB_DISK_LINE 16384

/*
 * Send one command to the disk that listens at the path `socket`; what it
 * says behind "ok " is in reply (may be NULL). 0; -EINVAL with the disk's own
 * words if it refuses; -ENOENT, -ECONNREFUSED if no disk is there; -ETIMEDOUT
 * if it does not answer within five seconds.
 */
int lab_disk_control(const char *socket, const char *command,
		     char reply[LAB_DISK_LINE], struct lp_error *err);

/* The number behind "key=" in the reply to "status"; false: none there. */
bool lab_disk_figure(const char *status, const char *key, uint64_t *figure);

#endif
