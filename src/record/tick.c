/* SPDX-License-Identifier: Apache-2.0 */
#include "record/tick.h"

#include "base/timestamp.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_US 1000
#define DAY_NS (86400 * LP_NS_PER_S)
/* Slack for clocks that are set back a little at midnight. */
#define DAY_BEGINS_NS (5 * LP_NS_PER_S)

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

int64_t lp_tick_after(int64_t now_ns, int64_t interval_ns)
{
	return (floor_divide(now_ns, interval_ns) + 1) * interval_ns;
}

int64_t lp_tick_slack(int64_t interval_ns)
{
	return interval_ns / 10;
}

int64_t lp_tick_round(int64_t time_ns)
{
	return floor_divide(time_ns + NS_PER_US / 2, NS_PER_US) * NS_PER_US;
}

int64_t lp_tick_day(int64_t time_ns)
{
	return floor_divide(time_ns - DAY_BEGINS_NS, DAY_NS);
}

static struct timespec to_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / LP_NS_PER_S),
				  .tv_nsec = (long)(ns % LP_NS_PER_S) };
}

/* The kernel repeats from the first tick on, so nothing adds up. */
static int align(struct lp_ticker *ticker)
{
	int64_t first = lp_tick_after(lp_time_now(), ticker->interval_ns);
	struct itimerspec spec = { .it_value = to_timespec(first),
				   .it_interval =
					   to_timespec(ticker->interval_ns) };

	if (timerfd_settime(ticker->fd,
			    TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec,
			    NULL) < 0)
		return -errno;
	return 0;
}

int lp_ticker_open(struct lp_ticker *ticker, int64_t interval_ns,
		   struct lp_error *err)
{
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
	int status;

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot make a timer");
	*ticker = (struct lp_ticker){ fd, interval_ns };
	status = align(ticker);
	if (status < 0) {
		lp_ticker_close(ticker);
		return lp_fail_errno(err, -status, "cannot set a timer");
	}
	return 0;
}

int lp_ticker_wait(struct lp_ticker *ticker)
{
	uint64_t ticks;

	for (;;) {
		int status = 0;

		if (read(ticker->fd, &ticks, sizeof(ticks)) > 0)
			return 0;
		if (errno == ECANCELED)
			status = align(ticker);
		else if (errno != EINTR)
			status = -errno;
		if (status < 0)
			return status;
	}
}

void lp_ticker_wake(struct lp_ticker *ticker)
{
	struct itimerspec now = { .it_value = { .tv_nsec = 1 } };

	timerfd_settime(ticker->fd, 0, &now, NULL);
}

void lp_ticker_close(struct lp_ticker *ticker)
{
	if (ticker->fd >= 0)
		close(ticker->fd);
	ticker->fd = -1;
}
