/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/host.h"

#include "model/catalogue.h"
#include "simulate/device.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 600 /* ticks in a chunk */
#define MOST_EPISODES 32
#define STREAM_HOST (UINT64_C(2) << 60)
#define WORKLOAD_HOURS 8.0
#define CLOCK_HOURS 1.0
#define LATE_NS 3e6 /* a sample is taken up to so late */
#define NET_COLUMNS 16
#define RX_BYTES 0
#define RX_PACKETS 1
#define TX_BYTES 8
#define TX_PACKETS 9
#define OVERHEAD 1.05     /* headers, control messages */
#define PACKET_BYTES 1448 /* of a full packet */

/* A clock that is off for a while. */
struct clock_step {
	double begin_s, end_s, offset_s;
};

struct host {
	const struct lp_scenario *scenario;
	struct lp_archive_writer *writer;
	struct lp_sim_stats *stats;
	unsigned array, server;
	char name[LP_SIM_NAME];
	struct lp_random random;
	struct lp_sim_workload workloads[MOST_EPISODES];
	struct clock_step steps[MOST_EPISODES];
	size_t n_workloads, n_steps, n_devices;
	struct lp_sim_device *devices;
	double net[4]; /* totals: bytes and packets received, sent */
	/* One chunk, used again and again. */
	struct lp_chunk chunk;
	struct lp_panel panels[2];
	struct lp_series *series;
	struct lp_values *values;
	uint64_t *bits;
	uint8_t *present;
	double rx[BLOCK], tx[BLOCK];
	int64_t time_ns[BLOCK];
	struct lp_arena arena;
};

/* Begin and end of the next episode after *at_s; false: none before the end. */
static bool next_episode(struct host *h, double per_day, double hours,
			 double *at_s, double *end_s)
{
	if (!(per_day > 0))
		return false;
	*at_s += lp_random_exponential(&h->random) * 86400 / per_day;
	*end_s = *at_s + hours * 3600 * lp_random_exponential(&h->random);
	return *at_s < h->scenario->hours * 3600;
}

static void plan_disturbances(struct host *h)
{
	const struct lp_scenario *s = h->scenario;
	double at = 0, end;

	while (h->n_workloads < MOST_EPISODES &&
	       next_episode(h, s->server_workloads, WORKLOAD_HOURS, &at,
			    &end)) {
		h->workloads[h->n_workloads++] =
			(struct lp_sim_workload){ at, end };
		at = end;
	}
	at = 0;
	while (h->n_steps < MOST_EPISODES &&
	       next_episode(h, s->clock_steps, CLOCK_HOURS, &at, &end)) {
		double size = s->interval_s *
			      (0.6 + 2.4 * lp_random_uniform(&h->random));

		if (lp_random_uniform(&h->random) < 0.5)
			size = -size;
		h->steps[h->n_steps++] = (struct clock_step){ at, end, size };
		at = end;
	}
}

static int64_t clock_at(struct host *h, size_t tick)
{
	const struct lp_scenario *s = h->scenario;
	double at = (double)tick * s->interval_s, offset = 0;
	int64_t interval_ns = (int64_t)llround(s->interval_s * 1e9);

	for (size_t i = 0; i < h->n_steps; i++)
		if (at >= h->steps[i].begin_s && at < h->steps[i].end_s)
			offset = h->steps[i].offset_s;
	return s->start_ns + (int64_t)tick * interval_ns +
	       (int64_t)(offset * 1e9) +
	       (int64_t)(LATE_NS * lp_random_uniform(&h->random));
}

static void add_devices(struct host *h, const struct lp_sim_load *load)
{
	for (unsigned lun = 0; lun < h->scenario->luns; lun++) {
		struct lp_sim_place place = { h->array, h->server, lun };
		struct lp_sim_device *d = &h->devices[h->n_devices];

		if (lp_sim_priority(h->scenario, lun, h->server) >=
		    h->scenario->attachments)
			continue;
		lp_sim_device_init(d, h->scenario, load, place);
		d->workloads = h->workloads;
		d->n_workloads = h->n_workloads;
		h->n_devices++;
	}
}

/* Series i of a panel; values and bits are the next free ones. */
static int set_series(struct host *h, struct lp_panel *panel, size_t i,
		      const char *name, struct lp_values **values,
		      uint64_t **bits)
{
	struct lp_series *series = &panel->series[i];

	series->name = lp_arena_string(&h->arena, name);
	series->values = *values;
	for (size_t c = 0; c < panel->n_columns; c++) {
		(*values)++->bits = *bits;
		*bits += BLOCK;
	}
	return series->name ? 0 : -ENOMEM;
}

