/* SPDX-License-Identifier: Apache-2.0 */
/*
 * varied: what a cluster does in the course of some hours. Every few minutes
 * all processes do something else: another workload at another pace, or
 * nothing. What comes when follows from the seed (stages.h).
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "workload/passes.h"
#include "workload/stages.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * What the stage wrote goes: files of several workloads together would fill
 * the file system. What is read stays.
 */
static int clear(const struct lab_worker *worker, struct lp_error *err)
{
	DIR *list = opendir(worker->dir);
	struct dirent *entry;
	int status = 0;

	if (!list)
		return lp_fail_errno(err, errno, "cannot read %s", worker->dir);
	while (status == 0 && (entry = readdir(list))) {
		const char *name = entry->d_name;

		if (name[0] == '.' || strcmp(name, LAB_READ_NAME) == 0)
			continue;
		/* postmark that was ended may leave directories: they stay. */
		if (unlinkat(dirfd(list), name, 0) < 0 && errno != ENOENT &&
		    errno != EISDIR)
			status =
				lp_fail_errno(err, errno, "cannot remove %s/%s",
					      worker->dir, name);
	}
	closedir(list);
	return status;
}

static int rest(struct lab_worker *worker)
{
	for (int64_t left_ns;
	     (left_ns = worker->until_ns - lp_monotonic_now()) > 0;) {
		lab_sleep_ns(left_ns < LP_NS_PER_S ? left_ns : LP_NS_PER_S);
		lab_worker_moved(worker, 0, 0);
	}
	return -ECANCELED;
}

/* Until it is over. */
static int do_stage(struct lab_worker *worker, const struct lab_stage *stage,
		    struct lp_error *err)
{
	double part = 1 / (double)worker->of;
	double pace = lab_stage_pace(stage, (double)worker->spec->pace);
	int status;

	lab_pace_init(&worker->pace, pace * part, LAB_RECORD_MAX,
		      (double)worker->number * part, lp_monotonic_now());
	status = stage->workload ? stage->workload->work(worker, err)
				 : rest(worker);
	if (status != -ECANCELED)
		return status;
	lab_worker_moved(worker, 0, 0);
	return clear(worker, err);
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	const struct lab_workload_spec *spec = worker->spec;
	struct lab_stages stages;
	int status = 0;

	lab_stages_init(&stages, spec->seed, &spec->stages);
	while (status == 0) {
		lab_stages_next(&stages);
		worker->until_ns =
			spec->begun_ns + (int64_t)(stages.now.end_s * 1e9);
		/* Over already: a client that was added later. */
		if (worker->until_ns > lp_monotonic_now())
			status = do_stage(worker, &stages.now, err);
	}
	return status;
}

const struct lab_workload lab_workload_varied = {
	.name = "varied",
	.summary = "one of the others, at another pace every 3 to 20 minutes",
	.pace = 22000000,
	.program = "postmark",
	.package = "postmark",
	.prepare = lab_read_prepare,
	.work = work,
};
