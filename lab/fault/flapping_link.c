/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flapping-link: the server's port at the switch is down for a moment, again
 * and again.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "fault/diskload.h"

#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_S 10

struct flap {
	const char *port;
	double down_s;
	struct lab_hog_page *page;
};

static int set_port(int fd, const char *port, bool up)
{
	struct ifreq request = { 0 };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", port);
	if (ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -errno;
	if (up)
		request.ifr_flags |= IFF_UP;
	else
		request.ifr_flags &= (short)~IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

/* True: it shall end. */
static bool sleep_or_end(const sigset_t *end, double s)
{
	const struct timespec limit = { (time_t)s,
					(long)((s - (double)(time_t)s) * 1e9) };

	return sigtimedwait(end, NULL, &limit) > 0;
}

static int body(void *context)
{
	const struct flap *flap = context;
	lp_auto_close int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct lp_error err;
	bool ended = false;
	sigset_t end;
	int status = 0;

	/* The port is up when this ends. */
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	while (!ended && status == 0) {
		status = set_port(fd, flap->port, false);
		ended = sleep_or_end(&end, flap->down_s);
		if (status == 0)
			status = set_port(fd, flap->port, true);
		atomic_fetch_add(&flap->page->bytes, 1);
		if (!ended)
			ended = sleep_or_end(&end, PERIOD_S - flap->down_s);
	}
	if (status < 0)
		lp_fail_errno(&err, -status, "cannot change %s", flap->port);
	return status < 0 ? lab_hog_fail(flap->page, &err) : 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	struct flap flap = { .port = run->victim->port,
			     .down_s = run->strength };

	return lab_hog_put_on(run, lab_nth(run->lab, LAB_BRIDGE, 0), body,
			      &flap, &flap.page, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	unsigned long times;
	int status = lab_hog_alive(hog, err);

	if (status < 0)
		return status;
	times = (unsigned long)atomic_load(&hog->page->bytes);
	snprintf(run->seen, sizeof(run->seen), "the link was down %lu times",
		 times);
	return times > 0 ? 0
			 : lp_fail(err, EIO, "the link has not been down yet");
}

const struct lab_fault lab_fault_flapping_link = {
	.name = "flapping-link",
	.summary = "the server's link is down for a moment every 10 s",
	.strength_unit = "s",
	.strengths = { 1, 0.5, 0.2 },
	.weakest = 0.01,
	.strongest = PERIOD_S - 1,
	.cause = "packet-loss",
	.start = start,
	.stop = lab_hog_take_off,
	.bites = bites,
};
