/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The TCP reader on real sockets, over loopback and a port of our own. The
 * test takes a network namespace where it may: thousands of sockets of others
 * would fill its groups, and their ends the kernel's queue.
 */
#include "unit.h"

#include "source/reader.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct rig {
	void *state;
	struct lp_builder *builder;
	int listener;
	struct sockaddr_in address;
	char served[64]; /* the instance of our listening port */
	const char *opened;
};

static void sample(struct rig *rig)
{
	struct lp_error err = { "" };

	lp_builder_tick(rig->builder, 0);
	if (lp_reader_sockdiag.fetch(rig->state, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(
		lp_reader_sockdiag.parse(rig->state, rig->builder, &err), 0);
}

static void set_up(struct rig *rig, bool each)
{
	static const struct lp_filter filter;
	struct lp_reader_context context = { .root = "",
					     .filter = &filter,
					     .netns_fd = -1,
					     .each_socket = each,
					     .max_series = 100000 };
	socklen_t n = sizeof(rig->address);

	*rig = (struct rig){ .builder = lp_builder_new("h"),
			     .opened = "->127.0.0.1" };
	rig->address.sin_family = AF_INET;
	rig->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	rig->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
		bind(rig->listener, (struct sockaddr *)&rig->address, n), 0);
	assert_int_equal(listen(rig->listener, 5), 0);
	getsockname(rig->listener, (struct sockaddr *)&rig->address, &n);
	snprintf(rig->served, sizeof(rig->served), "%u>127.0.0.1",
		 ntohs(rig->address.sin_port));
	assert_int_equal(lp_reader_sockdiag.open(&context, &rig->state), 0);
}

static void tear_down(struct rig *rig)
{
	lp_reader_sockdiag.close(rig->state);
	lp_builder_free(rig->builder);
	close(rig->listener);
}

static void join(struct rig *rig, int ends[2])
{
	ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(ends[0], (struct sockaddr *)&rig->address,
				 sizeof(rig->address)),
			 0);
	ends[1] = accept(rig->listener, NULL, NULL);
	assert_true(ends[1] >= 0);
}

/* From the serving end to the other, and read there. */
static void serve(const int ends[2], size_t n)
{
	char bytes[1000] = { 0 };

	for (size_t done = 0; done < n;) {
		ssize_t sent = write(ends[1], bytes, sizeof(bytes));

		assert_true(sent > 0);
		for (ssize_t got = 0; got < sent;)
			got += read(ends[0], bytes, sizeof(bytes));
		done += (size_t)sent;
	}
}

static void part(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static const struct lp_values *values(struct rig *rig, const char *name,
				      const char *column)
{
	const struct lp_chunk *chunk = lp_builder_chunk(rig->builder);
	const struct lp_panel *panel = lp_chunk_panel(chunk, "tcp");
	int c = lp_panel_column(panel, column);

	for (size_t s = 0; s < panel->n_series; s++)
		if (strcmp(panel->series[s].name, name) == 0)
			return &panel->series[s].values[c];
	return NULL;
}

/* The counter or count in the newest sample; -1: missing. */
static long newest(struct rig *rig, const char *name, const char *column)
{
	const struct lp_values *v = values(rig, name, column);
	size_t last = lp_builder_chunk(rig->builder)->n_samples - 1;

	return v && lp_values_has(v, last) ? (long)v->bits[last] : -1;
}

static void bytes_are_those_that_were_sent(void **state)
{
	struct rig rig;
	int a[2], b[2];

	(void)state;
	set_up(&rig, false);
	join(&rig, a);
	serve(a, 5000);
	sample(&rig);
	assert_int_equal(newest(&rig, rig.served, "bytes_sent"), 0);
	serve(a, 7000);
	join(&rig, b);
	serve(b, 11000);
	sample(&rig);
	assert_int_equal(newest(&rig, rig.served, "bytes_sent"), 18000);
	assert_int_equal(newest(&rig, rig.served, "sockets"), 2);
	assert_int_equal(newest(&rig, rig.served, "active"), 2);
	assert_true(newest(&rig, rig.opened, "bytes_received") >= 18000);
	assert_non_null(values(&rig, rig.served, "cwnd")->bits);
	assert_non_null(values(&rig, rig.served, "congestion")->bits);
	part(a);
	part(b);
	tear_down(&rig);
}

/* The kernel tells of ends a moment later: ask again, for at most 10 s. */
static void expect_soon(struct rig *rig, long bytes)
{
	for (int i = 0; i < 1000; i++) {
		sample(rig);
		if (newest(rig, rig->served, "bytes_sent") >= bytes)
			break;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	assert_int_equal(newest(rig, rig->served, "bytes_sent"), bytes);
}

static void sockets_between_two_samples_lose_nothing(void **state)
{
	struct rig rig;
	int ends[2];

	(void)state;
	set_up(&rig, false);
	sample(&rig);
	for (int i = 0; i < 20; i++) {
		join(&rig, ends);
		serve(ends, 3000);
		if (i == 10)
			sample(&rig);
		serve(ends, 1000);
		part(ends);
	}
	expect_soon(&rig, 80000);
	assert_int_equal(newest(&rig, rig.served, "sockets"), 0);
	tear_down(&rig);
}

/*
 * With no connection opened for some samples, known sockets are asked for one
 * by one; what is counted must not differ.
 */
static void a_quiet_time_changes_nothing(void **state)
{
	struct rig rig;
	int a[2], b[2];

	(void)state;
	set_up(&rig, false);
	join(&rig, a);
	for (int i = 0; i < 8; i++)
		sample(&rig);
	serve(a, 5000);
	sample(&rig);
	assert_int_equal(newest(&rig, rig.served, "bytes_sent"), 5000);
	assert_int_equal(newest(&rig, rig.served, "sockets"), 1);
	join(&rig, b);
	serve(b, 2000);
	sample(&rig);
	assert_int_equal(newest(&rig, rig.served, "bytes_sent"), 7000);
	assert_int_equal(newest(&rig, rig.served, "sockets"), 2);
	for (int i = 0; i < 8; i++)
		sample(&rig);
	serve(a, 1000);
	part(a);
	expect_soon(&rig, 8000);
	assert_int_equal(newest(&rig, rig.served, "sockets"), 1);
	part(b);
	tear_down(&rig);
}

static int join_v6(uint16_t port, const char *address, int listener,
		   int ends[2])
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = port };

	inet_pton(AF_INET6, address, &to.sin6_addr);
	ends[0] = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(ends[0], (struct sockaddr *)&to, sizeof(to)) < 0)
		return -1;
	ends[1] = accept(listener, NULL, NULL);
	return 0;
}

