/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/host_parts.h"

#include "model/catalogue.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_HOST (UINT64_C(2) << 60)
#define STREAM_CLIENT (UINT64_C(3) << 60)
#define STREAM_SOCKET (UINT64_C(4) << 60)
#define WORKLOAD_HOURS 8.0
#define CLOCK_HOURS 1.0
#define LATE_NS 3e6 /* a sample is taken up to so late */
#define NET_COLUMNS 16
#define PORT 49152 /* of the file system */

/* Begin and end of the next episode after *at_s; false: none before the end. */
static bool next_episode(struct lp_sim_host *h, double per_day, double hours,
			 double *at_s, double *end_s)
{
	if (!(per_day > 0))
		return false;
	*at_s += lp_random_exponential(&h->random) * 86400 / per_day;
	*end_s = *at_s + hours * 3600 * lp_random_exponential(&h->random);
	return *at_s < h->scenario->hours * 3600;
}

static void plan_disturbances(struct lp_sim_host *h)
{
	const struct lp_scenario *s = h->scenario;
	double at = 0, end;

	while (h->n_workloads < LP_SIM_EPISODES &&
	       next_episode(h, s->server_workloads, WORKLOAD_HOURS, &at,
			    &end)) {
		h->workloads[h->n_workloads++] =
			(struct lp_sim_workload){ at, end };
		at = end;
	}
	at = 0;
	while (h->n_steps < LP_SIM_EPISODES &&
	       next_episode(h, s->clock_steps, CLOCK_HOURS, &at, &end)) {
		double size = s->interval_s *
			      (0.6 + 2.4 * lp_random_uniform(&h->random));

		if (lp_random_uniform(&h->random) < 0.5)
			size = -size;
		h->steps[h->n_steps++] =
			(struct lp_sim_clock_step){ at, end, size };
		at = end;
	}
}

static int64_t clock_at(struct lp_sim_host *h, size_t tick)
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

static void add_devices(struct lp_sim_host *h, const struct lp_sim_load *load)
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
static int set_series(struct lp_sim_host *h, struct lp_panel *panel, size_t i,
		      const char *name, struct lp_values **values,
		      uint64_t **bits)
{
	struct lp_series *series = &panel->series[i];

	series->name = lp_arena_string(&h->arena, name);
	series->values = *values;
	for (size_t c = 0; c < panel->n_columns; c++) {
		(*values)++->bits = *bits;
		*bits += LP_SIM_BLOCK;
	}
	return series->name ? 0 : -ENOMEM;
}

