/* SPDX-License-Identifier: Apache-2.0 */
/*
 * InfiniBand, RoCE and Omni-Path ports: /sys/class/infiniband/DEV/ports/N,
 * PCP's infiniband.port. An instance is "DEV:PORT".
 *
 * The origin is the file below counters/ or hw_counters/. Data counters count
 * 4-byte words. The legacy ones are 32 bits wide (or less) and stay at all
 * ones until somebody resets them; which of them are 64 bits wide depends on
 * driver and kernel, so a column that reads exactly 2^32 - 1 is saturated.
 */
#include "model/catalogue.h"

#include "base/memory.h"

#define DATA(n, file, h)                                                       \
	{                                                                      \
		.name = n, .unit = "4-byte words", .kind = LP_SATURATING,      \
		.width = 32, .bytes = 4, .origin = "counters/" file, .help = h \
	}
#define COUNT(n, u, file, h)                                                   \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_SATURATING, .width = 32,      \
		.origin = "counters/" file, .help = h                          \
	}
#define NARROW(n, bits, file, h)                                               \
	{                                                                      \
		.name = n, .unit = "events", .kind = LP_SATURATING,            \
		.width = bits, .origin = "counters/" file, .help = h           \
	}
#define HARDWARE(n, u, file, h)                                                \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.optional = true, .origin = "hw_counters/" file, .help = h     \
	}

static const struct lp_column columns[] = {
	DATA("rcv_data", "port_rcv_data", "data received"),
	COUNT("rcv_packets", "packets", "port_rcv_packets", "packets received"),
	DATA("xmit_data", "port_xmit_data", "data sent"),
	COUNT("xmit_packets", "packets", "port_xmit_packets", "packets sent"),
	COUNT("xmit_wait", "ticks", "port_xmit_wait",
	      "ticks with data to send and no credit"),
	NARROW("symbol_errors", 16, "symbol_error", "minor link errors"),
	NARROW("link_recoveries", 8, "link_error_recovery",
	       "times the link recovered by itself"),
	NARROW("link_downed", 8, "link_downed", "times the link went down"),
	NARROW("rcv_errors", 16, "port_rcv_errors", "bad packets received"),
	NARROW("rcv_remote_errors", 16, "port_rcv_remote_physical_errors",
	       "packets that a remote port marked bad"),
	NARROW("rcv_switch_relay_errors", 16, "port_rcv_switch_relay_errors",
	       "packets a switch could not forward"),
	NARROW("xmit_discards", 16, "port_xmit_discards",
	       "packets dropped: port down or congested"),
	NARROW("rcv_constraint_errors", 8, "port_rcv_constraint_errors",
	       "received packets against the partition rules"),
	NARROW("xmit_constraint_errors", 8, "port_xmit_constraint_errors",
	       "sent packets against the partition rules"),
	NARROW("integrity_errors", 4, "local_link_integrity_errors",
	       "bursts of local physical errors"),
	NARROW("buffer_overruns", 4, "excessive_buffer_overrun_errors",
	       "bursts of buffer overruns"),
	NARROW("vl15_dropped", 16, "VL15_dropped",
	       "management packets dropped because no buffer was free"),
	HARDWARE("out_of_sequence", "packets", "out_of_sequence",
		 "packets out of order (RoCE loss)"),
	HARDWARE("packet_seq_err", "packets", "packet_seq_err",
		 "sequence NAKs received"),
	HARDWARE("out_of_buffer", "packets", "out_of_buffer",
		 "packets dropped because no receive request was posted"),
	HARDWARE("local_ack_timeout_err", "events", "local_ack_timeout_err",
		 "acknowledgements that did not come"),
	HARDWARE("rnr_nak_retry_err", "events", "rnr_nak_retry_err",
		 "receiver-not-ready NAKs received"),
	HARDWARE("np_cnp_sent", "packets", "np_cnp_sent",
		 "congestion notifications sent"),
	HARDWARE("rp_cnp_handled", "packets", "rp_cnp_handled",
		 "congestion notifications obeyed"),
	HARDWARE("np_ecn_marked_roce_packets", "packets",
		 "np_ecn_marked_roce_packets", "packets marked by congestion"),
};

#define RATE(n, u, what, column, h)                                            \
	{                                                                      \
		.name = n, .unit = u, .resource = LP_NETWORK, .role = what,    \
		.scale = 1, .above = { column }, .help = h                     \
	}
/* Network throughput tells as that of interfaces does (FAST'10 table 1). */
#define BYTES(n, way, column, h)                                               \
	{                                                                      \
		.name = n, .unit = "B/s", .resource = LP_NETWORK,              \
		.role = LP_LOAD, .flow = way, .floor = LP_FLOOR_BYTES,         \
		.indicts = true, .scale = 4, .above = { column }, .help = h    \
	}

static const struct lp_metric metrics[] = {
	BYTES("rxbyt", LP_FLOW_IN, "rcv_data", "bytes received per second"),
	BYTES("txbyt", LP_FLOW_OUT, "xmit_data", "bytes sent per second"),
	LP_METRIC_PACKETS("rxpck", LP_LOAD, LP_FLOW_IN, "rcv_packets",
			  "packets received per second"),
	LP_METRIC_PACKETS("txpck", LP_LOAD, LP_FLOW_OUT, "xmit_packets",
			  "packets sent per second"),
	RATE("xmit_wait", "ticks/s", LP_CONGESTION, "xmit_wait",
	     "waiting for credit"),
	RATE("symbol_errors", "events/s", LP_ERROR, "symbol_errors",
	     "minor link errors per second"),
	RATE("rcv_errors", "events/s", LP_ERROR, "rcv_errors",
	     "bad packets received per second"),
	RATE("xmit_discards", "events/s", LP_LOSS, "xmit_discards",
	     "packets dropped per second"),
	RATE("link_downed", "events/s", LP_ERROR, "link_downed",
	     "link failures per second"),
	LP_METRIC_PACKETS("out_of_sequence", LP_LOSS, LP_FLOW_IN,
			  "out_of_sequence", "packets out of order per second"),
};

const struct lp_class lp_class_ib = {
	.name = "ib",
	.noun = "port",
	.separator = "/",
	.layer = "port",
	.kin = LP_KIN_LINKS,
	.peer_noun = "InfiniBand port",
	.resource = LP_NETWORK,
	/* Tools for interfaces do not see what passes the kernel by. */
	.load_check = "Find out what else uses this port: run perfquery -x "
		      "and rdma statistic; look for other jobs and file "
		      "systems on the host.",
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 5,
};
