/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floor INTERVAL_MS COUNT [tcp]: what the kernel itself costs. Reads
 * /proc/diskstats and /proc/net/dev, kept open, with pread at every tick, and
 * does nothing with them; with "tcp", so with a dump of the TCP sockets. The
 * kernel gives a page at a time; a read that leaves room in the page was the
 * last, so the end of the file is not asked for, which would make the floor
 * higher.
 */
#include "tcp_floor.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define PAGE_FULL 3072

static void read_all(int fd)
{
	static char text[1 << 14];
	off_t at = 0;
	ssize_t n;

	do {
		n = pread(fd, text, sizeof(text), at);
		at += n;
	} while (n > PAGE_FULL);
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	long count = argc > 2 ? strtol(argv[2], NULL, 10) : 60;
	struct itimerspec spec = {
		.it_value = { ms / 1000, ms % 1000 * 1000000 },
		.it_interval = { ms / 1000, ms % 1000 * 1000000 },
	};
	int disk = open("/proc/diskstats", O_RDONLY);
	int net = open("/proc/net/dev", O_RDONLY);
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	int tcp =
		argc > 3 && strcmp(argv[3], "tcp") == 0 ? tcp_floor_open() : -1;
	uint64_t ticks;

	if (disk < 0 || net < 0 || timer < 0) {
		perror("floor");
		return 1;
	}
	timerfd_settime(timer, 0, &spec, NULL);
	for (long i = 0; i < count; i++) {
		if (read(timer, &ticks, sizeof(ticks)) < 0)
			return 1;
		read_all(disk);
		read_all(net);
		if (tcp >= 0)
			tcp_floor_sample(tcp);
	}
	return 0;
}