static int set_panel(struct lp_sim_host *h, struct lp_panel *panel,
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

static struct lp_panel *add_panel(struct lp_sim_host *h,
				  const struct lp_class *class,
				  size_t n_columns, size_t n_series)
{
	struct lp_panel *panel = &h->panels[h->chunk.n_panels];
	struct lp_series *series = h->series;

	for (size_t i = 0; i < h->chunk.n_panels; i++)
		series += h->panels[i].n_series;
	if (set_panel(h, panel, class, n_columns, series, n_series) < 0)
		return NULL;
	h->chunk.n_panels++;
	return panel;
}

/* As recorders name the other end: "49152>10.1.0.1", "->10.0.0.3". */
static const char *socket_name(const struct lp_sim_host *h, size_t i,
			       char text[LP_SIM_NAME])
{
	const struct lp_scenario *s = h->scenario;
	char address[LP_SIM_NAME];

	if (h->is_client)
		snprintf(text, LP_SIM_NAME, "->%.40s",
			 lp_sim_server_address(s, (unsigned)i / s->servers,
					       (unsigned)i % s->servers,
					       address));
	else
		snprintf(text, LP_SIM_NAME, "%d>%.40s", PORT,
			 lp_sim_client_address((unsigned)i, address));
	return text;
}

static int name_series(struct lp_sim_host *h)
{
	struct lp_values *values = h->values;
	uint64_t *bits = h->bits;
	char name[LP_SIM_NAME];
	int status = 0;

	for (size_t i = 0; status == 0 && i < h->n_devices; i++) {
		lp_sim_device_name(h->scenario, h->server,
				   h->devices[i].place.lun, name);
		status = set_series(h, h->disk, i, name, &values, &bits);
	}
	if (status == 0)
		status = set_series(h, h->net_panel, 0, "eth0", &values, &bits);
	for (size_t i = 0; status == 0 && i < h->n_sockets; i++)
		status = set_series(h, h->tcp, i, socket_name(h, i, name),
				    &values, &bits);
	return status;
}

static int shape_chunk(struct lp_sim_host *h)
{
	h->chunk = (struct lp_chunk){ .host = h->name,
				      .time_ns = h->time_ns,
				      .panels = h->panels };
	if (!h->is_client)
		h->disk = add_panel(h, &lp_class_disk, LP_SIM_COLUMNS,
				    h->n_devices);
	h->net_panel = add_panel(h, &lp_class_net, NET_COLUMNS, 1);
	if (h->n_sockets)
		h->tcp = add_panel(h, &lp_class_tcp, LP_SIM_TCP_COLUMNS,
				   h->n_sockets);
	if ((!h->is_client && !h->disk) || !h->net_panel ||
	    (h->n_sockets && !h->tcp))
		return -ENOMEM;
	return name_series(h);
}

static void add_sockets(struct lp_sim_host *h)
{
	uint64_t end = h->is_client ? STREAM_CLIENT : 0;

	for (size_t i = 0; i < h->n_sockets; i++)
		lp_sim_socket_init(&h->sockets[i], h->scenario->seed,
				   STREAM_SOCKET | end |
					   lp_sim_host_number(h) << 20 | i);
}

static void name_host(struct lp_sim_host *h)
{
	const struct lp_scenario *s = h->scenario;

	lp_random_init(&h->random, s->seed,
		       (h->is_client ? STREAM_CLIENT : STREAM_HOST) |
			       lp_sim_host_number(h));
	if (h->is_client)
		lp_sim_client_name(h->client, h->name);
	else
		lp_sim_host_name(s, h->array, h->server, h->name);
}

static int host_init(struct lp_sim_host *h)
{
	const struct lp_scenario *s = h->scenario;
	size_t luns = h->is_client ? 0 : s->luns, columns;

	h->n_sockets = h->is_client ? lp_scenario_hosts(s) : s->clients;
	columns = luns * LP_SIM_COLUMNS + NET_COLUMNS +
		  h->n_sockets * LP_SIM_TCP_COLUMNS;
	name_host(h);
	plan_disturbances(h);
	h->devices = calloc(luns + 1, sizeof(*h->devices));
	h->sockets = calloc(h->n_sockets + 1, sizeof(*h->sockets));
	h->series = calloc(luns + 1 + h->n_sockets, sizeof(*h->series));
	h->values = calloc(columns, sizeof(*h->values));
	h->bits = calloc(columns * LP_SIM_BLOCK, sizeof(*h->bits));
	h->present = calloc(luns * LP_SIM_BLOCK + 1, 1);
	if (!h->devices || !h->sockets || !h->series || !h->values ||
	    !h->bits || !h->present)
		return -ENOMEM;
	if (!h->is_client)
		add_devices(h, h->world->load);
	add_sockets(h);
	return shape_chunk(h);
}

static void host_done(struct lp_sim_host *h)
{
	free(h->devices);
	free(h->sockets);
	free(h->series);
	free(h->values);
	free(h->bits);
	free(h->present);
	lp_arena_done(&h->arena);
}

/* Missing throughout: no values at all; in part: marked. */
static void run_device(struct lp_sim_host *h, size_t i, size_t first, size_t n)
{
	struct lp_values *values = h->disk->series[i].values;
	uint8_t *present = h->present + i * LP_SIM_BLOCK;
	uint64_t *bits[LP_SIM_COLUMNS];
	size_t there;

	for (size_t c = 0; c < LP_SIM_COLUMNS; c++)
		bits[c] = h->bits + (i * LP_SIM_COLUMNS + c) * LP_SIM_BLOCK;
	there = lp_sim_device_run(&h->devices[i], first, n, bits, present,
				  h->rx, h->tx);
	for (size_t c = 0; c < LP_SIM_COLUMNS; c++) {
		values[c].bits = there > 0 ? bits[c] : NULL;
		values[c].present = there < n ? present : NULL;
	}
}

static int write_block(struct lp_sim_host *h, size_t first, size_t n,
		       struct lp_error *err)
{
	memset(h->rx, 0, sizeof(h->rx));
	memset(h->tx, 0, sizeof(h->tx));
	for (size_t k = 0; k < n; k++)
		h->time_ns[k] = clock_at(h, first + k);
	for (size_t i = 0; i < h->n_devices; i++)
		run_device(h, i, first, n);
	lp_sim_host_network(h, first, n);
	h->chunk.n_samples = n;
	h->stats->samples += n;
	h->stats->values += n * (h->n_devices * LP_SIM_COLUMNS + NET_COLUMNS +
				 h->n_sockets * LP_SIM_TCP_COLUMNS);
	return lp_archive_put_chunk(h->writer, &h->chunk, err);
}

/* ---- the whole ---- */

/* A key is left out if it is NULL. */
static int put_event(struct lp_sim_host *h, size_t tick,
		     enum lp_event_kind kind, const char *key,
		     const char *value, struct lp_error *err)
{
	const struct lp_label pair = { key, value };
	double s = (double)tick * h->scenario->interval_s;
	struct lp_event event = {
		.host = h->name,
		.time_ns = h->scenario->start_ns + llround(s * 1e9),
		.kind = kind,
		.source = "limpid simulate",
		.severity = lp_event_kind_severity(kind),
		.pairs = &pair,
		.n_pairs = key != NULL,
	};

	return lp_archive_put_event(h->writer, &event, err);
}

static int begin(struct lp_sim_host *h, size_t tick, struct lp_error *err)
{
	struct lp_inventory *inventory =
		h->is_client
			? lp_sim_client_inventory(h->scenario, h->client)
			: lp_sim_inventory(h->scenario, h->array, h->server);
	char text[LP_SIM_NAME];
	int status;

	if (!inventory)
		return lp_fail_memory(err);
	snprintf(text, sizeof(text), "%lld",
		 llround(h->scenario->interval_s * 1e9));
	status = put_event(h, tick, LP_EVENT_START, "interval_ns", text, err);
	if (status == 0)
		status = lp_archive_put_inventory(h->writer, inventory, err);
	lp_inventory_free(inventory);
	return status;
}

static int reboot(struct lp_sim_host *h, size_t tick, struct lp_error *err)
{
	int status =
		put_event(h, tick, LP_EVENT_BOOT, "boot", "simulated", err);

	for (size_t i = 0; i < h->n_devices; i++)
		lp_sim_device_reset(&h->devices[i]);
	for (size_t i = 0; i < h->n_sockets; i++)
		lp_sim_socket_reset(&h->sockets[i]);
	memset(h->net, 0, sizeof(h->net));
	return status < 0 ? status : begin(h, tick, err);
}

static int write_all(struct lp_sim_host *h, struct lp_error *err)
{
	double s = h->scenario->interval_s, until;
	size_t ticks = lp_scenario_ticks(h->scenario), t = 0, n;
	bool down = false, was_down;
	int status = begin(h, 0, err);

	for (; status == 0 && t < ticks; t += n) {
		was_down = down;
		until = 1e300;
		down = !h->is_client &&
		       lp_sim_down(h->scenario, h->array, h->server,
				   (double)t * s, &until);
		until = ceil(until / s - 1e-6) - (double)t;
		n = ticks - t < LP_SIM_BLOCK ? ticks - t : LP_SIM_BLOCK;
		if (until < (double)n)
			n = until < 1 ? 1 : (size_t)until;
		if (down)
			continue;
		if (was_down)
			status = reboot(h, t, err);
		if (status == 0)
			status = write_block(h, t, n, err);
	}
	/* A host that is down says nothing, not even that it stopped. */
	if (status == 0 && !down)
		status = put_event(h, ticks, LP_EVENT_STOP, NULL, NULL, err);
	return status;
}

static int write_host(struct lp_sim_host *h, struct lp_error *err)
{
	int status = host_init(h) < 0 ? lp_fail_memory(err) : write_all(h, err);

	h->stats->components += h->n_devices + 1 + h->n_sockets;
	h->stats->hosts++;
	host_done(h);
	free(h);
	return status;
}

static struct lp_sim_host *new_host(struct lp_sim_world *world,
				    struct lp_archive_writer *writer,
				    struct lp_sim_stats *stats)
{
	struct lp_sim_host *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->world = world;
	h->scenario = world->scenario;
	h->writer = writer;
	h->stats = stats;
	return h;
}

int lp_sim_host_write(struct lp_sim_world *world, size_t host,
		      struct lp_archive_writer *writer,
		      struct lp_sim_stats *stats, struct lp_error *err)
{
	struct lp_sim_host *h = new_host(world, writer, stats);

	if (!h)
		return lp_fail_memory(err);
	h->array = (unsigned)host / world->scenario->servers;
	h->server = (unsigned)host % world->scenario->servers;
	return write_host(h, err);
}

int lp_sim_client_write(struct lp_sim_world *world, size_t client,
			struct lp_archive_writer *writer,
			struct lp_sim_stats *stats, struct lp_error *err)
{
	struct lp_sim_host *h = new_host(world, writer, stats);

	if (!h)
		return lp_fail_memory(err);
	h->is_client = true;
	h->client = (unsigned)client;
	return write_host(h, err);
}
