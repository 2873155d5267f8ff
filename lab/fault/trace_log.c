/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-log: the daemon of one server still writes its log at the level that
 * somebody needed to look for an error.
 */
#include "base/memory.h"
#include "driver/driver.h"
#include "fault/orders.h"
#include "site/nodes.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <sys/stat.h>

/* Beyond what it logs of itself in a few seconds. */
#define LEAST_BYTES 65536

/* Of all logs of the server. */
static double log_bytes(const struct lab_fault_run *run)
{
	const struct lab_driver *driver =
		lab_driver_find(run->lab->spec.driver);
	char path[PATH_MAX];
	char *const paths[] = { path, NULL };
	const FTSENT *entry;
	double sum = 0;
	FTS *tree = NULL;

	if (lab_node_path(run->lab, run->victim, driver->logs, path, NULL) == 0)
		tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (tree && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_F)
			sum += (double)entry->fts_statp->st_size;
	if (tree)
		fts_close(tree);
	return sum;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	run->before = log_bytes(run);
	return lab_orders_start(run, "debug/io-stats", "log-level TRACE", err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	double more = log_bytes(run) - run->before;

	snprintf(run->seen, sizeof(run->seen), "the logs grew by %.1f MB",
		 more / 1e6);
	return more >= LEAST_BYTES
		       ? 0
		       : lp_fail(err, EIO, "the logs of %s hardly grew",
				 run->victim->name);
}

const struct lab_fault lab_fault_trace_log = {
	.name = "trace-log",
	.summary = "the daemon logs everything that it does",
	.cause = "software",
	.start = start,
	.bites = bites,
};
