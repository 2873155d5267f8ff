/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a benchmark: processes, their threads, and what they bring back.
 */
#include "io/bench/bench.h"

#include "base/timestamp.h"
#include "io/model/trace_clock.h"
#include "io/model/trace_write.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared by all processes of a run. */
struct common {
	_Atomic size_t arrived; /* workers that are ready, or never will be */
	size_t expected;
	struct lp_bench_report report[]; /* by worker */
};

struct team {
	struct lp_bench *bench;
	const struct lp_bench_run *run;
	struct lp_io_header header;
	struct common *common;
	size_t common_bytes, n_workers;
	struct lp_residency *truth;
	FILE *out; /* blocks */
};

/* No barrier of pthreads: one that could not be started must not keep the
 * others waiting. */
static void wait_for_all(void *context)
{
	const struct timespec moment = { .tv_nsec = 20000 };
	struct common *common = context;

	common->arrived++;
	while (common->arrived < common->expected)
		nanosleep(&moment, NULL);
}

static int make_common(struct team *team)
{
	team->common_bytes = sizeof(struct common) +
			     team->n_workers * sizeof(struct lp_bench_report);
	team->common = mmap(NULL, team->common_bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (team->common == MAP_FAILED)
		return -ENOMEM;
	team->common->expected = team->n_workers;
	return 0;
}

static const char *path_of(const struct team *team, size_t worker)
{
	const struct lp_bench_run *run = team->run;

	if (run->state == LP_BENCH_DISCARD)
		return run->operation == LP_BENCH_READ ? "/dev/zero"
						       : "/dev/null";
	return team->bench->file[run->shared ? 0 : worker].path;
}

/* Threads of one process. */

static void *thread_main(void *worker)
{
	struct lp_bench_worker *w = worker;

	lp_io_tape_init(w->tape, getpid(), gettid());
	lp_bench_work(w);
	return NULL;
}

static void make_worker(struct team *team, struct lp_bench_worker *worker,
			struct lp_io_tape *tape, size_t number)
{
	bool one = team->run->shared || team->run->state == LP_BENCH_DISCARD;

	*worker = (struct lp_bench_worker){
		.bench = team->bench,
		.run = team->run,
		.header = &team->header,
		.path = path_of(team, number),
		.file = one ? 1 : (uint32_t)number + 1,
		.number = number,
		.wait = wait_for_all,
		.context = team->common,
		.truth = team->truth,
		.report = &team->common->report[number],
		.tape = tape,
	};
}

/* How many could be started, the caller's own not counted. */
static size_t start_threads(struct lp_bench_worker *workers, pthread_t *threads,
			    size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, thread_main,
				   &workers[i]) != 0)
			return i - 1;
	return n - 1;
}

static int run_threads(struct team *team, size_t first)
{
	size_t n = team->run->threads;
	lp_auto_free struct lp_bench_worker *workers =
		calloc(n, sizeof(*workers));
	lp_auto_free struct lp_io_tape *tapes = calloc(n, sizeof(*tapes));
	lp_auto_free pthread_t *threads = calloc(n, sizeof(*threads));
	size_t started;

	if (!workers || !tapes || !threads)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		make_worker(team, &workers[i], &tapes[i], first + i);
	started = start_threads(workers, threads, n);
	team->common->arrived += n - 1 - started;
	thread_main(&workers[0]);
	for (size_t i = 1; i <= started; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < n; i++) {
		if (tapes[i].lost > 0)
			workers[i].report->error = ENOMEM;
		lp_io_tape_write(&tapes[i], team->out);
		lp_io_tape_done(&tapes[i]);
	}
	return started < n - 1 ? -EAGAIN : 0;
}

/* Processes. Each brings its blocks back in a file that has no name. */

static int child_main(struct team *team, size_t first, int fd)
{
	int status;

	team->out = fdopen(fd, "w");
	if (!team->out)
		return 1;
	status = run_threads(team, first);
	return fclose(team->out) != 0 || status < 0;
}

static int collect(int fd, FILE *out)
{
	char bytes[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		fwrite(bytes, 1, (size_t)n, out);
		at += n;
	}
	return n < 0 ? -errno : 0;
}

struct child {
	pid_t pid;
	int fd;
};

static int start_child(struct team *team, struct child *child, size_t number)
{
	child->fd = memfd_create("limpid-io-bench", MFD_CLOEXEC);
	if (child->fd < 0)
		return -errno;
	child->pid = fork();
	if (child->pid == 0)
		_Exit(child_main(team, number * team->run->threads,
				 dup(child->fd)));
	return child->pid < 0 ? -errno : 0;
}

static void kill_children(const struct child *children, size_t n, int signal)
{
	for (size_t i = 0; i < n; i++)
		if (children[i].pid > 0)
			kill(children[i].pid, signal);
}

