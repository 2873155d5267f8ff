/* SPDX-License-Identifier: Apache-2.0 */
#include "site/holder.h"

#include "base/memory.h"
#include "site/machine.h"
#include "site/namespace.h"
#include "site/nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child tells when its world is made, or could not be. */
struct report {
	int error; /* 0 or errno */
	char step[200];
};

struct world {
	const struct lab *lab;
	const struct lab_node *node;
	const char *const *private_dirs;
	struct report report;
};

static int step(struct world *world, const char *what, int result)
{
	if (result >= 0)
		return 0;
	world->report.error = errno;
	snprintf(world->report.step, sizeof(world->report.step), "%s", what);
	return -1;
}

static void make_parents(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(part, 0755);
		*slash = '/';
	}
	mkdir(part, 0755);
}

/*
 * Nothing that is mounted in here is seen out there, but in the lab's
 * directory, which stays one with the machine's. What is unmounted out there
 * is unmounted in here, too: this lab's bricks, and those of another, whose
 * devices would stay busy otherwise. All of /run is the node's own.
 */
static int make_mounts(struct world *world)
{
	const char *dir = world->lab->dir;
	lp_auto_close int tree =
		open_tree(AT_FDCWD, dir,
			  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);

	if (step(world, "copy the lab's mounts", tree) < 0 ||
	    step(world, "make its mounts its own",
		 mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL)) < 0 ||
	    step(world, "leave the machine's mounts",
		 umount2(dir, MNT_DETACH)) < 0 ||
	    step(world, "mount its own /run",
		 mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV,
		       "mode=755,size=32m")) < 0)
		return -1;
	make_parents(dir);
	if (step(world, "mount the lab's directory",
		 move_mount(tree, "", AT_FDCWD, dir, MOVE_MOUNT_F_EMPTY_PATH)) <
		    0 ||
	    step(world, "mount its own /proc",
		 mount("proc", "/proc", "proc",
		       MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) < 0)
		return -1;
	/* So that /sys/class/net is the node's. */
	return step(world, "mount its own /sys",
		    mount("sysfs", "/sys", "sysfs",
			  MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
}

static int make_private(struct world *world)
{
	char from[PATH_MAX], name[32];
	struct lp_error err;

	for (int i = 0; world->private_dirs[i]; i++) {
		snprintf(name, sizeof(name), "private/%d", i);
		if (lab_node_path(world->lab, world->node, name, from, &err) <
		    0)
			return step(world, err.text, -1);
		if (step(world, world->private_dirs[i],
			 mount(from, world->private_dirs[i], NULL, MS_BIND,
			       NULL)) < 0)
			return -1;
	}
	return 0;
}

static int make_world(struct world *world)
{
	int status = lab_enter_netns(world->node->netns);

	errno = -status;
	if (step(world, "enter its network", status) < 0 ||
	    step(world, "take its name",
		 sethostname(world->node->name, strlen(world->node->name))) <
		    0 ||
	    make_mounts(world) < 0)
		return -1;
	return make_private(world);
}

static void end_at_once(int signal)
{
	(void)signal;
	_exit(0);
}

static void close_from(unsigned first)
{
	syscall(SYS_close_range, first, ~0U, 0);
}

static void set_signals(void)
{
	sigset_t children;

	signal(SIGTERM, end_at_once);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_SETMASK, &children, NULL);
}

/* As the first process of its namespace it is the parent of all orphans. */
static void hold(void)
{
	sigset_t children;

	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	for (;;) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		sigwaitinfo(&children, NULL);
	}
}

/* go: one byte when it is noted; end of file when the lab has died instead. */
static void child(struct world *world, int go, int said)
{
	char byte;

	lab_journal_leave(world->lab->journal);
	if (read(go, &byte, 1) != 1)
		_exit(0);
	setsid();
	set_signals();
	prctl(PR_SET_NAME, "limpid-node");
	if (make_world(world) < 0 || chdir("/") < 0)
		world->report.error =
			world->report.error ? world->report.error : errno;
	if (write(said, &world->report, sizeof(world->report)) < 0 ||
	    world->report.error)
		_exit(1);
	close_from(0);
	hold();
}

/* What the child says; one that dies without a word fails, too. */
static int hear(int said, const struct lab_node *node, struct lp_error *err)
{
	struct report report;

	if (read(said, &report, sizeof(report)) != (ssize_t)sizeof(report))
		return lp_fail(err, EIO,
			       "the node %s died while it was created",
			       node->name);
	if (report.error)
		return lp_fail_errno(err, report.error,
				     "cannot make the node %s: %s", node->name,
				     report.step);
	return 0;
}

static int note_and_go(struct lab *lab, struct lab_node *node, pid_t pid,
		       int go, struct lp_error *err)
{
	int status = lab_journal_note_process(lab->journal, pid, NULL, err);

	if (status < 0)
		return status;
	if (lab_process_start(pid, &node->holder_start) < 0 ||
	    write(go, "", 1) != 1)
		return lp_fail(err, EIO,
			       "the node %s died while it was created",
			       node->name);
	node->holder = pid;
	return 0;
}

int lab_holder_start(struct lab *lab, struct lab_node *node,
		     const char *const *private_dirs, struct lp_error *err)
{
	struct world world = {
		.lab = lab,
		.node = node,
		.private_dirs = private_dirs,
	};
	int go[2], said[2], status;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0)
		return lp_fail_errno(err, errno, "cannot make a pipe");
	if (pipe2(said, O_CLOEXEC) < 0) {
		status = lp_fail_errno(err, errno, "cannot make a pipe");
		close(go[0]);
		close(go[1]);
		return status;
	}
	pid = (pid_t)syscall(
		SYS_clone, CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | SIGCHLD,
		NULL, NULL, NULL, NULL);
	if (pid == 0) {
		close(go[1]);
		close(said[0]);
		child(&world, go[0], said[1]);
	}
	close(go[0]);
	close(said[1]);
	status = pid < 0 ? lp_fail_errno(err, errno, "cannot make the node %s",
					 node->name)
			 : note_and_go(lab, node, pid, go[1], err);
	if (status == 0)
		status = hear(said[0], node, err);
	close(go[1]);
	close(said[0]);
	return status;
}
