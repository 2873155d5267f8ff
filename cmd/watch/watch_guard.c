/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Signals that are meant for whoever shows the screen. */
static const int passed_on[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
#define PASSED_ON (sizeof(passed_on) / sizeof(passed_on[0]))

static void block(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, before);
}

/*
 * What ncurses does at its end, of any terminal that has a second screen; the
 * others ignore it.
 */
static void restore(const struct termios *saved)
{
	static const char back[] =
		"\033[?1049l\033[?1l\033>\033[?25h\033[0m\r\n";

	tcsetattr(STDIN_FILENO, TCSANOW, saved);
	if (write(STDOUT_FILENO, back, sizeof(back) - 1) < 0)
		errno = 0; /* the terminal is gone */
}

static int wait_for(pid_t child)
{
	sigset_t set;
	int wait_status, got;

	sigemptyset(&set);
	for (size_t i = 0; i < PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigaddset(&set, SIGCHLD);
	for (;;) {
		if (waitpid(child, &wait_status, WNOHANG) == child)
			return wait_status;
		if (sigwait(&set, &got) == 0 && got != SIGCHLD)
			kill(child, got);
	}
}

static int end_as(int wait_status, const struct termios *saved)
{
	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	restore(saved);
	fprintf(stderr, "limpid watch: ended by a signal (%s)\n",
		strsignal(WTERMSIG(wait_status)));
	return 128 + WTERMSIG(wait_status);
}

bool lp_guard_begin(int *status)
{
	struct termios saved;
	sigset_t before;
	pid_t child, parent = getpid();

	if (tcgetattr(STDIN_FILENO, &saved) < 0)
		return true;
	block(&before);
	child = fork();
	if (child > 0) {
		*status = end_as(wait_for(child), &saved);
		return false;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
	}
	return true;
}
