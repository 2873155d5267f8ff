/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/waits.h"

#include "base/memory.h"
#include "base/number.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Files that are kept open: two a thread. */
#define MOST_THREADS 2000
#define FUTEX_COMMAND 0x7f

struct lp_waiter {
	uint32_t pid, tid, host;
	char program[LP_PROGRAM_TEXT];
	char last[48]; /* what it waited for */
	int call_fd, place_fd;
	bool seen;
};

static const struct {
	long number;
	const char *name;
} calls[] = {
	{ SYS_read, "read" },
	{ SYS_write, "write" },
	{ SYS_pread64, "read" },
	{ SYS_pwrite64, "write" },
	{ SYS_readv, "read" },
	{ SYS_writev, "write" },
	{ SYS_preadv, "read" },
	{ SYS_pwritev, "write" },
	{ SYS_fsync, "fsync" },
	{ SYS_fdatasync, "fsync" },
	{ SYS_sync_file_range, "fsync" },
	{ SYS_recvmsg, "receive" },
	{ SYS_recvfrom, "receive" },
	{ SYS_sendmsg, "send" },
	{ SYS_sendto, "send" },
	{ SYS_nanosleep, "sleep" },
	{ SYS_clock_nanosleep, "sleep" },
	{ SYS_openat, "open" },
	{ SYS_unlinkat, "unlink" },
	{ SYS_fallocate, "allocate" },
	{ SYS_ftruncate, "truncate" },
	{ SYS_epoll_pwait, "idle epoll" },
	{ SYS_ppoll, "idle poll" },
	{ SYS_pselect6, "idle select" },
	{ SYS_rt_sigtimedwait, "idle signal" },
	{ SYS_accept, "idle accept" },
	{ SYS_accept4, "idle accept" },
#ifdef SYS_epoll_wait
	{ SYS_epoll_wait, "idle epoll" },
	{ SYS_poll, "idle poll" },
	{ SYS_select, "idle select" },
	{ SYS_open, "open" },
	{ SYS_unlink, "unlink" },
	{ SYS_pause, "idle pause" },
#endif
};

static const char *futex_name(const char *operands)
{
	unsigned long operation = 0;

	/* 0x7f.. 0x189 0x0 ...: the second is the operation. */
	operands = strchr(operands, ' ');
	if (operands)
		operation = strtoul(operands, NULL, 16) & FUTEX_COMMAND;
	switch (operation) {
	case 0: /* FUTEX_WAIT */
	case 6: /* FUTEX_LOCK_PI */
		return "futex mutex";
	case 9: /* FUTEX_WAIT_BITSET */
		return "idle condition";
	}
	return "futex";
}

const char *lp_wait_name(const char *line, char *text, size_t size)
{
	char *rest;
	long number;

	if (!isdigit((unsigned char)line[0]))
		return line[0] == 'r' ? "running" : "none";
	number = strtol(line, &rest, 10);
	if (number == SYS_restart_syscall)
		return NULL;
	if (number == SYS_futex)
		return futex_name(*rest ? rest + 1 : rest);
	for (size_t i = 0; i < lp_array_size(calls); i++)
		if (calls[i].number == number)
			return calls[i].name;
	snprintf(text, size, "call %ld", number);
	return text;
}

bool lp_wait_is_idle(const char *name)
{
	return strncmp(name, "idle ", 5) == 0;
}

/* ---- which threads ---- */

/* The name of a directory of /proc as a number; 0: it is none. */
static uint32_t number_of(const char *name)
{
	uint64_t number;

	return lp_parse_u64(name, strlen(name), &number) == 0 &&
			       number <= UINT32_MAX
		       ? (uint32_t)number
		       : 0;
}

static int open_of(uint32_t pid, uint32_t tid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%u/task/%u/%s", pid, tid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static struct lp_waiter *find(struct lp_waits *w, uint32_t tid)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->threads[i].tid == tid)
			return &w->threads[i];
	return NULL;
}

