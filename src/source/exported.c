/* SPDX-License-Identifier: Apache-2.0 */
#include "source/exported.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "model/base_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char lp_exported_pattern[] =
	"node_(disk|network|infiniband|memory|pressure|netstat)_.+|"
	"node_(context_switches_total|forks_total|procs_running|procs_blocked|"
	"boot_time_seconds|uname_info)|limpid_.+";

struct rule {
	const char *metric, *column;
	uint64_t times, by;
};

#define COUNT(metric, column)                                                  \
	{                                                                      \
		metric, column, 1, 1                                           \
	}
/* The kernel counts milliseconds. */
#define TIME(metric, column)                                                   \
	{                                                                      \
		metric, column, 1000, 1                                        \
	}

static const struct rule disk[] = {
	COUNT("reads_completed_total", "rd_ios"),
	COUNT("reads_merged_total", "rd_merges"),
	{ "read_bytes_total", "rd_sectors", 1, 512 },
	TIME("read_time_seconds_total", "rd_ms"),
	COUNT("writes_completed_total", "wr_ios"),
	COUNT("writes_merged_total", "wr_merges"),
	{ "written_bytes_total", "wr_sectors", 1, 512 },
	TIME("write_time_seconds_total", "wr_ms"),
	COUNT("io_now", "in_flight"),
	TIME("io_time_seconds_total", "io_ms"),
	TIME("io_time_weighted_seconds_total", "weighted_ms"),
	COUNT("discards_completed_total", "dc_ios"),
	COUNT("discards_merged_total", "dc_merges"),
	COUNT("discarded_sectors_total", "dc_sectors"),
	TIME("discard_time_seconds_total", "dc_ms"),
	COUNT("flush_requests_total", "fl_ios"),
	TIME("flush_requests_time_seconds_total", "fl_ms"),
	{ NULL, NULL, 0, 0 },
};

static const struct rule net[] = {
	COUNT("receive_bytes_total", "rx_bytes"),
	COUNT("receive_packets_total", "rx_packets"),
	COUNT("receive_errs_total", "rx_errs"),
	COUNT("receive_drop_total", "rx_drop"),
	COUNT("receive_fifo_total", "rx_fifo"),
	COUNT("receive_frame_total", "rx_frame"),
	COUNT("receive_compressed_total", "rx_compressed"),
	COUNT("receive_multicast_total", "rx_multicast"),
	COUNT("transmit_bytes_total", "tx_bytes"),
	COUNT("transmit_packets_total", "tx_packets"),
	COUNT("transmit_errs_total", "tx_errs"),
	COUNT("transmit_drop_total", "tx_drop"),
	COUNT("transmit_fifo_total", "tx_fifo"),
	COUNT("transmit_colls_total", "tx_colls"),
	COUNT("transmit_carrier_total", "tx_carrier"),
	COUNT("transmit_compressed_total", "tx_compressed"),
	{ NULL, NULL, 0, 0 },
};

static const struct rule ib[] = {
	{ "port_data_received_bytes_total", "rcv_data", 1, 4 },
	COUNT("port_packets_received_total", "rcv_packets"),
	{ "port_data_transmitted_bytes_total", "xmit_data", 1, 4 },
	COUNT("port_packets_transmitted_total", "xmit_packets"),
	COUNT("port_transmit_wait_total", "xmit_wait"),
	COUNT("symbol_error_total", "symbol_errors"),
	COUNT("link_error_recovery_total", "link_recoveries"),
	COUNT("link_downed_total", "link_downed"),
	COUNT("port_errors_received_total", "rcv_errors"),
	COUNT("port_receive_remote_physical_errors_total", "rcv_remote_errors"),
	COUNT("port_receive_switch_relay_errors_total",
	      "rcv_switch_relay_errors"),
	COUNT("port_discards_transmitted_total", "xmit_discards"),
	COUNT("port_constraint_errors_received_total", "rcv_constraint_errors"),
	COUNT("port_constraint_errors_transmitted_total",
	      "xmit_constraint_errors"),
	COUNT("local_link_integrity_errors_total", "integrity_errors"),
	COUNT("excessive_buffer_overrun_errors_total", "buffer_overruns"),
	COUNT("vl15_dropped_total", "vl15_dropped"),
	{ NULL, NULL, 0, 0 },
};

/* Microseconds. Nobody waits for a CPU while others have it: no "full". */
static const struct rule pressure[] = {
	{ "cpu_waiting_seconds_total", "psi_cpu_some", 1000000, 1 },
	{ "io_waiting_seconds_total", "psi_io_some", 1000000, 1 },
	{ "io_stalled_seconds_total", "psi_io_full", 1000000, 1 },
	{ "memory_waiting_seconds_total", "psi_memory_some", 1000000, 1 },
	{ "memory_stalled_seconds_total", "psi_memory_full", 1000000, 1 },
	{ NULL, NULL, 0, 0 },
};

