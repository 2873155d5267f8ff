/* SPDX-License-Identifier: Apache-2.0 */
#include "io_run.h"

#include "base/helper.h"
#include "base/memory.h"
#include "io/model/trace.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A script whose interpreter is a script, and so on, as the kernel allows. */
#define SCRIPTS 4

/* Find. */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

static bool search_path(const char *program, char path[PATH_MAX])
{
	const char *list = getenv("PATH");

	for (list = list ? list : "/usr/bin:/bin"; *list;) {
		size_t n = strcspn(list, ":");
		int length = snprintf(path, PATH_MAX, "%.*s/%s", n ? (int)n : 1,
				      n ? list : ".", program);

		if (length > 0 && length < PATH_MAX && is_program(path))
			return true;
		list += n;
		list += *list == ':';
	}
	return false;
}

/* Can it be traced? */

/* Whether there is a segment that names the dynamic linker. */
static bool has_interpreter(int fd, const Elf64_Ehdr *head)
{
	for (unsigned i = 0; i < head->e_phnum; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(head->e_phoff + i * sizeof(segment));

		if (pread(fd, &segment, sizeof(segment), at) !=
		    (ssize_t)sizeof(segment))
			return false;
		if (segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

static int check_elf(const char *path, int fd, const Elf64_Ehdr *head,
		     struct lp_error *err)
{
	if (head->e_ident[EI_CLASS] != ELFCLASS64)
		return lp_fail(err, ENOTSUP,
			       "%s is a 32-bit program: its calls cannot be "
			       "traced by a 64-bit library",
			       path);
	if (!has_interpreter(fd, head))
		return lp_fail(err, ENOTSUP,
			       "%s is a static program and cannot be traced; "
			       "build it with shared libraries",
			       path);
	return 0;
}

static int check_privileges(const char *path, int fd, struct lp_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "%s", path);
	if ((st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
	    (st.st_mode & S_ISGID && st.st_gid != getegid()))
		return lp_fail(
			err, ENOTSUP,
			"%s gains privileges (setuid or setgid) and cannot be "
			"traced; run limpid with those privileges",
			path);
	return 0;
}

/* "#! /bin/sh -e" names what really runs; *next is "" for a program. */
static int check_file(const char *path, char next[PATH_MAX],
		      struct lp_error *err)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	union {
		Elf64_Ehdr elf;
		char text[PATH_MAX];
	} head = { .text = "" };
	ssize_t n = fd < 0 ? -1 : read(fd, head.text, sizeof(head.text) - 1);

	next[0] = '\0';
	/* What may be run but not read is left to the system. */
	if (n < 0)
		return 0;
	if (n >= (ssize_t)sizeof(head.elf) &&
	    memcmp(head.elf.e_ident, ELFMAG, SELFMAG) == 0) {
		int status = check_elf(path, fd, &head.elf, err);

		return status < 0 ? status : check_privileges(path, fd, err);
	}
	if (n > 2 && head.text[0] == '#' && head.text[1] == '!') {
		char *at = head.text + 2 + strspn(head.text + 2, " \t");

		at[strcspn(at, " \t\n")] = '\0';
		snprintf(next, PATH_MAX, "%s", at);
	}
	return 0;
}

int lp_io_run_find(const char *program, char path[PATH_MAX],
		   struct lp_error *err)
{
	char now[PATH_MAX], next[PATH_MAX];

	if (strchr(program, '/'))
		snprintf(path, PATH_MAX, "%s", program);
	else if (!search_path(program, path))
		return lp_fail(err, ENOENT, "%s: no such program in PATH",
			       program);
	if (access(path, X_OK) < 0)
		return lp_fail_errno(err, errno, "%s", path);
	if (!is_program(path))
		return lp_fail(err, EACCES, "%s: not a program", path);
	snprintf(now, sizeof(now), "%s", path);
	for (int i = 0; i < SCRIPTS && now[0]; i++) {
		int status = check_file(now, next, err);

		if (status < 0)
			return status;
		memcpy(now, next, sizeof(now));
	}
	return 0;
}

/* Run. */

static volatile sig_atomic_t running; /* the program's process, or 0 */

/* Whoever ends limpid means the program: its report comes all the same. */
static void pass_on(int signal_number)
{
	if (running > 0)
		kill((pid_t)running, signal_number);
}

/* What is ignored already (nohup) stays so, also for the program. */
static void hand_on(int signal_number)
{
	if (signal(signal_number, pass_on) == SIG_IGN)
		signal(signal_number, SIG_IGN);
}

/*
 * Interrupting from the terminal reaches the program by itself. What is handed
 * on waits until there is a program.
 */
static void take_signals(sigset_t *before)
{
	sigset_t handed_on;

	sigemptyset(&handed_on);
	sigaddset(&handed_on, SIGTERM);
	sigaddset(&handed_on, SIGHUP);
	sigprocmask(SIG_BLOCK, &handed_on, before);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	hand_on(SIGTERM);
	hand_on(SIGHUP);
}

static void end_by(int signal_number)
{
	if (signal(signal_number, SIG_DFL) == SIG_IGN)
		signal(signal_number, SIG_IGN);
}

/* In the program's own process. */
static void leave_signals(const sigset_t *before)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	end_by(SIGTERM);
	end_by(SIGHUP);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* In front of what the user preloads already. */
static int set_environment(const char *library, const char *trace,
			   struct lp_error *err)
{
	const char *others = getenv("LD_PRELOAD");
	char full[PATH_MAX], list[4 * PATH_MAX];

	if (!realpath(trace, full))
		return lp_fail_errno(err, errno, "%s", trace);
	snprintf(list, sizeof(list), "%s%s%s", library,
		 others && *others ? ":" : "", others ? others : "");
	if (setenv("LD_PRELOAD", list, 1) < 0 ||
	    setenv("LIMPID_IO_TRACE", full, 1) < 0)
		return lp_fail_memory(err);
	return 0;
}

/* As long as nobody has taken its status the kernel keeps its counts, with
 * those of the children that it waited for. */
static int wait_for(pid_t child, int *wait_status, FILE *counts,
		    struct lp_io_account *account)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return -errno;
	lp_io_account_read(counts, account);
	while (waitpid(child, wait_status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* Its exec failed: the error came through the pipe. */
static int read_failure(int fd)
{
	int code = 0;
	ssize_t n;

	do
		n = read(fd, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(code) ? code : 0;
}

/* Pipes between limpid and the program's process before it is the program. */
struct start {
	int report[2]; /* why it could not be run */
	int go[2];     /* closed: it may run */
};

static int open_start(struct start *start)
{
	if (pipe2(start->report, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(start->go, O_CLOEXEC) == 0)
		return 0;
	close(start->report[0]);
	close(start->report[1]);
	return -errno;
}

static void exec_child(const char *path, char **argv, const char *library,
		       const char *trace, const struct start *start)
{
	struct lp_error err;
	char byte;
	int code;

	close(start->go[1]);
	while (read(start->go[0], &byte, 1) < 0 && errno == EINTR)
		;
	if (set_environment(library, trace, &err) == 0)
		execv(path, argv);
	code = errno;
	if (write(start->report[1], &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

/* Let it run, to its end. */
static int watch_child(pid_t child, const char *path, struct start *start,
		       int *wait_status, struct lp_io_account *account,
		       struct lp_error *err)
{
	FILE *counts = lp_io_account_open("/proc", child);
	int code, status;

	close(start->report[1]);
	close(start->go[0]);
	close(start->go[1]);
	code = read_failure(start->report[0]);
	close(start->report[0]);
	status = wait_for(child, wait_status, counts, account);
	if (code)
		return lp_fail_errno(err, code, "%s", path);
	return status < 0 ? lp_fail_errno(err, -status, "%s", path) : 0;
}

int lp_io_run_program(const char *path, char **argv, const char *trace,
		      int *wait_status, struct lp_io_account *account,
		      struct lp_error *err)
{
	char library[PATH_MAX];
	struct start start;
	sigset_t before;
	pid_t child;
	int status;

	if (lp_helper_preload(library) < 0)
		return lp_fail(err, ENOENT,
			       "%s is missing, which is part of limpid; "
			       "install limpid again",
			       library);
	status = open_start(&start);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot make a pipe");
	take_signals(&before);
	child = fork();
	if (child == 0) {
		leave_signals(&before);
		exec_child(path, argv, library, trace, &start);
	}
	if (child < 0)
		return lp_fail_errno(err, errno, "cannot start %s", path);
	running = child;
	sigprocmask(SIG_SETMASK, &before, NULL);
	status = watch_child(child, path, &start, wait_status, account, err);
	running = 0;
	return status;
}
