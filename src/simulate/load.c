/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/load.h"

#include "stats/random.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define STREAM_LOAD (UINT64_C(1) << 60)

/* Bursts: shortest, the exponent of their lengths, the longest. */
#define BURST_S 20.0
#define BURST_TAIL 1.3
#define BURST_MOST_S 7200.0
#define BURST_REQUESTS 25.0 /* per second and LUN, median */
#define IDLE_S 600.0        /* mean of an idle time */
#define BASE_SECTORS 128.0

struct span {
	size_t begin, end;
};

static struct span span_at(const struct lp_scenario *s, size_t n, double at_s,
			   double seconds)
{
	double begin = at_s / s->interval_s;
	double end = (at_s + seconds) / s->interval_s;
	struct span span = { n, n };

	if (begin < (double)n)
		span.begin = (size_t)begin;
	if (end < (double)n)
		span.end = (size_t)ceil(end);
	return span;
}

/* Less at night; the day begins at midnight UTC. */
static double hour_factor(double at_s)
{
	double day = at_s / 86400;

	return 0.55 - 0.45 * cos(2 * M_PI * (day - 0.15));
}

static void set_base(const struct lp_scenario *s, struct lp_sim_load *load)
{
	for (size_t t = 0; t < load->n; t++) {
		double wave = 1 + 0.15 * sin((double)t * s->interval_s / 37);

		load->reads[t] = (float)(s->reads_per_s * wave);
		load->writes[t] = (float)(s->writes_per_s / wave);
		load->sectors[t] = (float)BASE_SECTORS;
	}
}

static void add_burst(struct lp_sim_load *load, struct span span,
		      struct lp_random *random, double factor)
{
	double rate =
		BURST_REQUESTS * factor * lp_random_lognormal(random, 0.6);
	double reads = lp_random_uniform(random);
	double sectors = 64 * exp2(floor(5 * lp_random_uniform(random)));

	/* Most jobs only read or only write. */
	if (lp_random_uniform(random) < 0.7)
		reads = reads < 0.5 ? 0.02 : 0.98;
	for (size_t t = span.begin; t < span.end; t++) {
		double before = load->reads[t] + load->writes[t];

		load->sectors[t] =
			(float)((before * load->sectors[t] + rate * sectors) /
				(before + rate));
		load->reads[t] += (float)(rate * reads);
		load->writes[t] += (float)(rate * (1 - reads));
	}
}

static void add_bursts(const struct lp_scenario *s, struct lp_sim_load *load,
		       struct lp_random *random)
{
	double total = s->hours * 3600, at = 0;

	if (!(s->bursts_per_hour > 0))
		return;
	for (;;) {
		double length = BURST_S * lp_random_pareto(random, BURST_TAIL);

		at += lp_random_exponential(random) * 3600 / s->bursts_per_hour;
		if (at >= total)
			return;
		if (length > BURST_MOST_S)
			length = BURST_MOST_S;
		add_burst(load, span_at(s, load->n, at, length), random,
			  s->local ? 1 : hour_factor(at));
	}
}

static void add_idle_times(const struct lp_scenario *s,
			   struct lp_sim_load *load, struct lp_random *random)
{
	double total = s->hours * 3600, at = 0;

	if (!(s->idle_share > 0))
		return;
	for (;;) {
		double idle = IDLE_S * lp_random_exponential(random);
		struct span span;

		at += IDLE_S * (1 / s->idle_share - 1) *
		      lp_random_exponential(random);
		if (at >= total)
			return;
		span = span_at(s, load->n, at, idle);
		for (size_t t = span.begin; t < span.end; t++)
			load->reads[t] = load->writes[t] = 0;
		at += idle;
	}
}

/* Clients of a striped file wait for its slowest part: all get less to do. */
static void add_drag(const struct lp_scenario *s, struct lp_sim_load *load)
{
	for (size_t i = 0; s->local && i < s->n_events; i++) {
		const struct lp_sim_event *e = &s->events[i];
		struct span span = span_at(s, load->n, e->at_s, e->seconds);

		for (size_t t = span.begin; t < span.end; t++) {
			load->reads[t] *= 0.7f;
			load->writes[t] *= 0.7f;
		}
	}
}

int lp_sim_load_make(const struct lp_scenario *scenario,
		     struct lp_sim_load *load)
{
	struct lp_random random;

	lp_random_init(&random, scenario->seed, STREAM_LOAD);
	load->n = lp_scenario_ticks(scenario);
	load->reads = calloc(load->n, sizeof(float));
	load->writes = calloc(load->n, sizeof(float));
	load->sectors = calloc(load->n, sizeof(float));
	if (!load->reads || !load->writes || !load->sectors) {
		lp_sim_load_done(load);
		return -ENOMEM;
	}
	set_base(scenario, load);
	add_bursts(scenario, load, &random);
	add_idle_times(scenario, load, &random);
	add_drag(scenario, load);
	return 0;
}

void lp_sim_load_done(struct lp_sim_load *load)
{
	free(load->reads);
	free(load->writes);
	free(load->sectors);
	*load = (struct lp_sim_load){ 0 };
}