static const struct rule whole[] = {
	COUNT("context_switches_total", "ctxt"),
	COUNT("forks_total", "processes"),
	COUNT("procs_running", "procs_running"),
	COUNT("procs_blocked", "procs_blocked"),
	{ NULL, NULL, 0, 0 },
};

static const struct {
	const char *prefix; /* the first that fits counts */
	const struct lp_class *class;
	const struct rule *rules;
	const char *first, *second; /* labels of its components */
} families[] = {
	{ "node_disk_", &lp_class_disk, disk, "device", NULL },
	{ "node_network_", &lp_class_net, net, "device", NULL },
	{ "node_infiniband_", &lp_class_ib, ib, "device", "port" },
	{ "node_pressure_", &lp_class_host, pressure, NULL, NULL },
	{ "node_", &lp_class_host, whole, NULL, NULL },
};

static const struct {
	const char *metric;
	struct lp_exported exported;
} others[] = {
	{ "node_disk_info",
	  { .kind = LP_EXPORTED_INFO,
	    .class = &lp_class_disk,
	    .first = "device" } },
	{ "node_disk_device_mapper_info",
	  { .kind = LP_EXPORTED_INFO,
	    .class = &lp_class_disk,
	    .first = "device" } },
	{ "node_network_info",
	  { .kind = LP_EXPORTED_INFO,
	    .class = &lp_class_net,
	    .first = "device" } },
	{ "node_network_speed_bytes",
	  { .kind = LP_EXPORTED_SPEED,
	    .class = &lp_class_net,
	    .first = "device" } },
	{ "node_uname_info", { .kind = LP_EXPORTED_HOST } },
	{ "node_boot_time_seconds", { .kind = LP_EXPORTED_BOOT } },
	{ "node_time_seconds", { .kind = LP_EXPORTED_CLOCK } },
};

/* Labels of these; those of node_disk_info are udev's. */
static const struct {
	const struct lp_class *class; /* NULL: of the host */
	const char *key, *label;
} info_labels[] = {
	{ &lp_class_disk, "wwn", "wwid" },
	{ &lp_class_disk, "serial", "serial" },
	{ &lp_class_disk, "path", "path" },
	{ &lp_class_disk, "model", "model" },
	{ &lp_class_disk, "revision", "firmware" },
	{ &lp_class_disk, "name", "alias" },
	{ &lp_class_disk, "uuid", "dm_uuid" },
	{ &lp_class_net, "address", "mac" },
	{ &lp_class_net, "operstate", "operstate" },
	{ &lp_class_net, "duplex", "duplex" },
	{ NULL, "release", "kernel" },
	{ NULL, "nodename", "nodename" },
	{ NULL, "machine", "machine" },
};

const char *lp_exported_label(const struct lp_class *class, const char *key)
{
	for (size_t i = 0; i < lp_array_size(info_labels); i++)
		if (info_labels[i].class == class &&
		    strcmp(info_labels[i].key, key) == 0)
			return info_labels[i].label;
	return NULL;
}

