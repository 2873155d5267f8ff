/* SPDX-License-Identifier: Apache-2.0 */
#include "site/exec.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_MOST (64 * 1024)
#define USUAL_LIMIT_S 30

pid_t lab_fork_into(int pidns)
{
	lp_auto_close int own = -1;
	pid_t pid;

	if (pidns <= 0)
		return fork();
	own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	if (own < 0 || setns(pidns, CLONE_NEWPID) < 0)
		return -1;
	pid = fork();
	/* Children of this process only: its own namespace never changed. */
	if (pid > 0 && setns(own, CLONE_NEWPID) < 0)
		abort();
	return pid;
}

int lab_in_child(int (*body)(void *context), void *context)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(-body(context) & 0xff);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

/* ---- the child ---- */

/* Signals as a login shell would give them; the output goes to the pipes. */
static int prepare(int out, int errors)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
	close(STDIN_FILENO);
	if (open("/dev/null", O_RDONLY) != STDIN_FILENO)
		return -errno;
	if (dup2(out, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		return -errno;
	return 0;
}

/* What went wrong before the program ran goes through the pipe `why`. */
static void child(const struct lab_exec *exec, int out, int errors, int why)
{
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	status = prepare(out, errors);
	if (status == 0 && exec->enter)
		status = exec->enter(exec->context);
	if (status == 0) {
		execvp(exec->argv[0], (char *const *)exec->argv);
		status = -errno;
	}
	if (write(why, &status, sizeof(status)) < 0)
		_exit(126);
	_exit(127);
}

/* ---- the parent ---- */

struct running {
	pid_t pid;
	int out, errors, why;
	struct lp_buffer output;
	char words[256], line[256]; /* the last line it said, and this one */
	size_t n_line;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void keep_words(struct running *run, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' && run->n_line > 0) {
			memcpy(run->words, run->line, sizeof(run->words));
			run->n_line = 0;
		} else if (bytes[i] != '\n' &&
			   run->n_line < sizeof(run->line) - 1) {
			unsigned char c = (unsigned char)bytes[i];

			run->line[run->n_line++] = c < ' ' ? ' ' : (char)c;
			run->line[run->n_line] = '\0';
		}
	}
}

static void keep_output(struct running *run, const char *bytes, size_t n)
{
	uint8_t *room;

	if (run->output.size + n > OUTPUT_MOST)
		n = OUTPUT_MOST - run->output.size;
	room = n > 0 ? lp_buffer_extend(&run->output, n) : NULL;
	if (room)
		memcpy(room, bytes, n);
}

/* Read what is there; closes the descriptor at its end. */
static void drain(struct running *run, int *fd)
{
	char bytes[4096];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n > 0) {
		keep_words(run, bytes, (size_t)n);
		if (fd == &run->out)
			keep_output(run, bytes, (size_t)n);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		close(*fd);
		*fd = -1;
	}
}

/*
 * Read both pipes until the program has closed them, or the time is over. A
 * daemon that it leaves behind may keep them: then its own end is enough.
 */
static int read_all(struct running *run, double until)
{
	while (run->out >= 0 || run->errors >= 0) {
		struct pollfd fds[2] = {
			{ .fd = run->out, .events = POLLIN },
			{ .fd = run->errors, .events = POLLIN },
		};
		double left = until - now_s();
		int n;

		if (left <= 0)
			return -ETIME;
		n = poll(fds, 2, left > 0.2 ? 200 : (int)(left * 1000) + 1);
		if (n > 0 && fds[0].revents)
			drain(run, &run->out);
		if (n > 0 && fds[1].revents)
			drain(run, &run->errors);
		if (n == 0) {
			siginfo_t info = { 0 };

			if (waitid(P_PID, (id_t)run->pid, &info,
				   WEXITED | WNOHANG | WNOWAIT) == 0 &&
			    info.si_pid == run->pid)
				return 0;
		}
	}
	return 0;
}

