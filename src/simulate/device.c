/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model: requests arrive by a Poisson process whose rate is the shared
 * load times the device's own, slowly changing share; the mean time of a
 * request grows with the utilisation as in an M/M/1 queue; its average over a
 * tick scatters the less the more requests there are, and now and then a tick
 * has a heavy tail.
 */
#include "simulate/device.h"

#include <math.h>

#define READ_MS 6.0
#define WRITE_MS 2.0
#define SERVICE_S 0.003 /* of the array, per request */
#define MOST_BUSY 0.9
#define SHARE_SPREAD 0.05 /* of the own share */
#define SHARE_KEEPS 0.995 /* from tick to tick */
#define NOISE 0.5         /* of one request's time, relative */
#define TAIL_CHANCE 0.003
#define TAIL 1.5
#define TAIL_MOST 40.0
/* New LUNs are emptier: fewer reads, more writes (thesis 5.2.1). */
#define NEW_READS 0.5
#define NEW_WRITES 1.5
/* Below 10 kB/s and 1 ms, as observed on Intrepid (5.8.2). */
#define WORKLOAD_PER_S 1.5
#define WORKLOAD_SECTORS 8.0
#define WORKLOAD_MS 0.6
#define HOG_SECTORS 512.0
#define ERROR_MS 900.0
#define TRANSIENT_S 240.0

/* What a device does in one tick. */
struct tick {
	double reads, writes;     /* requests */
	double read_ms, write_ms; /* summed over them */
	double read_sectors, write_sectors;
	double busy; /* share of the tick */
};

void lp_sim_device_init(struct lp_sim_device *d,
			const struct lp_scenario *scenario,
			const struct lp_sim_load *load,
			struct lp_sim_place place)
{
	bool new = place.lun >= scenario->old_luns && scenario->old_luns > 0;
	uint64_t stream = ((uint64_t)place.array << 40) |
			  ((uint64_t)place.server << 20) | place.lun;

	*d = (struct lp_sim_device){ .scenario = scenario,
				     .load = load,
				     .place = place,
				     .read_share = new ? NEW_READS : 1,
				     .write_share = new ? NEW_WRITES : 1,
				     .effect_until_s = -1,
				     .transient_end_s = -1 };
	lp_random_init(&d->random, scenario->seed, stream);
	d->own = lp_random_normal(&d->random);
	for (int c = 0; c < LP_SIM_COLUMNS; c++)
		d->total[c] = floor(lp_random_uniform(&d->random) * 0x1p32);
	d->total[LP_SIM_IN_FLIGHT] = 0;
}

void lp_sim_device_reset(struct lp_sim_device *d)
{
	for (int c = 0; c < LP_SIM_COLUMNS; c++)
		d->total[c] = 0;
}

/* Mean of n requests' times, relative to what is expected. */
static double scatter(struct lp_random *random, double n)
{
	double f = 1 + NOISE * lp_random_normal(random) / sqrt(n);

	if (lp_random_uniform(random) < TAIL_CHANCE) {
		double tail = lp_random_pareto(random, TAIL);

		f *= tail < TAIL_MOST ? tail : TAIL_MOST;
	}
	return f > 0.2 ? f : 0.2;
}

static void next_transient(struct lp_sim_device *d, double at_s)
{
	double rate = d->scenario->transients / 86400;

	d->transient_begin_s = 1e300;
	d->transient_end_s = 1e300;
	if (!(rate > 0))
		return;
	d->transient_begin_s = at_s + lp_random_exponential(&d->random) / rate;
	d->transient_end_s = d->transient_begin_s +
			     TRANSIENT_S * lp_random_exponential(&d->random);
	d->transient = 1 + 3 * lp_random_uniform(&d->random);
}

static void update(struct lp_sim_device *d, double at_s)
{
	if (at_s >= d->effect_until_s)
		d->effect = lp_sim_effect_at(d->scenario, d->place, at_s,
					     &d->effect_until_s);
	if (at_s >= d->transient_end_s)
		next_transient(d, at_s);
}

static bool has_workload(const struct lp_sim_device *d, double at_s)
{
	for (size_t i = 0; i < d->n_workloads; i++)
		if (at_s >= d->workloads[i].begin_s &&
		    at_s < d->workloads[i].end_s)
			return true;
	return false;
}

static double own_share(struct lp_sim_device *d)
{
	double f;

	d->own = SHARE_KEEPS * d->own + sqrt(1 - SHARE_KEEPS * SHARE_KEEPS) *
						lp_random_normal(&d->random);
	f = 1 + SHARE_SPREAD * d->own;
	return f > 0.5 ? f : 0.5;
}

/* Requests of the clients and of a hog on the disk. */
static void serve(struct lp_sim_device *d, size_t t, double at_s,
		  struct tick *tick)
{
	const struct lp_sim_load *load = d->load;
	double share = own_share(d), hog = d->effect.requests_per_s;
	double rate_r = load->reads[t] * d->read_share * share;
	double rate_w = load->writes[t] * d->write_share * share;
	double busy = (rate_r + rate_w + hog) * SERVICE_S;
	double factor = d->effect.latency, s = d->scenario->interval_s;

