/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/netload.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "workload/pace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK ((size_t)64 << 10)
/* How long the sender waits for the receiver. */
#define PATIENCE_NS (5 * LP_NS_PER_S)
#define GLANCE_NS (10 * LP_NS_PER_MS)

struct net_load {
	const char *address; /* of the receiver */
	double bytes_per_s;
	struct lab_hog_page *page;
};

static int tcp_socket(const char *address, int port, struct sockaddr_in *at,
		      struct lp_error *err)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_port = htons((uint16_t)port) };
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot make a socket");
	if (inet_pton(AF_INET, address, &at->sin_addr) != 1) {
		close(fd);
		return lp_fail(err, EINVAL, "%s is not an address", address);
	}
	return fd;
}

/* A listening socket at a port of the kernel's choice, which is published. */
static int listen_at(const struct net_load *load, struct lp_error *err)
{
	struct sockaddr_in at;
	socklen_t n = sizeof(at);
	int fd = tcp_socket(load->address, 0, &at, err);

	if (fd < 0)
		return fd;
	if (bind(fd, (struct sockaddr *)&at, n) < 0 || listen(fd, 1) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &n) < 0) {
		int code = errno;

		close(fd);
		return lp_fail_errno(err, code, "cannot listen at %s",
				     load->address);
	}
	atomic_store(&load->page->port, ntohs(at.sin_port));
	return fd;
}

/* Counts and forgets whatever comes. Returns at failure only. */
static int swallow(const struct net_load *load, struct lp_error *err)
{
	lp_auto_close int door = listen_at(load, err), fd = -1;
	lp_auto_free char *bytes = malloc(CHUNK);
	ssize_t r;

	if (door < 0)
		return door;
	if (!bytes)
		return lp_fail_memory(err);
	fd = accept4(door, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "nobody connects");
	while ((r = recv(fd, bytes, CHUNK, 0)) > 0)
		atomic_fetch_add(&load->page->bytes, (uint64_t)r);
	return lp_fail_errno(err, r < 0 ? errno : EPIPE, "receiving");
}

static int wait_for_port(const struct net_load *load, struct lp_error *err)
{
	int64_t until_ns = lp_monotonic_now() + PATIENCE_NS;
	int port;

	while ((port = atomic_load(&load->page->port)) == 0) {
		if (lp_monotonic_now() > until_ns)
			return lp_fail(err, ETIMEDOUT,
				       "the receiver does not listen");
		lab_sleep_ns(GLANCE_NS);
	}
	return port;
}

static int connect_to(const struct net_load *load, struct lp_error *err)
{
	int port = wait_for_port(load, err);
	struct sockaddr_in at;
	int fd;

	if (port < 0)
		return port;
	fd = tcp_socket(load->address, port, &at, err);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) < 0) {
		int code = errno;

		close(fd);
		return lp_fail_errno(err, code, "cannot connect to %s",
				     load->address);
	}
	return fd;
}

/* Sends zeros at the rate. Returns at failure only. */
static int pour(const struct net_load *load, struct lp_error *err)
{
	lp_auto_close int fd = connect_to(load, err);
	lp_auto_free char *zeros = calloc(1, CHUNK);
	struct lab_pace pace;

	if (fd < 0)
		return fd;
	if (!zeros)
		return lp_fail_memory(err);
	lab_pace_init(&pace, load->bytes_per_s, CHUNK, 0, lp_monotonic_now());
	for (;;) {
		lab_pace_wait(&pace, CHUNK);
		if (send(fd, zeros, CHUNK, MSG_NOSIGNAL) < 0)
			return lp_fail_errno(err, errno, "sending");
	}
}

static int receiver(void *context)
{
	const struct net_load *load = context;
	struct lp_error err;

	swallow(load, &err);
	return lab_hog_fail(load->page, &err);
}

static int sender(void *context)
{
	const struct net_load *load = context;
	struct lp_error err;

	pour(load, &err);
	return lab_hog_fail(load->page, &err);
}

int lab_net_load_start(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_node *third = lab_nth(run->lab, LAB_THIRD, 0);
	bool to = run->fault->direction == LAB_TO_NODE;
	const struct lab_node *end = to ? run->victim : third;
	struct net_load load = { .bytes_per_s = run->strength * 1e6 };
	int status;

	if (!third)
		return lp_fail(err, ENOENT,
			       "this lab has no node x1 to send or receive");
	load.address = end->address;
	status = lab_hog_put_on(run, end, receiver, &load, &load.page, err);
	if (status < 0)
		return status;
	status = lab_hog_fork(run->own, to ? third : run->victim, sender, &load,
			      err);
	if (status < 0)
		lab_hog_take_off(run, NULL);
	return status;
}

int lab_net_load_bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	int status = lab_hog_alive(hog, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "moves %.1f MB/s",
		 lab_hog_rate(hog));
	if (atomic_load(&hog->page->bytes) == 0)
		return lp_fail(err, EIO, "no byte has arrived yet");
	return 0;
}