static int wait_status(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static int judge(const struct lab_exec *exec, struct running *run, int status,
		 struct lp_error *err)
{
	const char *name = exec->argv[0];
	const char *words = run->n_line > 0 ? run->line : run->words;
	int why = 0;

	if (read(run->why, &why, sizeof(why)) == (ssize_t)sizeof(why)) {
		if (why == -ENOENT && exec->package)
			return lp_fail(err, ENOENT,
				       "the program %s is not installed: it "
				       "comes with the package %s (apt-get "
				       "install %s)",
				       name, exec->package, exec->package);
		return lp_fail_errno(err, -why, "cannot run %s", name);
	}
	if (WIFSIGNALED(status))
		return lp_fail(err, EIO, "%s was killed by signal %d (%s)",
			       name, WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == 0)
		return 0;
	if (words[0])
		return lp_fail(err, EIO, "%s %s: %s", name,
			       exec->argv[1] ? exec->argv[1] : "", words);
	return lp_fail(err, EIO, "%s failed with status %d and printed nothing",
		       name, WEXITSTATUS(status));
}

static int open_pipe(int *ours, int *theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	*ours = ends[0];
	*theirs = ends[1];
	return 0;
}

static int start(const struct lab_exec *exec, struct running *run)
{
	lp_auto_close int out = -1, errors = -1, why = -1;
	int status;

	status = open_pipe(&run->out, &out);
	if (status == 0)
		status = open_pipe(&run->errors, &errors);
	if (status == 0)
		status = open_pipe(&run->why, &why);
	if (status < 0)
		return status;
	run->pid = lab_fork_into(exec->pidns);
	if (run->pid == 0)
		child(exec, out, errors, why);
	return run->pid < 0 ? -errno : 0;
}

static void close_all(struct running *run)
{
	if (run->out >= 0)
		close(run->out);
	if (run->errors >= 0)
		close(run->errors);
	if (run->why >= 0)
		close(run->why);
	lp_buffer_done(&run->output);
}

/* Hand over what it printed, ended by NUL. */
static int give_output(struct running *run, char **output, struct lp_error *err)
{
	uint8_t *end = lp_buffer_extend(&run->output, 1);

	if (!end)
		return lp_fail_memory(err);
	*end = '\0';
	*output = (char *)run->output.data;
	run->output = (struct lp_buffer){ 0 };
	return 0;
}

int lab_exec_run(const struct lab_exec *exec, struct lp_error *err)
{
	struct running run = { .out = -1, .errors = -1, .why = -1 };
	int status = start(exec, &run), ended;

	if (status < 0) {
		close_all(&run);
		return lp_fail_errno(err, -status, "cannot run %s",
				     exec->argv[0]);
	}
	status = read_all(&run, now_s() + exec->limit_s);
	if (status < 0)
		kill(run.pid, SIGKILL);
	ended = wait_status(run.pid);
	if (status < 0)
		status = lp_fail(
			err, ETIME,
			"%s %s did not end within %.0f s and was killed",
			exec->argv[0], exec->argv[1] ? exec->argv[1] : "",
			exec->limit_s);
	else
		status = judge(exec, &run, ended, err);
	if (status == 0 && exec->output)
		status = give_output(&run, exec->output, err);
	close_all(&run);
	return status;
}

int lab_run(const char *const *argv, const char *package, struct lp_error *err)
{
	struct lab_exec exec = {
		.argv = argv,
		.package = package,
		.limit_s = USUAL_LIMIT_S,
	};

	return lab_exec_run(&exec, err);
}

int lab_need_program(const char *name, const char *package,
		     struct lp_error *err)
{
	const char *from = getenv("PATH");
	char path[PATH_MAX];

	while (from && *from) {
		size_t n = strcspn(from, ":");

		if (snprintf(path, sizeof(path), "%.*s/%s", (int)n, from,
			     name) < (int)sizeof(path) &&
		    access(path, X_OK) == 0)
			return 0;
		from += n + (from[n] == ':');
	}
	return lp_fail(err, ENOENT,
		       "the program %s is not installed: it comes with the "
		       "package %s (apt-get install %s)",
		       name, package, package);
}
