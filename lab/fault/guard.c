/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/guard.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_MARKS 64
/* No line of a journal begins there. */
#define HOME SIZE_MAX

struct lab_guard {
	int pipe;
	pid_t pid;
};

static void undo(const char *dir, const size_t *marks, size_t n)
{
	struct lab_journal *journal;

	if (n == 0 || lab_journal_open(dir, false, &journal, NULL) < 0)
		return;
	while (n > 0)
		lab_journal_undo(journal, marks[--n], NULL);
	lab_journal_close(journal);
}

/* Marks come until the command sends it home, or is no more. */
static void stand_guard(const char *dir, int pipe)
{
	size_t marks[MOST_MARKS], n = 0, mark;
	ssize_t r;

	do {
		r = read(pipe, &mark, sizeof(mark));
		if (r == (ssize_t)sizeof(mark) && mark == HOME)
			return;
		if (r == (ssize_t)sizeof(mark) && n < MOST_MARKS)
			marks[n++] = mark;
	} while (r > 0 || (r < 0 && errno == EINTR));
	undo(dir, marks, n);
}

static void be_guard(struct lab *lab, const int ends[2])
{
	close(ends[1]);
	lab_journal_leave(lab->journal);
	/* Ctrl-C is the command's. */
	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	stand_guard(lab->dir, ends[0]);
	_exit(0);
}

int lab_guard_post(struct lab *lab, struct lab_guard **posted,
		   struct lp_error *err)
{
	struct lab_guard *guard = calloc(1, sizeof(*guard));
	int ends[2];

	if (!guard)
		return lp_fail_memory(err);
	if (pipe2(ends, O_CLOEXEC) < 0) {
		free(guard);
		return lp_fail_errno(err, errno, "cannot make a pipe");
	}
	guard->pid = fork();
	if (guard->pid == 0)
		be_guard(lab, ends);
	close(ends[0]);
	if (guard->pid < 0) {
		close(ends[1]);
		free(guard);
		return lp_fail_errno(err, errno, "cannot fork");
	}
	guard->pipe = ends[1];
	*posted = guard;
	return 0;
}

static void tell(const struct lab_guard *guard, size_t mark)
{
	ssize_t r;

	do
		r = write(guard->pipe, &mark, sizeof(mark));
	while (r < 0 && errno == EINTR);
}

void lab_guard_entrust(struct lab_guard *guard, size_t mark)
{
	tell(guard, mark);
}

void lab_guard_dismiss(struct lab_guard *guard)
{
	if (!guard)
		return;
	tell(guard, HOME);
	close(guard->pipe);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(guard);
}
