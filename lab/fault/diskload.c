/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/diskload.h"

#include "base/timestamp.h"
#include "workload/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ALIGNMENT 4096

int lab_platter_open(struct lab_platter *p, const char *path, size_t block,
		     struct lp_error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	off_t size;

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot read %s", path);
	size = lseek(fd, 0, SEEK_END);
	p->buffer = aligned_alloc(ALIGNMENT, block);
	if (size < (off_t)block || !p->buffer) {
		free(p->buffer);
		close(fd);
		return p->buffer ? lp_fail(err, EINVAL, "%s is too small", path)
				 : lp_fail_memory(err);
	}
	p->fd = fd;
	p->block = block;
	p->size = (uint64_t)size / block * block;
	/* Data is at the beginning, as on a partition: another place. */
	p->at = p->size / 2 / block * block;
	return 0;
}

uint64_t lab_platter_next(struct lab_platter *p)
{
	uint64_t at = p->at;

	p->at = (at + p->block) % p->size;
	return at;
}

int lab_platter_read(struct lab_platter *p, struct lp_error *err)
{
	off_t at = (off_t)lab_platter_next(p);
	ssize_t r;

	do
		r = pread(p->fd, p->buffer, p->block, at);
	while (r < 0 && errno == EINTR);
	return r < 0 ? lp_fail_errno(err, errno, "reading the disk") : 0;
}

void lab_platter_close(struct lab_platter *p)
{
	free(p->buffer);
	close(p->fd);
}

static int body(void *context)
{
	const struct lab_disk_load *load = context;
	struct lab_platter platter;
	struct lab_pace pace;
	struct lp_error err;
	int status = lab_platter_open(&platter, load->path, load->block, &err);

	if (status < 0)
		return lab_hog_fail(load->page, &err);
	lab_pace_init(&pace, load->bytes_per_s, load->block, 0,
		      lp_monotonic_now());
	while (status == 0) {
		lab_pace_wait(&pace, load->block);
		status = lab_platter_read(&platter, &err);
		atomic_fetch_add(&load->page->bytes, load->block);
	}
	lab_platter_close(&platter);
	return lab_hog_fail(load->page, &err);
}

static void aim(void *context, const struct lab_node *server, size_t number)
{
	struct lab_disk_load *load = context;

	(void)number;
	snprintf(load->path, sizeof(load->path), "/dev/%s", server->device);
}

int lab_disk_load_start_all(struct lab_fault_run *run, size_t block,
			    struct lp_error *err)
{
	struct lab_disk_load load = { .block = block,
				      .bytes_per_s = run->strength * 1e6 };

	return lab_hog_put_on_all(run, body, aim, &load, &load.page, err);
}

int lab_disk_load_start(struct lab_fault_run *run, size_t block,
			struct lp_error *err)
{
	struct lab_disk_load load = { .block = block,
				      .bytes_per_s = run->strength * 1e6 };

	aim(&load, run->victim, 0);
	return lab_hog_put_on(run, run->victim, body, &load, &load.page, err);
}

int lab_disk_load_bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	int status = lab_hog_alive(hog, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen),
		 "reads %.1f MB/s through the device%s", lab_hog_rate(hog),
		 run->fault->everywhere ? "s" : "");
	if (atomic_load(&hog->page->bytes) == 0)
		return lp_fail(err, EIO,
			       "it has read nothing from %s's disk yet",
			       run->victim->name);
	return 0;
}
