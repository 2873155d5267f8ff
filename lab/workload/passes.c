/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/passes.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int lab_write_pass(struct lab_worker *worker, int fd, uint64_t size,
		   size_t record, struct lp_error *err)
{
	int status = 0;

	for (uint64_t at = 0; status == 0 && at < size; at += record)
		status = lab_worker_write(worker, fd, (off_t)at, record, err);
	return status;
}

int lab_read_pass(struct lab_worker *worker, int fd, uint64_t size,
		  size_t record, struct lp_error *err)
{
	int status = 0;

	for (uint64_t at = 0; status == 0 && at < size; at += record)
		status = lab_worker_read(worker, fd, (off_t)at, record, err);
	return status;
}

static int read_size(const struct lab_worker *worker, uint64_t *size,
		     struct lp_error *err)
{
	uint64_t share =
		LAB_READ_SET / worker->of / LAB_RECORD_MAX * LAB_RECORD_MAX;
	int status = lab_worker_room(worker, size, err);

	if (status == 0 && share > 0 && share < *size)
		*size = share;
	return status;
}

int lab_read_prepare(struct lab_worker *worker, struct lp_error *err)
{
	lp_auto_close int fd = -1;
	uint64_t size;
	struct stat st;
	int status = read_size(worker, &size, err);

	if (status < 0)
		return status;
	fd = lab_worker_open(worker, LAB_READ_NAME, O_RDWR | O_CREAT, err);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) == 0 && (uint64_t)st.st_size == size)
		return 0;
	if (ftruncate(fd, 0) < 0)
		return lp_fail_errno(err, errno, "cannot empty a file in %s",
				     worker->dir);
	status = lab_write_pass(worker, fd, size, LAB_RECORD_MAX, err);
	if (status == 0 && fsync(fd) < 0)
		status = lp_fail_errno(err, errno, "cannot write to %s",
				       worker->dir);
	return status;
}

int lab_read_open(struct lab_worker *worker, uint64_t *size,
		  struct lp_error *err)
{
	int fd = lab_worker_open(worker, LAB_READ_NAME, O_RDONLY, err);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || (uint64_t)st.st_size < LAB_RECORD_MAX) {
		close(fd);
		return lp_fail(err, EIO, "%s/%s was not prepared", worker->dir,
			       LAB_READ_NAME);
	}
	*size = (uint64_t)st.st_size;
	return fd;
}

/* Opened for each pass: what the kernel knows of a file it learns then. */
static int read_once(struct lab_worker *worker, size_t record, bool sync,
		     struct lp_error *err)
{
	uint64_t size;
	lp_auto_close int fd = lab_read_open(worker, &size, err);
	int status = fd < 0 ? fd : 0;

	if (status == 0)
		status = lab_worker_evict(worker, fd, LAB_READ_NAME, err);
	if (status == 0)
		status = lab_read_pass(worker, fd, size, record, err);
	if (status == 0 && sync && fsync(fd) < 0)
		status = lp_fail_errno(err, errno, "cannot fsync in %s",
				       worker->dir);
	return status;
}

int lab_read_passes(struct lab_worker *worker, size_t record, bool sync,
		    struct lp_error *err)
{
	int status;

	do
		status = read_once(worker, record, sync, err);
	while (status == 0);
	return status;
}
