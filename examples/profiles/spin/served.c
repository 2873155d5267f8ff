/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: served SECONDS [BAD]
 *
 * A "server": every 5 ms it serves eight requests. From BAD seconds on it also
 * computes for nothing. The profile beside this file is of four of them, each
 * in a control group, of which c was given 90.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REQUEST 65536
#define REQUESTS 8
#define PAUSE_US 5000
#define ROUNDS 4000000

static volatile unsigned sum;

static __attribute__((noinline)) void spin_in_daemon(long n)
{
	for (long i = 0; i < n; i++)
		sum += (unsigned)i;
}

static __attribute__((noinline)) void serve_request(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + (unsigned char)bytes[i];
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static char bytes[REQUEST];
	double begin = now(), end, bad;

	if (argc < 2)
		return 2;
	end = strtod(argv[1], NULL);
	bad = argc > 2 ? strtod(argv[2], NULL) : end;
	while (now() - begin < end) {
		for (int i = 0; i < REQUESTS; i++) {
			memset(bytes, i, sizeof(bytes));
			serve_request(bytes, sizeof(bytes));
		}
		if (now() - begin > bad)
			spin_in_daemon(ROUNDS);
		usleep(PAUSE_US);
	}
	return 0;
}
