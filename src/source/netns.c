/* SPDX-License-Identifier: Apache-2.0 */
#include "source/netns.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

struct errand {
	int netns_fd;
	int (*work)(void *argument);
	void *argument;
	struct lp_error *err;
	int result;
};

static void *run_inside(void *pointer)
{
	struct errand *errand = pointer;

	if (setns(errand->netns_fd, CLONE_NEWNET) < 0)
		errand->result = lp_fail_errno(
			errand->err, errno,
			"cannot enter the network namespace (this needs root)");
	else
		errand->result = errand->work(errand->argument);
	return NULL;
}

int lp_netns_run(int netns_fd, int (*work)(void *argument), void *argument,
		 struct lp_error *err)
{
	struct errand errand = { netns_fd, work, argument, err, 0 };
	pthread_t thread;
	int code;

	if (netns_fd < 0)
		return work(argument);
	code = pthread_create(&thread, NULL, run_inside, &errand);
	if (code)
		return lp_fail_errno(err, code, "cannot start a thread");
	pthread_join(thread, NULL);
	return errand.result;
}