/* A signal to us alone is meant for all of us. */
static int wait_for(const struct team *team, const struct child *children,
		    size_t n, size_t i)
{
	int status;

	while (waitpid(children[i].pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
		if (*team->bench->stop)
			kill_children(children, n, SIGTERM);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

static int run_processes(struct team *team)
{
	size_t n = team->run->processes, started = 0;
	lp_auto_free struct child *children = calloc(n, sizeof(*children));
	int status = 0;

	if (!children)
		return -ENOMEM;
	fflush(NULL);
	for (; started < n && status == 0; started++)
		status = start_child(team, &children[started], started);
	if (status < 0)
		kill_children(children, started, SIGKILL);
	for (size_t i = 0; i < started; i++) {
		int ended = children[i].pid > 0
				    ? wait_for(team, children, started, i)
				    : 0;

		status = status < 0 ? status : ended;
		if (status == 0)
			status = collect(children[i].fd, team->out);
		if (children[i].fd >= 0)
			close(children[i].fd);
	}
	return status;
}

/* All of it. */

static int explain(const struct team *team, const struct lp_bench_report *bad,
		   struct lp_error *err)
{
	const char *where = path_of(team, 0);

	if (bad->in_setup && bad->error == ENOMEM)
		return lp_fail(err, ENOMEM,
			       "no memory for buffers of %" PRIu64
			       " MiB each; use smaller ones",
			       team->run->buffer_bytes >> 20);
	if (bad->in_setup && bad->error == EINVAL &&
	    team->run->access == LP_BENCH_DIRECT)
		return lp_fail(err, EINVAL,
			       "%s: this file system does not support direct "
			       "access (O_DIRECT)",
			       team->bench->directory);
	if (bad->error == ENOSPC)
		return lp_fail(err, ENOSPC,
			       "%s: the file system is full; choose another "
			       "directory or a smaller file",
			       team->bench->directory);
	return lp_fail_errno(err, bad->error, "%s", where);
}

static int look_at_reports(const struct team *team,
			   struct lp_bench_result *result, struct lp_error *err)
{
	for (size_t i = 0; i < team->n_workers; i++) {
		const struct lp_bench_report *one = &team->common->report[i];

		if (one->error)
			return explain(team, one, err);
		result->cut_short |= one->cut_short;
	}
	if (*team->bench->stop)
		return lp_fail(err, ECANCELED, "interrupted");
	return 0;
}

/* The machine would swap, and time that. */
static int check_memory(const struct lp_bench_run *run, struct lp_error *err)
{
	uint64_t want = run->buffer_bytes * run->threads * run->processes;
	lp_auto_fclose FILE *in = fopen("/proc/meminfo", "r");
	unsigned long long kib;
	char line[128];

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1 &&
		    want / 1024 > kib)
			return lp_fail(
				err, ENOMEM,
				"buffers of %" PRIu64
				" MiB in total are needed, but only %llu MiB "
				"of memory are free; use smaller ones",
				want >> 20, kib >> 10);
	return 0;
}

static int run_team(struct team *team, struct lp_bench_result *result,
		    struct lp_error *err)
{
	int64_t begin;
	int status;

	lp_counters_read(&result->counters_before, "", team->bench->major,
			 team->bench->minor);
	begin = lp_monotonic_now();
	status = team->run->processes > 1 ? run_processes(team)
					  : run_threads(team, 0);
	result->elapsed_ns = lp_monotonic_now() - begin;
	lp_counters_read(&result->counters_after, "", team->bench->major,
			 team->bench->minor);
	if (status < 0)
		return lp_fail_errno(err, -status,
				     "cannot run %" PRIu64
				     " processes of %" PRIu64 " threads",
				     team->run->processes, team->run->threads);
	return look_at_reports(team, result, err);
}

static int run_and_parse(struct team *team, struct lp_bench_result *result,
			 struct lp_error *err)
{
	char label[LP_BENCH_LABEL], command[LP_BENCH_LABEL + 32];
	char *bytes = NULL;
	size_t n = 0;
	int status;

	lp_io_clock_choose(&team->header);
	snprintf(command, sizeof(command), "limpid io bench: %s",
		 lp_bench_run_label(team->run, label));
	team->out = open_memstream(&bytes, &n);
	if (!team->out)
		return lp_fail_memory(err);
	lp_io_header_write(&team->header, command, team->out);
	status = run_team(team, result, err);
	if (fclose(team->out) != 0 && status == 0)
		status = lp_fail_memory(err);
	if (status == 0)
		status = lp_io_trace_parse("the run", (const uint8_t *)bytes, n,
					   &result->trace, err);
	result->bytes = bytes;
	result->n_bytes = n;
	return status;
}

int lp_bench_do(struct lp_bench *bench, const struct lp_bench_run *run,
		bool truth, struct lp_bench_result *result,
		struct lp_error *err)
{
	struct team team = { .bench = bench, .run = run };
	int status = lp_bench_run_check(run, err);

	*result = (struct lp_bench_result){ 0 };
	team.n_workers = run->threads * run->processes;
	if (status == 0)
		status = check_memory(run, err);
	if (status == 0)
		status = lp_bench_prepare(bench, run,
					  run->shared ? 1 : team.n_workers,
					  &result->before, err);
	if (status == 0 && truth && team.n_workers == 1)
		team.truth = result->truth =
			calloc(run->repeats, sizeof(*result->truth));
	if (status == 0 && make_common(&team) < 0)
		status = lp_fail_memory(err);
	if (status == 0)
		status = run_and_parse(&team, result, err);
	if (team.common && team.common != MAP_FAILED)
		munmap(team.common, team.common_bytes);
	if (status < 0)
		lp_bench_result_done(result);
	return status;
}

void lp_bench_result_done(struct lp_bench_result *result)
{
	lp_io_trace_free(result->trace);
	free(result->bytes);
	free(result->truth);
	lp_counters_done(&result->counters_before);
	lp_counters_done(&result->counters_after);
	*result = (struct lp_bench_result){ 0 };
}
