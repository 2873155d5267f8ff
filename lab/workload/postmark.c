/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postmark: many small files, made, read, appended to and removed, by Debian's
 * postmark, in batches so short that each one's report is a row of the log.
 */
#include "workload/postmark.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "workload/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* File sizes are postmark's default, 500 to 10,000 bytes. */
#define FILES 50
#define TRANSACTIONS 50
/*
 * Small files cost cores, which all servers of a lab share, and hardly any
 * disk: unpaced, two cores give about 0.6 MB/s and are never idle, and what
 * differs then is who had to wait for a core.
 */
#define PACE 400000

/*
 * 2 1 100.00 97.00 50.00 47.00 53.00 47.00 97.00 44.00 53.00 22128.00 36958.00
 * | |  |     created           read  appended   |            bytes read,
 * seconds    per second                         deleted      written per second
 */
bool lab_postmark_report(const char *line, uint64_t *bytes,
			 uint64_t *operations)
{
	enum {
		SECONDS,
		CREATED = 3,
		READ = 6,
		APPENDED,
		DELETED,
		BYTES_READ = 11,
		BYTES_WRITTEN,
		FIELDS
	};
	double field[FIELDS], files, moved;
	const char *at = line;

	for (size_t i = 0; i < FIELDS; i++) {
		size_t n = strcspn(at, " ");

		if (lp_parse_double(at, n, &field[i]) < 0 || field[i] < 0)
			return false;
		at += n + (at[n] == ' ');
	}
	files = field[CREATED] + field[READ] + field[APPENDED] + field[DELETED];
	moved = field[BYTES_READ] + field[BYTES_WRITTEN];
	if (*at || field[SECONDS] < 1 || field[SECONDS] * moved > 1e15 ||
	    field[SECONDS] * files > 1e15)
		return false;
	*bytes = (uint64_t)(field[SECONDS] * moved + 0.5);
	*operations = (uint64_t)(field[SECONDS] * files + 0.5);
	return true;
}

/* What it shall do, in a file without a name: the descriptor. */
static int script(const struct lab_worker *worker, uint64_t seed,
		  struct lp_error *err)
{
	int fd = memfd_create("postmark", 0);

	if (fd < 0 ||
	    dprintf(fd,
		    "set location %s\nset number %d\nset transactions %d\n"
		    "set seed %llu\nset report terse\nrun\nquit\n",
		    worker->dir, FILES, TRANSACTIONS,
		    (unsigned long long)(seed % 1000000007)) < 0) {
		if (fd >= 0)
			close(fd);
		return lp_fail_errno(err, errno, "no script for postmark");
	}
	return fd;
}

static int run(const char *path, uint64_t *bytes, uint64_t *operations,
	       struct lp_error *err)
{
	const char *const argv[] = { "postmark", path, NULL };
	struct lp_process *process;
	bool reported = false;
	char *line;
	size_t n;
	int status = lp_process_open(argv, "postmark", &process, err);

	if (status < 0)
		return status;
	while ((status = lp_process_line(process, &line, &n, err)) > 0)
		reported |= lab_postmark_report(line, bytes, operations);
	if (status < 0) {
		lp_process_close(process);
		return status;
	}
	status = lp_process_finish(process, err);
	if (status == 0 && !reported)
		status = lp_fail(err, EIO, "postmark reported nothing");
	return status;
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	uint64_t seed = worker->spec->seed * 1000 + worker->number;
	uint64_t bytes = 0, operations = 0;
	int status = 0;

	for (; status == 0; seed += worker->of) {
		char path[64];
		lp_auto_close int fd = script(worker, seed, err);

		if (fd < 0)
			return fd;
		status = lab_worker_due(worker, bytes);
		/* Inherited: postmark's own descriptor of that number. */
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (status == 0)
			status = run(path, &bytes, &operations, err);
		if (status == 0)
			lab_worker_moved(worker, bytes, operations);
	}
	return status;
}

const struct lab_workload lab_workload_postmark = {
	.name = "postmark",
	.summary = "create, read, append to and remove many small files",
	.pace = PACE,
	.program = "postmark",
	.package = "postmark",
	.work = work,
};
