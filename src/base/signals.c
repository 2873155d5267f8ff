/* SPDX-License-Identifier: Apache-2.0 */
#include "base/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

int lp_signals_open(struct lp_error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? lp_fail_errno(err, errno, "cannot take signals") : fd;
}
