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

static const struct lp_column columns[] = {
	{ .name = "sockets",
	  .unit = "sockets",
	  .kind = LP_GAUGE,
	  .help = "established connections" },
	{ .name = "active",
	  .unit = "sockets",
	  .kind = LP_GAUGE,
	  .help = "connections that sent data since the sample before" },
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
	SUM("retrans", "packets", "segments sent again"),
	SUM("bytes_sent", "B", "bytes sent, those sent again included"),
	SUM("bytes_acked", "B", "bytes acknowledged by the peer"),
	SUM("bytes_received", "B", "bytes received"),
	SUM("bytes_retrans", "B", "bytes sent again"),
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

#define LEVEL(n, u, column, accuses, h)                                        \
	{                                                                      \
		.name = n, .unit = u, .resource = LP_NETWORK,                  \
		.indicts = accuses, .scale = 1, .above = { column }, .help = h \
	}
#define RATE(n, u, column, h) LEVEL(n, u, column, false, h)

static const struct lp_metric metrics[] = {
	LEVEL("cwnd", "packets", "cwnd", true, "mean congestion window"),
	LEVEL("cwnd_active", "packets", "cwnd_active", false,
	      "mean congestion window of the connections that send"),
	LEVEL("sockets", "sockets", "sockets", false,
	      "established connections"),
	LEVEL("rtt", "ms", "rtt_ms", false, "mean smoothed round-trip time"),
	LEVEL("unacked", "packets", "unacked", false, "segments in flight"),
	LEVEL("delivery", "B/s", "delivery_bps", false, "mean delivery rate"),
	RATE("retrans", "packets/s", "retrans",
	     "segments sent again per second"),
	RATE("txbyt", "B/s", "bytes_sent", "bytes sent per second"),
	RATE("ackbyt", "B/s", "bytes_acked", "bytes acknowledged per second"),
	RATE("rxbyt", "B/s", "bytes_received", "bytes received per second"),
	RATE("txseg", "packets/s", "segs_out", "segments sent per second"),
	RATE("rxseg", "packets/s", "segs_in", "segments received per second"),
	LEVEL("active", "sockets", "active", false,
	      "connections that sent data since the sample before"),
};

const struct lp_class lp_class_tcp = {
	.name = "tcp",
	.noun = "peer",
	.separator = ":",
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 8,
};
