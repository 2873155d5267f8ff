/* SPDX-License-Identifier: Apache-2.0 */
#include "site/ending.h"

#include "base/memory.h"
#include "base/number.h"
#include "site/machine.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIND_WAIT_MS 2000
#define LAST_WAIT_MS 10000

struct pids {
	pid_t *pid;
	size_t n, capacity;
};

/* A process that it asks about: does it belong to those to be ended? */
typedef bool belongs_fn(pid_t pid, const void *context);

static int add(struct pids *pids, pid_t pid)
{
	if (lp_grow(&pids->pid, &pids->capacity, pids->n + 1,
		    sizeof(*pids->pid)) < 0)
		return -ENOMEM;
	pids->pid[pids->n++] = pid;
	return 0;
}

static int gather(belongs_fn *belongs, const void *context, struct pids *pids)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int status = 0;

	if (!proc)
		return -errno;
	while (status == 0 && (entry = readdir(proc))) {
		uint64_t number, start;
		pid_t pid;

		if (lp_parse_u64(entry->d_name, strlen(entry->d_name),
				 &number) < 0)
			continue;
		pid = (pid_t)number;
		if (pid != getpid() && belongs(pid, context) &&
		    lab_process_start(pid, &start) == 0)
			status = add(pids, pid);
	}
	closedir(proc);
	return status;
}

/* Waits for the end of one process; false: it is still there. */
static bool wait_end(int fd, pid_t pid, int limit_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	int n;

	do
		n = poll(&wait, 1, limit_ms);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		waitpid(pid, NULL, WNOHANG); /* if it is our child */
	return n > 0;
}

/* Send the signal to all; false if one is still there after the time. */
static bool end_all(const struct pids *pids, int signal, int limit_ms)
{
	bool all = true;

	for (size_t i = 0; i < pids->n; i++)
		kill(pids->pid[i], signal);
	for (size_t i = 0; i < pids->n; i++) {
		int fd = (int)syscall(SYS_pidfd_open, pids->pid[i], 0);

		if (fd < 0)
			continue;
		if (!wait_end(fd, pids->pid[i], limit_ms))
			all = false;
		close(fd);
	}
	return all;
}

/*
 * Until nobody belongs any more: who is being ended may have started another
 * meanwhile.
 */
static int end_those(belongs_fn *belongs, const void *context, int signal,
		     struct lp_error *err)
{
	for (int round = 0; round < 20; round++) {
		struct pids pids = { 0 };
		int status = gather(belongs, context, &pids);
		bool none = pids.n == 0;
		bool gone = none;

		if (status == 0 && !none)
			gone = end_all(&pids, signal,
				       signal == SIGTERM ? KIND_WAIT_MS
							 : LAST_WAIT_MS);
		if (status == 0 && !gone && signal == SIGKILL)
			status = lp_fail(
				err, EBUSY,
				"process %d does not end: it waits in the "
				"kernel, see /proc/%d/stack",
				(int)pids.pid[0], (int)pids.pid[0]);
		free(pids.pid);
		if (status < 0 || none)
			return status;
		if (!gone)
			signal = SIGKILL;
	}
	return lp_fail(err, EBUSY, "processes of the lab keep starting again");
}

/* ---- sessions ---- */

struct session {
	pid_t leader;
	uint64_t start;
};

static bool in_session(pid_t pid, const void *context)
{
	const struct session *session = context;
	uint64_t start;

	return getsid(pid) == session->leader &&
	       lab_process_start(pid, &start) == 0 && start >= session->start;
}

int lab_end_session(pid_t pid, uint64_t start, struct lp_error *err)
{
	struct session session = { .leader = pid, .start = start };
	uint64_t now;

	/*
	 * The number of a leader that ended is not given away before its
	 * session has ended, too.
	 */
	if (lab_process_start(pid, &now) == 0 && now != start)
		return 0;
	return end_those(in_session, &session, SIGTERM, err);
}

/* ---- namespaces and cgroups ---- */

static bool in_netns(pid_t pid, const void *context)
{
	const struct stat *wanted = context;
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)pid);
	return stat(path, &st) == 0 && st.st_ino == wanted->st_ino &&
	       st.st_dev == wanted->st_dev;
}

int lab_end_netns(const char *path, struct lp_error *err)
{
	struct stat wanted;

	if (stat(path, &wanted) < 0)
		return 0;
	return end_those(in_netns, &wanted, SIGKILL, err);
}

static bool in_cgroup(pid_t pid, const void *context)
{
	lp_auto_fclose FILE *list = fopen(context, "re");
	int member;

	while (list && fscanf(list, "%d", &member) == 1)
		if (member == pid)
			return true;
	return false;
}

int lab_end_cgroup(const char *path, struct lp_error *err)
{
	return end_those(in_cgroup, path, SIGKILL, err);
}
