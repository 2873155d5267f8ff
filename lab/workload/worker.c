/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/worker.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "workload/evict.h"
#include "workload/worklog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int make_dir(const char *path, struct lp_error *err)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", path);
	return 0;
}

static int make_dirs(struct lab_worker *w, struct lp_error *err)
{
	int n = snprintf(w->dir, sizeof(w->dir), "%s/%s", w->mount,
			 LAB_WORK_DIR);
	int status;

	if (n < 0 || (size_t)n + 32 > sizeof(w->dir))
		return lp_fail(err, ENAMETOOLONG, "%s: too long", w->mount);
	status = make_dir(w->dir, err);
	if (status < 0)
		return status;
	snprintf(w->dir + n, sizeof(w->dir) - (size_t)n, "/%s-%u", w->client,
		 w->process);
	return make_dir(w->dir, err);
}

/* Rows are whole or not there: one write each. */
static void write_row(struct lab_worker *w, int64_t now_ns)
{
	char time[LP_TIME_TEXT], row[96];
	int n = snprintf(
		row, sizeof(row), "%s,%llu,%llu\n",
		lp_time_format(now_ns / LP_NS_PER_MS * LP_NS_PER_MS, time),
		(unsigned long long)w->row_bytes,
		(unsigned long long)w->row_operations);

	if (w->log >= 0 && write(w->log, row, (size_t)n) != n) {
		snprintf(w->tally->error, sizeof(w->tally->error),
			 "cannot write the log of process %u on %s",
			 w->process + 1, w->client);
		atomic_store(&w->tally->ended, -EIO);
	}
	w->row_bytes = w->row_operations = 0;
	w->row_ns = now_ns;
}

void lab_worker_moved(struct lab_worker *w, uint64_t bytes, uint64_t operations)
{
	int64_t now_ns = lp_time_now();

	atomic_fetch_add(&w->tally->bytes, bytes);
	atomic_fetch_add(&w->tally->operations, operations);
	w->row_bytes += bytes;
	w->row_operations += operations;
	if (now_ns - w->row_ns >= LP_NS_PER_S)
		write_row(w, now_ns);
}

static int begin(struct lab_worker *w, struct lp_error *err)
{
	int status = make_dirs(w, err);

	if (status < 0)
		return status;
	status = lab_content_init(&w->content, LAB_RECORD_MAX);
	if (status < 0)
		return lp_fail_errno(err, -status, "no random data");
	w->buffer = aligned_alloc(4096, LAB_RECORD_MAX);
	return w->buffer ? 0 : lp_fail_memory(err);
}

static int end(struct lab_worker *w, int status, const struct lp_error *err)
{
	lab_content_done(&w->content);
	free(w->buffer);
	w->buffer = NULL;
	if (status < 0)
		snprintf(w->tally->error, sizeof(w->tally->error),
			 "%s on %s, process %u: %s", w->spec->workload->name,
			 w->client, w->process + 1, err->text);
	atomic_store(&w->tally->ended, status < 0 ? status : 1);
	return status;
}

int lab_worker_prepare(struct lab_worker *w)
{
	struct lp_error err = { "" };
	int log = w->log, status = begin(w, &err);

	w->log = -1; /* what is written now is not the workload */
	if (status == 0 && w->spec->workload->prepare)
		status = w->spec->workload->prepare(w, &err);
	w->log = log;
	return end(w, status, &err);
}

int lab_worker_work(struct lab_worker *w)
{
	const double part = 1 / (double)w->of;
	struct lp_error err = { "" };
	int status = begin(w, &err);

	if (status < 0)
		return end(w, status, &err);
	lab_pace_init(&w->pace, (double)w->spec->pace * part, LAB_RECORD_MAX,
		      (double)w->number * part, lp_monotonic_now());
	if (w->log >= 0 && write(w->log, LAB_WORKLOG_HEADER,
				 sizeof(LAB_WORKLOG_HEADER) - 1) < 0)
		status = lp_fail_errno(&err, errno, "cannot write its log");
	write_row(w, lp_time_now());
	if (status == 0)
		status = w->spec->workload->work(w, &err);
	return end(w, status, &err);
}

int lab_worker_due(struct lab_worker *w, uint64_t n)
{
	int64_t now_ns = lp_monotonic_now();
	int64_t wait_ns = lab_pace_take(&w->pace, n, now_ns);
	bool over = w->until_ns > 0 && now_ns + wait_ns >= w->until_ns;

	lab_sleep_ns(over ? w->until_ns - now_ns : wait_ns);
	return over ? -ECANCELED : 0;
}

int lab_worker_write(struct lab_worker *w, int fd, off_t at, size_t n,
		     struct lp_error *err)
{
	const char *bytes = lab_content_next(&w->content, n);
	int status = lab_worker_due(w, n);

	if (status < 0)
		return status;
	for (size_t done = 0; done < n;) {
		ssize_t r =
			pwrite(fd, bytes + done, n - done, at + (off_t)done);

		if (r < 0 && errno != EINTR)
			return lp_fail_errno(err, errno, "cannot write to %s",
					     w->dir);
		done += r > 0 ? (size_t)r : 0;
	}
	lab_worker_moved(w, n, 1);
	return 0;
}

int lab_worker_read(struct lab_worker *w, int fd, off_t at, size_t n,
		    struct lp_error *err)
{
	int status = lab_worker_due(w, n);

	if (status < 0)
		return status;
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(fd, (char *)w->buffer + done, n - done,
				  at + (off_t)done);

		if (r == 0)
			return lp_fail(err, EIO,
				       "a file in %s ends before it should",
				       w->dir);
		if (r < 0 && errno != EINTR)
			return lp_fail_errno(err, errno, "cannot read from %s",
					     w->dir);
		done += r > 0 ? (size_t)r : 0;
	}
	lab_worker_moved(w, n, 1);
	return 0;
}

int lab_worker_open(const struct lab_worker *w, const char *name, int flags,
		    struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	int fd;

	if (asprintf(&path, "%s/%s", w->dir, name) < 0)
		return lp_fail_memory(err);
	fd = open(path, flags | O_CLOEXEC, 0644);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	return fd;
}

int lab_worker_room(const struct lab_worker *w, uint64_t *bytes,
		    struct lp_error *err)
{
	struct statvfs fs;

	if (statvfs(w->dir, &fs) < 0)
		return lp_fail_errno(err, errno, "cannot get the size of %s",
				     w->dir);
	*bytes = (uint64_t)fs.f_frsize * fs.f_blocks / 2 / w->sharers /
		 LAB_RECORD_MAX * LAB_RECORD_MAX;
	if ((uint64_t)fs.f_frsize * fs.f_bavail < 16 * LAB_RECORD_MAX ||
	    *bytes == 0)
		return lp_fail(err, ENOSPC, "%s is full", w->mount);
	return 0;
}

/* Bricks of a volume hold a file's part under the file's own name. */
static int evict_from(const struct lab_worker *w, int brick, const char *name,
		      struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	lp_auto_close int fd = -1;

	if (asprintf(&path, ".%s/%s", w->dir + strlen(w->mount), name) < 0)
		return lp_fail_memory(err);
	fd = openat(brick, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open a brick's %s",
				     path);
	return lab_evict_fd(fd, err);
}

int lab_worker_evict(const struct lab_worker *w, int fd, const char *name,
		     struct lp_error *err)
{
	int status = lab_evict_fd(fd, err);

	for (size_t i = 0; status == 0 && i < w->n_bricks; i++)
		status = evict_from(w, w->bricks[i], name, err);
	return status;
}
