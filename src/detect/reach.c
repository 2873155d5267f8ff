/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/reach.h"

#include "base/timestamp.h"
#include "detect/joint.h"

#include <assert.h>

/* Recordings from two hours on are looked at in steps of 15 s. */
#define LONG_RECORDING_NS (7200 * LP_NS_PER_S)
#define LONG_STEP_NS (15 * LP_NS_PER_S)

int64_t lp_step_default(const struct lp_detector *detector, int64_t interval_ns,
			int64_t span_ns)
{
	if (span_ns < LONG_RECORDING_NS)
		return interval_ns;
	/* Its blocks; what it counts in samples is read as recorded. */
	if (detector->joint)
		return (int64_t)lp_joint_steps(detector->joint, interval_ns) *
		       interval_ns;
	if (interval_ns >= LONG_STEP_NS)
		return interval_ns;
	/* A multiple of the interval, rounded up. */
	return (LONG_STEP_NS + interval_ns - 1) / interval_ns * interval_ns;
}

/*
 * A window that begins at w holds half a window's length of a fault [s, s + D)
 * when s - W/2 <= w <= s + D - W/2: an interval of length D, in which k window
 * beginnings (a shift apart) must lie. That can happen from D = (k - 1) shifts
 * on and must happen from D = k shifts on.
 */
static void reach_by_votes(struct lp_reach *reach,
			   const struct lp_detector_params *p)
{
	int64_t shift_ns = (int64_t)p->shift * reach->step_ns;

	reach->least_ns = (int64_t)(p->k - 1) * shift_ns;
	reach->sure_ns = (int64_t)p->k * shift_ns;
	reach->needed_ns =
		(int64_t)p->window * reach->step_ns + reach->least_ns;
}

/*
 * Blocks are cut by the clock: a fault that is one block longer than half of
 * the shortest window fills that half wherever it begins.
 */
static void reach_by_blocks(struct lp_reach *reach,
			    const struct lp_detector *detector, size_t block)
{
	int64_t block_ns = (int64_t)block * reach->step_ns;
	int64_t blocks = (int64_t)detector->joint->least_blocks(block_ns);

	reach->least_ns = (blocks + 1) / 2 * block_ns;
	reach->sure_ns = reach->least_ns + block_ns;
	reach->needed_ns = blocks * block_ns;
}

struct lp_reach lp_reach_with(const struct lp_detector *detector,
			      const struct lp_detector_params *params,
			      int64_t step_ns, int64_t span_ns)
{
	struct lp_detector_params p =
		lp_detector_params_at(detector, params, step_ns);
	struct lp_reach reach = {
		.step_ns = step_ns,
		.window = (unsigned)p.window,
		.shift = (unsigned)p.shift,
		.k = p.k,
		.of = 2 * p.k - 1,
		.own = detector->joint != NULL,
	};

	assert(p.window > 0 && p.shift > 0 && p.k > 0);
	if (detector->joint)
		reach_by_blocks(&reach, detector, p.window);
	else
		reach_by_votes(&reach, &p);
	reach.enough = span_ns >= reach.needed_ns;
	return reach;
}

struct lp_reach lp_reach_of(int64_t interval_ns, int64_t span_ns)
{
	static const struct lp_detector_params defaults;
	const struct lp_detector *detector = lp_detector_main(NULL);
	int64_t step_ns = lp_step_default(detector, interval_ns, span_ns);

	return lp_reach_with(detector, &defaults, step_ns, span_ns);
}