static int add_thread(struct lp_waits *w, const struct lp_task *task,
		      uint32_t tid)
{
	struct lp_waiter *t = find(w, tid);
	int fd;

	if (t && t->pid == task->pid) {
		t->seen = true;
		return 0;
	}
	if (w->n >= MOST_THREADS)
		return 0;
	if (lp_grow(&w->threads, &w->capacity, w->n + 1, sizeof(*t)) < 0)
		return -ENOMEM;
	fd = open_of(task->pid, tid, "syscall");
	if (fd < 0) {
		w->denied |= errno == EACCES || errno == EPERM;
		return 0;
	}
	t = &w->threads[w->n++];
	*t = (struct lp_waiter){ .pid = task->pid,
				 .tid = tid,
				 .host = task->host,
				 .call_fd = fd,
				 .seen = true };
	t->place_fd = open_of(task->pid, tid, "wchan");
	memcpy(t->program, task->program, sizeof(t->program));
	return 0;
}

static int add_threads(struct lp_waits *w, const struct lp_task *task)
{
	const struct dirent *entry;
	char path[64];
	int status = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", task->pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (status == 0 && (entry = readdir(dir)))
		if (number_of(entry->d_name))
			status = add_thread(w, task, number_of(entry->d_name));
	closedir(dir);
	return status;
}

static bool is_wanted(const struct lp_waits *w, const char *program)
{
	for (size_t i = 0; w->programs[i]; i++)
		if (fnmatch(w->programs[i], program, 0) == 0)
			return true;
	return false;
}

/* The name alone first: it is cheaper than to know a process. */
static bool may_be_wanted(const struct lp_waits *w, const char *pid)
{
	struct lp_task probe = { .pid = number_of(pid) };

	lp_task_find_program(&probe);
	return is_wanted(w, probe.program);
}

static void close_thread(struct lp_waiter *t)
{
	close(t->call_fd);
	if (t->place_fd >= 0)
		close(t->place_fd);
}

static void drop_unseen(struct lp_waits *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->threads[i].seen)
			w->threads[kept++] = w->threads[i];
		else
			close_thread(&w->threads[i]);
	w->n = kept;
}

int lp_waits_refresh(struct lp_waits *w, struct lp_tasks *tasks, int64_t now_ns)
{
	const struct dirent *entry;
	DIR *proc = opendir("/proc");
	int status = 0;

	if (!proc)
		return 0;
	for (size_t i = 0; i < w->n; i++)
		w->threads[i].seen = false;
	while (status == 0 && (entry = readdir(proc))) {
		struct lp_task *task;

		if (!number_of(entry->d_name) ||
		    !may_be_wanted(w, entry->d_name))
			continue;
		task = lp_tasks_get(tasks, number_of(entry->d_name), now_ns);
		if (!task)
			status = -ENOMEM;
		else if (task->host != LP_NAME_NONE)
			status = add_threads(w, task);
	}
	closedir(proc);
	drop_unseen(w);
	return status;
}

/* ---- looking ---- */

static bool read_line(int fd, char *text, size_t size)
{
	ssize_t n = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static void look_at(struct lp_waiter *t, struct lp_profile_sheet *sheet,
		    size_t slot)
{
	char line[256], place[128], other[32], text[320];
	const char *name;

	if (!read_line(t->call_fd, line, sizeof(line)))
		return;
	name = lp_wait_name(line, other, sizeof(other));
	if (name)
		snprintf(t->last, sizeof(t->last), "%s", name);
	if (!t->last[0])
		return;
	if (strcmp(t->last, "running") == 0 ||
	    !read_line(t->place_fd, place, sizeof(place)) ||
	    strcmp(place, "0") == 0)
		place[0] = '\0';
	snprintf(text, sizeof(text), "%s\t%s\t%s", t->program, t->last, place);
	lp_ledger_count(sheet, text, slot, 1);
}

void lp_waits_look(struct lp_waits *w, struct lp_ledger *ledger,
		   const struct lp_tasks *tasks, size_t slot)
{
	for (size_t i = 0; i < w->n; i++) {
		struct lp_waiter *t = &w->threads[i];
		struct lp_ledger_page *page =
			t->host == LP_NAME_NONE
				? NULL
				: lp_ledger_page(ledger,
						 tasks->hosts.text[t->host]);

		if (page)
			look_at(t, &page->waits, slot);
	}
}

void lp_waits_done(struct lp_waits *w)
{
	for (size_t i = 0; i < w->n; i++)
		close_thread(&w->threads[i]);
	free(w->threads);
	w->threads = NULL;
	w->n = 0;
}
