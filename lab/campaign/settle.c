/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run begins with nothing left of the one before: no files, no caches, no
 * heal, no journal, no dirty pages.
 */
#include "campaign/trial.h"
#include "driver/driver.h"
#include "site/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define LONGEST_S 60
/* Rest is that many seconds with less than that many sectors on all disks. */
#define RESTING_S 3
#define RESTING_SECTORS 2048
/* The servers are brought up to date within so long. */
#define RECOVER_S 180.0

/* Sectors read and written so far by all servers' disks. */
static uint64_t sectors(const struct lab *lab)
{
	const struct lab_node *s;
	uint64_t sum = 0;

	for (size_t i = 0; (s = lab_nth(lab, LAB_SERVER, i)); i++) {
		char path[PATH_MAX], line[256];
		uint64_t read, written;

		/* reads merged SECTORS ms writes merged SECTORS ms ... */
		if (lab_path(path, NULL, "/sys/block/%s/stat", s->device) ==
			    0 &&
		    lab_read_line(path, line, sizeof(line)) == 0 &&
		    sscanf(line, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64,
			   &read, &written) == 2)
			sum += read + written;
	}
	return sum;
}

/* Wait until the servers' disks rest; at most a minute. */
static int settle(const struct lab_bench *bench, struct lp_error *err)
{
	uint64_t before = sectors(bench->lab);
	int resting = 0, status = 0;

	for (int s = 0; status == 0 && s < LONGEST_S && resting < RESTING_S;
	     s++) {
		uint64_t now;

		status = lab_bench_wait(bench, 1, err);
		now = sectors(bench->lab);
		resting = now - before < RESTING_SECTORS ? resting + 1 : 0;
		before = now;
	}
	/* Not at rest after a minute: a file system with a life of its own.
	 * The run goes on; its first phase shows it. */
	return status;
}

/* Nobody reads from a server that missed a write: all must have their part. */
int lab_make_ready(const struct lab_bench *bench,
		   const struct lab_workload_spec *spec, struct lp_error *err)
{
	struct lab *lab = bench->lab;
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	int status = lab_workload_clean(lab, err);

	if (status == 0)
		status = lab_workload_prepare(lab, spec, bench->stop, err);
	if (status == 0 && *bench->stop)
		status = lp_fail(err, EINTR, "interrupted");
	if (status == 0)
		status = driver->recover(lab, RECOVER_S, err);
	if (status == 0)
		status = lab_remount(lab, err);
	/* A client that was ended may have left something half done. */
	if (status == 0)
		status = driver->recover(lab, RECOVER_S, err);
	return status < 0 ? status : settle(bench, err);
}
