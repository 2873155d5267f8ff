/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network interfaces: /proc/net/dev, sysstat's A_NET_DEV, PCP's
 * network.interface.
 */
#include "model/catalogue.h"

#include "base/memory.h"

#define COUNTER(n, u, h)                                                       \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.help = h                                                      \
	}

#define BYTES_MOVED(n, h)                                                      \
	{                                                                      \
		.name = n, .unit = "B", .kind = LP_COUNTER, .width = 64,       \
		.bytes = 1, .help = h                                          \
	}

/* In the order of /proc/net/dev. */
static const struct lp_column columns[] = {
	BYTES_MOVED("rx_bytes", "bytes received"),
	COUNTER("rx_packets", "packets", "packets received"),
	COUNTER("rx_errs", "packets", "bad packets received"),
	COUNTER("rx_drop", "packets", "received packets dropped"),
	COUNTER("rx_fifo", "packets", "receive FIFO overruns"),
	COUNTER("rx_frame", "packets", "frame alignment errors"),
	COUNTER("rx_compressed", "packets", "compressed packets received"),
	COUNTER("rx_multicast", "packets", "multicast packets received"),
	BYTES_MOVED("tx_bytes", "bytes sent"),
	COUNTER("tx_packets", "packets", "packets sent"),
	COUNTER("tx_errs", "packets", "packets that could not be sent"),
	COUNTER("tx_drop", "packets", "packets dropped before they were sent"),
	COUNTER("tx_fifo", "packets", "transmit FIFO errors"),
	COUNTER("tx_colls", "packets", "collisions"),
	COUNTER("tx_carrier", "packets", "carrier losses"),
	COUNTER("tx_compressed", "packets", "compressed packets sent"),
};

/* sysstat's kB are 1024 bytes. */
#define BYTE_KB (1.0 / 1024)

#define PACKETS(n, what, way, column, h)                                       \
	{                                                                      \
		.name = n, .unit = "packets/s", .sar_name = n "/s",            \
		.sar_unit = "pkt/s", .sar_factor = 1, .resource = LP_NETWORK,  \
		.role = what, .flow = way, .floor = LP_FLOOR_PACKETS,          \
		.minor = true, .scale = 1, .above = { column }, .help = h      \
	}
#define BYTES(n, sar, way, what, column, h)                                    \
	{                                                                      \
		.name = n, .unit = "B/s", .sar_name = sar, .sar_unit = "kB/s", \
		.sar_factor = BYTE_KB, .resource = LP_NETWORK,                 \
		.role = LP_LOAD, .flow = way, .floor = LP_FLOOR_BYTES,         \
		.indicts = true, .input = what, .scale = 1,                    \
		.above = { column }, .help = h                                 \
	}
#define IN LP_FLOW_IN
#define OUT LP_FLOW_OUT

static const struct lp_metric metrics[] = {
	PACKETS("rxpck", LP_LOAD, IN, "rx_packets",
		"packets received per second"),
	PACKETS("txpck", LP_LOAD, OUT, "tx_packets", "packets sent per second"),
	BYTES("rxbyt", "rxkB/s", IN, LP_INPUT_IN, "rx_bytes",
	      "bytes received per second"),
	BYTES("txbyt", "txkB/s", OUT, LP_INPUT_OUT, "tx_bytes",
	      "bytes sent per second"),
	PACKETS("rxerr", LP_ERROR, IN, "rx_errs",
		"bad packets received per second"),
	PACKETS("txerr", LP_ERROR, OUT, "tx_errs", "failed sends per second"),
	PACKETS("rxdrop", LP_LOSS, IN, "rx_drop",
		"received packets dropped per second"),
	PACKETS("txdrop", LP_LOSS, OUT, "tx_drop",
		"packets dropped before sending per second"),
	PACKETS("rxcmp", LP_LEVEL, IN, "rx_compressed",
		"compressed packets received per second"),
	PACKETS("txcmp", LP_LEVEL, OUT, "tx_compressed",
		"compressed packets sent per second"),
	PACKETS("rxmcst", LP_LEVEL, IN, "rx_multicast",
		"multicast packets received per second"),
	/* 8 bits a byte, 1e6 of them a Mbit, 100 %. */
	{ .name = "%ifutil",
	  .unit = "%",
	  .resource = LP_NETWORK,
	  .scale = 0.0008,
	  .largest = true,
	  .per_speed = true,
	  .above = { "rx_bytes", "tx_bytes" },
	  .help = "share of a full-duplex link's speed in use, in the busier "
		  "direction" },
};

static const struct lp_metric quantities[] = {
	{ .name = "receive",
	  .title = "received",
	  .unit = "B/s",
	  .resource = LP_NETWORK,
	  .role = LP_LOAD,
	  .flow = IN,
	  .indicts = true,
	  .shown_by = "rxbyt",
	  .help = "what is received" },
	{ .name = "send",
	  .title = "sent",
	  .unit = "B/s",
	  .resource = LP_NETWORK,
	  .role = LP_LOAD,
	  .flow = OUT,
	  .indicts = true,
	  .shown_by = "txbyt",
	  .help = "what is sent" },
};

/* Of the columns of sar -n DEV those that are not mostly 0. */
static const char *const sar_usual[] = { "rxpck/s", "txpck/s", "rxkB/s",
					 "txkB/s",  "%ifutil", NULL };

const struct lp_class lp_class_net = {
	.name = "net",
	.noun = "interface",
	.separator = "/",
	.usual = true,
	.kin = LP_KIN_LINKS,
	.peer_noun = "data interface",
	.resource = LP_NETWORK,
	.carrier = &lp_class_ib, /* of an interface over InfiniBand */
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 4,
	.quantities = quantities,
	.n_quantities = lp_array_size(quantities),
	.sar_usual = sar_usual,
};
