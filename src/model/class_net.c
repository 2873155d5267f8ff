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

/* In the order of /proc/net/dev. */
static const struct lp_column columns[] = {
	COUNTER("rx_bytes", "B", "bytes received"),
	COUNTER("rx_packets", "packets", "packets received"),
	COUNTER("rx_errs", "packets", "bad packets received"),
	COUNTER("rx_drop", "packets", "received packets dropped"),
	COUNTER("rx_fifo", "packets", "receive FIFO overruns"),
	COUNTER("rx_frame", "packets", "frame alignment errors"),
	COUNTER("rx_compressed", "packets", "compressed packets received"),
	COUNTER("rx_multicast", "packets", "multicast packets received"),
	COUNTER("tx_bytes", "B", "bytes sent"),
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

#define RATE(n, u, sar, sar_u, by, column, accuses, less, h)                   \
	{                                                                      \
		.name = n, .unit = u, .sar_name = sar, .sar_unit = sar_u,      \
		.sar_factor = by, .resource = LP_NETWORK, .indicts = accuses,  \
		.minor = less, .scale = 1, .above = { column }, .help = h      \
	}
#define PACKETS(n, column, h)                                                  \
	RATE(n, "packets/s", n "/s", "pkt/s", 1, column, false, true, h)
#define BYTES(n, sar, column, h)                                               \
	RATE(n, "B/s", sar, "kB/s", BYTE_KB, column, true, false, h)

static const struct lp_metric metrics[] = {
	PACKETS("rxpck", "rx_packets", "packets received per second"),
	PACKETS("txpck", "tx_packets", "packets sent per second"),
	BYTES("rxbyt", "rxkB/s", "rx_bytes", "bytes received per second"),
	BYTES("txbyt", "txkB/s", "tx_bytes", "bytes sent per second"),
	PACKETS("rxerr", "rx_errs", "bad packets received per second"),
	PACKETS("txerr", "tx_errs", "failed sends per second"),
	PACKETS("rxdrop", "rx_drop", "received packets dropped per second"),
	PACKETS("txdrop", "tx_drop",
		"packets dropped before sending per second"),
	PACKETS("rxcmp", "rx_compressed",
		"compressed packets received per second"),
	PACKETS("txcmp", "tx_compressed", "compressed packets sent per second"),
	PACKETS("rxmcst", "rx_multicast",
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

/* Of the columns of sar -n DEV those that are not mostly 0. */
static const char *const sar_usual[] = { "rxpck/s", "txpck/s", "rxkB/s",
					 "txkB/s",  "%ifutil", NULL };

const struct lp_class lp_class_net = {
	.name = "net",
	.noun = "interface",
	.separator = "/",
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 4,
	.sar_usual = sar_usual,
};
