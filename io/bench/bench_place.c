/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a benchmark: made, filled, brought into a state, removed.
 */
#include "io/bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (UINT64_C(1) << 20)
/* Not every file system drops pages at once. */
#define EVICT_TRIES 20
#define EVICT_PAUSE_NS 50000000

int lp_bench_open(struct lp_bench *bench, const char *directory,
		  const volatile sig_atomic_t *stop, struct lp_error *err)
{
	lp_auto_free char *full = realpath(directory, NULL);
	struct stat st;
	int n;

	memset(bench, 0, sizeof(*bench));
	bench->stop = stop;
	if (!full)
		return lp_fail_errno(err, errno, "%s: cannot write there",
				     directory);
	n = snprintf(bench->directory, sizeof(bench->directory),
		     "%s/limpid-io-bench-XXXXXX", full);
	if (n < 0 || (size_t)n >= sizeof(bench->directory)) {
		bench->directory[0] = '\0';
		return lp_fail(err, ENAMETOOLONG, "%s: too long", directory);
	}
	if (!mkdtemp(bench->directory)) {
		bench->directory[0] = '\0';
		return lp_fail_errno(err, errno, "%s: cannot write there",
				     directory);
	}
	if (stat(bench->directory, &st) == 0) {
		bench->major = major(st.st_dev);
		bench->minor = minor(st.st_dev);
	}
	return 0;
}

void lp_bench_close(struct lp_bench *bench)
{
	for (size_t i = 0; i < bench->n_files; i++)
		unlink(bench->file[i].path);
	free(bench->file);
	if (bench->directory[0])
		rmdir(bench->directory);
	memset(bench, 0, sizeof(*bench));
}

/* Content that no file system can leave out or compress. */
static void fill(uint64_t *words, size_t bytes, struct lp_random *random)
{
	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = lp_random_u64(random);
}

static int write_chunk(int fd, const char *bytes, uint64_t n)
{
	while (n > 0) {
		ssize_t r = write(fd, bytes, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return r < 0 ? -errno : -EIO;
		bytes += r;
		n -= (uint64_t)r;
	}
	return 0;
}

static int write_content(const struct lp_bench *bench, int fd, uint64_t bytes,
			 struct lp_random *random)
{
	lp_auto_free uint64_t *chunk = malloc(CHUNK);
	int status = 0;

	if (!chunk)
		return -ENOMEM;
	for (uint64_t at = 0; at < bytes && status == 0; at += CHUNK) {
		fill(chunk, CHUNK, random);
		status = write_chunk(fd, (const char *)chunk,
				     bytes - at < CHUNK ? bytes - at : CHUNK);
		if (status == 0 && *bench->stop)
			status = -ECANCELED;
	}
	if (status == 0 && fsync(fd) < 0)
		status = -errno;
	return status;
}

static int fill_file(struct lp_bench *bench, struct lp_bench_file *file,
		     uint64_t bytes, struct lp_error *err)
{
	lp_auto_close int fd =
		open(file->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct lp_random random;
	int status;

	if (fd < 0)
		return lp_fail_errno(err, errno, "%s", file->path);
	lp_random_init(&random, bytes, (uint64_t)(file - bench->file));
	file->bytes = 0;
	status = write_content(bench, fd, bytes, &random);
	if (status == -ECANCELED)
		return lp_fail(err, ECANCELED, "interrupted");
	if (status < 0)
		return lp_fail_errno(err, -status,
				     "%s: cannot write %llu MiB; choose "
				     "another directory or a smaller file",
				     bench->directory,
				     (unsigned long long)(bytes >> 20));
	file->bytes = bytes;
	return 0;
}

static int add_file(struct lp_bench *bench, struct lp_error *err)
{
	struct lp_bench_file *file;

	if (lp_grow(&bench->file, &bench->capacity, bench->n_files + 1,
		    sizeof(*bench->file)) < 0)
		return lp_fail_memory(err);
	file = &bench->file[bench->n_files];
	memset(file, 0, sizeof(*file));
	snprintf(file->path, sizeof(file->path), "%s/file%zu", bench->directory,
		 bench->n_files);
	bench->n_files++;
	return 0;
}

static int read_all(const struct lp_bench *bench, int fd, uint64_t bytes)
{
	lp_auto_free char *chunk = malloc(CHUNK);

	if (!chunk)
		return -ENOMEM;
	for (uint64_t at = 0; at < bytes; at += CHUNK) {
		if (pread(fd, chunk, CHUNK, (off_t)at) < 0)
			return -errno;
		if (*bench->stop)
			return -ECANCELED;
	}
	return 0;
}

static int evict_all(int fd, uint64_t bytes, struct lp_residency *residency)
{
	const struct timespec pause = { .tv_nsec = EVICT_PAUSE_NS };
	int status = 0;

	for (int i = 0; i < EVICT_TRIES; i++) {
		if (fsync(fd) < 0)
			return -errno;
		lp_evict(fd, 0, 0);
		status = lp_residency(fd, 0, bytes, residency);
		if (status < 0 || residency->resident * 100 < residency->pages)
			break;
		nanosleep(&pause, NULL);
	}
	return status;
}

static int bring_to_state(const struct lp_bench *bench,
			  const struct lp_bench_run *run, int fd,
			  struct lp_residency *residency)
{
	int status = 0;

	if (run->operation == LP_BENCH_WRITE) {
		*residency = (struct lp_residency){ 0 };
		return ftruncate(fd, 0) < 0 ? -errno : 0;
	}
	if (run->state == LP_BENCH_UNCACHED)
		return evict_all(fd, run->file_bytes, residency);
	status = lp_residency(fd, 0, run->file_bytes, residency);
	if (status == 0 && residency->resident < residency->pages)
		status = read_all(bench, fd, run->file_bytes);
	return status < 0 ? status
			  : lp_residency(fd, 0, run->file_bytes, residency);
}

static int prepare_file(struct lp_bench *bench, const struct lp_bench_run *run,
			struct lp_bench_file *file,
			struct lp_residency *residency, struct lp_error *err)
{
	lp_auto_close int fd = -1;
	int status = 0;

	if (file->bytes != run->file_bytes || file->bytes == 0)
		status = fill_file(bench, file, run->file_bytes, err);
	if (status < 0)
		return status;
	fd = open(file->path, O_RDWR | O_CLOEXEC);
	status = fd < 0 ? -errno : bring_to_state(bench, run, fd, residency);
	if (run->operation == LP_BENCH_WRITE)
		file->bytes = 0;
	if (status == -ECANCELED)
		return lp_fail(err, ECANCELED, "interrupted");
	return status < 0 ? lp_fail_errno(err, -status, "%s", file->path) : 0;
}

int lp_bench_prepare(struct lp_bench *bench, const struct lp_bench_run *run,
		     size_t n, struct lp_residency *residency,
		     struct lp_error *err)
{
	*residency = (struct lp_residency){ 0 };
	if (run->state == LP_BENCH_DISCARD)
		return 0;
	while (bench->n_files < n)
		if (add_file(bench, err) < 0)
			return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct lp_residency one = { 0 };
		int status =
			prepare_file(bench, run, &bench->file[i], &one, err);

		if (status < 0)
			return status;
		residency->pages += one.pages;
		residency->resident += one.resident;
	}
	return 0;
}