	if (at_s >= d->transient_begin_s)
		factor *= d->transient;
	factor /= 1 - (busy < MOST_BUSY ? busy : MOST_BUSY);
	tick->reads = lp_random_poisson(&d->random, (rate_r + hog) * s);
	tick->writes = lp_random_poisson(&d->random, rate_w * s);
	tick->read_sectors =
		8 * floor(tick->reads *
			  (rate_r * load->sectors[t] + hog * HOG_SECTORS) /
			  (rate_r + hog + 1e-12) / 8);
	tick->write_sectors = 8 * floor(tick->writes * load->sectors[t] / 8);
	if (tick->reads > 0)
		tick->read_ms = tick->reads * READ_MS * factor *
				scatter(&d->random, tick->reads);
	if (tick->writes > 0)
		tick->write_ms = tick->writes * WRITE_MS * factor *
				 scatter(&d->random, tick->writes);
	tick->busy = busy * d->effect.latency;
}

static void add_workload(struct lp_sim_device *d, struct tick *tick)
{
	double n = lp_random_poisson(&d->random,
				     WORKLOAD_PER_S * d->scenario->interval_s);

	tick->reads += n;
	tick->read_sectors += n * WORKLOAD_SECTORS;
	tick->read_ms += n * WORKLOAD_MS;
	tick->busy += n * WORKLOAD_MS / 1000;
}

/* Errors of a drawer hold up what is in flight, if anything is. */
static void add_errors(struct lp_sim_device *d, struct tick *tick)
{
	double n = lp_random_poisson(
		&d->random, d->effect.errors_per_s * d->scenario->interval_s);
	double requests = tick->reads + tick->writes;

	for (; n > 0 && requests > 0; n--) {
		double ms = ERROR_MS * lp_random_exponential(&d->random) *
			    (1 + floor(requests * 0.1));

		if (tick->reads > 0)
			tick->read_ms += ms;
		else
			tick->write_ms += ms;
	}
}

/* A request in two seconds, and it takes long (figure 5.5). */
static void add_idle_latency(struct lp_sim_device *d, struct tick *tick)
{
	double n = lp_random_poisson(&d->random, 0.5 * d->scenario->interval_s);

	tick->reads += n;
	tick->read_sectors += 8 * n;
	if (n > 0)
		tick->read_ms += n * d->effect.idle_ms * scatter(&d->random, n);
}

/* Whoever asks a LUN that is being reset waits until that is over. */
static void add_hold(const struct lp_sim_device *d, double at_s,
		     struct tick *tick)
{
	double ms = (d->effect.held_until_s - at_s) * 1000;

	tick->read_ms += tick->reads * ms;
	tick->write_ms += tick->writes * ms;
}

static struct tick run_tick(struct lp_sim_device *d, size_t t, double at_s)
{
	struct tick tick = { 0 };

	if (d->effect.carries || d->effect.requests_per_s > 0)
		serve(d, t, at_s, &tick);
	if (d->n_workloads > 0 && has_workload(d, at_s))
		add_workload(d, &tick);
	if (d->effect.errors_per_s > 0)
		add_errors(d, &tick);
	if (d->effect.idle_ms > 0)
		add_idle_latency(d, &tick);
	if (d->effect.held_until_s > at_s)
		add_hold(d, at_s, &tick);
	return tick;
}

static void count(struct lp_sim_device *d, const struct tick *tick)
{
	double *total = d->total, ms = tick->read_ms + tick->write_ms;
	double span_ms = d->scenario->interval_s * 1000;
	double busy = tick->busy / (1 + tick->busy);

	total[LP_SIM_RD_IOS] += tick->reads;
	total[LP_SIM_RD_MERGES] += floor(tick->reads * 0.1);
	total[LP_SIM_RD_SECTORS] += tick->read_sectors;
	total[LP_SIM_RD_MS] += tick->read_ms;
	total[LP_SIM_WR_IOS] += tick->writes;
	total[LP_SIM_WR_MERGES] += floor(tick->writes * 0.3);
	total[LP_SIM_WR_SECTORS] += tick->write_sectors;
	total[LP_SIM_WR_MS] += tick->write_ms;
	total[LP_SIM_IN_FLIGHT] = floor(ms / span_ms);
	/* Whoever waits for a request makes the device busy. */
	total[LP_SIM_IO_MS] += ms < span_ms * busy ? ms : span_ms * busy;
	total[LP_SIM_WEIGHTED_MS] += ms;
}

/* The kernel prints milliseconds with 32 bits; they wrap. */
static void store(const struct lp_sim_device *d, uint64_t *const *bits,
		  size_t k)
{
	for (int c = 0; c < LP_SIM_COLUMNS; c++)
		bits[c][k] = (uint64_t)d->total[c];
	bits[LP_SIM_RD_MS][k] &= UINT32_MAX;
	bits[LP_SIM_WR_MS][k] &= UINT32_MAX;
	bits[LP_SIM_IO_MS][k] &= UINT32_MAX;
	bits[LP_SIM_WEIGHTED_MS][k] &= UINT32_MAX;
}

size_t lp_sim_device_run(struct lp_sim_device *d, size_t first, size_t n,
			 uint64_t *const *bits, uint8_t *present, double *rx,
			 double *tx)
{
	size_t there = 0;

	for (size_t k = 0; k < n; k++) {
		double at_s = (double)(first + k) * d->scenario->interval_s;
		struct tick tick;

		update(d, at_s);
		tick = run_tick(d, first + k, at_s);
		count(d, &tick);
		store(d, bits, k);
		present[k] = !d->effect.gone;
		there += present[k];
		rx[k] += tick.write_sectors * 512;
		tx[k] += tick.read_sectors * 512;
	}
	return there;
}