/* What is behind the prefix; NULL: it does not begin so. */
static const char *behind(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static bool find_other(const char *metric, struct lp_exported *exported)
{
	for (size_t i = 0; i < lp_array_size(others); i++)
		if (strcmp(metric, others[i].metric) == 0) {
			*exported = others[i].exported;
			return true;
		}
	return false;
}

static bool find_rule(const char *metric, struct lp_exported *exported)
{
	const struct rule *rule = NULL;
	const char *rest = NULL;
	size_t i;

	for (i = 0; !rest && i < lp_array_size(families); i++)
		rest = behind(metric, families[i].prefix);
	if (!rest)
		return false;
	rule = families[i - 1].rules;
	while (rule->metric && strcmp(rule->metric, rest) != 0)
		rule++;
	if (!rule->metric)
		return false;
	*exported = (struct lp_exported){
		.class = families[i - 1].class,
		.column = lp_class_column(families[i - 1].class, rule->column),
		.times = rule->times,
		.by = rule->by,
		.first = families[i - 1].first,
		.between = ":",
		.second = families[i - 1].second,
	};
	return exported->column >= 0;
}

/*
 * Columns that name their place in the kernel's files: "meminfo:Dirty" is
 * node_memory_Dirty_bytes, "snmp:Tcp.InSegs" node_netstat_Tcp_InSegs.
 */
static bool is_origin(const char *metric, const char *origin)
{
	const char *key = origin ? strchr(origin, ':') : NULL, *rest;
	char name[128];

	if (!key)
		return false;
	rest = behind(metric, "node_memory_");
	if (rest && behind(origin, "meminfo:"))
		snprintf(name, sizeof(name), "%s_bytes", key + 1);
	else if ((rest = behind(metric, "node_netstat_")) &&
		 (behind(origin, "snmp:") || behind(origin, "netstat:")))
		snprintf(name, sizeof(name), "%s", key + 1);
	else
		return false;
	for (char *dot = name; (dot = strchr(dot, '.')) != NULL;)
		*dot = '_';
	return strcmp(name, rest) == 0;
}

static bool find_origin(const char *metric, struct lp_exported *exported)
{
	const struct lp_class *class = &lp_class_host;

	for (size_t c = 0; c < class->n_columns; c++)
		if (is_origin(metric, class->columns[c].origin)) {
			struct lp_base_unit unit = lp_base_unit_of(
				class->name, &class->columns[c]);

			*exported = (struct lp_exported){ .class = class,
							  .column = (int)c,
							  .times = unit.by,
							  .by = unit.times };
			return true;
		}
	return false;
}

/* limpid_disk_rd_seconds_total, with or without the "_total". */
static bool is_own(const char *metric, const struct lp_class *class, size_t c)
{
	char name[LP_BASE_NAME];
	const char *rest;

	lp_base_name(class->name, &class->columns[c], name);
	rest = behind(metric, name);
	return rest && (*rest == '\0' || strcmp(rest, "_total") == 0);
}

static void place_own(const struct lp_class *class, size_t c,
		      struct lp_exported *exported)
{
	struct lp_base_unit unit =
		lp_base_unit_of(class->name, &class->columns[c]);

	*exported = (struct lp_exported){ .class = class,
					  .column = (int)c,
					  .times = unit.by,
					  .by = unit.times };
	if (class->two_ended) {
		exported->first = "local";
		exported->between = ">";
		exported->second = class->noun;
	} else if (!lp_class_is_host(class)) {
		exported->first = class->noun;
	}
}

static bool find_own(const char *metric, struct lp_exported *exported)
{
	if (!behind(metric, "limpid_"))
		return false;
	for (size_t i = 0; lp_classes[i]; i++)
		for (size_t c = 0; c < lp_classes[i]->n_columns; c++)
			if (lp_classes[i]->columns[c].type != LP_TEXT &&
			    is_own(metric, lp_classes[i], c)) {
				place_own(lp_classes[i], c, exported);
				return true;
			}
	return false;
}

bool lp_exported_find(const char *metric, struct lp_exported *exported)
{
	return find_other(metric, exported) || find_rule(metric, exported) ||
	       find_origin(metric, exported) || find_own(metric, exported);
}

/* ---- which component ---- */

bool lp_exported_instance(const struct lp_exported *exported,
			  const struct lp_metric_series *series,
			  char instance[LP_EXPORTED_INSTANCE])
{
	const char *first = LP_HOST_INSTANCE, *second = "";
	int n;

	if (exported->first)
		first = lp_metric_series_get(series, exported->first);
	if (exported->second)
		second = lp_metric_series_get(series, exported->second);
	if (!first || !second || !*first)
		return false;
	n = snprintf(instance, LP_EXPORTED_INSTANCE, "%s%s%s", first,
		     exported->second ? exported->between : "", second);
	return n < LP_EXPORTED_INSTANCE;
}

bool lp_exported_names(const struct lp_exported *exported, const char *key)
{
	if (exported->kind != LP_EXPORTED_COLUMN &&
	    exported->kind != LP_EXPORTED_SPEED)
		return true;
	return (exported->first && strcmp(key, exported->first) == 0) ||
	       (exported->second && strcmp(key, exported->second) == 0);
}

/* ---- which value ---- */

bool lp_exported_bits(const struct lp_exported *exported, double value,
		      uint64_t *bits)
{
	const struct lp_column *column =
		&exported->class->columns[exported->column];
	double v = value * (double)exported->times / (double)exported->by;

	if (column->type == LP_F64) {
		*bits = lp_double_bits(v);
		return isfinite(v);
	}
	v = round(v);
	if (!(v >= 0 && v < 0x1p64))
		return false;
	*bits = (uint64_t)v;
	/* The kernel's own counter wrapped there; differences stay right. */
	if (column->kind == LP_COUNTER && column->width < 64)
		*bits &= (UINT64_C(1) << column->width) - 1;
	return true;
}