static int set_panel(struct host *h, struct lp_panel *panel,
		     const struct lp_class *class, size_t n_columns,
		     struct lp_series *series, size_t n_series)
{
	struct lp_column *columns =
		lp_arena_alloc(&h->arena, n_columns * sizeof(struct lp_column));

	if (!columns)
		return -ENOMEM;
	memcpy(columns, class->columns, n_columns * sizeof(*columns));
	*panel = (struct lp_panel){ .class_name = class->name,
				    .class = class,
				    .columns = columns,
				    .n_columns = n_columns,
				    .series = series,
				    .n_series = n_series };
	return 0;
}

static int shape_chunk(struct host *h)
{
	struct lp_values *values = h->values;
	uint64_t *bits = h->bits;
	char name[LP_SIM_NAME];
	int r = set_panel(h, &h->panels[0], &lp_class_disk, LP_SIM_COLUMNS,
			  h->series, h->n_devices);

	if (r == 0)
		r = set_panel(h, &h->panels[1], &lp_class_net, NET_COLUMNS,
			      h->series + h->n_devices, 1);
	for (size_t i = 0; r == 0 && i < h->n_devices; i++) {
		lp_sim_device_name(h->scenario, h->server,
				   h->devices[i].place.lun, name);
		r = set_series(h, &h->panels[0], i, name, &values, &bits);
	}
	if (r == 0)
		r = set_series(h, &h->panels[1], 0, "eth0", &values, &bits);
	h->chunk = (struct lp_chunk){ .host = h->name,
				      .time_ns = h->time_ns,
				      .panels = h->panels,
				      .n_panels = 2 };
	return r;
}

static int host_init(struct host *h, const struct lp_sim_load *load)
{
	const struct lp_scenario *s = h->scenario;
	size_t columns = s->luns * (size_t)LP_SIM_COLUMNS + NET_COLUMNS;
	uint64_t number = (uint64_t)h->array * s->servers + h->server;

	lp_random_init(&h->random, s->seed, STREAM_HOST | number);
	lp_sim_host_name(s, h->array, h->server, h->name);
	plan_disturbances(h);
	h->devices = calloc(s->luns, sizeof(*h->devices));
	h->series = calloc(s->luns + 1, sizeof(*h->series));
	h->values = calloc(columns, sizeof(*h->values));
	h->bits = calloc(columns * BLOCK, sizeof(*h->bits));
	h->present = calloc((size_t)s->luns * BLOCK, 1);
	if (!h->devices || !h->series || !h->values || !h->bits || !h->present)
		return -ENOMEM;
	add_devices(h, load);
	return shape_chunk(h);
}

static void host_done(struct host *h)
{
	free(h->devices);
	free(h->series);
	free(h->values);
	free(h->bits);
	free(h->present);
	lp_arena_done(&h->arena);
}

/* Missing throughout: no values at all; in part: marked. */
static void run_device(struct host *h, size_t i, size_t first, size_t n)
{
	struct lp_values *values = h->panels[0].series[i].values;
	uint8_t *present = h->present + i * BLOCK;
	uint64_t *bits[LP_SIM_COLUMNS];
	size_t there;

	for (size_t c = 0; c < LP_SIM_COLUMNS; c++)
		bits[c] = h->bits + (i * LP_SIM_COLUMNS + c) * BLOCK;
	there = lp_sim_device_run(&h->devices[i], first, n, bits, present,
				  h->rx, h->tx);
	for (size_t c = 0; c < LP_SIM_COLUMNS; c++) {
		values[c].bits = there > 0 ? bits[c] : NULL;
		values[c].present = there < n ? present : NULL;
	}
}