static void ipv6_and_mapped_addresses_are_both_seen(void **state)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
	socklen_t n = sizeof(any);
	int listener = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int six[2] = { -1, -1 }, four[2] = { -1, -1 };
	char name[64];
	struct rig rig;

	(void)state;
	if (listener < 0 || bind(listener, (struct sockaddr *)&any, n) < 0)
		skip();
	listen(listener, 5);
	getsockname(listener, (struct sockaddr *)&any, &n);
	if (join_v6(any.sin6_port, "::1", listener, six) < 0 ||
	    join_v6(any.sin6_port, "::ffff:127.0.0.1", listener, four) < 0)
		skip();
	set_up(&rig, false);
	for (int i = 0; i < 8; i++)
		sample(&rig);
	serve(six, 3000);
	serve(four, 4000);
	sample(&rig);
	snprintf(name, sizeof(name), "%u>::1", ntohs(any.sin6_port));
	assert_int_equal(newest(&rig, name, "bytes_sent"), 3000);
	snprintf(name, sizeof(name), "%u>127.0.0.1", ntohs(any.sin6_port));
	assert_int_equal(newest(&rig, name, "bytes_sent"), 4000);
	part(six);
	part(four);
	close(listener);
	tear_down(&rig);
}

static void each_socket_is_an_instance_of_its_own(void **state)
{
	struct sockaddr_in peer;
	socklen_t n = sizeof(peer);
	struct rig rig;
	char name[128];
	int ends[2];

	(void)state;
	set_up(&rig, true);
	join(&rig, ends);
	serve(ends, 4000);
	sample(&rig);
	getsockname(ends[0], (struct sockaddr *)&peer, &n);
	snprintf(name, sizeof(name), "127.0.0.1:%u>127.0.0.1:%u",
		 ntohs(rig.address.sin_port), ntohs(peer.sin_port));
	assert_int_equal(newest(&rig, name, "bytes_sent"), 4000);
	assert_int_equal(newest(&rig, name, "sockets"), 1);
	part(ends);
	tear_down(&rig);
}

static void a_recorded_tree_has_no_sockets(void **state)
{
	static const struct lp_filter filter;
	struct lp_reader_context context = { .root = "/tmp",
					     .filter = &filter,
					     .netns_fd = -1 };
	struct lp_error err;
	void *reader;

	(void)state;
	assert_int_equal(lp_reader_sockdiag.open(&context, &reader), 0);
	assert_int_equal(lp_reader_sockdiag.fetch(reader, &err), -ENOENT);
	lp_reader_sockdiag.close(reader);
}

/* What is not allowed is done without. */
static void be_alone(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd;

	if (unshare(CLONE_NEWNET) < 0 &&
	    unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo) < 0)
		print_error("no loopback in a namespace of our own\n");
	if (fd >= 0)
		close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_those_that_were_sent),
		cmocka_unit_test(sockets_between_two_samples_lose_nothing),
		cmocka_unit_test(a_quiet_time_changes_nothing),
		cmocka_unit_test(ipv6_and_mapped_addresses_are_both_seen),
		cmocka_unit_test(each_socket_is_an_instance_of_its_own),
		cmocka_unit_test(a_recorded_tree_has_no_sockets),
	};

	be_alone();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
