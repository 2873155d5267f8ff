/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "site/node.h"
#include "workload/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_S 60
#define GLANCE_NS INT64_C(50000000)

struct part {
	struct lab_worker worker;
	pid_t pid;
	size_t mark;
	bool started;
};

struct lab_workload_run {
	struct lab *lab;
	struct lab_workload_spec spec;
	struct lab_tally *tallies; /* in shared memory */
	struct part *parts;
	size_t n;
	int bricks[LAB_MAX_SERVERS];
	size_t n_bricks;
};

static size_t count_clients(const struct lab *lab,
			    const struct lab_workload_spec *spec)
{
	size_t n = 0;

	while (lab_nth(lab, LAB_CLIENT, spec->skip_clients + n) &&
	       (spec->n_clients == 0 || n < spec->n_clients))
		n++;
	return n;
}

static void run_free(struct lab_workload_run *run)
{
	for (size_t i = 0; run->parts && i < run->n; i++)
		if (run->parts[i].worker.log >= 0)
			close(run->parts[i].worker.log);
	if (run->tallies)
		munmap(run->tallies, run->n * sizeof(*run->tallies));
	while (run->n_bricks > 0)
		close(run->bricks[--run->n_bricks]);
	free(run->parts);
	free(run);
}

static int allot(struct lab_workload_run *run, struct lp_error *err)
{
	void *shared =
		mmap(NULL, run->n * sizeof(*run->tallies),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return lp_fail_memory(err);
	run->tallies = shared;
	run->parts = calloc(run->n, sizeof(*run->parts));
	return run->parts ? 0 : lp_fail_memory(err);
}

/*
 * As the server sees it, through the process that holds its mount namespace.
 * A file system may keep its files in a folder of the brick.
 */
static int open_brick(const struct lab_node *server, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	lp_auto_close int brick = -1;
	int fd;

	if (asprintf(&path, "/proc/%d/root%s", (int)server->holder,
		     server->brick) < 0)
		return lp_fail_memory(err);
	brick = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (brick < 0)
		return lp_fail_errno(err, errno, "cannot see the brick of %s",
				     server->name);
	fd = openat(brick, "data", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		fd = brick;
		brick = -1;
	}
	return fd;
}

static int open_bricks(struct lab_workload_run *run, struct lp_error *err)
{
	const struct lab_node *server;

	while (run->n_bricks < LAB_MAX_SERVERS &&
	       (server = lab_nth(run->lab, LAB_SERVER, run->n_bricks))) {
		int fd = open_brick(server, err);

		if (fd < 0)
			return fd;
		run->bricks[run->n_bricks++] = fd;
	}
	return 0;
}

static void assign(struct lab_workload_run *run, size_t number)
{
	const struct lab_node *client =
		lab_nth(run->lab, LAB_CLIENT,
			run->spec.skip_clients + number / run->spec.processes);

	run->parts[number].worker = (struct lab_worker){
		.bricks = run->bricks,
		.n_bricks = run->n_bricks,
		.spec = &run->spec,
		.client = client->name,
		.mount = client->mount,
		.number = number,
		.of = run->n,
		.sharers = run->lab->spec.clients * run->spec.processes,
		.process = (unsigned)(number % run->spec.processes),
		.log = -1,
		.tally = &run->tallies[number],
	};
}

static int run_new(struct lab *lab, const struct lab_workload_spec *spec,
		   struct lab_workload_run **made, struct lp_error *err)
{
	size_t clients = count_clients(lab, spec);
	struct lab_workload_run *run;
	int status;

	if (clients == 0 || spec->processes == 0)
		return lp_fail(err, EINVAL,
			       "a workload needs a client and a process");
	run = calloc(1, sizeof(*run));
	if (!run)
		return lp_fail_memory(err);
	run->lab = lab;
	run->spec = *spec;
	if (!(spec->stages.longest_s > 0))
		run->spec.stages = LAB_STAGE_LENGTHS;
	if (spec->begun_ns == 0)
		run->spec.begun_ns = lp_monotonic_now();
	run->n = clients * spec->processes;
	status = allot(run, err);
	if (status == 0)
		status = open_bricks(run, err);
	if (status < 0) {
		run_free(run);
		return status;
	}
	for (size_t i = 0; i < run->n; i++)
		assign(run, i);
	*made = run;
	return 0;
}

int lab_workload_check(const struct lab_workload *workload,
		       struct lp_error *err)
{
	lp_auto_free char *path = NULL;

	if (!workload->program)
		return 0;
	if (asprintf(&path, "/usr/bin/%s", workload->program) < 0)
		return lp_fail_memory(err);
	if (access(path, X_OK) == 0)
		return 0;
	return lp_fail(err, ENOENT,
		       "%s is not installed; on Debian: apt-get install %s",
		       workload->program, workload->package);
}

static int open_log(struct part *part, struct lp_error *err)
{
	const struct lab_worker *w = &part->worker;
	lp_auto_free char *path = NULL;

	if (!w->spec->log_dir)
		return 0;
	if (asprintf(&path, "%s/%s-%s-%u.csv", w->spec->log_dir,
		     w->spec->workload->name, w->client, w->process) < 0)
		return lp_fail_memory(err);
	part->worker.log =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		     0644);
	if (part->worker.log < 0)
		return lp_fail_errno(err, errno, "cannot write %s", path);
	return 0;
}

static int prepare_body(void *context)
{
	return lab_worker_prepare(context) < 0;
}

