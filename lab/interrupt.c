/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include "base/timestamp.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* A handler can reach nothing else. */
static volatile int interrupted;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static void on_signal(int signal)
{
	interrupted = signal;
}

const volatile int *lab_interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN); /* `| head` shall not leave a fault on */
	return &interrupted;
}

bool lab_interrupt_wait(int64_t ns)
{
	const struct timespec limit = { ns / LP_NS_PER_S, ns % LP_NS_PER_S };
	sigset_t block, before;

	/* Blocked meanwhile: a signal between look and sleep is not lost. */
	sigemptyset(&block);
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaddset(&block, signals[i]);
	sigprocmask(SIG_BLOCK, &block, &before);
	if (!interrupted && ns > 0) {
		int signal = sigtimedwait(&block, NULL, &limit);

		if (signal > 0)
			interrupted = signal;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return interrupted != 0;
}
