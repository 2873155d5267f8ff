/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP connections: NETLINK_SOCK_DIAG, PCP's network.persocket.
 *
 * An instance is "PORT>PEER" (sockets of a local listening port with one peer
 * address), "->PEER" (connections that this host opened), or with --sockets
 * "LOCAL:PORT>PEER:PORT". Levels are means over the sockets, weighted by their
 * number; counters are sums of the sockets' increases.
 */
#include "model/catalogue.h"

#include "base/memory.h"
#include "base/timestamp.h"

#define MEAN(n, u, h)                                                          \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_WEIGHTED, .type = LP_F64,     \
		.partner = "sockets", .help = h                                \
	}
#define SUM(n, u, h)                                                           \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.help = h                                                      \
	}
#define MOVED(n, h)                                                            \
	{                                                                      \
		.name = n, .unit = "B", .kind = LP_COUNTER, .width = 64,       \
		.bytes = 1, .help = h                                          \
	}

static const struct lp_column columns[] = {
	{ .name = "sockets",
	  .unit = "sockets",
	  .kind = LP_GAUGE,
	  .help = "established connections" },
	{ .name = "active",
	  .unit = "sockets",
	  .kind = LP_GAUGE,
	  .help = "connections that sent data since the previous sample" },
	MEAN("cwnd", "packets", "congestion window"),
	{ .name = "cwnd_active",
	  .unit = "packets",
	  .kind = LP_WEIGHTED,
	  .type = LP_F64,
	  .partner = "active",
	  .help = "congestion window of the active connections" },
	MEAN("ssthresh", "packets",
	     "slow-start threshold of the connections that have one"),
	MEAN("rtt_ms", "ms", "smoothed round-trip time"),
	MEAN("rttvar_ms", "ms", "variation of the round-trip time"),
	SUM("retrans", "packets", "segments retransmitted"),
	MOVED("bytes_sent", "bytes sent, including retransmitted ones"),
	SUM("bytes_acked", "B", "bytes acknowledged by the peer"),
	MOVED("bytes_received", "bytes received"),
	SUM("bytes_retrans", "B", "bytes retransmitted"),
	SUM("segs_out", "packets", "segments sent"),
	SUM("segs_in", "packets", "segments received"),
	{ .name = "unacked",
	  .unit = "packets",
	  .kind = LP_GAUGE,
	  .type = LP_U64,
	  .help = "segments in flight, summed" },
	{ .name = "lost",
	  .unit = "packets",
	  .kind = LP_GAUGE,
	  .type = LP_U64,
	  .help = "segments thought lost, summed" },
	MEAN("delivery_bps", "B/s",
	     "delivery rate that the kernel estimates, bytes per second"),
	{ .name = "congestion",
	  .unit = "",
	  .kind = LP_STATE,
	  .type = LP_TEXT,
	  .help = "congestion control; \"mixed\" when the sockets differ" },
};

#define LEVEL(n, u, what, column, h)                                           \
	{                                                                      \
		.name = n, .unit = u, .resource = LP_NETWORK, .role = what,    \
		.scale = 1, .above = { column }, .help = h                     \
	}
#define BYTES(n, what, way, counts, column, h)                                 \
	{                                                                      \
		.name = n, .unit = "B/s", .resource = LP_NETWORK,              \
		.role = what, .flow = way, .floor = LP_FLOOR_BYTES,            \
		.input = counts, .scale = 1, .above = { column }, .help = h    \
	}
#define WINDOW(n, accuses, h)                                                  \
	{                                                                      \
		.name = n, .unit = "packets", .resource = LP_NETWORK,          \
		.role = LP_CONGESTION, .lower_is_worse = true,                 \
		.indicts = accuses, .scale = 1, .above = { n }, .help = h      \
	}
#define IN LP_FLOW_IN
#define OUT LP_FLOW_OUT

static const struct lp_metric metrics[] = {
	WINDOW("cwnd", true, "mean congestion window"),
	WINDOW("cwnd_active", false,
	       "mean congestion window of the connections that send"),
	LEVEL("sockets", "sockets", LP_LEVEL, "sockets",
	      "established connections"),
	{ .name = "rtt",
	  .unit = "ms",
	  .resource = LP_NETWORK,
	  .role = LP_LATENCY,
	  .floor = LP_FLOOR_MS,
	  .scale = 1,
	  .above = { "rtt_ms" },
	  .help = "mean smoothed round-trip time" },
	LEVEL("unacked", "packets", LP_QUEUE, "unacked", "segments in flight"),
	BYTES("delivery", LP_LEVEL, OUT, LP_INPUT_NONE, "delivery_bps",
	      "mean delivery rate"),
	{ .name = "retrans",
	  .unit = "packets/s",
	  .resource = LP_NETWORK,
	  .role = LP_LOSS,
	  .flow = OUT,
	  .floor = LP_FLOOR_PACKETS,
	  .input = LP_INPUT_RESENT_PACKETS,
	  .scale = 1,
	  .above = { "retrans" },
	  .help = "segments retransmitted per second" },
	BYTES("txbyt", LP_LOAD, OUT, LP_INPUT_OUT, "bytes_sent",
	      "bytes sent per second"),
	BYTES("ackbyt", LP_LOAD, OUT, LP_INPUT_NONE, "bytes_acked",
	      "bytes acknowledged per second"),
	BYTES("rxbyt", LP_LOAD, IN, LP_INPUT_NONE, "bytes_received",
	      "bytes received per second"),
	LP_METRIC_PACKETS("txseg", LP_LOAD, OUT, "segs_out",
			  "segments sent per second"),
	LP_METRIC_PACKETS("rxseg", LP_LOAD, IN, "segs_in",
			  "segments received per second"),
	LEVEL("active", "sockets", LP_LEVEL, "active",
	      "connections that sent data since the previous sample"),
	BYTES("rebyt", LP_LOSS, OUT, LP_INPUT_RESENT, "bytes_retrans",
	      "bytes retransmitted per second"),
};

static const struct lp_metric quantities[] = {
	{ .name = "loss",
	  .title = "bytes retransmitted",
	  .unit = "%",
	  .resource = LP_NETWORK,
	  .role = LP_LOSS,
	  .flow = OUT,
	  .indicts = true,
	  .shown_by = "rebyt",
	  .help = "share of the bytes sent that were retransmitted" },
};

static const char *const present_by[] = { "sockets", "cwnd", NULL };
/* Connections that sent; other tools record their bytes only. */
static const char *const active_by[] = { "active", "txbyt", NULL };

const struct lp_class lp_class_tcp = {
	.name = "tcp",
	.noun = "peer",
	.separator = ":",
	.layer = "peer",
	.kin = LP_KIN_SOCKETS,
	.resource = LP_NETWORK,
	.pooled = true,
	.two_ended = true,
	.present_by = present_by,
	.active_by = active_by,
	/* As long as congestion windows are smoothed (thesis 4.6.1). */
	.active_ns = 31 * LP_NS_PER_S,
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 8,
	.quantities = quantities,
	.n_quantities = lp_array_size(quantities),
};