static int work_body(void *context)
{
	return lab_worker_work(context) < 0;
}

/* COMMAND OPTION -- LAB_WORK_DIR, as the client sees it */
static int on_work_dir(const struct lab_node *client, const char *command,
		       const char *option, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	const char *argv[] = { command, option, "--", NULL, NULL };

	if (asprintf(&path, "%s/%s", client->mount, LAB_WORK_DIR) < 0)
		return lp_fail_memory(err);
	argv[3] = path;
	return lab_node_run(client, argv, PATIENCE_S, NULL, err);
}

/*
 * By one of them, before any works: clients that make the same directory at
 * once may see it half made on the first server of GlusterFS, which is then
 * passed by until that is healed.
 */
static int make_work_dir(const struct lab_workload_run *run,
			 struct lp_error *err)
{
	const struct lab_node *client;
	int status =
		lab_find(run->lab, run->parts[0].worker.client, &client, err);

	return status < 0 ? status : on_work_dir(client, "mkdir", "-p", err);
}

static int launch(struct lab_workload_run *run, lab_node_body *body,
		  struct lp_error *err)
{
	int status = make_work_dir(run, err);

	for (size_t i = 0; status == 0 && i < run->n; i++) {
		struct part *part = &run->parts[i];
		const struct lab_node *client;

		status = lab_find(run->lab, part->worker.client, &client, err);
		if (status == 0)
			status = lab_node_fork(run->lab, client, body,
					       &part->worker, &part->pid,
					       &part->mark, err);
		part->started = status == 0;
	}
	return status;
}

/* End all that were started and free. The first error counts. */
static int finish(struct lab_workload_run *run, struct lp_error *err)
{
	int first = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct lp_error *mine = first < 0 ? NULL : err;
		int status =
			run->parts[i].started
				? lab_journal_undo(run->lab->journal,
						   run->parts[i].mark, mine)
				: 0;

		if (status < 0 && first == 0)
			first = status;
	}
	run_free(run);
	return first;
}

static bool is_gone(const struct part *part)
{
	siginfo_t info = { 0 };

	/* Not reaped: that is for whoever ends it. */
	if (waitid(P_PID, (id_t)part->pid, &info, WEXITED | WNOHANG | WNOWAIT) <
	    0)
		return errno == ECHILD;
	return info.si_pid == part->pid;
}

static int look(const struct part *part, struct lp_error *err)
{
	int ended = atomic_load(&part->worker.tally->ended);

	if (ended < 0)
		return lp_fail(err, -ended, "%s", part->worker.tally->error);
	if (ended == 0 && is_gone(part))
		return lp_fail(err, EIO, "process %u of %s on %s was killed",
			       part->worker.process + 1,
			       part->worker.spec->workload->name,
			       part->worker.client);
	return ended;
}

/* 0: all are done; 1: not yet; below 0: one failed. */
static int all_done(const struct lab_workload_run *run, struct lp_error *err)
{
	int waiting = 0;

	for (size_t i = 0; i < run->n; i++) {
		int status = look(&run->parts[i], err);

		if (status < 0)
			return status;
		waiting |= status == 0;
	}
	return waiting;
}

int lab_workload_prepare(struct lab *lab, const struct lab_workload_spec *spec,
			 const volatile int *stop, struct lp_error *err)
{
	struct lab_workload_run *run;
	int status = lab_workload_check(spec->workload, err);

	if (status < 0 || !spec->workload->prepare)
		return status;
	status = run_new(lab, spec, &run, err);
	if (status < 0)
		return status;
	status = launch(run, prepare_body, err);
	while (status == 0 && (status = all_done(run, err)) > 0) {
		lab_sleep_ns(GLANCE_NS);
		status = stop && *stop ? lp_fail(err, EINTR, "interrupted") : 0;
	}
	finish(run, NULL);
	return status;
}

int lab_workload_start(struct lab *lab, const struct lab_workload_spec *spec,
		       struct lab_workload_run **started, struct lp_error *err)
{
	struct lab_workload_run *run = NULL;
	int status = lab_workload_check(spec->workload, err);

	if (status == 0)
		status = run_new(lab, spec, &run, err);
	if (status < 0)
		return status;
	for (size_t i = 0; status == 0 && i < run->n; i++)
		status = open_log(&run->parts[i], err);
	if (status == 0)
		status = launch(run, work_body, err);
	if (status < 0) {
		finish(run, NULL);
		return status;
	}
	*started = run;
	return 0;
}

int lab_workload_alive(struct lab_workload_run *run, struct lp_error *err)
{
	for (size_t i = 0; i < run->n; i++) {
		int status = look(&run->parts[i], err);

		if (status < 0)
			return status;
		if (status > 0)
			return lp_fail(err, EIO, "%s ended by itself",
				       run->spec.workload->name);
	}
	return 0;
}

void lab_workload_moved(const struct lab_workload_run *run, uint64_t *bytes,
			uint64_t *operations)
{
	*bytes = *operations = 0;
	for (size_t i = 0; i < run->n; i++) {
		*bytes += atomic_load(&run->tallies[i].bytes);
		*operations += atomic_load(&run->tallies[i].operations);
	}
}

int lab_workload_stop(struct lab_workload_run *run, struct lp_error *err)
{
	return run ? finish(run, err) : 0;
}

int lab_workload_clean(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *client = lab_nth(lab, LAB_CLIENT, 0);

	return client ? on_work_dir(client, "rm", "-rf", err) : 0;
}
