/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log-rotation: each server writes a log to its disk, compresses it with gzip
 * and removes it, one server after the other, as timers with a random delay
 * make it. It takes a processor and the disk for some seconds each.
 */
#include "base/memory.h"
#include "fault/hog.h"
#include "workload/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* From one server to the next. */
#define APART_NS INT64_C(15000000000)
/* Lines that are written at once. */
#define BATCH 1000

struct rotation {
	char path[PATH_MAX]; /* of the log, on the server's disk */
	size_t number;       /* of the server, from 0 */
	double bytes;
	struct lab_hog_page *page;
};

static void aim(void *context, const struct lab_node *server, size_t number)
{
	struct rotation *r = context;

	r->number = number;
	snprintf(r->path, sizeof(r->path), "%.4000s/rotated.log",
		 server->brick);
}

static int write_log(const struct rotation *r, struct lp_error *err)
{
	lp_auto_fclose FILE *log = fopen(r->path, "we");
	unsigned short dice[3] = { 1, 2, (unsigned short)r->number };

	if (!log)
		return lp_fail_errno(err, errno, "cannot write %s", r->path);
	for (unsigned long line = 0; (double)ftell(log) < r->bytes;) {
		for (int i = 0; i < BATCH; i++, line++)
			fprintf(log,
				"[%010lu] I [server.c:%ld] 0-lab: request "
				"%08lx done\n",
				line, nrand48(dice) % 4000,
				(unsigned long)nrand48(dice));
		atomic_store(&r->page->bytes, (uint64_t)ftell(log));
	}
	if (fflush(log) != 0 || fsync(fileno(log)) < 0)
		return lp_fail_errno(err, errno, "cannot write %s", r->path);
	return 0;
}

static int compress_log(const struct rotation *r, struct lp_error *err)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		execlp("gzip", "gzip", "-f", r->path, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		return lp_fail(err, EIO, "gzip does not compress %s", r->path);
	return 0;
}

static int body(void *context)
{
	struct rotation *r = context;
	struct lp_error err;
	int status;

	lab_sleep_ns((int64_t)r->number * APART_NS);
	status = write_log(r, &err);
	if (status == 0)
		status = compress_log(r, &err);
	if (status < 0)
		return lab_hog_fail(r->page, &err);
	/* Until somebody ends it: it is over, and did not fail. */
	for (;;)
		pause();
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	struct rotation r = { .bytes = run->strength * 1e6 };

	return lab_hog_put_on_all(run, body, aim, &r, &r.page, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	int status = lab_hog_alive(hog, err);

	if (status == 0 && atomic_load(&hog->page->bytes) == 0)
		status = lp_fail(err, EIO, "no log was written yet");
	if (status == 0)
		snprintf(run->seen, sizeof(run->seen),
			 "logs of %.1f MB are compressed",
			 (double)atomic_load(&hog->page->bytes) / 1e6);
	return status;
}

/* Whether it was compressed or not. */
static void remove_logs(const struct lab *lab)
{
	const struct lab_node *server;
	struct rotation r;

	for (size_t i = 0; (server = lab_nth(lab, LAB_SERVER, i)); i++) {
		lp_auto_free char *path = NULL, *packed = NULL;

		aim(&r, server, i);
		if (asprintf(&path, "/proc/%d/root%s", (int)server->holder,
			     r.path) < 0 ||
		    asprintf(&packed, "%s.gz", path) < 0)
			return;
		unlink(path);
		unlink(packed);
	}
}

static int stop(struct lab_fault_run *run, struct lp_error *err)
{
	int status = lab_hog_take_off(run, err);

	remove_logs(run->lab);
	return status;
}

const struct lab_fault lab_fault_log_rotation = {
	.name = "log-rotation",
	.summary = "each server writes and compresses a log, one after another",
	.strength_unit = "MB",
	.strengths = { 16, 4, 64 },
	.weakest = 1,
	.strongest = 256,
	.cause = "",
	.everywhere = true,
	.start = start,
	.stop = stop,
	.bites = bites,
};
