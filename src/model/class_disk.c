/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block devices: /proc/diskstats, sysstat's A_DISK, PCP's disk.dev and disk.dm.
 *
 * The kernel prints times of diskstats as 32-bit milliseconds, so they wrap
 * after 49.7 days of I/O time (weighted_ms much sooner on a busy device).
 */
#include "model/catalogue.h"

#include "base/memory.h"

#define COUNTER64(n, u, h)                                                     \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.help = h                                                      \
	}
#define COUNTER32(n, u, h)                                                     \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 32,         \
		.help = h                                                      \
	}
/* bytes: what of it moved. */
#define SECTORS(n, h)                                                          \
	{                                                                      \
		.name = n, .unit = "sectors", .kind = LP_COUNTER, .width = 64, \
		.bytes = 512, .help = h                                        \
	}
/* Discards came with Linux 4.18, flushes with 5.5. */
#define OPTIONAL64(n, u, h)                                                    \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.optional = true, .help = h                                    \
	}
#define OPTIONAL32(n, u, h)                                                    \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 32,         \
		.optional = true, .help = h                                    \
	}

static const struct lp_column columns[] = {
	COUNTER64("rd_ios", "requests", "reads completed"),
	COUNTER64("rd_merges", "requests",
		  "reads merged before they were queued"),
	SECTORS("rd_sectors", "512-byte sectors read"),
	COUNTER32("rd_ms", "ms", "time that reads took, summed over requests"),
	COUNTER64("wr_ios", "requests", "writes completed"),
	COUNTER64("wr_merges", "requests",
		  "writes merged before they were queued"),
	SECTORS("wr_sectors", "512-byte sectors written"),
	COUNTER32("wr_ms", "ms", "time that writes took, summed over requests"),
	{ .name = "in_flight",
	  .unit = "requests",
	  .kind = LP_GAUGE,
	  .help = "requests being served now" },
	COUNTER32("io_ms", "ms", "time during which any request was in flight"),
	COUNTER32("weighted_ms", "ms", "time in flight, summed over requests"),
	OPTIONAL64("dc_ios", "requests", "discards completed"),
	OPTIONAL64("dc_merges", "requests", "discards merged"),
	OPTIONAL64("dc_sectors", "sectors", "512-byte sectors discarded"),
	OPTIONAL32("dc_ms", "ms",
		   "time that discards took, summed over requests"),
	OPTIONAL64("fl_ios", "requests", "flushes completed"),
	OPTIONAL32("fl_ms", "ms",
		   "time that flushes took, summed over requests"),
	COUNTER64("ios", "requests",
		  "reads, writes and discards together, where "
		  "a collector keeps only their sum (sysstat)"),
};

/* sysstat's kB are 1024 bytes. */
#define SECTOR_KB 0.5

