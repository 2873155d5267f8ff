/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /sys/class/infiniband/DEV/ports/N/{counters,hw_counters}: InfiniBand, RoCE
 * and Omni-Path ports. Each counter is a file with one number:
 *
 * counters/port_rcv_data        2221223609
 * counters/port_xmit_wait       N/A (no PMA)      (then it is missing)
 *
 * Which files there are depends on driver and kernel: those that exist are
 * kept open, and ports are looked for again every minute or when one goes.
 */
#include "source/filter.h"
#include "source/procfile.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RESCAN_S 60

struct counter {
	uint8_t column;
	bool present;
	int fd;
	uint64_t value;
};

struct port {
	char *name; /* "mlx5_0:1" */
	struct counter *counters;
	size_t n_counters;
};

struct infiniband {
	char *path; /* ROOT/sys/class/infiniband */
	const struct lp_filter *filter;
	struct port *ports;
	size_t n_ports, capacity;
	time_t scanned_s; /* 0: look for ports at the next fetch */
	uint64_t instances;
};

static int open_infiniband(const struct lp_reader_context *context,
			   void **state)
{
	struct infiniband *ib = calloc(1, sizeof(*ib));

	if (!ib ||
	    asprintf(&ib->path, "%s/sys/class/infiniband", context->root) < 0) {
		free(ib);
		return -ENOMEM;
	}
	ib->filter = context->filter;
	*state = ib;
	return 0;
}

static void free_port(struct port *port)
{
	for (size_t i = 0; i < port->n_counters; i++)
		close(port->counters[i].fd);
	free(port->counters);
	free(port->name);
}

static void forget_ports(struct infiniband *ib)
{
	for (size_t i = 0; i < ib->n_ports; i++)
		free_port(&ib->ports[i]);
	ib->n_ports = 0;
}

static void close_infiniband(void *state)
{
	struct infiniband *ib = state;

	if (!ib)
		return;
	forget_ports(ib);
	free(ib->ports);
	free(ib->path);
	free(ib);
}

/* Open those of the catalogue's files that this port has. */
static int open_counters(struct port *port, const char *path)
{
	const struct lp_class *class = &lp_class_ib;

	port->counters = calloc(class->n_columns, sizeof(*port->counters));
	if (!port->counters)
		return -ENOMEM;
	for (size_t c = 0; c < class->n_columns; c++) {
		lp_auto_free char *file = NULL;
		int fd;

		if (!class->columns[c].origin)
			continue;
		if (asprintf(&file, "%s/%s", path, class->columns[c].origin) <
		    0)
			return -ENOMEM;
		fd = open(file, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		port->counters[port->n_counters++] =
			(struct counter){ .column = (uint8_t)c, .fd = fd };
	}
	return 0;
}

static int add_port(struct infiniband *ib, const char *device,
		    const char *number)
{
	lp_auto_free char *path = NULL;
	struct port port = { 0 };
	int status;

	if (asprintf(&port.name, "%s:%s", device, number) < 0)
		return -ENOMEM;
	status = asprintf(&path, "%s/%s/ports/%s", ib->path, device, number) < 0
			 ? -ENOMEM
			 : lp_grow(&ib->ports, &ib->capacity, ib->n_ports + 1,
				   sizeof(*ib->ports));
	if (status == 0 && lp_filter_wants(ib->filter, lp_class_ib.name,
					   port.name, strlen(port.name)))
		status = open_counters(&port, path);
	if (status < 0 || port.n_counters == 0)
		free_port(&port);
	else
		ib->ports[ib->n_ports++] = port;
	return status;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int scan_device(struct infiniband *ib, const char *device)
{
	lp_auto_free char *path = NULL;
	struct dirent **entries;
	int n, status = 0;

	if (asprintf(&path, "%s/%s/ports", ib->path, device) < 0)
		return -ENOMEM;
	n = scandir(path, &entries, is_visible, versionsort);
	if (n < 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	for (int i = 0; i < n && status == 0; i++)
		status = add_port(ib, device, entries[i]->d_name);
	free_entries(entries, n);
	return status;
}

static uint64_t hash_ports(const struct infiniband *ib)
{
	uint64_t hash = ib->n_ports;

	for (size_t i = 0; i < ib->n_ports; i++)
		for (const char *p = ib->ports[i].name; *p; p++)
			hash = (hash ^ (unsigned char)*p) * 1099511628211u;
	return hash;
}

static int scan(struct infiniband *ib)
{
	struct dirent **entries;
	int n = scandir(ib->path, &entries, is_visible, versionsort);
	int status = 0;

	if (n < 0)
		return -errno;
	forget_ports(ib);
	for (int i = 0; i < n && status == 0; i++)
		status = scan_device(ib, entries[i]->d_name);
	free_entries(entries, n);
	ib->instances = hash_ports(ib);
	return status;
}

/* False: the port is gone. */
static bool read_counter(struct counter *counter)
{
	char text[64];
	const char *at = text;
	ssize_t n = pread(counter->fd, text, sizeof(text), 0);

	counter->present = n > 0 && lp_scan_u64(&at, text + n, &counter->value);
	return n >= 0 || (errno != ENODEV && errno != ENOENT);
}

static time_t monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec + 1;
}

static int fetch(void *state, struct lp_error *err)
{
	struct infiniband *ib = state;
	time_t now_s = monotonic_s();

	if (ib->scanned_s == 0 || now_s - ib->scanned_s >= RESCAN_S) {
		int status = scan(ib);

		if (status < 0)
			return lp_fail_errno(err, -status, "cannot read %s",
					     ib->path);
		ib->scanned_s = now_s;
	}
	for (size_t p = 0; p < ib->n_ports; p++)
		for (size_t i = 0; i < ib->ports[p].n_counters; i++)
			if (!read_counter(&ib->ports[p].counters[i]))
				ib->scanned_s = 0;
	return ib->n_ports ? 0
			   : lp_fail(err, ENOENT, "no ports in %s", ib->path);
}

static int parse(void *state, struct lp_builder *builder, struct lp_error *err)
{
	const struct infiniband *ib = state;
	size_t panel = lp_builder_panel(builder, &lp_class_ib);
	struct lp_row row;

	if (panel == LP_BUILDER_NONE)
		return lp_fail_memory(err);
	for (size_t p = 0; p < ib->n_ports; p++) {
		const struct port *port = &ib->ports[p];

		if (!lp_builder_row(builder, panel, port->name,
				    strlen(port->name), &row))
			return lp_fail_memory(err);
		for (size_t i = 0; i < port->n_counters; i++)
			if (port->counters[i].present)
				lp_row_u64(&row, port->counters[i].column,
					   port->counters[i].value);
	}
	return 0;
}

static uint64_t instances(const void *state)
{
	const struct infiniband *ib = state;

	return ib->instances;
}

const struct lp_reader lp_reader_infiniband = {
	.name = "infiniband",
	.class = &lp_class_ib,
	.open = open_infiniband,
	.fetch = fetch,
	.parse = parse,
	.close = close_infiniband,
	.instances = instances,
};
