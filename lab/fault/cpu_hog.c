/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu-hog: another program computes on the server, in its control group. The
 * nodes share their processors: where there are few, all of them feel it.
 */
#include "base/timestamp.h"
#include "fault/hog.h"
#include "workload/pace.h"

#include <errno.h>
#include <stdio.h>

#define SLICE_NS (20 * LP_NS_PER_MS)

struct burn {
	double share;
	struct lab_hog_page *page;
};

static int body(void *context)
{
	const struct burn *burn = context;

	while (burn->share > 0) {
		int64_t begun_ns = lp_monotonic_now();
		int64_t busy_ns = (int64_t)(burn->share * (double)SLICE_NS);

		while (lp_monotonic_now() - begun_ns < busy_ns)
			;
		atomic_fetch_add(&burn->page->bytes, (uint64_t)busy_ns);
		lab_sleep_ns(begun_ns + SLICE_NS - lp_monotonic_now());
	}
	return 0;
}

static int start(struct lab_fault_run *run, struct lp_error *err)
{
	struct burn burn = { .share = run->strength / 100 };

	return lab_hog_put_on(run, run->victim, body, &burn, &burn.page, err);
}

static int bites(struct lab_fault_run *run, struct lp_error *err)
{
	struct lab_hog *hog = run->own;
	double s = (double)atomic_load(&hog->page->bytes) / 1e9;
	int status = lab_hog_alive(hog, err);

	if (status < 0)
		return status;
	snprintf(run->seen, sizeof(run->seen), "used %.1f s of CPU time", s);
	return s > 0 ? 0
		     : lp_fail(err, EIO, "it has not used any CPU time yet");
}

const struct lab_fault lab_fault_cpu_hog = {
	.name = "cpu-hog",
	.summary = "another program uses a processor of the server",
	.strength_unit = "%",
	.strengths = { 100, 50 },
	.weakest = 1,
	.strongest = 100,
	.cause = "unknown",
	.start = start,
	.stop = lab_hog_take_off,
	.bites = bites,
};