/* What clients write comes in, what they read goes out, each with ACKs. */
static void run_net(struct host *h, size_t first, size_t n)
{
	struct lp_values *values = h->panels[1].series[0].values;
	double s = h->scenario->interval_s;

	for (size_t k = 0; k < n; k++) {
		double rx, tx, in, out;

		lp_sim_network(h->scenario, h->array, h->server,
			       (double)(first + k) * s, &rx, &tx);
		in = (h->rx[k] + rx * s) * OVERHEAD + 2000 * s;
		out = (h->tx[k] + tx * s) * OVERHEAD + 2000 * s;
		h->net[0] += floor(in + out * 0.02);
		h->net[1] += floor(in / PACKET_BYTES + out / PACKET_BYTES / 2);
		h->net[2] += floor(out + in * 0.02);
		h->net[3] += floor(out / PACKET_BYTES + in / PACKET_BYTES / 2);
		values[RX_BYTES].bits[k] = (uint64_t)h->net[0];
		values[RX_PACKETS].bits[k] = (uint64_t)h->net[1];
		values[TX_BYTES].bits[k] = (uint64_t)h->net[2];
		values[TX_PACKETS].bits[k] = (uint64_t)h->net[3];
	}
}

static int write_block(struct host *h, size_t first, size_t n,
		       struct lp_error *err)
{
	memset(h->rx, 0, sizeof(h->rx));
	memset(h->tx, 0, sizeof(h->tx));
	for (size_t k = 0; k < n; k++)
		h->time_ns[k] = clock_at(h, first + k);
	for (size_t i = 0; i < h->n_devices; i++)
		run_device(h, i, first, n);
	run_net(h, first, n);
	h->chunk.n_samples = n;
	h->stats->samples += n;
	h->stats->values += n * (h->n_devices * LP_SIM_COLUMNS + NET_COLUMNS);
	return lp_archive_put_chunk(h->writer, &h->chunk, err);
}

static int put_event(struct host *h, size_t tick, enum lp_event_kind kind,
		     const char *text, struct lp_error *err)
{
	struct lp_event event = { .host = h->name,
				  .time_ns = h->scenario->start_ns +
					     llround((double)tick *
						     h->scenario->interval_s *
						     1e9),
				  .kind = kind,
				  .text = text };

	return lp_archive_put_event(h->writer, &event, err);
}

static int begin(struct host *h, size_t tick, struct lp_error *err)
{
	struct lp_inventory *inventory =
		lp_sim_inventory(h->scenario, h->array, h->server);
	char text[LP_SIM_NAME];
	int r;

	if (!inventory)
		return lp_fail_memory(err);
	snprintf(text, sizeof(text), "interval %g s, simulated",
		 h->scenario->interval_s);
	r = put_event(h, tick, LP_EVENT_START, text, err);
	if (r == 0)
		r = lp_archive_put_inventory(h->writer, inventory, err);
	lp_inventory_free(inventory);
	return r;
}

static int reboot(struct host *h, size_t tick, struct lp_error *err)
{
	int r = put_event(h, tick, LP_EVENT_BOOT, "simulated", err);

	for (size_t i = 0; i < h->n_devices; i++)
		lp_sim_device_reset(&h->devices[i]);
	memset(h->net, 0, sizeof(h->net));
	return r < 0 ? r : begin(h, tick, err);
}

static int write_all(struct host *h, struct lp_error *err)
{
	double s = h->scenario->interval_s, until;
	size_t ticks = lp_scenario_ticks(h->scenario), t = 0, n;
	bool down = false, was_down;
	int r = begin(h, 0, err);

	for (; r == 0 && t < ticks; t += n) {
		was_down = down;
		down = lp_sim_down(h->scenario, h->array, h->server,
				   (double)t * s, &until);
		until = ceil(until / s - 1e-6) - (double)t;
		n = ticks - t < BLOCK ? ticks - t : BLOCK;
		if (until < (double)n)
			n = until < 1 ? 1 : (size_t)until;
		if (down)
			continue;
		if (was_down)
			r = reboot(h, t, err);
		if (r == 0)
			r = write_block(h, t, n, err);
	}
	/* A host that is down says nothing, not even that it stopped. */
	if (r == 0 && !down)
		r = put_event(h, ticks, LP_EVENT_STOP, "simulated", err);
	return r;
}

int lp_sim_host_write(const struct lp_scenario *scenario,
		      const struct lp_sim_load *load, unsigned array,
		      unsigned server, struct lp_archive_writer *writer,
		      struct lp_sim_stats *stats, struct lp_error *err)
{
	struct host *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return lp_fail_memory(err);
	h->scenario = scenario;
	h->writer = writer;
	h->stats = stats;
	h->array = array;
	h->server = server;
	if (host_init(h, load) < 0)
		r = lp_fail_memory(err);
	else
		r = write_all(h, err);
	stats->components += h->n_devices + 1;
	stats->hosts++;
	host_done(h);
	free(h);
	return r;
}
