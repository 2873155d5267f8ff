/* SPDX-License-Identifier: Apache-2.0 */
#include "site/node.h"

#include "base/memory.h"
#include "site/cgroup.h"
#include "site/exec.h"
#include "site/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- entering ---- */

/* The door to a node: a descriptor of its first process. */
static int open_node(const struct lab_node *node, struct lp_error *err)
{
	uint64_t start;
	int fd = (int)syscall(SYS_pidfd_open, node->holder, 0);

	if (fd >= 0 && lab_process_start(node->holder, &start) == 0 &&
	    start == node->holder_start)
		return fd;
	if (fd >= 0)
		close(fd);
	return lp_fail(err, ESRCH,
		       "the node %s is gone: its first process, %d, has ended; "
		       "take the lab down and up again",
		       node->name, (int)node->holder);
}

struct door {
	const struct lab_node *node;
	int fd;
};

static int enter(const void *context)
{
	const struct door *door = context;

	/* First: /sys is the node's own afterwards. */
	lab_cgroup_join(door->node);
	if (setns(door->fd, CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS) < 0)
		return -errno;
	return 0;
}

int lab_node_run(const struct lab_node *node, const char *const *argv,
		 double limit_s, char **output, struct lp_error *err)
{
	lp_auto_close int fd = open_node(node, err);
	struct door door = { .node = node, .fd = fd };
	struct lab_exec exec = {
		.argv = argv,
		.limit_s = limit_s,
		.output = output,
		.enter = enter,
		.context = &door,
		.pidns = fd,
	};

	return fd < 0 ? fd : lab_exec_run(&exec, err);
}

/* ---- starting what goes on ---- */

struct start {
	const struct lab_node *node; /* NULL: on the machine itself */
	const char *const *argv;     /* NULL: the body */
	const char *log;
	lab_node_body *body;
	void *context;
	struct lab_journal *journal;
	int door, go, why;
};

static int redirect(const char *log)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open(log ? log : "/dev/null",
		       O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY, 0644);

	if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		return -errno;
	if (in > STDERR_FILENO)
		close(in);
	if (out > STDERR_FILENO)
		close(out);
	return 0;
}

static void usual_signals(void)
{
	static const int signals[] = { SIGPIPE, SIGINT, SIGTERM, SIGHUP,
				       SIGCHLD };
	sigset_t none;

	for (size_t i = 0; i < lp_array_size(signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child: the outputs, the session, the node. */
static int settle(const struct start *start)
{
	struct door door = { start->node, start->door };
	int status = 0;

	usual_signals();
	setsid();
	if (start->argv || start->log)
		status = redirect(start->log);
	if (status == 0 && start->node)
		status = enter(&door);
	return status;
}

static void run_body(const struct start *start)
{
	close(start->why); /* the parent learns that all is well */
	_exit(start->body(start->context) & 0xff);
}

static void child(const struct start *start)
{
	char byte;
	int status;

	lab_journal_leave(start->journal);
	if (!start->argv)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Noted, or the lab died before it could. */
	if (read(start->go, &byte, 1) != 1)
		_exit(0);
	status = settle(start);
	if (status == 0 && start->body)
		run_body(start);
	if (status == 0 && start->argv) {
		execvp(start->argv[0], (char *const *)start->argv);
		status = -errno;
	}
	if (write(start->why, &status, sizeof(status)) < 0)
		_exit(126);
	_exit(127);
}

/* What the child says before it ends, or nothing: it runs. */
static int hear(int why, const struct start *start, struct lp_error *err)
{
	int status;

	if (read(why, &status, sizeof(status)) != (ssize_t)sizeof(status))
		return 0;
	return lp_fail_errno(err, -status, "cannot start %s",
			     start->argv ? start->argv[0] : "a process");
}

static int note_and_go(const struct start *start, pid_t child_pid, int go,
		       int why, pid_t *pid, size_t *mark, struct lp_error *err)
{
	int status =
		lab_journal_note_process(start->journal, child_pid, mark, err);

	if (status < 0)
		return status;
	if (write(go, "", 1) != 1)
		return lp_fail(err, EIO, "a process died before it started");
	if (pid)
		*pid = child_pid;
	status = hear(why, start, err);
	if (status < 0)
		waitpid(child_pid, NULL, 0);
	return status;
}

static int start_child(struct start *start, pid_t *pid, size_t *mark,
		       struct lp_error *err)
{
	int go[2], why[2], status;
	pid_t made;

	if (pipe2(go, O_CLOEXEC) < 0)
		return lp_fail_errno(err, errno, "cannot make a pipe");
	if (pipe2(why, O_CLOEXEC) < 0) {
		close(go[0]);
		close(go[1]);
		return lp_fail_errno(err, errno, "cannot make a pipe");
	}
	start->go = go[0];
	start->why = why[1];
	made = lab_fork_into(start->door);
	if (made == 0) {
		close(go[1]);
		close(why[0]);
		child(start);
	}
	close(go[0]);
	close(why[1]);
	status = made < 0 ? lp_fail_errno(err, errno, "cannot fork")
			  : note_and_go(start, made, go[1], why[0], pid, mark,
					err);
	close(go[1]);
	close(why[0]);
	return status;
}

int lab_spawn(struct lab_journal *journal, const char *const *argv,
	      const char *log, pid_t *pid, size_t *mark, struct lp_error *err)
{
	struct start start = {
		.argv = argv,
		.log = log,
		.journal = journal,
		.door = -1,
	};

	return start_child(&start, pid, mark, err);
}

int lab_node_spawn(struct lab *lab, const struct lab_node *node,
		   const char *const *argv, const char *log, pid_t *pid,
		   size_t *mark, struct lp_error *err)
{
	lp_auto_close int fd = open_node(node, err);
	struct start start = {
		.node = node,
		.argv = argv,
		.log = log,
		.journal = lab->journal,
		.door = fd,
	};

	return fd < 0 ? fd : start_child(&start, pid, mark, err);
}

int lab_node_fork(struct lab *lab, const struct lab_node *node,
		  lab_node_body *body, void *context, pid_t *pid, size_t *mark,
		  struct lp_error *err)
{
	lp_auto_close int fd = open_node(node, err);
	struct start start = {
		.node = node,
		.body = body,
		.context = context,
		.journal = lab->journal,
		.door = fd,
	};

	return fd < 0 ? fd : start_child(&start, pid, mark, err);
}

/* ---- a shell ---- */

/*
 * A child, not this process: only children are in the node's pid namespace.
 * The terminal's signals are the child's business meanwhile.
 */
int lab_node_exec(const struct lab_node *node, const char *const *argv,
		  struct lp_error *err)
{
	lp_auto_close int fd = open_node(node, err);
	struct door door = { .node = node, .fd = fd };
	int ended, status;
	pid_t pid;

	if (fd < 0)
		return fd;
	pid = lab_fork_into(fd);
	if (pid < 0)
		return lp_fail_errno(err, errno, "cannot fork");
	if (pid == 0) {
		status = enter(&door);
		if (status == 0)
			execvp(argv[0], (char *const *)argv);
		fprintf(stderr, "limpid lab shell: cannot run %s: %s\n",
			argv[0], strerror(status < 0 ? -status : errno));
		_exit(127);
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (waitpid(pid, &ended, 0) < 0)
		if (errno != EINTR)
			return lp_fail_errno(err, errno, "cannot wait");
	return WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}
