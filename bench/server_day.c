/* SPDX-License-Identifier: Apache-2.0 */
#include "server_day.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST 3600

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double uniform(uint64_t *rng)
{
	return (double)(next(rng) >> 11) * 0x1p-53;
}

static double normal(uint64_t *rng)
{
	return sqrt(-2 * log(1 - uniform(rng))) *
	       cos(6.283185307179586 * uniform(rng));
}

static uint64_t poisson(double mean, uint64_t *rng)
{
	double limit, product = 1;
	uint64_t n = 0;

	if (mean > 30) {
		double x = mean + sqrt(mean) * normal(rng);

		return x > 0 ? (uint64_t)(x + 0.5) : 0;
	}
	limit = exp(-mean);
	while ((product *= uniform(rng)) > limit)
		n++;
	return n;
}

static bool is_active(struct day_device *d)
{
	if (d->activity == DAY_IDLE)
		return false;
	if (d->activity == DAY_BUSY)
		return true;
	if (d->burst_left > 0) {
		d->burst_left--;
		return true;
	}
	if (uniform(&d->rng) < 1.0 / 270)
		d->burst_left = 10 + (int)(uniform(&d->rng) * 40);
	return false;
}

/* Reads (0) or writes (1) of one second; the time they took. */
static uint64_t direction(struct day_device *d, int way)
{
	uint64_t *c = d->counters + 4 * way, *rng = &d->rng;
	uint64_t ios, ms;

	d->log_rate[way] += 0.02 * normal(rng) +
			    0.002 * (log(way ? 60 : 120) - d->log_rate[way]);
	d->latency_ms[way] *= exp(0.03 * normal(rng));
	if (d->latency_ms[way] < 0.3 || d->latency_ms[way] > 30)
		d->latency_ms[way] = 5;
	ios = poisson(exp(d->log_rate[way]), rng);
	ms = (uint64_t)((double)ios * d->latency_ms[way] *
			(1 + 0.1 * fabs(normal(rng))));
	c[0] += ios;
	c[1] += poisson((double)ios * (way ? 0.3 : 0.02), rng);
	c[2] += 8 * (uint64_t)((double)ios * d->size_4k[way] *
			       (1 + 0.2 * fabs(normal(rng))));
	c[3] += ms;
	return ms;
}

static void second(struct day_device *d)
{
	uint64_t ms;
	double busy;

	d->counters[8] = 0;
	if (!is_active(d))
		return;
	ms = direction(d, 0) + direction(d, 1);
	busy = 1000 * (1 - exp(-(double)ms / 1000));
	d->counters[8] = poisson((double)ms / 1000, &d->rng);
	d->counters[9] += (uint64_t)busy;
	d->counters[10] += ms + next(&d->rng) % 8;
}

static void init_device(struct day_device *d, size_t i)
{
	d->rng = i * 1000003 + 17;
	for (int way = 0; way < 2; way++) {
		d->log_rate[way] = log(way ? 60 : 120) + normal(&d->rng);
		d->latency_ms[way] = 3 + 4 * uniform(&d->rng);
		d->size_4k[way] = way ? 32 : 8 + 24 * uniform(&d->rng);
	}
	for (size_t c = 0; c < DAY_COUNTERS; c++)
		d->counters[c] = next(&d->rng) >> (30 + 6 * (c % 4));
}

static void make_panel(struct server_day *day)
{
	struct lp_panel *panel = &day->panel;

	panel->class_name = "disk";
	panel->class = &lp_class_disk;
	panel->columns = (struct lp_column *)lp_class_disk.columns;
	panel->n_columns = DAY_COUNTERS;
	panel->n_series = day->n_devices;
	panel->series = calloc(day->n_devices, sizeof(*panel->series));
	for (size_t s = 0; s < day->n_devices; s++) {
		char name[32];

		snprintf(name, sizeof(name), "dm-%zu", s);
		panel->series[s].name = strdup(name);
		panel->series[s].values =
			calloc(DAY_COUNTERS, sizeof(struct lp_values));
		for (size_t c = 0; c < DAY_COUNTERS; c++)
			panel->series[s].values[c].bits =
				malloc(LONGEST * sizeof(uint64_t));
	}
}

struct server_day *server_day_new(size_t n_devices, size_t busy,
				  size_t intermittent)
{
	struct server_day *day = calloc(1, sizeof(*day));

	day->n_devices = n_devices;
	day->time_ns = DAY_START_NS;
	for (size_t i = 0; i < n_devices; i++) {
		init_device(&day->devices[i], i);
		day->devices[i].activity = i < busy ? DAY_BUSY
					   : i < busy + intermittent
						   ? DAY_INTERMITTENT
						   : DAY_IDLE;
	}
	make_panel(day);
	day->chunk = (struct lp_chunk){
		.host = "oss-17",
		.time_ns = malloc(LONGEST * sizeof(int64_t)),
		.panels = &day->panel,
		.n_panels = 1,
	};
	return day;
}

void server_day_free(struct server_day *day)
{
	for (size_t s = 0; s < day->n_devices; s++) {
		for (size_t c = 0; c < DAY_COUNTERS; c++)
			free(day->panel.series[s].values[c].bits);
		free(day->panel.series[s].values);
		free((char *)day->panel.series[s].name);
	}
	free(day->panel.series);
	free(day->chunk.time_ns);
	free(day);
}

const struct lp_chunk *server_day_next(struct server_day *day, size_t n)
{
	for (size_t i = 0; i < n; i++, day->time_ns += 1000000000) {
		day->chunk.time_ns[i] = day->time_ns;
		for (size_t s = 0; s < day->n_devices; s++) {
			struct day_device *d = &day->devices[s];

			second(d);
			for (size_t c = 0; c < DAY_COUNTERS; c++)
				day->panel.series[s].values[c].bits[i] =
					d->counters[c];
		}
	}
	day->chunk.n_samples = n;
	return &day->chunk;
}