static const struct lp_metric metrics[] = {
	{ .name = "tps",
	  .unit = "requests/s",
	  .sar_name = "tps",
	  .sar_unit = "req/s",
	  .sar_factor = 1,
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .input = LP_INPUT_REQUESTS,
	  .scale = 1,
	  .above = { "rd_ios", "wr_ios", "dc_ios" },
	  .instead_above = { "ios" },
	  .help = "requests per second" },
	{ .name = "rd_sec",
	  .unit = "sectors/s",
	  .sar_name = "rkB/s",
	  .sar_unit = "kB/s",
	  .sar_factor = SECTOR_KB,
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .flow = LP_FLOW_OUT,
	  .floor = LP_FLOOR_SECTORS,
	  .indicts = true,
	  .input = LP_INPUT_OUT,
	  .scale = 1,
	  .above = { "rd_sectors" },
	  .help = "512-byte sectors read per second" },
	{ .name = "wr_sec",
	  .unit = "sectors/s",
	  .sar_name = "wkB/s",
	  .sar_unit = "kB/s",
	  .sar_factor = SECTOR_KB,
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .flow = LP_FLOW_IN,
	  .floor = LP_FLOOR_SECTORS,
	  .indicts = true,
	  .input = LP_INPUT_IN,
	  .scale = 1,
	  .above = { "wr_sectors" },
	  .help = "512-byte sectors written per second" },
	{ .name = "avgrq-sz",
	  .unit = "sectors",
	  .sar_name = "areq-sz",
	  .sar_unit = "kB",
	  .sar_factor = SECTOR_KB,
	  .resource = LP_STORAGE,
	  .minor = true,
	  .scale = 1,
	  .above = { "rd_sectors", "wr_sectors", "dc_sectors" },
	  .below = { "rd_ios", "wr_ios", "dc_ios" },
	  .instead_below = { "ios" },
	  .help = "mean size of a request" },
	{ .name = "avgqu-sz",
	  .unit = "requests",
	  .sar_name = "aqu-sz",
	  .sar_unit = "req",
	  .sar_factor = 1,
	  .resource = LP_STORAGE,
	  .role = LP_QUEUE,
	  .scale = 0.001,
	  .above = { "weighted_ms" },
	  .help = "mean number of requests in flight" },
	{ .name = "await",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_LATENCY,
	  .floor = LP_FLOOR_MS,
	  .indicts = true,
	  .input = LP_INPUT_WAIT,
	  .scale = 1,
	  .above = { "rd_ms", "wr_ms", "dc_ms" },
	  .below = { "rd_ios", "wr_ios", "dc_ios" },
	  .instead_below = { "ios" },
	  .help = "mean time of a request, queueing included" },
	{ .name = "svctm",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_SERVICE,
	  .floor = LP_FLOOR_MS,
	  .minor = true,
	  .scale = 1,
	  .above = { "io_ms" },
	  .below = { "rd_ios", "wr_ios", "dc_ios" },
	  .instead_below = { "ios" },
	  .help = "busy time per request; misleading on devices that serve "
		  "requests in parallel" },
	{ .name = "%util",
	  .unit = "%",
	  .resource = LP_STORAGE,
	  .input = LP_INPUT_BUSY,
	  .scale = 0.1,
	  .above = { "io_ms" },
	  .help = "share of the time with a request in flight" },
	{ .name = "r_await",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_LATENCY,
	  .floor = LP_FLOOR_MS,
	  .scale = 1,
	  .above = { "rd_ms" },
	  .below = { "rd_ios" },
	  .help = "mean time of a read" },
	{ .name = "w_await",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_LATENCY,
	  .floor = LP_FLOOR_MS,
	  .scale = 1,
	  .above = { "wr_ms" },
	  .below = { "wr_ios" },
	  .help = "mean time of a write" },
	{ .name = "f_await",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_LATENCY,
	  .floor = LP_FLOOR_MS,
	  .scale = 1,
	  .above = { "fl_ms" },
	  .below = { "fl_ios" },
	  .help = "mean time of a flush" },
	{ .name = "throughput",
	  .unit = "B/s",
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .floor = LP_FLOOR_BYTES,
	  .total = true,
	  .scale = 512,
	  .above = { "rd_sectors", "wr_sectors" },
	  .help = "bytes read and written per second" },
	{ .name = "dc_sec",
	  .unit = "sectors/s",
	  .sar_name = "dkB/s",
	  .sar_unit = "kB/s",
	  .sar_factor = SECTOR_KB,
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .floor = LP_FLOOR_SECTORS,
	  .minor = true,
	  .scale = 1,
	  .above = { "dc_sectors" },
	  .help = "512-byte sectors discarded per second" },
};

static const struct lp_metric quantities[] = {
	{ .name = "service",
	  .title = "busy time per request",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_SERVICE,
	  .indicts = true,
	  .shown_by = "svctm",
	  .help = "busy time per request, and per byte" },
	{ .name = "latency",
	  .title = "time per request",
	  .unit = "ms",
	  .resource = LP_STORAGE,
	  .role = LP_LATENCY,
	  .indicts = true,
	  .shown_by = "await",
	  .help = "time of a request, queueing included" },
	{ .name = "read",
	  .title = "reads",
	  .unit = "sectors/s",
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .flow = LP_FLOW_OUT,
	  .indicts = true,
	  .shown_by = "rd_sec",
	  .help = "what is read" },
	{ .name = "write",
	  .title = "writes",
	  .unit = "sectors/s",
	  .resource = LP_STORAGE,
	  .role = LP_LOAD,
	  .flow = LP_FLOW_IN,
	  .indicts = true,
	  .shown_by = "wr_sec",
	  .help = "what is written" },
};

/* The columns of sar -d. */
static const char *const sar_usual[] = { "tps",   "rkB/s",   "wkB/s",
					 "dkB/s", "areq-sz", "aqu-sz",
					 "await", "%util",   NULL };

/* Where only the sum of all requests is recorded. */
static const char *const present_by[] = { "ios", NULL };

static const char *const reset_by[] = { "rd_ios", "wr_ios", "rd_sectors",
					"wr_sectors", NULL };

const struct lp_class lp_class_disk = {
	.name = "disk",
	.noun = "device",
	.separator = "/",
	.usual = true,
	.kin = LP_KIN_DISKS,
	.peer_noun = "disk",
	.resource = LP_STORAGE,
	.present_by = present_by,
	.reset_by = reset_by,
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 8,
	.quantities = quantities,
	.n_quantities = lp_array_size(quantities),
	.sar_usual = sar_usual,
};
