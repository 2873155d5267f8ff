/* SPDX-License-Identifier: Apache-2.0 */
/*
 * one-io-thread: the daemon of one server may use one thread for its reads and
 * writes, where its peers may use sixteen. Threads that it has already end
 * when they had nothing to do for two minutes.
 */
#include "base/memory.h"
#include "base/textfile.h"
#include "driver/driver.h"
#include "fault/orders.h"
#include "site/machine.h"
#include "site/residents.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_S 30.0
#define KEY "maximum_threads_count="

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	char option[48];

	snprintf(option, sizeof(option), "thread-count %.0f", run->strength);
	return lab_orders_start(run, "performance/io-threads", option, err);
}

/* What the daemon writes about itself at SIGUSR1. */
static int dumps(const struct lab_node *node, glob_t *found)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "/proc/%d/root/run/gluster/*.dump.*",
		 (int)node->holder);
	return glob(pattern, 0, NULL, found);
}

static void remove_dumps(const struct lab_node *node)
{
	glob_t found;

	if (dumps(node, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

struct search {
	const struct lab_node *node;
	long count;
};

static bool is_said(const void *context)
{
	struct search *search = *(struct search *const *)context;
	glob_t found;
	bool said = false;

	if (dumps(search->node, &found) == 0) {
		lp_auto_free char *text = NULL;
		const char *at = NULL;

		if (lp_text_file_copy(found.gl_pathv[0], &text, NULL) == 0)
			at = strstr(text, KEY);
		said = at != NULL;
		if (said)
			search->count = strtol(at + strlen(KEY), NULL, 10);
	}
	globfree(&found);
	return said;
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(run->lab->spec.driver);
	struct search search = { .node = run->victim };
	const struct search *asked = &search;
	int status;

	remove_dumps(run->victim);
	lab_residents(run->victim->holder, driver->serves, SIGUSR1, NULL);
	status = lab_wait_until(is_said, &asked, PATIENCE_S, run->lab->stop);
	remove_dumps(run->victim);
	if (status < 0)
		return lp_fail(err, EIO,
			       "%s does not say how many threads it "
			       "may use",
			       driver->serves);
	snprintf(run->seen, sizeof(run->seen), "it may use %ld thread%s",
		 search.count, search.count == 1 ? "" : "s");
	return (double)search.count == run->strength
		       ? 0
		       : lp_fail(err, EIO, "%s may use %ld threads",
				 driver->serves, search.count);
}

const struct lab_fault lab_fault_one_io_thread = {
	.name = "one-io-thread",
	.summary = "the daemon may use one thread for its reads and writes",
	.strength_unit = "threads",
	.strengths = { 1, 2 },
	.weakest = 1,
	.strongest = 64,
	.cause = "software",
	.start = start,
	.bites = bites,
};
