/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attachment's counters, tick after tick.
 */
#ifndef LP_SIMULATE_DEVICE_H
#define LP_SIMULATE_DEVICE_H

#include "simulate/effect.h"
#include "simulate/load.h"
#include "stats/random.h"

/* The first columns of the disk class, in its order. */
enum {
	LP_SIM_RD_IOS,
	LP_SIM_RD_MERGES,
	LP_SIM_RD_SECTORS,
	LP_SIM_RD_MS,
	LP_SIM_WR_IOS,
	LP_SIM_WR_MERGES,
	LP_SIM_WR_SECTORS,
	LP_SIM_WR_MS,
	LP_SIM_IN_FLIGHT,
	LP_SIM_IO_MS,
	LP_SIM_WEIGHTED_MS,
	LP_SIM_COLUMNS,
};

/* A server's own, faint load on all its attachments (thesis 5.8.2). */
struct lp_sim_workload {
	double begin_s, end_s;
};

struct lp_sim_device {
	const struct lp_scenario *scenario;
	const struct lp_sim_load *load;
	const struct lp_sim_workload *workloads; /* of its host */
	size_t n_workloads;
	struct lp_sim_place place;
	struct lp_random random;
	double total[LP_SIM_COLUMNS];
	double own; /* slowly changing share of the load, mean 0 */
	double read_share, write_share;
	struct lp_sim_effect effect;
	double effect_until_s;
	double transient_begin_s, transient_end_s, transient;
};

void lp_sim_device_init(struct lp_sim_device *device,
			const struct lp_scenario *scenario,
			const struct lp_sim_load *load,
			struct lp_sim_place place);
/* The host booted: counters begin at 0. */
void lp_sim_device_reset(struct lp_sim_device *device);

/*
 * The next n ticks from `first` on. bits[c] and present have room for n;
 * read and written bytes are added to tx and rx. Returns at how many ticks the
 * device was there.
 */
size_t lp_sim_device_run(struct lp_sim_device *device, size_t first, size_t n,
			 uint64_t *const *bits, uint8_t *present, double *rx,
			 double *tx);

#endif
