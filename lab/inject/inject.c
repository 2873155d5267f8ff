/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread is stopped in the system call it waits in. Its registers are kept,
 * it is sent into dlopen with a return address of 0, and when it comes to that
 * address the registers are put back: the kernel then begins the system call
 * again, as after any signal.
 */
#include "inject/inject.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "inject/machine_state.h"
#include "inject/symbol_address.h"

#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STOP_S 10
/* Until one of its threads waits. */
#define CHOOSE_S 60
/* The loader reads the library from disk, where others may wait, too. */
#define CALL_S 120
#define POLL_NS (2 * LP_NS_PER_MS)

/*
 * In these a thread waits for something from outside, and holds no lock of the
 * loader or of malloc. Of locks and conditions (futex) one cannot know.
 */
static const long outside[] = {
	SYS_rt_sigtimedwait, SYS_epoll_pwait, SYS_ppoll,  SYS_pselect6,
	SYS_nanosleep,       SYS_accept4,     SYS_accept,
#ifdef __x86_64__
	SYS_epoll_wait,      SYS_poll,        SYS_select,
#endif
	SYS_clock_nanosleep,
};

/* "232 0x5 0x7f... 0x7ffc... 0x7f..." while it waits; else "running". */
static bool waits_outside(pid_t pid, pid_t tid)
{
	char path[64], line[64];
	lp_auto_fclose FILE *file = NULL;
	long call;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", (int)pid,
		 (int)tid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file) ||
	    sscanf(line, "%ld", &call) != 1)
		return false;
	for (size_t i = 0; i < lp_array_size(outside); i++)
		if (call == outside[i])
			return true;
	return false;
}

static int choose_thread(pid_t pid, pid_t *tid, struct lp_error *err)
{
	char path[64];
	const struct dirent *entry;
	bool found = false;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	if (!tasks)
		return lp_fail_errno(err, errno, "no process %d", (int)pid);
	while (!found && (entry = readdir(tasks))) {
		uint64_t number;

		if (lp_parse_u64(entry->d_name, strlen(entry->d_name),
				 &number) < 0)
			continue;
		*tid = (pid_t)number;
		found = waits_outside(pid, *tid);
	}
	closedir(tasks);
	return found ? 0
		     : lp_fail(err, EBUSY,
			       "no thread of process %d waits for something "
			       "from outside",
			       (int)pid);
}

/* The next stop of the thread within the time; its wait status, or -errno. */
static int next_stop(pid_t tid, double limit_s, struct lp_error *err)
{
	int64_t end_ns = lp_monotonic_now() + (int64_t)(limit_s * 1e9);
	const struct timespec pause = { .tv_nsec = POLL_NS };

	for (;;) {
		int how;
		pid_t who = waitpid(tid, &how, __WALL | WNOHANG);

		if (who < 0 && errno != EINTR)
			return lp_fail_errno(err, errno, "thread %d is gone",
					     (int)tid);
		if (who == tid && !WIFSTOPPED(how))
			return lp_fail(err, EIO, "thread %d has ended",
				       (int)tid);
		if (who == tid)
			return how;
		if (lp_monotonic_now() > end_ns)
			return lp_fail(err, EIO,
				       "thread %d does not stop within %g s",
				       (int)tid, limit_s);
		nanosleep(&pause, NULL);
	}
}

/* Until it comes back from the call; signals of its own go their way. */
static int await_return(pid_t tid, uint64_t *value, struct lp_error *err)
{
	int signal = 0;

	for (;;) {
		int how;

		if (ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal) <
		    0)
			return lp_fail_errno(err, errno, "thread %d", (int)tid);
		how = next_stop(tid, CALL_S, err);
		if (how < 0)
			return how;
		if (WSTOPSIG(how) == SIGSEGV &&
		    lab_machine_returned(tid, value) == 0)
			return 0;
		/* A stop of the group is no signal. */
		signal = how >> 16 ? 0 : WSTOPSIG(how);
	}
}

static int write_bytes(pid_t tid, uint64_t at, const void *bytes, size_t size)
{
	const struct iovec from = { .iov_base = (void *)(uintptr_t)bytes,
				    .iov_len = size };
	const struct iovec to = { .iov_base = (void *)(uintptr_t)at,
				  .iov_len = size };

	return process_vm_writev(tid, &from, 1, &to, 1, 0) == (ssize_t)size
		       ? 0
		       : -EIO;
}

/* The library's path, and below it the return address of 0. */
static int fill_stack(pid_t tid, const struct lab_machine_state *state,
		      const char *library, uint64_t *path, uint64_t *stack)
{
	static const uint64_t nowhere = 0;
	size_t size = strlen(library) + 1;
	int status;

	*path = (lab_machine_stack(state) - size) & ~UINT64_C(15);
	*stack = *path - 24; /* 8 below a multiple of 16, as after a call */
	assert(*stack % 16 == 8);
	status = write_bytes(tid, *path, library, size);
	return status < 0 ? status
			  : write_bytes(tid, *stack, &nowhere, sizeof(nowhere));
}

static int call_dlopen(pid_t tid, uint64_t function, const char *library,
		       struct lp_error *err)
{
	lp_auto_free struct lab_machine_state *state =
		calloc(1, sizeof(*state));
	uint64_t path, stack, value = 0;
	int status = state ? lab_machine_read(tid, state) : -ENOMEM;

	if (status == 0)
		status = fill_stack(tid, state, library, &path, &stack);
	if (status == 0)
		status = lab_machine_call(tid, state, stack, function, path,
					  RTLD_NOW);
	if (status < 0)
		return lp_fail_errno(err, -status, "the registers of thread %d",
				     (int)tid);
	status = await_return(tid, &value, err);
	if (status == 0 && lab_machine_write(tid, state) < 0)
		status = lp_fail(err, EIO, "thread %d cannot be set back",
				 (int)tid);
	if (status == 0 && value == 0)
		status = lp_fail(err, EIO, "process %d cannot load %s",
				 (int)tid, library);
	return status;
}

/*
 * Stop a thread while it waits. One that went on in between may hold a lock: it
 * is let go, -EAGAIN.
 */
static int stop_waiting(pid_t pid, pid_t *tid, struct lp_error *err)
{
	int how, status = choose_thread(pid, tid, err);

	if (status < 0)
		return status == -EBUSY ? -EAGAIN : status;
	if (ptrace(PTRACE_SEIZE, *tid, NULL, NULL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, *tid, NULL, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot stop thread %d",
				     (int)*tid);
	how = next_stop(*tid, STOP_S, err);
	if (how < 0)
		return how;
	if (waits_outside(pid, *tid))
		return 0;
	ptrace(PTRACE_DETACH, *tid, NULL, NULL);
	return lp_fail(err, EAGAIN, "no thread of process %d waits for long",
		       (int)pid);
}

int lab_inject(pid_t pid, const char *library, struct lp_error *err)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int64_t end_ns = lp_monotonic_now() + CHOOSE_S * LP_NS_PER_S;
	uint64_t function;
	pid_t tid = 0;
	int status =
		lab_symbol_address(pid, "libc.so", "dlopen", &function, err);

	if (status < 0)
		return status == -ENOENT ? -ENOTSUP : status;
	for (;;) {
		status = stop_waiting(pid, &tid, err);
		if (status != -EAGAIN)
			break;
		if (lp_monotonic_now() > end_ns)
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
	if (status < 0)
		return status;
	status = call_dlopen(tid, function, library, err);
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
	return status;
}
