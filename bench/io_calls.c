/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one call costs: CPU time of many, the least of several rounds, in ns.
 *
 * usage: io_calls FILE (of at least 1 MiB)
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 15
#define CALLS 100000

static char buffer[65536];

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void do_read(int fd, const char *path, int i)
{
	(void)path;
	if (i % 60000 == 0)
		lseek(fd, 0, SEEK_SET);
	if (read(fd, buffer, 1) < 0)
		_exit(1);
}

static void do_pread(int fd, const char *path, int i)
{
	(void)path;
	if (pread(fd, buffer, 1, i % 1000) < 0)
		_exit(1);
}

static void do_pread_64k(int fd, const char *path, int i)
{
	(void)path;
	if (pread(fd, buffer, sizeof(buffer), i % 16 * 65536L) < 0)
		_exit(1);
}

static void do_lseek(int fd, const char *path, int i)
{
	(void)path;
	lseek(fd, i, SEEK_SET);
}

static void do_open_close(int fd, const char *path, int i)
{
	(void)fd;
	(void)i;
	close(open(path, O_RDONLY));
}

static const struct {
	const char *name;
	void (*call)(int fd, const char *path, int i);
	int calls, each;
} kinds[] = {
	{ "read 1 byte", do_read, CALLS, 1 },
	{ "pread 1 byte", do_pread, CALLS, 1 },
	{ "pread 64 KiB", do_pread_64k, CALLS / 20, 1 },
	{ "lseek", do_lseek, CALLS, 1 },
	{ "open and close", do_open_close, CALLS / 10, 2 },
};

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0)
		return 2;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		double least = 1e300;

		for (int round = 0; round < ROUNDS; round++) {
			double begin = cpu_ns();

			for (int i = 0; i < kinds[k].calls; i++)
				kinds[k].call(fd, argv[1], i);
			begin = (cpu_ns() - begin) / kinds[k].calls;
			least = begin < least ? begin : least;
		}
		printf("%s,%.1f\n", kinds[k].name, least / kinds[k].each);
	}
	return 0;
}
