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

#define RATE(n, u, column, accuses, h)                                         \
	{                                                                      \
		.name = n, .unit = u, .resource = LP_NETWORK,                  \
		.indicts = accuses, .scale = 1, .above = { column }, .help = h \
	}

static const struct lp_metric metrics[] = {
	RATE("rxpck", "packets/s", "rx_packets", false,
	     "packets received per second"),
	RATE("txpck", "packets/s", "tx_packets", false,
	     "packets sent per second"),
	RATE("rxbyt", "B/s", "rx_bytes", true, "bytes received per second"),
	RATE("txbyt", "B/s", "tx_bytes", true, "bytes sent per second"),
	RATE("rxerr", "packets/s", "rx_errs", false,
	     "bad packets received per second"),
	RATE("txerr", "packets/s", "tx_errs", false, "failed sends per second"),
	RATE("rxdrop", "packets/s", "rx_drop", false,
	     "received packets dropped per second"),
	RATE("txdrop", "packets/s", "tx_drop", false,
	     "packets dropped before sending per second"),
};

const struct lp_class lp_class_net = {
	.name = "net",
	.noun = "interface",
	.separator = "/",
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 4,
};
