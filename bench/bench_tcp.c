/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the TCP reader costs per sample, against the floor: the same dump,
 * received and thrown away. Loopback sockets, half of each connection ours,
 * half the peer's; both sides are in the dump. CPU time of this process, in
 * which the kernel's walk is included; the two alternate, medians are shown.
 *
 *     bench_tcp [SOCKETS...]          default: 100 1000
 */
#include "tcp_floor.h"

#include "base/memory.h"
#include "source/reader.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 201
/* The goal: so many times the floor at most. */
#define MOST_RATIO 2
/* The recorder hands over a chunk and clears the builder this often. */
#define CHUNK_SAMPLES 60

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return values[n / 2];
}

/* n / 2 connections to one listening port of ours. */
static void connect_sockets(int *fds, size_t n)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&address, length) < 0 ||
	    listen(listener, 128) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		fail("listen");
	for (size_t i = 0; i + 1 < n; i += 2) {
		fds[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (fds[i] < 0 ||
		    connect(fds[i], (struct sockaddr *)&address, length) < 0)
			fail("connect");
		fds[i + 1] = accept(listener, NULL, NULL);
		if (fds[i + 1] < 0)
			fail("accept");
	}
	close(listener);
}

/* Every connection carries something, so that every counter moves. */
static void talk(const int *fds, size_t n)
{
	char bytes[4096] = { 0 };

	for (size_t i = 0; i + 1 < n; i += 2)
		if (write(fds[i], bytes, sizeof(bytes)) < 0 ||
		    read(fds[i + 1], bytes, sizeof(bytes)) < 0)
			fail("talk");
}

static void reader_sample(const struct lp_reader *reader, void *state,
			  struct lp_builder *builder, int64_t time)
{
	struct lp_error err;

	if (lp_builder_samples(builder) == CHUNK_SAMPLES)
		lp_builder_clear(builder);
	lp_builder_tick(builder, time);
	if (reader->fetch(state, &err) < 0 ||
	    reader->parse(state, builder, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void run(size_t n, bool each)
{
	const struct lp_reader *reader = &lp_reader_sockdiag;
	const struct lp_filter filter = { 0 };
	const struct lp_reader_context context = { .root = "",
						   .filter = &filter,
						   .netns_fd = -1,
						   .each_socket = each,
						   .max_series = 4096 };
	double floor_ms[ROUNDS], reader_ms[ROUNDS], start, f, r;
	struct lp_builder *builder = lp_builder_new("bench");
	lp_auto_free int *fds = calloc(n, sizeof(*fds));
	lp_auto_close int fd = tcp_floor_open();
	void *state;

	connect_sockets(fds, n);
	if (reader->open(&context, &state) < 0)
		fail("open");
	for (int i = 0; i < ROUNDS; i++) {
		talk(fds, n);
		start = cpu_ms();
		tcp_floor_sample(fd);
		floor_ms[i] = cpu_ms() - start;
		start = cpu_ms();
		reader_sample(reader, state, builder, i);
		reader_ms[i] = cpu_ms() - start;
	}
	f = median(floor_ms, ROUNDS);
	r = median(reader_ms, ROUNDS);
	printf("tcp %5zu sockets%s  floor %.3f ms  reader %.3f ms  ratio "
	       "%.2f, goal at most %d: %s\n",
	       n, each ? " each" : "     ", f, r, r / f, MOST_RATIO,
	       r / f <= MOST_RATIO ? "met" : "MISSED");
	reader->close(state);
	lp_builder_free(builder);
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = { 100, 1000 };
	struct rlimit files = { 65536, 65536 };

	setrlimit(RLIMIT_NOFILE, &files);
	for (int i = 1; i < argc; i++)
		run(strtoul(argv[i], NULL, 10) & ~1UL, false);
	for (size_t i = 0; argc < 2 && i < lp_array_size(sizes); i++) {
		run(sizes[i], false);
		run(sizes[i], true);
	}
	return 0;
}
